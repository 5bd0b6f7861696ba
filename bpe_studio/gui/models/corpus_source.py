"""Where the text comes from on which tables are checked and compared."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bpe_studio.gui.models.pass_progress import PassStep

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer

SourceKind = Literal["table", "training", "panel", "chosen", "saved", "probe"]


@dataclass(frozen=True, slots=True)
class Source:
    """What tables are looked at on: nothing, a corpus that is known, or files to be found."""

    kind: SourceKind = "table"
    title: str = "the table alone"
    corpus: Corpus | None = None
    paths: tuple[Path, ...] = ()


PROBE = Source("probe", "the built-in probe texts")


def training_source(tokenizer: Tokenizer | None, corpus: Corpus | None) -> Source:
    """The corpus of a table's training, all of it: with what the training itself left out."""
    record = None if tokenizer is None else tokenizer.training
    title = "the training corpus"
    if record is not None and record.without:
        title += ", with what the training left out"
    elif record is not None and record.hold_out:
        title += ", with what was held out"
    return Source("training", title, corpus)


def iter_files(paths: tuple[Path, ...]) -> Generator[PassStep, None, Corpus]:
    """Look for the files that were chosen.

    Raises
    ------
    ValueError
        They hold no text.
    """
    from bpe_studio.bpe.corpus import iter_found

    corpus = None
    for found in iter_found(paths):
        corpus = found.corpus or corpus
        yield PassStep("Looking for files", found.bytes, 0, "bytes")
    if corpus is None or not corpus.files:
        raise ValueError(f"{paths[0]} holds no file with text; choose other files.")
    return corpus
