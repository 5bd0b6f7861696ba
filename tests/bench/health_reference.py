"""The figures that are known of gpt2 and cl100k_base, found again, and how long each check takes.

    python -m tests.bench.health_reference FOLDER

FOLDER holds, at any depth, GPT-2's vocab.json with merges.txt (or a tokenizer.json of it in a
folder named gpt2), and cl100k_base.tiktoken. Any other tokenizer file is timed too when it is named
with --also. Nothing is fetched. Seconds are of the processor. Exit status 1 where a figure differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import bpe_studio as bs
from bpe_studio.analysis.alone import AloneTokens
from bpe_studio.analysis.flags import Thresholds
from bpe_studio.analysis.health import HealthReport, check, check_all
from bpe_studio.analysis.integrity import integrity
from bpe_studio.analysis.looks import LookChecks
from bpe_studio.analysis.reach_checks import ReachChecks
from bpe_studio.bpe.tokenizer import Tokenizer

Figures = dict[str, int]

_SINGLE: Final = {"bytes never valid": 13, "lead bytes": 51, "continuation bytes": 64}
EXPECTED: Final[dict[str, Figures]] = {
    "gpt2": {
        "not alone": 0,
        "unreachable": 0,
        "duplicate": 0,
        "partial": 216,
        "end inside": 181,
        "begin inside": 31,
        "both": 4,
        "over 32 bytes": 14,
        **_SINGLE,
    },
    "cl100k_base": {
        "not alone": 0,
        "unreachable": 0,
        "duplicate": 0,
        "partial": 645,
        "end inside": 532,
        "begin inside": 110,
        "both": 3,
        "over 32 bytes": 212,
        **_SINGLE,
    },
}
"""DESIGN §6; partial tokens are those of several bytes."""


def figures_of(report: HealthReport) -> Figures:
    """The figures of a report by the names above."""
    partial, counts = report.partial, report.counts
    return {
        "not alone": counts["not-alone"] + counts["always-merged"],
        "unreachable": counts["unreachable"],
        "duplicate": counts["duplicate"],
        "partial": partial.multi_byte,
        "end inside": partial.ends,
        "begin inside": partial.begins,
        "both": partial.both,
        "over 32 bytes": counts["over-long"],
        "bytes never valid": partial.single_never,
        "lead bytes": partial.single_lead,
        "continuation bytes": partial.single_continuation,
    }


def differences(found: Figures, expected: Figures) -> list[str]:
    """A line for every figure that is another one.

    >>> differences({"a": 1, "b": 2}, {"a": 1, "b": 3})
    ['b: 2, and not 3']
    """
    return [
        f"{name}: {found[name]:,}, and not {wanted:,}"
        for name, wanted in expected.items()
        if found[name] != wanted
    ]


def find(folder: Path, name: str) -> Path | None:
    """The file or folder of a reference tokenizer below a folder."""
    if name == "cl100k_base":
        return next(iter(sorted(folder.rglob("cl100k_base.tiktoken"))), None)
    for vocabulary in sorted(folder.rglob("vocab.json")):
        if (vocabulary.parent / "merges.txt").exists():
            return vocabulary.parent
    return next(iter(sorted(folder.rglob("gpt2/tokenizer.json"))), None)


def seconds(tokenizer: Tokenizer) -> Iterator[tuple[str, float]]:
    """What was done, and the seconds that it took of the processor."""
    began = time.process_time()
    alone = list(AloneTokens(tokenizer))
    yield "each token alone, by merges and pattern", time.process_time() - began
    began = time.process_time()
    reach = ReachChecks(tokenizer)
    for token in reach.tokens():
        reach.flags(token)
    yield "reach, that included", time.process_time() - began
    began = time.process_time()
    looks = LookChecks(tokenizer, Thresholds())
    for token in alone:
        looks.flags(token.token, token.data)
    yield "looks", time.process_time() - began
    began = time.process_time()
    integrity(tokenizer)
    yield "integrity", time.process_time() - began
    began = last = time.process_time()
    longest = 0.0
    for _ in check(tokenizer):
        now = time.process_time()
        longest, last = max(longest, now - last), now
    yield "all of it", time.process_time() - began
    yield "longest slice", longest


def measure(name: str, path: Path) -> list[str]:
    """Prints what is found of a tokenizer; returns what differs."""
    tokenizer = bs.load(path)
    if not tokenizer.view_only:
        tokenizer.encode("Compile, or load what was compiled, before the clock starts.")
    print(f"\n{name}: {len(tokenizer.table):,} tokens, {tokenizer.engine}")
    report = check_all(tokenizer)
    counts = {kind: count for kind, count in report.counts.items() if count}
    wrong: list[str] = []
    if name in EXPECTED:
        found = figures_of(report)
        wrong = differences(found, EXPECTED[name])
        print("  " + ", ".join(f"{what} {count:,}" for what, count in found.items()))
        print("  as expected" if not wrong else "  DIFFERS: " + "; ".join(wrong))
    else:
        print("  " + ", ".join(f"{kind} {count:,}" for kind, count in counts.items()))
    print(f"  {report.integrity.size_sentence}")
    for what, took in seconds(tokenizer):
        print(f"  {took:7.3f} s  {what}")
    return wrong


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--also", type=Path, nargs="*", default=[], metavar="FILE")
    given = parser.parse_args(arguments)
    wrong: list[str] = []
    for name in EXPECTED:
        path = find(given.folder, name)
        wrong += [f"{name} is not there"] if path is None else measure(name, path)
    for path in given.also:
        measure(str(path), path)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
