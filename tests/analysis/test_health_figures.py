"""The figures of a report: those that it has, under names that stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_studio import api
from bpe_studio.analysis.health import check_all
from bpe_studio.analysis.health_figures import figures
from bpe_studio.analysis.usage import corpus_use
from bpe_studio.bpe.corpus import find_files
from tests.analysis.tables import make_pair

OF_A_CORPUS = {"corpus_tokens", "characters_per_token", "used", "used_share"}


def test_of_a_table_alone() -> None:
    pair = make_pair([(0xE2, 0x82, 256), (97, 98, 300)], extra={400: b"xyz"})
    report = check_all(pair.tokenizer)
    told = {figure.name: figure.value for figure in figures(report)}
    assert not OF_A_CORPUS & set(told)
    assert (told["vocab_size"], told["id_bound"], told["merges"]) == (259, 401, 2)
    assert (told["gaps"], told["unmade"], told["partial_ends"]) == (401 - 259, 1, 1)
    assert told["flagged"] == report.flagged
    assert len(told) == len(figures(report))


def test_of_a_corpus(tmp_path: Path) -> None:
    file = tmp_path / "low.txt"
    file.write_text("low low lower lowest")
    tokenizer = api.train([file], vocab_size=280)
    report = check_all(tokenizer, corpus_use(tokenizer, find_files([file])))
    told = {figure.name: figure for figure in figures(report)}
    assert set(told) >= OF_A_CORPUS
    ids = tokenizer.encode(file.read_text())
    assert told["corpus_tokens"].value == len(ids)
    assert told["characters_per_token"].value == pytest.approx(20 / len(ids))
    assert told["used"].value == len(set(ids))
    assert told["used_share"].value == pytest.approx(len(set(ids)) / 260)
    assert [told[name].unit for name in ("used", "used_share", "characters_per_token")] == [
        "count",
        "share",
        "ratio",
    ]
