"""Subjects of reports on two tables, made by hand and at random, with hostile tokens and names."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from bpe_studio.analysis.compare import compare_tables, compare_text
from bpe_studio.analysis.compare_corpus import compare_corpus
from bpe_studio.analysis.corpus_comparison import CorpusComparison
from bpe_studio.analysis.parallel import parallel_of
from bpe_studio.bpe.corpus import find_files
from bpe_studio.reports.compare import CompareSubject, compared_text
from bpe_studio.reports.corpus_facts import CorpusFacts
from tests.analysis.tables import make_pair
from tests.reports.health_subjects import HOSTILE, file_names, made_tokenizer, token_texts

A = make_pair([(97, 98, 256), (256, 99, 257), (32, 97, 258), (108, 111, 259)]).tokenizer
B = make_pair([(98, 99, 256), (97, 256, 257), (49, 50, 258), (108, 111, 259)]).tokenizer
TEXT = "abc abc low 1234 12 été abcabc"


@cache
def made_corpus() -> CorpusComparison:
    """Two files under A and B."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("b.py", "abc = 1234\n" * 5), ("a.txt", TEXT)):
            (Path(folder) / name).write_text(text)
        paths = [Path(folder) / "a.txt", Path(folder) / "b.py"]
        return compare_corpus([A, B], find_files(paths))


def full_subject() -> CompareSubject:
    """Two tables with a text, a corpus and parallel files."""
    corpus = made_corpus()
    comparison = compare_text(A, B, TEXT)
    reasons = [(comparison.differences[0], "no-such-token", "A has <b>no</b> such |token|.")]
    return CompareSubject(
        ("x/a.json", "b.json"),
        (A, B),
        compare_tables(A, B),
        text=compared_text("t.txt", TEXT, comparison, reasons),
        corpus=corpus,
        corpus_facts=CorpusFacts("a.txt, b.py", "0123abcd", ("c.bin: It is a binary file.",)),
        parallel=parallel_of(corpus, (0, 1), (1, 5)),
        notes=("C cannot encode.",),
        program="1.2.3",
    )


def hostile_subject(
    tokens_a: list[bytes], tokens_b: list[bytes], names: tuple[str, str]
) -> CompareSubject:
    """Two tables with these tokens, and a text of hostile words."""
    pair = made_tokenizer(tokens_a), made_tokenizer(tokens_b)
    text = names[0].encode("utf-8", "replace").decode() + "".join(HOSTILE[:4])
    comparison = compare_text(*pair, text)
    reasons = [(span, "taken", f"Of {names[1]}.") for span in comparison.differences]
    return CompareSubject(
        names,
        pair,
        compare_tables(*pair),
        text=compared_text(names[1], text, comparison, reasons),
        notes=(f"What {names[0]} is.",),
    )


subjects = st.builds(
    hostile_subject,
    st.lists(token_texts, min_size=1, max_size=8),
    st.lists(token_texts, min_size=1, max_size=8),
    st.tuples(file_names, file_names),
)
