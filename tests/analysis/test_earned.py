"""The pieces that earned a token, and their files, against a plain count."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.earned import MOST_PIECES, earned, iter_earned
from bpe_studio.api import train
from bpe_studio.bpe.corpus import find_files
from bpe_studio.bpe.edits import Lowercase
from bpe_studio.bpe.text_rules import TextRules
from tests import oracle_analysis as oracle
from tests.analysis.tables import Pair, make_pair, pairs, texts, worked
from tests.oracle import is_held_out


def _plainly(
    pair: Pair, token: int, files: dict[str, str]
) -> dict[bytes, tuple[int, int, dict[str, int]]]:
    """Count, applied and files of every piece in which a merge of the token fires."""
    expression = pair.plain.expression
    counts = {
        name: Counter(m.group().encode() for m in regex.finditer(expression, text))
        for name, text in files.items()
    }
    total = sum(counts.values(), Counter())
    found = {}
    for piece, count in total.items():
        ranks = [s.rank for s in oracle.steps(pair.plain, piece) for _ in s.joined]
        applied = sum(pair.plain.merges[rank][2] == token for rank in ranks)
        if applied:
            where = {name: c[piece] for name, c in counts.items() if c[piece]}
            found[piece] = (count, applied, where)
    return found


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_every_token_against_a_plain_count(data: st.DataObject, tmp_path: Path) -> None:
    pair = data.draw(pairs())
    texts_of = {f"{n}.txt": data.draw(texts(pair.alphabet, 40)) for n in range(3)}
    for name, text in texts_of.items():
        (tmp_path / name).write_text(text, newline="")
    corpus = find_files([tmp_path / name for name in texts_of])
    for token in {new for _, _, new in pair.plain.merges}:
        told = earned(pair.tokenizer, token, corpus)
        expected = _plainly(pair, token, texts_of)
        assert told.earned is not None and told.earned_pieces == len(expected)
        assert told.earned_applied == sum(c * a for c, a, _ in expected.values())
        assert len(told.earned) == min(len(expected), MOST_PIECES)
        weights = [use.count * use.applied for use in told.earned]
        assert weights == sorted((c * a for c, a, _ in expected.values()), reverse=True)[:20]
        for use in told.earned:
            assert (use.count, use.applied, dict(use.files)) == expected[use.piece]
            assert [n for _, n in use.files] == sorted((n for _, n in use.files), reverse=True)


def test_it_is_told_how_far_it_is(tmp_path: Path) -> None:
    (tmp_path / "low.txt").write_text("low low lower lowest " * 500)
    corpus = find_files([tmp_path])
    phases = [step.phase for step in iter_earned(worked().tokenizer, 258, corpus)]
    assert list(dict.fromkeys(phases)) == ["counting", "merging", "files"]
    told = earned(worked().tokenizer, 258, corpus)
    assert told.earned is not None
    assert {use.piece: use.count for use in told.earned} == {
        b" low": 999, b" lower": 500, b" lowest": 500,
    }  # fmt: skip


def test_what_nothing_earned(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("low")
    corpus = find_files([tmp_path])
    for token in (108, 900):
        told = earned(make_pair([], specials={"<a>": 900}).tokenizer, token, corpus)
        assert told.earned == () and told.earned_pieces == 0


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    corpus = find_files([tmp_path])
    with pytest.raises(ValueError, match="holds no text"):
        earned(worked().tokenizer, 258, corpus)
    edited = replace(worked().tokenizer, rules=TextRules(normalizer=(Lowercase(),)))
    with pytest.raises(ValueError, match="edits a text before it merges"):
        earned(edited, 258, corpus)


def test_what_was_held_out_earned_nothing(tmp_path: Path) -> None:
    documents = [f"low lower {n} newest\n" for n in range(60)]
    for number, text in enumerate(documents):
        (tmp_path / f"{number:02}.txt").write_text(text, newline="")
    tokenizer = train([tmp_path], vocab_size=280, hold_out=0.3)
    record = tokenizer.training
    assert record is not None and 0 < record.held_out_totals["documents"] < 60
    kept = {f"{n:02}.txt" for n, text in enumerate(documents) if not is_held_out(text, 0.3)}
    for rank, (_, _, token) in enumerate(tokenizer.merges[:6]):
        told = earned(tokenizer, token, find_files([tmp_path]))
        assert told.earned_applied == record.applied[rank]
        assert told.earned_in_training and told.earned_hold_out == 0.3
        assert told.earned is not None
        assert {name for use in told.earned for name, _ in use.files} <= kept
    (tmp_path / "more.txt").write_text("low")
    assert earned(tokenizer, 262, find_files([tmp_path])).earned_in_training is False
