"""From format to format and back: the same vocabulary, merges and ids."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from bpe_studio import formats
from tests.bpe.test_trainer import trained

SAMPLE = "low lower lowest, don't 12345\n\n  xé日本語日本 नमस्ते <pad>\n" + "ab" * 40
NAMES = {
    "studio": "t.json",
    "huggingface": "tokenizer.json",
    "tiktoken": "t.tiktoken",
    "gpt2": "vocab.json",
}
OURS = trained([SAMPLE * 3], vocab_size=400, pattern="gpt2")


@pytest.mark.parametrize("order", list(permutations(NAMES)), ids="-".join)
def test_through_all_formats(tmp_path: Path, order: tuple[str, ...]) -> None:
    tok = OURS
    for name in order:
        formats.save(tok, tmp_path / NAMES[name], name)
        tok = formats.load(tmp_path / NAMES[name], pattern="gpt2" if name == "tiktoken" else None)
        assert tok.merges == OURS.merges
        assert tok.table.ids.tolist() == OURS.table.ids.tolist()
        assert tok.table.token_list == OURS.table.token_list
        assert tok.pattern.name == "gpt2"
        before = order[: order.index(name) + 1]
        # A rank file holds no specials, and its reader is not told of them here.
        assert tok.special_ids == ({} if "tiktoken" in before else OURS.special_ids)
        assert tok.encode(SAMPLE, allowed_special=()) == OURS.encode(SAMPLE)
