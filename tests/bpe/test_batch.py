from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import batch
from bpe_studio.bpe.batch import grouped, in_order
from bpe_studio.bpe.encoder import TextError
from tests import texts
from tests.bpe.test_trainer import trained

SAMPLE = "low lower lowest é日本 'twas 12345\r\n\r\n  x\u00a0y " * 5


@given(
    parts=st.lists(texts.any_text | st.sampled_from(["", "<bos>", "a<eos>b"]), max_size=9),
    pattern=st.sampled_from(["classic", "cl100k", r"\w+|\W+"]),
    bos=st.booleans(),
    eos=st.booleans(),
    allowed=st.sampled_from([None, "all"]),
    threads=st.sampled_from([1, 2, None]),
)
def test_a_batch_is_what_one_text_after_another_gives(
    parts: list[str], pattern: str, bos: bool, eos: bool, allowed: None, threads: int | None
) -> None:
    tokenizer = trained([SAMPLE], vocab_size=330, pattern=pattern)
    expected = [tokenizer.encode(part, bos, eos, allowed) for part in parts]
    got = tokenizer.encode_batch(iter(parts), bos, eos, allowed, threads=threads)
    assert [ids.tolist() for ids in got] == expected
    assert [ids.tolist() for ids in tokenizer.encode_many(parts, bos, eos, allowed)] == expected


def test_many_groups_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_CHARACTERS", 100)
    tokenizer = trained([SAMPLE], vocab_size=330)
    parts = [f"low {number} lowest " * (number % 7) for number in range(300)]
    got = tokenizer.encode_batch(parts, threads=3)
    assert [tokenizer.decode(ids) for ids in got] == parts


@pytest.mark.parametrize("allowed", [None, "all"])
def test_a_bad_text_is_named_by_its_number(monkeypatch: pytest.MonkeyPatch, allowed: None) -> None:
    monkeypatch.setattr(batch, "_CHARACTERS", 20)
    tokenizer = trained([SAMPLE], vocab_size=330)
    parts = ["low lower"] * 30
    parts[17] = "lo\ud800"
    parts[25] = "\ud800"
    with pytest.raises(TextError, match=r"^Text 17: .*U\+D800\) at character 2"):
        tokenizer.encode_batch(parts, allowed_special=allowed)
    with pytest.raises(TextError, match=r"^Text 1: A text is a str, not bytes"):
        tokenizer.encode_batch(["low", b"low"], allowed_special=allowed)


def test_groups() -> None:
    assert list(grouped("abc", lambda _: 1 << 18)) == [["a", "b"], ["c"]]
    assert list(grouped([], len)) == []
    assert [len(group) for group in grouped([""] * 5000, len)] == [4096, 904]


def jobs(until: int, error: Exception) -> Iterator[Callable[[], int]]:
    for number in range(until):
        yield partial(abs, number)
    raise error


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_an_error_comes_after_all_before_it(threads: int) -> None:
    given: list[int] = []
    with pytest.raises(OSError, match="no more"):
        for value in in_order(jobs(20, OSError("no more")), threads):
            given.append(value)
    assert given == list(range(20))


def test_whoever_leaves_early_leaves_no_threads() -> None:
    before = threading.active_count()
    results = in_order((partial(abs, number) for number in range(10**9)), 2)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    results.close()
    assert threading.active_count() == before


def test_one_text_is_not_many() -> None:
    with pytest.raises(TypeError, match="encode_array takes one"):
        trained([SAMPLE], vocab_size=330).encode_batch("low")
