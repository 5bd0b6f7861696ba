"""The pass over a corpus against the counting of a training, in pairs; and its cancel.

    python -m tests.bench.corpus_pass TABLE CORPUS... [--rounds 5]

What is wanted: no less than half of the counting speed, on all cores; cancelled within 100 ms.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import bpe_studio as bs
from bpe_studio.analysis.usage import corpus_use, iter_corpus_use
from bpe_studio.bpe.corpus import Corpus, find_files, read_blocks
from bpe_studio.bpe.counting import count_words
from bpe_studio.bpe.tokenizer import Tokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    tokenizer = bs.load(given.table)
    for name in given.corpora:
        corpus = find_files([name])
        measure(tokenizer, corpus, given.rounds)


def measure(tokenizer: Tokenizer, corpus: Corpus, rounds: int) -> None:
    """Prints seconds of both in every round, and the median of their ratios."""

    def count() -> None:
        for _ in count_words(read_blocks(corpus), tokenizer.pattern):
            pass

    def use() -> None:
        corpus_use(tokenizer, corpus)

    pairs = []
    for _ in range(rounds):
        pairs.append((timed(count), timed(use)))
        print(f"  counting {pairs[-1][0]:.2f} s, pass {pairs[-1][1]:.2f} s", flush=True)
    speed = corpus.total_bytes / 1e6
    counting, passing = (median(each) for each in zip(*pairs, strict=True))
    share = median(a / b for a, b in pairs)
    print(
        f"{corpus.files[0].label}, {speed:,.0f} MB: counting {speed / counting:.0f} MB/s, "
        f"pass {speed / passing:.0f} MB/s, which is {share:.2f} of it (wanted: 0.5 or more)"
    )
    print(f"  cancelled after {cancelled(tokenizer, corpus) * 1000:.0f} ms at most")


def timed(run: Callable[[], None]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def cancelled(tokenizer: Tokenizer, corpus: Corpus) -> float:
    """The longest time between two steps, and that of the end: a cancel waits for one of them."""
    steps = iter_corpus_use(tokenizer, corpus)
    longest, ends = 0.0, time.perf_counter() + 2.0
    while (began := time.perf_counter()) < ends and next(steps, None) is not None:
        longest = max(longest, time.perf_counter() - began)
    return max(longest, timed(steps.close))


if __name__ == "__main__":
    main()
