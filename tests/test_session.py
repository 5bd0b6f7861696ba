"""A training that holds documents out learns from the others, and tells how it does on these."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe_studio as bs
from bpe_studio.api import Settings, TrainingSession, settings_for
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.formats.studio import data_of
from tests import oracle, texts
from tests.bpe.test_trainer import trained

LINES = [f"low lower lowest newer {n} the then aaa éa 日本{n % 7}\n" * 2 for n in range(60)]


def record_of(tokenizer: Tokenizer) -> TrainingRecord:
    assert tokenizer.training is not None
    return tokenizer.training


def parted(documents: list[str], share: float) -> tuple[list[str], list[str]]:
    """Those to learn from, and those that are held out."""
    held = [oracle.is_held_out(text, share) for text in documents]
    pairs = list(zip(documents, held, strict=True))
    return [text for text, out in pairs if not out], [text for text, out in pairs if out]


@given(
    documents=texts.documents,
    share=st.sampled_from([0.3, 0.6]),
    base=st.sampled_from(["bytes", "chars"]),
)
def test_learns_what_the_others_alone_would_give(
    documents: list[str], share: float, base: str
) -> None:
    kept, held = parted(documents, share)
    if not any(kept):
        return
    tokenizer = trained(documents, vocab_size=400, base=base, hold_out=share)
    alone = trained(kept, vocab_size=400, base=base)
    record, expected = record_of(tokenizer), record_of(alone)
    assert tokenizer.merges == alone.merges
    assert record.totals == expected.totals
    assert record.applied.tolist() == expected.applied.tolist()
    assert record.held_out is not None
    assert record.held_out_totals["documents"] == len(held)
    assert record.held_out_totals["bytes"] == sum(len(text.encode()) for text in held)
    saved = np.concatenate(([0], np.cumsum(record.held_out)))
    tokens = record.held_out_totals["base_symbols"] - saved
    for merges in range(0, len(tokens), max(1, len(tokens) // 5)):
        smaller = tokenizer.prefix(merges)
        assert tokens[merges] == sum(len(smaller.encode(text)) for text in held)
        assert record_of(smaller).held_out_totals["tokens"] == tokens[merges]
    assert record.held_out_totals["tokens"] == tokens[-1]


def test_files_rows_and_compressed_files_are_chosen_alike(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("plain", "packed", "renamed")}
    for folder in folders.values():
        folder.mkdir()
    for n, text in enumerate(LINES):
        (folders["plain"] / f"{n:03}.txt").write_text(text, encoding="utf-8")
        (folders["packed"] / f"{n:03}.txt.gz").write_bytes(gzip.compress(text.encode()))
        (folders["renamed"] / f"{len(LINES) - n:03}.md").write_text(text, encoding="utf-8")
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({"text": text}) + "\n" for text in LINES))
    found = [bs.train([path], vocab_size=320, hold_out=0.2) for path in (*folders.values(), rows)]
    _, held = parted(LINES, 0.2)
    assert 4 < len(held) < 25
    for tokenizer in found:
        assert record_of(tokenizer).held_out_totals["documents"] == len(held)
        assert record_of(tokenizer).held_out_totals == record_of(found[0]).held_out_totals
    assert found[0].merges == found[1].merges == found[3].merges


def test_without_a_hold_out_the_record_is_as_it_was() -> None:
    record = record_of(trained(LINES, vocab_size=300))
    assert record.held_out is None
    assert record.held_out_totals == {}
    assert "hold_out" not in record.settings


def test_a_stopped_training_knows_how_its_smaller_table_does() -> None:
    session = TrainingSession.of_texts(LINES, Settings(vocab_size=330, hold_out=0.2))
    for _ in session.run(max_merges=9):
        pass
    stopped = record_of(session.tokenizer())
    for _ in session.run():
        pass
    for _ in session.measure():
        pass
    assert list(session.measure()) == []  # it is known already
    whole = session.tokenizer()
    assert stopped.held_out is not None and len(stopped.held_out) == 9
    assert stopped.held_out.tolist() == record_of(whole.prefix(9)).held_out.tolist()  # type: ignore[union-attr]


def test_a_continued_training_holds_out_the_same() -> None:
    start = trained(LINES, vocab_size=290, hold_out=0.2)
    session = TrainingSession.of_texts(LINES, settings_for(start, vocab_size=330))
    for _ in session.run():
        pass
    whole = trained(LINES, vocab_size=330, hold_out=0.2)
    assert session.tokenizer().merges == whole.merges
    assert record_of(session.tokenizer()).held_out.tolist() == record_of(whole).held_out.tolist()  # type: ignore[union-attr]
    assert record_of(session.tokenizer()).settings["hold_out"] == 0.2
    assert settings_for(start, hold_out=0.0).hold_out == 0


def test_nothing_falls_into_the_share() -> None:
    record = record_of(trained(["low low lower lowest"], vocab_size=280, hold_out=0.01))
    assert record.held_out is not None
    assert record.held_out.tolist() == [0] * 4
    assert set(record.held_out_totals.values()) == {0}


def test_all_falls_into_the_share() -> None:
    with pytest.raises(ValueError, match=r"hold_out 0\.99 leaves nothing to learn from: 1 docum"):
        trained(["low low lower lowest"], vocab_size=280, hold_out=0.99)
    with pytest.raises(ValueError, match="The corpus holds no text"):
        trained(["", ""], vocab_size=280, hold_out=0.99)


@pytest.mark.parametrize("share", [1, -0.1, 2, float("nan"), True, "2%", None])
def test_what_is_no_share(share: object) -> None:
    with pytest.raises(ValueError, match="hold_out is a share of the documents, from 0 to less"):
        Settings(hold_out=share)  # type: ignore[arg-type]


def test_the_first_merges_are_saved_as_a_shorter_training_is() -> None:
    longer = trained(LINES, vocab_size=330, hold_out=0.2)
    shorter = trained(LINES, vocab_size=290, hold_out=0.2)
    assert data_of(longer.prefix(len(shorter.merges))) == data_of(shorter)
