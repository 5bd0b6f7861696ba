"""Explanations as JSON."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.explain import explain, variants, variants_of, why_not_one_token
from bpe_studio.analysis.letters import grid
from bpe_studio.analysis.proof import find_proof
from bpe_studio.reports.plain import plain_explanation
from tests.analysis.tables import make_pair, pairs, texts, worked


def test_a_story_and_a_reason() -> None:
    tokenizer = worked().tokenizer
    text = " lowest"
    reason = why_not_one_token(tokenizer, text, 1, 4)
    found = plain_explanation(
        tokenizer, text, explain(tokenizer, text), reason, variants(tokenizer, "low")
    )
    assert found == json.loads(json.dumps(found))
    (piece,) = found["pieces"]
    assert piece["tokens"][0] == {
        "id": 259, "token": "␠lowe", "bytes": b" lowe".hex(),
        "start": 0, "end": 5, "text_start": 0, "text_end": 5,
    }  # fmt: skip
    assert piece["steps"][0]["left"] == 108
    assert found["vocabulary"]["108"] == {"token": "l", "bytes": "6c"}
    why = found["why"]
    assert (why["kind"], why["own_rank"], why["rank"]) == ("absorbed", 1, 2)
    assert why["token"]["id"] == 257
    assert found["variants"][0]["one_token"] is True


def test_without_a_span_there_is_no_why() -> None:
    tokenizer = make_pair([], specials={"<a>": 900}).tokenizer
    found = plain_explanation(tokenizer, "<a>", explain(tokenizer, "<a>", allowed_special="all"))
    assert "why" not in found and found["pieces"][0]["special"] is True


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_anything_is_json(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    text = data.draw(texts(pair.alphabet))
    reason = why_not_one_token(pair.tokenizer, text, 0, len(text))
    found = plain_explanation(
        pair.tokenizer,
        text,
        explain(pair.tokenizer, text),
        reason,
        variants_of(pair.tokenizer, reason),
        proof=find_proof(pair.tokenizer, text, reason),
        grid=grid(pair.tokenizer, text, 0, len(text)),
    )
    for piece in found["pieces"]:
        named = {*piece["symbols"], *(node[0] for node in piece["tree"]["nodes"])}
        assert {str(token) for token in named} <= set(found["vocabulary"])
    assert json.loads(json.dumps(found))["why"]["sentence"] == reason.sentence
