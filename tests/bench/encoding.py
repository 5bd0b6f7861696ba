"""Encoding under cl100k_base: one thread, cold and warm; texts, and pieces of one megabyte.

Cold is the first text that a loaded tokenizer is given, but for a few words that load its code;
warm is the same text once more. The batch is the text in short documents, on all cores.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from tests.bench.blocks import head
from tests.bench.encoders import ENCODERS
from tests.bench.figures import OURS, Row
from tests.bench.processes import Outcome, run_job
from tests.bench.rounds import Round, in_rounds
from tests.bench.table import compact, details

RANKS: Final = "cl100k_base.tiktoken"
TEXTS: Final = ("en", "code", "multi")
TEXT_BYTES: Final = 10_000_000
PIECE_BYTES: Final = 999_000  # one peer refuses a million


def pieces() -> dict[str, str]:
    """Texts that the pattern does not cut, or hardly."""
    lot = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return {
        "one letter": "a" * PIECE_BYTES,
        "spaces": " " * PIECE_BYTES,
        "random letters": "".join(lot.choices(letters, k=PIECE_BYTES)),
        "random CJK": "".join(chr(lot.randrange(0x4E00, 0x9FA6)) for _ in range(PIECE_BYTES // 3)),
    }


def measure(
    corpora: Path,
    ranks: Path,
    *,
    names: Sequence[str],
    peers: Sequence[str],
    rounds: int,
    limit: float,
    once_above: float,
) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case, text in _texts(corpora, folder, names):
            bench = EncodingBench(text, ranks, folder, limit)
            batch = case in TEXTS
            rows = in_rounds(
                case, bench.competitors(peers, batch), rounds=rounds, once_above=once_above
            )
            for row in rows:
                row.given = ENCODERS[row.who].given
                row.check = bench.check(row.who)
                yield row


def _texts(corpora: Path, folder: Path, names: Sequence[str]) -> Iterator[tuple[str, Path]]:
    for case in TEXTS:
        found = [corpora / f"{case}.txt", corpora / f"{case}_10mb.txt"]
        path = next((path for path in found if path.exists()), None)
        if path is not None and (not names or case in names):
            text = folder / f"{case}.txt"
            text.write_bytes(head(path, TEXT_BYTES))
            yield case, text
    if not names or "pieces" in names:
        for case, piece in pieces().items():
            text = folder / "piece.txt"
            text.write_text(piece, "utf-8")
            yield case, text


class EncodingBench:
    """The runs of one text, and the comparison of ids."""

    def __init__(self, text: Path, ranks: Path, folder: Path, limit: float) -> None:
        self.text, self.ranks, self.folder, self.limit = text, ranks, folder, limit
        for old in folder.glob("*.npy"):
            old.unlink()

    def competitors(
        self, names: Sequence[str], batch: bool
    ) -> dict[str, Callable[[Round], Outcome]]:
        wanted = [name for name in ENCODERS if name == OURS or not names or name in names]
        return {name: self._runner(name, batch) for name in wanted}

    def _runner(self, name: str, batch: bool) -> Callable[[Round], Outcome]:
        def run(round_: Round) -> Outcome:
            job = {
                "who": name,
                "ranks": str(self.ranks),
                "text": str(self.text),
                "ids": str(self._ids(name)) if round_.first else "",
                "batch": batch,
            }
            return run_job("encoding", job, self.limit)

        return run

    def _ids(self, name: str) -> Path:
        return self.folder / f"{name}.npy"

    def check(self, name: str) -> str:
        """Compares ids with tiktoken's."""
        mine, theirs = self._ids(name), self._ids("tiktoken")
        if name == "tiktoken" or not (mine.exists() and theirs.exists()):
            return ""
        return compare_ids(np.load(mine), np.load(theirs))


def compare_ids(ids: np.ndarray, expected: np.ndarray) -> str:
    """Compares ids, or only how many there are where only that is known.

    >>> compare_ids(np.array([5, 7]), np.array([5, 7])), compare_ids(np.array(2), np.array([5, 7]))
    ('same 2', 'as many, 2')
    """
    if ids.ndim == 0:
        return (
            f"as many, {len(expected):,}"
            if ids == len(expected)
            else f"{ids:,}, not {len(expected):,}"
        )
    if np.array_equal(ids, expected):
        return f"same {len(ids):,}"
    common = min(len(ids), len(expected))
    differs = np.flatnonzero(ids[:common] != expected[:common])
    return f"differs at {differs[0] if len(differs) else common:,} of {len(expected):,}"


COLUMNS: Final = (
    ("mb_s", "cold MB/s"),
    ("warm_mb_s", "warm MB/s"),
    ("batch_mb_s", "batch MB/s"),
    ("offsets", "offsets, cost"),
    ("peak_mb", "peak MB"),
)


def tables(rows: Sequence[Row], short: bool) -> str:
    """MB/s, so the ratio to ours is below 1 where a competitor is slower."""
    if short:
        cold = compact(rows, "mb_s")
        warm = compact([row for row in rows if row.case in TEXTS], "warm_mb_s")
        return f"Cold, MB/s\n\n{cold}\n\nWarm, MB/s\n\n{warm}"
    return details(rows, COLUMNS, "mb_s")
