"""Flags of tokens from what a corpus does with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.corpus_use import CorpusUse
from bpe_studio.analysis.flags import Flag, Thresholds
from bpe_studio.analysis.health import check_all
from bpe_studio.analysis.usage_checks import usage_flags
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.analysis.corpus_uses import plain_use
from tests.analysis.tables import make_pair

MERGES = [(97, 98, 256), (256, 99, 257), (120, 121, 258), (100, 101, 259), (122, 122, 260)]
LONG = [(113, 106, 270), *((270 + n, 270 + n, 271 + n) for n in range(5))]


def flags_of(
    tokenizer: Tokenizer, use: CorpusUse, unreachable: frozenset[int] = frozenset(), **limits: Any
) -> list[Flag]:
    found = usage_flags(tokenizer, use, Thresholds(**limits), unreachable)
    return [flag for flags in found for flag in flags]


def told(flags: list[Flag], kind: str) -> dict[int, str]:
    return {flag.id: flag.evidence for flag in flags if flag.kind == kind}


def test_few_uses_are_told_apart() -> None:
    tokenizer = make_pair(MERGES).tokenizer
    use = plain_use(tokenizer, ["abc " * 100 + "ab ", "de zz zz", "de de zz zz zz zz"])
    flags = flags_of(tokenizer, use)
    assert told(flags, "absent") == {
        258: "It never came up, not even on the way to a longer token."
    }
    assert told(flags, "scaffold") == {256: "Used 1 time of the 101 that it was made (R = 0.0099)."}
    assert told(flags, "rare") == {259: "Used 3 times in this corpus."}
    unused = told(flags, "unused-base")
    assert unused[ord("a")] == "It was seen 101 times and each time merged into a longer token."
    assert unused[0] == "It does not come up in this corpus." and ord(" ") not in unused
    assert not told(flags_of(tokenizer, use, frozenset({258})), "absent")
    never = flags_of(tokenizer, plain_use(tokenizer, ["abc"]))
    assert told(never, "never-emitted") == {
        256: "It was made 1 time and each time merged into a longer token (R = 0)."
    }


def test_rare_in_a_large_corpus() -> None:
    tokenizer = make_pair(MERGES).tokenizer
    use = plain_use(tokenizer, ["de " * 12, "de"])
    use = replace(use, tokens=200_000_000)
    assert told(flags_of(tokenizer, use), "rare")[259] == (
        "Used 13 times in this corpus, 0.065 in a million tokens."
    )
    assert 259 not in told(flags_of(tokenizer, use, rare_per_million=0.06), "rare")


def test_concentrated_names_the_document() -> None:
    tokenizer = make_pair(MERGES).tokenizer
    documents = ["abc " * 30, "abc de de de de de", "ab zz zz " * 27, "zz ab zz ab"]
    use = plain_use(tokenizer, documents, files=[("a.txt", 0), ("rows.jsonl", 2), ("b.txt", 0)])
    assert told(flags_of(tokenizer, use), "concentrated") == {
        260: "54 of its 56 uses are in rows.jsonl, row 2 (96.4 %); 2 of 4 documents have it.",
        257: "30 of its 31 uses are in a.txt (96.7 %); 2 of 4 documents have it.",
        256: "27 of its 29 uses are in rows.jsonl, row 2 (93.1 %); 2 of 4 documents have it.",
        259: "5 of its 5 uses are in rows.jsonl, row 1, the only document of 4 that has it.",
    }
    fewer = flags_of(tokenizer, use, concentrated_share=0.95, only_document_uses=6)
    assert list(told(fewer, "concentrated")) == [260, 257]
    assert list(told(flags_of(tokenizer, use, concentrated_uses=31), "concentrated")) == [
        260, 257, 259
    ]  # fmt: skip


def test_long_and_concentrated_comes_first() -> None:
    tokenizer = make_pair([*LONG, *MERGES]).tokenizer
    use = plain_use(tokenizer, ["zz " * 50, "qj" * 32 * 6, "zz"])
    assert len(tokenizer.token_bytes(275)) == 64
    report = check_all(tokenizer, use)
    assert [flag.id for flag in report.of_kind("concentrated")] == [275, 260]
    assert list(told(flags_of(tokenizer, use, long_bytes=64), "concentrated")) == [260, 275]


def test_a_single_document_concentrates_nothing() -> None:
    tokenizer = make_pair(MERGES).tokenizer
    report = check_all(tokenizer, plain_use(tokenizer, ["zz " * 50]))
    assert "concentrated" not in report.counts and "absent" in report.counts
    assert check_all(tokenizer, plain_use(tokenizer, ["zz " * 50, "a"])).counts["concentrated"] == 1


counts = st.integers(0, 60)


@given(st.lists(st.tuples(counts, counts, counts, counts), min_size=5, max_size=5))
def test_equals_a_plain_judge(rows: list[tuple[int, int, int, int]]) -> None:
    tokenizer = make_pair(MERGES).tokenizer
    n = len(tokenizer.table)
    final = np.zeros(n, dtype=np.int64)
    created, documents, largest = final.copy(), final.copy(), final.copy()
    for place, (uses, more, df, most) in enumerate(rows, start=256):
        final[place], created[place] = uses, uses + 99 * more
        documents[place], largest[place] = min(uses, max(df, 1)), min(uses, max(most, 1))
    use = replace(
        plain_use(tokenizer, [""] * 60),
        final=final, created=created, documents=documents, largest=largest,
        largest_document=np.zeros(n, dtype=np.int64), tokens=1_000,
    )  # fmt: skip
    judged: dict[int, set[str]] = {flag.id: set() for flag in flags_of(tokenizer, use)}
    for flag in flags_of(tokenizer, use):
        judged[flag.id].add(flag.kind)
    for place in range(256, n):
        kinds = judged.get(place, set())
        assert kinds == plain_judge(
            int(final[place]), int(created[place]), int(documents[place]), int(largest[place])
        )


def plain_judge(uses: int, made: int, documents: int, largest: int) -> set[str]:
    kinds = set()
    if made == 0:
        kinds.add("absent")
    elif uses == 0:
        kinds.add("never-emitted")
    elif uses / made <= 0.02:
        kinds.add("scaffold")
    elif uses < 5:
        kinds.add("rare")
    if (documents == 1 and uses >= 5) or (uses >= 20 and largest / uses >= 0.9):
        kinds.add("concentrated")
    return kinds
