"""The history of a token as JSON."""

from __future__ import annotations

import json
from dataclasses import replace

from bpe_studio.analysis.history import PieceUse, history
from bpe_studio.reports.plain_history import plain_history
from tests.analysis.tables import worked


def test_a_token_and_what_earned_it() -> None:
    tokenizer = worked().tokenizer
    told = history(tokenizer, 258)
    found = plain_history(tokenizer, told)
    assert found["earned"] is None and found["token"] == "␠low"
    assert [making["rank"] for making in found["ancestry"]] == [0, 1, 2]
    assert found["ancestry"][-1]["left"] == {"id": 32, "token": "␠", "bytes": "20"}
    use = PieceUse(b" low", 3, 1, (("a.txt", 3),))
    earned = plain_history(tokenizer, replace(told, earned=(use,), earned_pieces=1))
    assert earned == json.loads(json.dumps(earned))
    assert earned["earned"]["most"] == [
        {"piece": "␠low", "bytes": b" low".hex(), "count": 3, "applied": 1,
         "files": [{"file": "a.txt", "count": 3}]}
    ]  # fmt: skip
