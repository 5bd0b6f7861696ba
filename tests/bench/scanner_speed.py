"""How fast pieces are found, compiled and by `regex`: MB/s and nanoseconds a piece.

    python -m tests.bench.scanner_speed CORPUS… [--megabytes 20] [--presets gpt2 cl100k …]

Processor time of one thread, the best of several runs; `regex` gets a twentieth of the text, once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from bpe_studio.bpe.patterns import PRESETS
from tests.bench.scanner_equality import compiled_ends, padded, read_text, regex_ends

RUNS = 5


def seconds_of(work: Callable[[], int]) -> tuple[float, int]:
    begin = time.thread_time()
    result = work()
    return time.thread_time() - begin, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument("--presets", nargs="+", choices=PRESETS, default=list(PRESETS))
    arguments = parser.parse_args()
    print(f"{'':24}{'compiled':>10}{'a piece':>10}{'regex':>10}{'ratio':>8}")
    for path in arguments.corpora:
        text = read_text(path, arguments.megabytes)
        data = padded(text)
        sample = text[: len(text) // 20]
        for name in arguments.presets:
            pattern = PRESETS[name]

            def compiled(pattern=pattern, data=data) -> int:
                return sum(map(len, compiled_ends(pattern, data)))

            def slow(pattern=pattern, sample=sample) -> int:
                return sum(map(len, regex_ends(pattern, sample)))

            seconds, pieces = min(seconds_of(compiled) for _ in range(RUNS))
            slow_seconds, _ = seconds_of(slow)
            speed = len(data) / seconds / 1e6
            slow_speed = len(sample.encode()) / slow_seconds / 1e6
            print(
                f"{path.name:16}{name:8}{speed:5.0f} MB/s{seconds / pieces * 1e9:7.1f} ns"
                f"{slow_speed:5.1f} MB/s{speed / slow_speed:8.0f}"
            )


if __name__ == "__main__":
    main()
