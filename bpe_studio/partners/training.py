"""A corpus → a WordPiece or Unigram tokenizer, as a generator that can be closed at any step."""

from __future__ import annotations

import json
import queue
import struct
import time
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Final, Literal, get_args

from bpe_studio.bpe.corpus import Corpus, CorpusReport, read_blocks
from bpe_studio.bpe.counting import CountProgress, count_words
from bpe_studio.bpe.left_out import find_left_out
from bpe_studio.bpe.patterns import Pattern, resolve_pattern
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.words import WordCounts
from bpe_studio.formats.apart.frames import (
    ABOUT,
    ARRAY,
    END,
    ERROR,
    SHARE,
    BadMessageError,
    json_of,
    write_frame,
)
from bpe_studio.formats.apart.process import Answers, asking
from bpe_studio.formats.apart.unpacking import Parcel
from bpe_studio.formats.hf.outside import HuggingFaceModel, library
from bpe_studio.partners.file import PartnerKind, check_specials, pre_tokenizer_of
from bpe_studio.settings import DEFAULT_SPECIALS, Settings

__all__ = ["TITLES", "Partner", "PartnerProgress", "train_partner"]

TITLES: Final = {"wordpiece": "WordPiece", "unigram": "Unigram"}

_LOOK_SECONDS: Final = 0.02
# The library sorts all ends of the distinct pieces, and takes about 160 bytes of memory a byte.
_UNIGRAM_MOST_BYTES: Final = 1 << 25


@dataclass(frozen=True, slots=True)
class PartnerProgress:
    """How far a training is.

    Attributes
    ----------
    phase : "reading" or "training"
    done, total : int
        Bytes read, of how many. While the library trains both are 0: it does not tell.
    seconds : float
        Since the phase began.
    """

    phase: Literal["reading", "training"]
    done: int
    total: int
    seconds: float


@dataclass(frozen=True, eq=False)
class Partner:
    """What was trained.

    Attributes
    ----------
    kind : "wordpiece" or "unigram"
    tokenizer : Tokenizer
        It is run by the library.
    wanted : int
        The vocabulary size that was asked for.
    words : WordCounts
        What it was trained on.
    report : CorpusReport
        What reading has met.
    """

    kind: PartnerKind
    tokenizer: Tokenizer
    wanted: int
    words: WordCounts
    report: CorpusReport

    @property
    def data(self) -> bytes:
        """The `tokenizer.json`."""
        assert isinstance(self.tokenizer.outside, HuggingFaceModel)
        return self.tokenizer.outside.payload

    @property
    def shortfall(self) -> str:
        """A sentence where the vocabulary is smaller than what was asked for; else empty."""
        size = self.tokenizer.vocab_size
        if size >= self.wanted:
            return ""
        return (
            f"The text gives {TITLES[self.kind]} no more than {size:,} ids, of the "
            f"{self.wanted:,} asked for."
        )


def train_partner(
    corpus: Corpus,
    kind: PartnerKind,
    vocab_size: int,
    *,
    pattern: str | Pattern = "classic",
    specials: Sequence[str] = DEFAULT_SPECIALS,
    min_freq: int = 2,
    hold_out: float = 0.0,
    without: Sequence[str] = (),
    may_lack: Collection[str] = (),
) -> Generator[PartnerProgress, None, Partner]:
    """Train the other school on what a table is trained on; closing the generator ends it.

    Parameters
    ----------
    corpus, vocab_size, pattern, specials, hold_out, without
        As for a table: the same documents, pieces and specials, and as many ids.
    may_lack : collection of str
        Those of `without` that need not be in this corpus.
    min_freq : int
        As for a table; of WordPiece only, which learns its tokens as BPE does.

    Yields
    ------
    PartnerProgress
        About 50 times a second.

    Raises
    ------
    ValueError
        In one sentence: a setting out of range, a pattern that the library cannot run, a corpus
        without text or with too much for Unigram, and what the library refuses.
    """
    if kind not in get_args(PartnerKind):
        raise ValueError(f"A partner is wordpiece or unigram, not {kind!r}.")
    cutting = resolve_pattern(pattern)
    settings = Settings(
        vocab_size=vocab_size,
        min_freq=min_freq,
        pattern=cutting.expression,
        specials=tuple(specials),
        hold_out=hold_out,
        without=tuple(without),
    )
    check_specials(settings.specials)
    about = {
        "kind": kind,
        "vocab_size": vocab_size,
        "specials": settings.specials,
        "min_freq": min_freq,
        "pre_tokenizer": pre_tokenizer_of(kind, cutting),
    }
    library()  # said before anything is read
    report = CorpusReport()
    left_out = find_left_out(corpus.files, settings.without, may_lack=may_lack)
    blocks = read_blocks(corpus, report=report, left_out=left_out)
    steps = count_words(blocks, cutting, hold_out=settings.hold_out)
    words = yield from _count(steps, corpus.total_bytes)
    _check_words(kind, words)
    with asking(
        "bpe_studio.partners.child", "--train-a-partner", _request(about, words), lifeline=True
    ) as answers:
        tokenizer = yield from _taken(answers, kind)
    return Partner(kind, tokenizer, vocab_size, words, report)


def _count(
    steps: Iterator[CountProgress], total: int
) -> Generator[PartnerProgress, None, WordCounts]:
    began, words = time.monotonic(), None
    for step in steps:
        words = step.words
        yield PartnerProgress("reading", step.bytes_read, total, time.monotonic() - began)
    assert words is not None
    return words


def _check_words(kind: PartnerKind, words: WordCounts) -> None:
    if not len(words):
        raise ValueError("The corpus holds no text to train on.")
    if kind == "unigram" and len(words.data) > _UNIGRAM_MOST_BYTES:
        raise ValueError(
            f"The corpus has {len(words.data):,} bytes of distinct pieces, and Unigram, which "
            f"sorts all ends of them, takes at most {_UNIGRAM_MOST_BYTES:,}; use fewer documents, "
            "or a pattern that cuts shorter."
        )


def _request(about: object, words: WordCounts) -> Callable[[BinaryIO], None]:
    def write(stream: BinaryIO) -> None:
        write_frame(stream, ABOUT, json.dumps(about).encode())
        for array in (words.data, words.offsets, words.counts):
            write_frame(stream, ARRAY, array.data.cast("B"))
        write_frame(stream, END, b"")

    return write


def _taken(answers: Answers, kind: PartnerKind) -> Generator[PartnerProgress, None, Tokenizer]:
    began, parcel = time.monotonic(), Parcel()
    while True:
        yield PartnerProgress("training", 0, 0, time.monotonic() - began)
        try:
            message = answers.get(timeout=_LOOK_SECONDS)
        except queue.Empty:
            continue
        if message is None or isinstance(message, OSError):
            raise ValueError(
                f"The process that trains {TITLES[kind]} has ended in the middle, most likely for "
                "lack of memory; use less text, or a smaller vocabulary."
            )
        try:
            if isinstance(message, Exception):
                raise message
            what, data = message
            if what == ERROR:
                raise ValueError(str(json_of(data)["sentence"]))
            if what != SHARE and parcel.add(what, data):
                return parcel.tokenizer()
        except (BadMessageError, struct.error) as error:
            raise ValueError(
                f"The process that trains {TITLES[kind]} has sent what makes no sense ({error}); "
                "nothing was trained."
            ) from None
