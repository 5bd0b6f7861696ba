"""Every tokenizer file of a folder, opened by us and by the program it was made for: same ids?

    python -m tests.bench.parity DIR --text en.txt code.txt multi.txt --mb 5

One line a file (with --each, one for each text too): how many documents, ids and spans were
compared, and how many documents differ. Spans are compared where the program tells them, as spans
of characters: equal, but one within the other for a part of a character and where its normalizer
changed the document. Lines with a character on which the versions of Unicode differ are left out
and counted. The exit status is 1 where anything differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bpe_studio import formats
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.bench.parity_engines import Engine, Spans, engine_of
from tests.bench.parity_texts import SAMPLE, Texts, random_texts, texts_of

_SHOWN = 3
_AROUND = 4


@dataclass
class Result:
    """What one text gave."""

    name: str
    documents: int = 0
    characters: int = 0
    ids: int = 0
    spans: int = 0
    within: int = 0
    left_out: int = 0
    differences: int = 0
    shown: list[str] = field(default_factory=list)

    def line(self) -> str:
        parts = [f"{self.documents:,} texts, {self.characters:,} characters, {self.ids:,} ids"]
        if self.spans:
            parts.append(f"{self.spans:,} spans ({self.within:,} one within the other)")
        parts.append(f"{self.left_out:,} lines left out")
        return f"{self.name}: {', '.join(parts)}: {self.differences} differences"

    def add(self, other: Result) -> None:
        """Sums."""
        for name in ("documents", "characters", "ids", "spans", "within", "left_out"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.differences += other.differences


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    corpora = [texts_of(path, int(given.mb * 1e6)) for path in given.text]
    sample = SAMPLE.read_text("utf-8")
    corpora.append(Texts("sample", [sample]))
    wrong = 0
    for path, kind in tokenizer_files(given.folder):
        if given.only and given.only not in str(path):
            continue
        wrong += _compare_file(path, kind, corpora, sample, given)
    return 1 if wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.parity", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--text", type=Path, nargs="*", default=[], metavar="FILE")
    parser.add_argument("--mb", type=float, default=5, help="how much of every FILE (default 5)")
    parser.add_argument("--only", help="files with this in their path")
    parser.add_argument("--each", action="store_true", help="a line for each text")
    parser.add_argument("--pattern", help="for rank files that are not known")
    return parser


def tokenizer_files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Files with the mark of a format that others than us read, and its name; of a pair one."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        with path.open("rb") as file:
            head = file.read(1 << 16)
        kind = next((n for n, module in formats.FORMATS.items() if module.sniff(head)), None)
        if kind in (None, "studio") or (kind == "gpt2" and not head.lstrip().startswith(b"{")):
            continue
        yield path, kind


def _compare_file(
    path: Path, kind: str, corpora: list[Texts], sample: str, given: argparse.Namespace
) -> int:
    named = f"{path.parent.name}/{path.name}"
    try:
        ours = formats.load(path, pattern=given.pattern)
    except (ValueError, OSError) as error:
        print(f"{named}: not opened: {error}")
        return 1
    if ours.view_only:
        print(f"{named}: only shown: {ours.view_only}")
        return 0
    engine = engine_of(path, kind, ours)
    if engine is None:
        print(f"{named}: there is no program to compare with")
        return 0
    start = time.monotonic()
    total = Result(f"{named}, {engine.name}")
    for texts in (*corpora, random_texts(ours, sample)):
        result = compare(ours, engine, texts)
        total.add(result)
        if given.each or result.shown:
            print("\n    ".join((f"  {result.line()}", *result.shown)), flush=True)
    print(f"{total.line()} ({time.monotonic() - start:.0f} s)", flush=True)
    return total.differences


def compare(ours: Tokenizer, engine: Engine, texts: Texts) -> Result:
    """Both encode each document."""
    result = Result(texts.name, left_out=texts.left_out)
    for number, document in enumerate(texts.documents):
        wrong = _compare_one(ours, engine, document, result)
        if wrong:
            result.differences += 1
            if len(result.shown) < _SHOWN:
                result.shown.append(f"text {number}: {wrong}")
    return result


def _compare_one(ours: Tokenizer, engine: Engine, document: str, result: Result) -> str:
    """What differs first, or nothing."""
    ids, spans = engine.encode(document)
    found = ours.encode_with_offsets(document, allowed_special=engine.allowed)
    own_ids = found.ids.tolist()
    result.documents += 1
    result.characters += len(document)
    result.ids += len(ids)
    own_spans = in_characters(document, found.offsets)
    if own_ids != ids:
        return _first_difference(ours, document, own_ids, ids, own_spans)
    if own_ids != _encoded(ours, document, engine.allowed):
        return "encode and encode_with_offsets give different ids"
    if engine.plain is not None and _encoded(ours, document, ()) != engine.plain(document):
        return "the ids differ where specials are plain text"
    if spans is None:
        return ""
    result.spans += len(ids)
    free = parts_of_characters(document, found.offsets)
    if not engine.unchanged(document):
        free[:] = True
    return _compare_spans(own_spans, spans, document, free, result)


def _encoded(ours: Tokenizer, document: str, allowed: AllowedSpecial) -> list[int]:
    ids: list[int] = ours.encode_array(document, allowed_special=allowed).tolist()
    return ids


def parts_of_characters(text: str, offsets: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which spans of bytes begin or end inside a character."""
    data = np.frombuffer(text.encode() + b" ", dtype=np.uint8)
    found: NDArray[np.bool_] = ((data & 0xC0) == 0x80)[offsets].any(axis=1)
    return found


