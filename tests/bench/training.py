"""Training: from the call to the result, in a warmed process, and the merges of all compared."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench.blocks import head
from tests.bench.figures import OURS, Row
from tests.bench.processes import Outcome, run_command, run_job
from tests.bench.rounds import Round, in_rounds
from tests.bench.rules import Rules, compare_merges, read_merges
from tests.bench.table import compact, details
from tests.bench.trainers import TRAINERS

SIZES: Final = {
    "code_10mb": (8192, 32768),
    "en": (32768, 131072),
    "multi": (32768,),
    "mixed_1gb": (32768,),
}
# Where the lines of a file are documents, our side is given them as rows of JSON; see `as_rows`.
LARGEST_FOR_LINES: Final = 200_000_000
WARM_BYTES: Final = 200_000
FIRST_SEEN: Final = f"{OURS}, first-seen"
COLD: Final = f"{OURS}, command, cold start"


@dataclass(frozen=True)
class Case:
    corpus: Path
    size: int

    def __str__(self) -> str:
        return f"{self.corpus.stem} {self.size:,}"


def wanted_cases(folder: Path, names: Sequence[str]) -> Iterator[Case]:
    """The corpora that are there, at the sizes they are measured at."""
    for name, sizes in SIZES.items():
        path = folder / f"{name}.txt"
        if path.exists() and (not names or name in names):
            yield from (Case(path, size) for size in sizes)


def as_rows(path: Path, out: Path) -> None:
    """A file's lines, each with its end, as one document each."""
    with (
        path.open(encoding="utf-8", newline="\n") as lines,
        out.open("w", encoding="utf-8") as rows,
    ):
        for line in lines:
            rows.write(json.dumps({"text": line}) + "\n")


class TrainingBench:
    """The runs of one case, and the comparison of what they have learned."""

    def __init__(self, case: Case, folder: Path, limit: float) -> None:
        self.case, self.folder, self.limit = case, folder, limit
        self.warm = folder / "warm.txt"
        self.warm.write_bytes(head(case.corpus, WARM_BYTES))
        self._references: dict[Rules, Path | None] = {}

    def competitors(self, names: Sequence[str]) -> dict[str, Callable[[Round], Outcome]]:
        wanted = [name for name in TRAINERS if name == OURS or not names or name in names]
        runs = {name: self._runner(name, TRAINERS[name].rules) for name in wanted}
        runs[FIRST_SEEN] = self._runner(FIRST_SEEN, Rules(ties="first-seen", byte_order="value"))
        runs[COLD] = lambda _: self._command()
        return runs

    def _runner(self, name: str, rules: Rules) -> Callable[[Round], Outcome]:
        def run(round_: Round) -> Outcome:
            return self._train(
                name, rules, self.case.corpus, self._merges(name) if round_.first else None
            )

        return run

    def _merges(self, name: str) -> Path:
        return self.folder / f"{name}.merges"

    def _train(self, name: str, rules: Rules, corpus: Path, merges: Path | None) -> Outcome:
        job = {
            "who": name if name in TRAINERS else OURS,
            "corpus": str(corpus),
            "warm": str(self.warm),
            "size": self.case.size,
            "rules": vars(rules),
            "merges": str(merges) if merges else "",
        }
        return run_job("training", job, self.limit)

    def _command(self) -> Outcome:
        """`bpe-studio train` as a user starts it."""
        out = self.folder / "table.json"
        out.unlink(missing_ok=True)
        size = ["--vocab-size", str(self.case.size), "--pattern", "gpt2", "--specials", "none"]
        rules = ["--ties", "smallest-ids", "--byte-order", "gpt2"]
        words = ["-m", "bpe_studio", "train", str(self.case.corpus), "-o", str(out), *size, *rules]
        return run_command([sys.executable, *words], self.limit)

    def check(self, row: Row) -> str:
        """Compares what was learned with what we learn by the same rules."""
        if not self._merges(row.who).exists():
            return ""
        rules = TRAINERS[row.who].rules if row.who in TRAINERS else None
        if row.who == OURS or rules is None:
            return ""
        mine = self._reference(rules)
        if mine is None:
            return "not compared"
        told = compare_merges(read_merges(mine), read_merges(self._merges(row.who)))
        return f"{told} ({rules})"

    def _reference(self, rules: Rules) -> Path | None:
        """Our merges by these rules; trained once more where they are not those we measure."""
        if rules == Rules():
            return self._merges(OURS)
        if rules not in self._references:
            self._references[rules] = self._train_reference(rules)
        return self._references[rules]

    def _train_reference(self, rules: Rules) -> Path | None:
        corpus, merges = self.case.corpus, self.folder / f"reference-{len(self._references)}.merges"
        if rules.documents == "lines":
            if corpus.stat().st_size > LARGEST_FOR_LINES:
                return None
            rows = self.folder / "lines.jsonl"
            as_rows(corpus, rows)
            corpus = rows
        outcome = self._train(OURS, rules, corpus, merges)
        return None if outcome.error else merges


def measure(
    corpora: Path,
    *,
    names: Sequence[str],
    peers: Sequence[str],
    rounds: int,
    limit: float,
    once_above: float,
) -> Iterator[Row]:
    """The rows of all cases, case by case."""
    for case in wanted_cases(corpora, names):
        with tempfile.TemporaryDirectory() as folder:
            bench = TrainingBench(case, Path(folder), limit)
            competitors = bench.competitors(peers)
            for row in in_rounds(str(case), competitors, rounds=rounds, once_above=once_above):
                row.given = TRAINERS[row.who].given if row.who in TRAINERS else "the file"
                row.check = bench.check(row)
                yield row


def tables(rows: Sequence[Row], short: bool) -> str:
    if short:
        return compact(rows, "seconds", "peak_mb", " MB")
    columns = (("seconds", "s"), ("cpu", "CPU s"), ("peak_mb", "peak MB"))
    return details(rows, columns, "seconds")
