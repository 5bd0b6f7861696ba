"""The comparison of two tables on a corpus against one encoding pass of one of them.

    python -m tests.bench.compare_pass A B CORPUS... [--rounds 5]

What is wanted: at most 2.5 times as long; cancelled within 100 ms. An encoding pass reads the files
and encodes each to an array of ids. Beside it stands the pass of Health, which encodes every
distinct piece once on all cores and gives no ids (`tests.bench.corpus_pass`).
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import bpe_studio as bs
from bpe_studio.analysis.compare_corpus import compare_corpus, iter_compare_corpus
from bpe_studio.analysis.usage import corpus_use
from bpe_studio.bpe.corpus import Corpus, find_files
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.bench.corpus_pass import timed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    pair = bs.load(given.a), bs.load(given.b)
    for name in given.corpora:
        measure(pair, find_files([name]), given.rounds)


def measure(pair: tuple[Tokenizer, Tokenizer], corpus: Corpus, rounds: int) -> None:
    """Prints seconds of all in every round, and the medians of the ratios."""
    encoding, counting = [], []
    for _ in range(rounds):
        encoded = [timed(lambda each=each: encode(each, corpus)) for each in pair]
        counted = [timed(lambda each=each: corpus_use(each, corpus)) for each in pair]
        compared = timed(lambda: compare_corpus(pair, corpus))
        encoding.append(2 * compared / sum(encoded))
        counting.append(2 * compared / sum(counted))
        print(
            f"  encoded {encoded[0]:.2f} and {encoded[1]:.2f} s, counted {counted[0]:.2f} and "
            f"{counted[1]:.2f} s, compared {compared:.2f} s",
            flush=True,
        )
    print(
        f"{corpus.files[0].label}, {corpus.total_bytes / 1e6:,.0f} MB: {median(encoding):.2f} of "
        f"the mean encoding pass (wanted: 2.5 or less), {median(counting):.2f} of that of Health"
    )
    print(f"  cancelled after {cancelled(pair, corpus) * 1000:.0f} ms at most")


def encode(tokenizer: Tokenizer, corpus: Corpus) -> None:
    """Every file to ids."""
    for file in corpus.files:
        tokenizer.encode_array(file.path.read_bytes().decode())


def cancelled(pair: tuple[Tokenizer, Tokenizer], corpus: Corpus) -> float:
    """The longest time between two steps, and that of the end: a cancel waits for one of them."""
    steps = iter_compare_corpus(pair, corpus)
    longest, ends = 0.0, time.perf_counter() + 3.0
    while (began := time.perf_counter()) < ends and next(steps, None) is not None:
        longest = max(longest, time.perf_counter() - began)
    return max(longest, timed(steps.close))


if __name__ == "__main__":
    main()
