"""How long the embedding matrices of a large model take, and how much memory.

    python -m tests.bench.undertrained [FILE TABLE] [--rows 128256] [--columns 4096] [--untied]

Without FILE, a safetensors file of BF16 numbers is made in the folder for temporary files (1 GB
with the sizes above) and deleted afterwards: rows round an offset, with directions of falling
weight, and 100 rows planted near one vector, which have to come out on top. Memory is what the
process holds itself; the pages of the map belong to the system. "Longest step" is how long a cancel
can have to wait.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bpe_studio.analysis.undertrained import UnderTrained, iter_undertrained
from bpe_studio.api import load
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.safetensors import open_embeddings

PLANTED = 100
AT_ONCE = 4096


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("table", nargs="?")
    parser.add_argument("--rows", type=int, default=128_256)
    parser.add_argument("--columns", type=int, default=4096)
    parser.add_argument("--untied", action="store_true")
    given = parser.parse_args()
    if given.file is not None:
        measure(given.file, load(given.table))
        return
    tokenizer = made_tokenizer(given.rows - 256)
    planted = np.random.default_rng(0).choice(np.arange(256, given.rows - 256), PLANTED, False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        names = ["model.embed_tokens.weight", "lm_head.weight"][: 2 if given.untied else 1]
        write(path, names, given.rows, given.columns, planted)
        found = measure(path, tokenizer)
    right = set(found.candidates[:PLANTED].tolist()) == set(planted.tolist())
    print(f"planted rows on top: {'all' if right else 'NOT all'}")
    sys.exit(0 if right else 1)


def measure(path: Path, tokenizer: Tokenizer) -> UnderTrained:
    phases: dict[str, float] = {}
    longest, passes = 0.0, 0
    began = last = time.perf_counter()
    worked = time.process_time()
    with open_embeddings(path, rows=tokenizer.id_bound) as matrices, peak() as memory:
        steps = iter_undertrained(tokenizer, matrices)
        while True:
            try:
                step = next(steps)
            except StopIteration as stop:
                found: UnderTrained = stop.value
                break
            now = time.perf_counter()
            phases[step.phase] = phases.get(step.phase, 0.0) + now - last
            longest, last = max(longest, now - last), now
            passes += step.done == step.total
            memory()
        held = memory()
    total = time.perf_counter() - began
    print(f"{found.rows:,} × {found.columns:,} {found.dtype}, {'tied' if found.tied else 'untied'}")
    for phase, seconds in phases.items():
        print(f"  {phase}: {seconds:.1f} s")
    worked = time.process_time() - worked
    print(f"{total:.1f} s ({worked:.1f} s of a processor) in {passes} passes", end="")
    print(f"; longest step {1000 * longest:.0f} ms", end="")
    print(f"; {held:.0f} MB beyond what the process held before, without the map")
    print(found.confidence)
    return found


@contextmanager
def peak() -> Iterator[object]:
    """Gives a function: the most memory of its own (in MB) that was seen since the beginning."""
    before = most = own_memory()

    def look() -> float:
        nonlocal most
        most = max(most, own_memory())
        return (most - before) / 1e6

    yield look


def own_memory() -> float:
    """Bytes of anonymous memory: what belongs to no file."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return 1024.0 * int(line.split()[1])
    return 0.0


def made_tokenizer(tokens: int) -> Tokenizer:
    words = {i: b"%x" % (i + 4096) for i in range(256, tokens)}
    table = MergeTable.build(byte_ids=range(256), tokens=words)
    return Tokenizer(table=table, pattern=resolve_pattern("gpt2"))


def write(path: Path, names: list[str], rows: int, columns: int, planted: np.ndarray) -> None:
    """The file, some thousand rows at a time; rows beyond the vocabulary are planted too."""
    size = 2 * rows * columns
    entries = {
        name: {
            "dtype": "BF16",
            "shape": [rows, columns],
            "data_offsets": [i * size, i * size + size],
        }
        for i, name in enumerate(names)
    }
    header = json.dumps(entries).encode()
    untrained = np.zeros(rows, np.bool_)
    untrained[planted] = True
    untrained[rows - 256 :] = True
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        for number in range(len(names)):
            random = np.random.default_rng(number)
            offset = 0.2 * random.standard_normal(columns, np.float32)
            common = 0.3 * random.standard_normal(columns, np.float32)
            directions = random.standard_normal((32, columns), np.float32)
            weights = (2.0 / np.arange(1, 33) ** 0.7 / 4).astype(np.float32)
            for first in range(0, rows, AT_ONCE):
                count = min(AT_ONCE, rows - first)
                made = random.standard_normal((count, columns), np.float32) + offset
                made += (random.standard_normal((count, 32), np.float32) * weights) @ directions
                mine = untrained[first : first + count]
                made[mine] = common + 0.01 * made[mine]
                file.write((made.view("<u4") >> 16).astype("<u2").tobytes())


if __name__ == "__main__":
    main()
