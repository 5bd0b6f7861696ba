"""What stands around a token in longer ones."""

from __future__ import annotations

from bpe_studio.analysis.alone import Alone
from bpe_studio.analysis.longer_tokens import LongerTokens
from tests.analysis.tables import make_pair


def _around(merges: list[tuple[int, int, int]], token: int) -> list[tuple[str, str]]:
    tokenizer = make_pair(merges).tokenizer
    data = tokenizer.token_bytes(token)
    alone = Alone(token, data, data.decode("utf-8", "ignore") or None, True, False)
    return list(LongerTokens(tokenizer.table).around(alone))


def test_neighbours_come_from_merges_and_from_their_kinds() -> None:
    merges = [(97, 98, 256), (256, 49, 257), (67, 257, 258), (120, 120, 259)]
    assert _around(merges, 256) == [
        ("", "1"), ("", "7"), ("", "9"), ("C", "1"), ("Q", "7"), ("Z", "9"),
    ]  # fmt: skip
    assert _around(merges, 258) == []


def test_no_more_than_a_few_are_looked_at() -> None:
    many = [(97, 98, 256), *((256, 33 + n, 300 + n) for n in range(90))]
    assert 20 < len({pair for pair in _around(many, 256) if pair[1] not in "79qQzZ"}) < 30


def test_half_characters_are_left_out() -> None:
    assert _around([(97, 98, 256), (256, 0xC3, 257)], 256) == []
    assert _around([(0xE2, 0x82, 256), (256, 0xAC, 257)], 256) == []