def _compare_spans(
    own: Spans, theirs: Spans, document: str, free: NDArray[np.bool_], result: Result
) -> str:
    """What differs first; where `free`, one span must only lie within the other."""
    equal = (own == theirs).all(axis=1)
    if equal.all():
        return ""
    inside = (own[:, 0] <= theirs[:, 0]) & (theirs[:, 1] <= own[:, 1])
    around = (theirs[:, 0] <= own[:, 0]) & (own[:, 1] <= theirs[:, 1])
    wrong = ~(equal | free & (inside | around))
    result.within += int(np.count_nonzero(~equal & ~wrong))
    if not wrong.any():
        return ""
    place = int(np.argmax(wrong))
    start = max(0, int(min(own[place, 0], theirs[place, 0])) - 8)
    return (
        f"token {place} has the span {own[place].tolist()} here and {theirs[place].tolist()} "
        f"there, near {document[start : start + 40]!r}"
    )


def in_characters(text: str, offsets: NDArray[np.int64]) -> Spans:
    """Spans of bytes as the characters that they touch.

    >>> in_characters("aé", np.array([[0, 1], [1, 2], [2, 3], [3, 3]])).tolist()
    [[0, 1], [1, 2], [1, 2], [2, 2]]
    """
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    character = np.append(np.cumsum((data & 0xC0) != 0x80) - 1, len(text))
    start, end = offsets[:, 0], offsets[:, 1]
    return np.column_stack(
        (character[start], np.where(end > start, character[end - 1] + 1, character[start]))
    )


def _first_difference(
    ours: Tokenizer, document: str, own: list[int], theirs: list[int], spans: Spans
) -> str:
    place = next(
        (i for i, (a, b) in enumerate(zip(own, theirs, strict=False)) if a != b),
        min(len(own), len(theirs)),
    )
    start = int(spans[place, 0]) if place < len(spans) else len(document)

    def words(ids: list[int]) -> str:
        return " ".join(_word(ours, i) for i in ids[max(0, place - 1) : place + _AROUND])

    return (
        f"token {place}, near {document[max(0, start - 20) : start + 20]!r}: "
        f"here {words(own)}, there {words(theirs)}"
    )


def _word(ours: Tokenizer, token_id: int) -> str:
    known = ours.is_special(token_id) or token_id in ours.table
    return f"{token_id}={ours.token_bytes(token_id)!r}" if known else f"{token_id} (unknown here)"


if __name__ == "__main__":
    sys.exit(main())
