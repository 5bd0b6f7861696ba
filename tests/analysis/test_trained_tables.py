"""What is trained here and not edited has no unreachable and no duplicate token, however it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio import api
from bpe_studio.analysis.health import check_all
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle_analysis as oracle
from tests.analysis.tables import make_pair
from tests.texts import documents


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corpus")


def _train(folder: Path, texts: list[str], **settings: Any) -> Tokenizer:
    for old in folder.iterdir():
        old.unlink()
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_bytes(text.encode())
    (folder / "word.txt").write_text("low low lower", encoding="utf-8")
    return api.train([folder], vocab_size=400, **settings)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_self_test_holds(folder: Path, data: st.DataObject) -> None:
    settings = {
        "pattern": data.draw(st.sampled_from(sorted(PRESETS))),
        "base": data.draw(st.sampled_from(("bytes", "chars"))),
        "ties": data.draw(st.sampled_from(("first-seen", "smallest-ids"))),
        "byte_order": data.draw(st.sampled_from(("value", "gpt2"))),
        "min_freq": data.draw(st.sampled_from((1, 2))),
    }
    texts = data.draw(documents)
    tokenizer = _train(folder, texts, **settings)
    report = check_all(tokenizer)
    assert report.self_test is True, (
        settings,
        [(tokenizer.token_bytes(flag.id), flag.evidence) for flag in report.of_kind("unreachable")],
    )
    assert report.integrity.unmade == report.integrity.unbuilt == report.integrity.late_parts == 0


DATES = "2024-05 2024-06 2023-05 2023-06 1999-12"


@pytest.mark.parametrize("pattern", [r"\d{4}-\d{2}|\d|\D", r"[A-Z]\w+\d|\w|\W", r"<\w+>|(?s:.)"])
def test_what_only_a_longer_token_shows(folder: Path, pattern: str) -> None:
    """A pattern that takes a token only inside of something that no class of characters tells."""
    text = f"{DATES} Abc1 Abd2 <abc> <abd> <xyz>"
    tokenizer = _train(folder, [text], pattern=pattern, min_freq=1)
    report = check_all(tokenizer)
    assert report.self_test is True and report.of_kind("cut-by-pattern")
    for flag in report.of_kind("not-alone"):
        assert flag.id in tokenizer.encode(flag.witness or "")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_merge_taken_from_a_trained_table_is_told(folder: Path, data: st.DataObject) -> None:
    """Its token has no merge; what needed it for a part, or lost it to others, is told as well."""
    pattern = data.draw(st.sampled_from(sorted(PRESETS)))
    tokenizer = _train(folder, data.draw(documents), pattern=pattern, specials=[], min_freq=1)
    merges = tokenizer.merges
    rank = data.draw(st.integers(0, len(merges) - 1))
    lost = merges.pop(rank)[2]
    pair = make_pair(merges, pattern=pattern, extra={lost: tokenizer.token_bytes(lost)})
    report = check_all(pair.tokenizer)
    evidence = {flag.id: flag.evidence for flag in report.of_kind("unreachable")}
    plain = pair.plain
    unmerged = {
        token
        for token, raw in plain.tokens().items()
        if [t for _, _, t in oracle.merged(plain, raw)] != [token]
    }
    assert lost in unmerged and set(evidence) == unmerged
    assert evidence[lost].startswith(_in_table(pair.tokenizer, lost))
    for token in unmerged - {lost}:
        wanted = "wins and makes" if plain.can_build(token) else f"(id {lost})."
        assert wanted in evidence[token]


def _in_table(tokenizer: Tokenizer, token: int) -> str:
    from bpe_studio.analysis.naming import token_name

    return f"{token_name(tokenizer, token)} is in the table, but no merge makes it."
