"""`bpe-studio train --model wordpiece|unigram`: the other schools, to compare with."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from bpe_studio.cli.corpus_notes import left_out_lines, read_line, trouble_lines
from bpe_studio.cli.output import counted, shown

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.partners import Partner

__all__ = ["Model", "check_options", "train_partner_file"]


class Model(StrEnum):
    bpe = "bpe"
    wordpiece = "wordpiece"
    unigram = "unigram"


def check_options(model: Model, given: Mapping[str, object]) -> None:
    """Refuse the options that say how BPE merges.

    Raises
    ------
    ValueError
        It names those that were given.
    """
    wrong = [name for name, value in given.items() if value not in (None, False)]
    if wrong:
        names = f"{', '.join(wrong[:-1])} and {wrong[-1]}" if len(wrong) > 1 else wrong[0]
        say = "say" if len(wrong) > 1 else "says"
        raise ValueError(f"{names} {say} how BPE merges; --model {model.value} has no such option.")


def train_partner_file(
    corpus: Corpus,
    model: Model,
    vocab_size: int,
    out: Path,
    *,
    pattern: str | None,
    specials: Sequence[str] | None,
    min_freq: int | None,
    hold_out: float | None,
    without: Sequence[str],
) -> int:
    """Train and save; the exit status. Ctrl-C ends it, and leaves no file."""
    from bpe_studio import formats
    from bpe_studio.cli.progress import Progress
    from bpe_studio.partners import train_partner
    from bpe_studio.settings import DEFAULT_SPECIALS

    steps = train_partner(
        corpus,
        "unigram" if model is Model.unigram else "wordpiece",
        vocab_size,
        pattern=pattern or "classic",
        specials=DEFAULT_SPECIALS if specials is None else specials,
        min_freq=2 if min_freq is None else min_freq,
        hold_out=hold_out or 0.0,
        without=without,
    )
    with closing(steps), Progress() as progress:
        progress.phase("Counting", total=corpus.total_bytes, unit="bytes")
        while True:
            try:
                step = next(steps)
            except StopIteration as stop:
                partner: Partner = stop.value
                break
            if step.phase == "training":
                progress.phase("Training", total=0, unit="seconds")
                progress.update(int(step.seconds))
            else:
                progress.update(step.done)
    formats.save(partner.tokenizer, out, "huggingface")
    _tell(partner, out)
    return 0


def _tell(partner: Partner, out: Path) -> None:
    """The summary, on stderr."""
    from bpe_studio.partners import TITLES

    lines = [read_line(partner.words)]
    lines.append(f"{TITLES[partner.kind]}, {counted(partner.tokenizer.vocab_size, 'id')}")
    if partner.shortfall:
        lines.append(partner.shortfall)
    lines += left_out_lines(partner.report)
    lines += trouble_lines(partner.words, partner.report)
    print(*lines, f"Saved {shown(str(out))}", sep="\n", file=sys.stderr)
