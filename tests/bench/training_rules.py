"""What rules for merges cost a training: each rule against none, in turns.

    python -m tests.bench.training_rules FILE [--mb 10] [--size 32768] [--rounds 3]

The file's beginning is cut into documents of about 2 kB at ends of lines, as rows of JSON, so that
a floor of documents has something to ask. Every run is a process of its own; CPU is that of all of
its threads, seconds are those of counting and of merging, "slice" is the longest time without an
answer while merging, in CPU time.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final

from tests.bench.blocks import head
from tests.bench.machine import peak_mb

RULES: Final[dict[str, dict[str, Any]]] = {
    "none": {},
    "whole characters": {"whole_characters": True},
    "at most 16 bytes": {"max_token_bytes": 16},
    "2 documents": {"min_documents": 2},
    "5 documents": {"min_documents": 5},
    "50 documents": {"min_documents": 50},
    "all three (16, 5)": {"whole_characters": True, "max_token_bytes": 16, "min_documents": 5},
}
DOCUMENT_BYTES: Final = 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--mb", type=int, default=10)
    parser.add_argument("--size", type=int, default=32768)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only is not None:
        print(json.dumps(train(given.file, given.size, RULES[given.only])))
        return
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.jsonl"
        number = write_rows(head(given.file, given.mb * 1_000_000), rows)
        print(f"{given.file.name}, {given.mb} MB, {number:,} documents, {given.size:,} tokens")
        words = ["-m", "tests.bench.training_rules", str(rows), "--size", str(given.size)]
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in RULES}
        run([*words, "--only", "all three (16, 5)"])  # compiles
        for _ in range(given.rounds):
            for name, runs in found.items():
                runs.append(run([*words, "--only", name]))
    tell(found)


def train(path: Path, size: int, rules: dict[str, Any]) -> dict[str, Any]:
    from bpe_studio.api import Settings, TrainingSession
    from bpe_studio.bpe.trainer import MergeBatch

    session = TrainingSession([path], Settings(vocab_size=size, **rules))
    began, merging = time.perf_counter(), 0.0
    longest, last, busy = 0.0, began, time.thread_time()
    for event in session.run():
        if isinstance(event, MergeBatch):
            merging = merging or last
            longest = max(longest, time.thread_time() - busy)
        last, busy = time.perf_counter(), time.thread_time()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "counting": merging - began,
        "merging": last - merging,
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak": peak_mb(),
        "slice": 1000 * longest,
        "merges": session.learned,
        "ended": session.stop_reason,
    }


def write_rows(data: bytes, path: Path) -> int:
    number = 0
    with path.open("w", encoding="utf-8") as file:
        for document in documents(data):
            file.write(json.dumps({"text": document}) + "\n")
            number += 1
    return number


def documents(data: bytes) -> Iterator[str]:
    """The text in parts that end with lines; a character that is cut at the end is dropped."""
    parts: list[str] = []
    length = 0
    for line in data.decode(errors="ignore").splitlines(keepends=True):
        parts.append(line)
        length += len(line)
        if length >= DOCUMENT_BYTES:
            yield "".join(parts)
            parts, length = [], 0
    if parts:
        yield "".join(parts)


def run(words: list[str]) -> dict[str, Any]:
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def tell(found: dict[str, list[dict[str, Any]]]) -> None:
    print("rule                counting s  merging s  CPU s  × none  peak MB  slice ms  merges")
    for name, runs in found.items():
        keys = ("counting", "merging", "cpu", "peak", "slice")
        counting, merging, cpu, peak, longest = (median(one[key] for one in runs) for key in keys)
        ratios = [one["cpu"] / plain["cpu"] for one, plain in zip(runs, found["none"], strict=True)]
        print(
            f"{name:18}  {counting:10.2f}  {merging:9.2f}  {cpu:5.2f}  {median(ratios):6.2f}  "
            f"{peak:7.0f}  {longest:8.0f}  {runs[0]['merges']:,} ({runs[0]['ended']})"
        )


if __name__ == "__main__":
    main()
