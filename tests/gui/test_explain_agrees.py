"""Explain in the window and `explain` on the command line give the same answers."""

from __future__ import annotations

import json

import pytest

from bpe_studio.__main__ import main
from bpe_studio.analysis.explain import Explanation
from bpe_studio.analysis.proof import find_proof
from bpe_studio.bpe.generators import result_of
from bpe_studio.formats import find_table, load
from bpe_studio.gui.models.telling import tell_span
from bpe_studio.reports.plain import plain_explanation
from bpe_studio.reports.plain_history import plain_history

TEXT = "The lowest of strawberry 12345 é日 and newest\n    self.lower() "


@pytest.mark.parametrize("name", ["stdlib-8k", "sample-chars", "worked-example"])
@pytest.mark.parametrize("span", ["3:10", "4:7", "0:24", "14:17", "25:30", "31:33", "45:53"])
def test_the_window_and_the_command_line(
    name: str, span: str, capfd: pytest.CaptureFixture[str]
) -> None:
    start, end = map(int, span.split(":"))
    tokenizer = load(find_table(name))
    told = result_of(tell_span(tokenizer, TEXT, start, end))
    assert told.reason is not None
    asked = ["explain", "-t", name, TEXT, "--why", span, "--json"]
    if told.history is not None:
        asked += ["--token", str(told.history.token)]
    capfd.readouterr()
    assert main(asked) == 0
    printed = json.loads(capfd.readouterr().out)
    history = printed.pop("history", None)
    shown = plain_explanation(
        tokenizer, TEXT, Explanation(told.pieces), told.reason, told.variants, grid=told.grid,
        proof=find_proof(tokenizer, TEXT, told.reason),
    )  # fmt: skip
    expected = json.loads(json.dumps(shown))
    # Of a span of several pieces the window shows only the variants that are one token.
    fewer = [v for v in printed["variants"] if v["one_token"] or len(told.pieces) == 1]
    assert expected == {**printed, "variants": fewer}
    if told.history is not None:
        assert history == json.loads(json.dumps(plain_history(tokenizer, told.history)))
