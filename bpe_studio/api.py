"""The three verbs: train, load, save; and a training that can be watched, stopped and continued."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np

from bpe_studio.bpe.corpus import (
    Block,
    Corpus,
    CorpusFile,
    CorpusReport,
    find_files,
    read_blocks,
)
from bpe_studio.bpe.encoder import encoded
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import Base, MergeTable, gpt2_byte_order
from bpe_studio.bpe.tokenizer import Tokenizer, TrainingRecord, roles_of
from bpe_studio.bpe.trainer import MergeBatch, StopReason, Ties, Trainer
from bpe_studio.bpe.words import CountProgress, WordCounts, count_words

ByteOrder = Literal["value", "gpt2"]
PathLike = str | Path

DEFAULT_SPECIALS: Final = (
    "<pad>",
    "<bos>",
    "<eos>",
    "<tool_call>",
    "</tool_call>",
    "<tool_result>",
)


@dataclass(frozen=True)
class Settings:
    """Everything that decides a training besides the corpus.

    Attributes
    ----------
    vocab_size : int
        Distinct ids wanted, specials and bytes included.
    min_freq : int
        Training ends where no pair is as frequent.
    pattern : str
        The name of a preset, or an expression.
    base : "bytes" or "chars"
    ties : "first-seen" or "smallest-ids"
    byte_order : "value" or "gpt2"
        The order in which the 256 bytes take their ids.
    specials : tuple of str
        They take the ids 0, 1, ….
    start : Tokenizer or None
        The table to continue.

    Raises
    ------
    ValueError
        In one sentence: a value out of range, or one that contradicts `start`.
    """

    vocab_size: int = 8000
    min_freq: int = 2
    pattern: str = "classic"
    base: Base = "bytes"
    ties: Ties = "first-seen"
    byte_order: ByteOrder = "value"
    specials: tuple[str, ...] = DEFAULT_SPECIALS
    start: Tokenizer | None = None

    def __post_init__(self) -> None:
        _check_choice("base", self.base, get_args(Base))
        _check_choice("ties", self.ties, get_args(Ties))
        _check_choice("byte_order", self.byte_order, get_args(ByteOrder))
        for name in ("vocab_size", "min_freq"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool):
                raise ValueError(f"{name} is a whole number, not {value!r}.")
        if self.min_freq < 1:
            raise ValueError(f"min_freq is at least 1, not {self.min_freq}.")
        resolve_pattern(self.pattern)
        _check_specials(self.specials)
        if self.start is not None:
            _check_start(self)
        smallest = smallest_vocab_size(self.specials, self.start)
        if self.vocab_size < smallest:
            parts = (
                f"the table to continue has {smallest:,} tokens"
                if self.start
                else f"256 bytes and {len(self.specials)} specials"
            )
            raise ValueError(
                f"vocab_size {self.vocab_size} is too small: {parts}, "
                f"so the smallest is {smallest}."
            )

    def as_written(self) -> dict[str, Any]:
        """The settings as the native file records them."""
        written: dict[str, Any] = {
            "vocab_size": self.vocab_size,
            "min_freq": self.min_freq,
            "pattern": resolve_pattern(self.pattern).name,
            "base": self.base,
            "ties": self.ties,
            "byte_order": self.byte_order,
            "specials": list(self.specials),
        }
        if self.start is not None:
            written["continued_from"] = len(self.start.table.merges)
        return written


def settings_for(start: Tokenizer | None = None, **given: Any) -> Settings:
    """Settings where what is None or absent follows the table to continue, or the defaults."""
    values = {name: value for name, value in given.items() if value is not None}
    if start is not None:
        values = {**_settings_of(start), **values, "start": start}
    if "specials" in values:
        values["specials"] = tuple(values["specials"])
    return Settings(**values)


def smallest_vocab_size(
    specials: Sequence[str] = DEFAULT_SPECIALS, start: Tokenizer | None = None
) -> int:
    """The smallest vocabulary: specials and bytes (a chars base adds the corpus's characters)."""
    return len(specials) + 256 if start is None else start.vocab_size


class TrainingSession:
    """One training that can be run in parts: watch it, stop it, keep what it has, go on.

    Parameters
    ----------
    corpus : Corpus, or paths of files and folders
    settings : Settings
    """

    def __init__(
        self, corpus: Corpus | Iterable[PathLike], settings: Settings | None = None
    ) -> None:
        self.settings = settings or Settings()
        self.corpus = corpus if isinstance(corpus, Corpus) else find_files(list(corpus))
        self.pattern = resolve_pattern(self.settings.pattern)
        self.report = CorpusReport()
        self.words: WordCounts | None = None
        self._trainer: Trainer | None = None
        self._table: MergeTable | None = None
        self._counting = count_words(read_blocks(self.corpus, report=self.report), self.pattern)

    @classmethod
    def of_texts(cls, texts: Iterable[str], settings: Settings | None = None) -> TrainingSession:
        """A training on documents in memory; half a surrogate pair is a ValueError."""
        session = cls(Corpus(()), settings)
        session._counting = count_words(_text_blocks(texts, session.report), session.pattern)
        return session

    @property
    def done(self) -> bool:
        return self.stop_reason is not None

    @property
    def stop_reason(self) -> StopReason | None:
        """Why training is done: size reached, no pair frequent enough, or no pair left."""
        return self._trainer.stop_reason if self._trainer else None

    @property
    def total(self) -> int | None:
        """The merges wanted in all; None before counting, since a chars base needs the corpus."""
        return self._trainer.total if self._trainer else None

    @property
    def learned(self) -> int:
        return self._trainer.learned if self._trainer else 0

    def run(self, max_merges: int | None = None) -> Iterator[CountProgress | MergeBatch]:
        """Reads and counts, then learns up to `max_merges` merges (all by default).

        Yields about every 10 ms. To stop, just stop iterating; calling `run` again goes on.

        Raises
        ------
        ValueError
            The corpus holds no text, a vocabulary too small for a chars base, and what
            `count_words` and the reader raise.
        """
        if self._trainer is None:
            for progress in self._counting:
                if progress.words is not None:
                    self._start_learning(progress.words)
                yield progress
        trainer = self._trainer
        if trainer is None:
            raise ValueError("Reading the corpus has failed before; start the training afresh.")
        yield from trainer.run(max_merges)

    def tokenizer(self) -> Tokenizer:
        """What is learned so far, as a finished smaller table."""
        if self._trainer is None or self.words is None:
            raise ValueError("Nothing is counted yet, so there is no table.")
        settings, words, trainer = self.settings, self.words, self._trainer
        merges, counts, applied = trainer.record()
        # On top of the table of the last time: a window asks again and again.
        last = self._table or trainer.table
        self._table = last.extended(merges[len(last.merges) :])
        specials = self._special_ids()
        return Tokenizer(
            table=self._table,
            pattern=self.pattern,
            special_ids=specials,
            roles=settings.start.roles if settings.start else roles_of(specials),
            engine=settings.start.engine if settings.start else "merges",
            training=TrainingRecord(
                counts=counts,
                applied=applied,
                settings=settings.as_written(),
                totals={
                    "documents": words.documents,
                    "characters": words.characters,
                    "bytes": words.bytes,
                    "pieces": words.pieces,
                    "distinct_pieces": len(words),
                    "base_symbols": trainer.base_symbols,
                    "tokens": trainer.base_symbols - int(applied.sum()),
                },
                corpus={
                    "files": [{"path": f.label, "size": f.size} for f in self.report.read_files],
                    "fingerprint": self.report.fingerprint(),
                    "problems": len(self.report.problems),
                },
            ),
        )

    def _first_problem(self) -> str:
        return next((f"{p.label}: {p.message}" for p in self.report.problems), "")

    def _special_ids(self) -> dict[str, int]:
        if self.settings.start is not None:
            return dict(self.settings.start.special_ids)
        return {name: number for number, name in enumerate(self.settings.specials)}

    def _start_learning(self, words: WordCounts) -> None:
        if not len(words):
            raise ValueError(
                "The corpus holds no text: "
                + (self._first_problem() or "no file with text was found.")
            )
        settings = self.settings
        table = settings.start.table if settings.start else _base_table(settings, words)
        specials = len(self._special_ids())
        smallest = len(table) + specials
        if settings.vocab_size < smallest:
            raise ValueError(
                f"vocab_size {settings.vocab_size} is too small: {specials} specials, 256 bytes "
                f"and the corpus's {len(table.char_ids):,} characters, so the smallest is "
                f"{smallest}."
            )
        first_id = settings.start.id_bound if settings.start else smallest
        self.words = words
        self._trainer = Trainer(
            words,
            table,
            first_id=first_id,
            total=len(table.merges) + settings.vocab_size - smallest,
            min_freq=settings.min_freq,
            ties=settings.ties,
        )


def train(
    paths: PathLike | Iterable[PathLike],
    *,
    vocab_size: int | None = None,
    min_freq: int = 2,
    pattern: str | None = None,
    base: Base | None = None,
    ties: Ties | None = None,
    byte_order: ByteOrder | None = None,
    specials: Sequence[str] | None = None,
    start: Tokenizer | PathLike | None = None,
    text_key: str = "text",
    errors: Literal["drop", "skip-file", "strict"] = "drop",
) -> Tokenizer:
    """Trains a tokenizer on files and folders.

    Parameters
    ----------
    paths : one path or several; files are read in the order given, folders in sorted order
    vocab_size : distinct ids wanted (default 8000)
    min_freq : training ends where no pair is as frequent
    pattern : name of a preset or an expression (default "classic")
    base : "bytes" (default) or "chars"
    ties : "first-seen" (default) or "smallest-ids"
    byte_order : "value" (default) or "gpt2"
    specials : names, by default `DEFAULT_SPECIALS`; an empty sequence for none
    start : a tokenizer, or a path of one, to continue; what is not given follows it
    text_key : the key of the text in JSONL rows
    errors : what invalid text does: "drop" it, "skip-file", or "strict" to stop

    Raises
    ------
    ValueError, OSError
        One sentence: what, where, what to do.
    """
    tokenizer = load(start) if isinstance(start, str | Path) else start
    settings = settings_for(
        tokenizer,
        vocab_size=vocab_size,
        min_freq=min_freq,
        pattern=pattern,
        base=base,
        ties=ties,
        byte_order=byte_order,
        specials=specials,
    )
    roots = [paths] if isinstance(paths, str | Path) else list(paths)
    session = TrainingSession(find_files(roots, text_key=text_key, errors=errors), settings)
    for _ in session.run():
        pass
    return session.tokenizer()


def load(path: PathLike) -> Tokenizer:
    """Reads a tokenizer file; the format is told by its content.

    Raises
    ------
    ValueError, OSError
        One sentence that names the file and the place.
    """
    from bpe_studio import formats

    return formats.load(Path(path))


def save(tokenizer: Tokenizer, path: PathLike, format: str | None = None) -> None:
    """Writes a tokenizer file, whole or not at all; the format is told by the suffix."""
    from bpe_studio import formats

    formats.save(tokenizer, Path(path), format)


def _text_blocks(texts: Iterable[str], report: CorpusReport) -> Iterator[Block]:
    size = 0
    for number, text in enumerate(texts):
        data = encoded(text)
        size += len(data)
        report.add_text(text, last=True)
        report.read_files.append(CorpusFile(Path(), f"text {number + 1}", len(data)))
        yield Block(document=number, file=number, text=text, last=True, bytes_read=size)


def _base_table(settings: Settings, words: WordCounts) -> MergeTable:
    """The base symbols: 256 bytes, and for a chars base the corpus's other characters."""
    first = len(settings.specials)
    order = gpt2_byte_order() if settings.byte_order == "gpt2" else range(256)
    byte_ids = np.empty(256, dtype=np.int32)
    byte_ids[list(order)] = np.arange(first, first + 256)
    chars: list[str] = []
    if settings.base == "chars":
        text = words.data.tobytes().decode()
        chars = sorted(char for char in set(text) if char > "\x7f")
    return MergeTable.build(
        base=settings.base,
        byte_ids=byte_ids.tolist(),
        char_ids={char: first + 256 + number for number, char in enumerate(chars)},
    )


def _settings_of(start: Tokenizer) -> dict[str, Any]:
    """What a table to continue settles."""
    recorded = start.training.settings if start.training else {}
    values: dict[str, Any] = {
        "pattern": start.pattern.expression,
        "base": start.base,
        "specials": start.specials,
        "byte_order": _byte_order_of(start.table),
        "ties": recorded.get("ties"),
        "vocab_size": max(8000, start.vocab_size),
    }
    return {name: value for name, value in values.items() if value is not None}


def _byte_order_of(table: MergeTable) -> ByteOrder | None:
    """The order of the byte ids; None where it is neither of the two."""
    by_id = np.argsort(table.byte_ids, kind="stable").tolist()
    if by_id == list(range(256)):
        return "value"
    return "gpt2" if by_id == list(gpt2_byte_order()) else None


def _check_start(settings: Settings) -> None:
    assert settings.start is not None
    asked = {
        "pattern": resolve_pattern(settings.pattern).expression,
        "base": settings.base,
        "specials": settings.specials,
        "byte_order": settings.byte_order,
        "ties": settings.ties,
    }
    for name, value in _settings_of(settings.start).items():
        if name in asked and asked[name] != value:
            shown = {"pattern": (settings.pattern, settings.start.pattern.name)}
            mine, its = shown.get(name, (asked[name], value))
            raise ValueError(
                f"{name} {mine!r} contradicts the table to continue, which has {its!r}."
            )


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} is {' or '.join(map(repr, choices))}, not {value!r}.")


def _check_specials(specials: tuple[str, ...]) -> None:
    for name in specials:
        if not isinstance(name, str) or not name:
            raise ValueError(f"A special is a text of at least one character, not {name!r}.")
    twice = next((name for name in specials if specials.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"The special {twice!r} is named twice.")
