"""A signal leaves a note, a second one interrupts; handlers come back."""

from __future__ import annotations

import signal

import pytest

from bpe_studio.cli.interrupts import Interrupts, Terminated, sigterm_interrupts, status_of

BOTH = pytest.mark.parametrize(
    ("number", "kind"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)]
)


def handlers() -> list[object]:
    return [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]


@BOTH
def test_a_note_then_an_interrupt(number: int, kind: type[BaseException]) -> None:
    before = handlers()
    with pytest.raises(kind), Interrupts() as interrupts:
        assert interrupts.number == 0
        signal.raise_signal(number)
        assert interrupts.number == number
        signal.raise_signal(number)
    assert handlers() == before


def test_patience_is_for_one_more() -> None:
    with pytest.raises(Terminated), Interrupts() as interrupts:
        signal.raise_signal(signal.SIGINT)
        interrupts.be_patient()
        signal.raise_signal(signal.SIGTERM)
        assert interrupts.number == signal.SIGINT
        signal.raise_signal(signal.SIGTERM)


@BOTH
def test_what_is_ignored_stays_ignored(number: int, kind: type[BaseException]) -> None:
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with sigterm_interrupts(), Interrupts() as interrupts:
            signal.raise_signal(number)
            assert interrupts.number == 0
    finally:
        signal.signal(number, before)


def test_sigterm_interrupts() -> None:
    before = handlers()
    with pytest.raises(Terminated), sigterm_interrupts():
        signal.raise_signal(signal.SIGTERM)
    assert handlers() == before


def test_statuses() -> None:
    assert [status_of(number) for number in (signal.SIGINT, signal.SIGTERM)] == [130, 143]
