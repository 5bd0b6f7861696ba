"""What a table is made of, against plain counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio import api
from bpe_studio.analysis.health import check_all
from bpe_studio.analysis.integrity import Integrity, integrity
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.analysis.tables import make_pair, marked_tokenizer, pairs


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_plain_counts(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    plain, found = pair.plain, integrity(pair.tokenizer)
    tokens, merges = plain.tokens(), plain.merges
    made = [new for _, _, new in merges]
    assert found.adds_up and found.vocab_size == len(tokens) + len(plain.specials)
    assert dict(found.sizes).get("merged tokens", 0) == len(set(made) - set(plain.base))
    assert found.unmade == len(set(tokens) - set(made) - set(plain.base))
    assert found.unbuilt == len({t for t in made if not plain.can_build(t)})
    assert found.several_merges == len({t for t in made if made.count(t) > 1})
    assert found.late_parts == sum(
        any(part not in plain.base and part in made[rank:] and part not in made[:rank]
            for part in (left, right))
        for rank, (left, right, _) in enumerate(merges)
    )  # fmt: skip
    ids = {*tokens, *plain.specials.values()}
    free = [i for i in range(max(ids)) if i not in ids]
    assert (found.gaps, found.largest_id, found.id_bound) == (len(free), max(ids), max(ids) + 1)
    told = [i for first, last in found.gap_ranges for i in range(first, last + 1)]
    assert told == free[: len(told)] and (told == free or len(found.gap_ranges) == 8)


def test_a_trained_table(tmp_path: Path) -> None:
    file = tmp_path / "corpus.txt"
    file.write_text("low low lower lowest é é")
    found = integrity(api.train([file], vocab_size=280))
    assert found.sentences == (
        f"256 bytes + {found.vocab_size - 262} merged tokens + 6 specials = {found.vocab_size}.",
        f"Ids have no gaps; an embedding matrix needs {found.vocab_size} rows.",
    )
    chars = integrity(api.train([file], vocab_size=280, base="chars"))
    assert dict(chars.sizes)["other base symbols"] == 1 and chars.adds_up


def test_what_is_odd_is_said() -> None:
    merges = [(300, 99, 301), (97, 98, 300), (97, 98, 300), (400, 97, 401)]
    pair = make_pair(merges, extra={400: b"xy"}, specials={"<a>": 900})
    found = check_all(pair.tokenizer).integrity
    assert found == integrity(pair.tokenizer)
    assert found.sizes == (
        ("bytes", 256),
        ("merged tokens", 3),
        ("tokens that no merge makes", 1),
        ("specials", 1),
    )
    assert found.sentences == (
        "256 bytes + 3 merged tokens + 1 token that no merge makes + 1 special = 261.",
        "An embedding matrix needs 901 rows: 640 ids below that are nobody's "
        "(256 to 299, 302 to 399, 402 to 899).",
        "No merge makes 1 token: only an engine that takes whole pieces first, or none, comes to "
        "such a token.",
        "1 token has merges only of parts that merges never come to.",
        "1 token has several merges; which one makes it depends on what is around.",
        "1 merge uses a part that only a later merge makes; text then merges out of the order of "
        "ranks.",
        "1 merge is of a pair that an earlier merge has already, and never happens.",
    )


def test_marks_of_words_are_base_symbols() -> None:
    found = integrity(marked_tokenizer())
    assert found.adds_up and dict(found.sizes)["merged tokens"] == 4
    assert found.missing_bytes == 256


def test_bytes_beside_characters() -> None:
    byte_ids = list(range(256))
    byte_ids[97] = 300  # the character; 97 stays to fall back to
    table = MergeTable.build(
        base="chars", byte_ids=byte_ids, char_ids={}, tokens={97: b"a", 300: b"a"}
    )
    found = integrity(Tokenizer(table=table, pattern=resolve_pattern("classic")))
    assert found.sizes == (("bytes", 256), ("bytes beside characters", 1))


@pytest.mark.parametrize("ids", [[-1] * 256, [5] + [-1] * 255])
def test_hardly_any_token(ids: list[int]) -> None:
    table = MergeTable.build(byte_ids=ids)
    found = integrity(Tokenizer(table=table, pattern=resolve_pattern("classic")))
    assert found.adds_up and found.id_bound == max(ids) + 1
    assert Integrity().sentences[0] == "nothing = 0."
