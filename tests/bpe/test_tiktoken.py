"""The same ids as tiktoken, for a table of our own, but where the Unicode versions differ."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import tiktoken as rank_file
from bpe_studio.formats.ranks.known_encodings import rank_lines
from bpe_studio.formats.source import Source
from tests import texts
from tests.bpe.test_trainer import trained
from tests.unicode_differences import find_differences, read_differences

tiktoken = pytest.importorskip("tiktoken")

SAMPLE = (
    "low lower lowest, don't 'TIS 12345 6789\r\n\r\n  x\u00a0y é日本語日本 नमस्ते नमस्ते\n"
    "HTMLPage readFile(path) // notes\n\t\treturn x;\n        pass\n\n\n" + "a" * 70 + " " * 90
)
DIFFERENT = read_differences()


@cache
def both(pattern: str) -> tuple[Tokenizer, Any]:
    """One table for each program: the ranks of a table of our own."""
    table = trained([SAMPLE * 3], vocab_size=520, pattern=pattern, specials=()).table
    ranks = {table.token_bytes(i): i for i in reversed(table.ids.tolist())}
    encoding = tiktoken.Encoding(
        "ours", pat_str=PRESETS[pattern].expression, mergeable_ranks=ranks, special_tokens={}
    )
    ranked = sorted((rank, token) for token, rank in ranks.items())
    source = Source(data=rank_lines(ranked), name="ours", pattern=pattern)
    return rank_file.read(source), encoding


hard = st.lists(
    texts.any_text | st.sampled_from(SAMPLE.split(" ")) | st.text("a lowest\n", max_size=99)
).map(lambda parts: "".join(c for c in "".join(parts) if c not in DIFFERENT))


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "llama3", "qwen2", "o200k", "tekken"])
@given(text=hard)
def test_the_ids_are_those_of_tiktoken(pattern: str, text: str) -> None:
    ours, theirs = both(pattern)
    assert ours.encode(text) == theirs.encode_ordinary(text)


def test_the_list_of_code_points_is_complete() -> None:
    assert find_differences() <= DIFFERENT, "run python -m tests.unicode_differences"
