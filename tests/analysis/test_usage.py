"""Uses and makings of every token against a plain count."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis import usage as module
from bpe_studio.analysis.usage import corpus_use, count_usage, usage
from bpe_studio.bpe.corpus import find_files
from bpe_studio.bpe.words import WordCounts
from tests import oracle_analysis as oracle
from tests.analysis.tables import make_pair, pairs, texts


def words_of(pieces: dict[bytes, int]) -> WordCounts:
    lengths = [len(piece) for piece in pieces]
    return WordCounts(
        data=np.frombuffer(b"".join(pieces), dtype=np.uint8),
        offsets=np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        counts=np.array(list(pieces.values()), dtype=np.int64),
        documents=1,
        characters=sum(lengths),
        bytes=sum(lengths),
        pieces=sum(pieces.values()),
    )


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_equals_a_plain_count(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    pieces = data.draw(
        st.dictionaries(texts(pair.alphabet).map(str.encode), st.integers(1, 10**12), max_size=6)
    )
    found = count_usage(pair.tokenizer, words_of(pieces))
    final, created = oracle.used(pair.plain, pieces)
    ids = found.ids.tolist()
    assert Counter(dict(zip(ids, found.final.tolist(), strict=True))) == final
    assert Counter(dict(zip(ids, found.created.tolist(), strict=True))) == created
    assert found.tokens == sum(final.values())
    assert found.used == len(final)


def test_one_token_at_a_time_and_none() -> None:
    pair = make_pair([(97, 97, 256)])
    found = count_usage(pair.tokenizer, words_of({b"aaa": 3}))
    assert (found.of(97), found.of(256), found.of(98), found.of(9_999)) == (
        (3, 9), (3, 3), (0, 0), (0, 0),
    )  # fmt: skip
    assert found.survival[[97, 256]].tolist() == [3 / 9, 1.0]
    assert np.isnan(found.survival[98])
    assert count_usage(pair.tokenizer, words_of({})).tokens == 0


def test_many_pieces_come_in_slices(monkeypatch: object) -> None:
    pieces = {f"{n:b}".encode(): n for n in range(1, 5_000)}
    pair = make_pair([(48, 49, 256)])
    progress = list(usage(pair.tokenizer, words_of(pieces)))
    assert len(progress) > 1
    assert [p.usage is None for p in progress] == [True] * (len(progress) - 1) + [False]
    assert progress[-1].done == progress[-1].total == 4_999
    assert module.count_usage(pair.tokenizer, words_of(pieces)).tokens == progress[-1].usage.tokens


def test_a_corpus_in_one_pass(tmp_path: Path) -> None:
    """Files, rows, scripts, control tokens and examples; the counting itself has its own test."""
    (tmp_path / "a.txt").write_text("aab ab <|im_start|>")
    (tmp_path / "b.jsonl").write_text('{"text": "aab"}\n{"text": "ab ab aab"}\n')
    pair = make_pair([(97, 98, 256), (97, 256, 257)])
    found = corpus_use(pair.tokenizer, find_files([tmp_path]))
    place = found.index(256)
    assert place is not None
    assert found.of(256) == (3, 6)
    assert [int(array[place]) for array in (found.documents, found.largest)] == [2, 2]
    assert str(found.place(int(found.largest_document[place]))).endswith("b.jsonl, row 2")
    assert found.offsets[place] == 0
    assert (found.document_count, found.characters, found.bytes) == (3, 31, 31)
    assert [(s.name, s.id, s.count, s.documents) for s in found.specials] == [
        ("<|im_start|>", None, 1, 1)
    ]
    assert [name for name, _ in found.specials[0].files] == [found.files[0]]
    assert [script.script for script in found.scripts] == ["Latin", "Common"]
    assert found.failure_count == 0


def test_a_corpus_without_text(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(ValueError, match="The corpus holds no text"):
        corpus_use(make_pair([]).tokenizer, find_files([tmp_path]))
