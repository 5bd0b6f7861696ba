"""The arena sorts and searches as plain Python does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models.token_arena import TokenArena

TOKENS = st.lists(
    st.binary(min_size=1, max_size=5)
    | st.builds(lambda n, tail: b"x" * n + tail, st.integers(14, 20), st.binary(max_size=3)),
    min_size=1,
    max_size=40,
)


@given(TOKENS)
def test_places_follow_the_order_of_bytes(tokens: list[bytes]) -> None:
    places = TokenArena.of(tokens).places().tolist()
    assert sorted(places) == list(range(len(tokens)))
    ordered = [token for _, token in sorted(zip(places, tokens, strict=True))]
    assert ordered == sorted(tokens)


@given(TOKENS, st.sampled_from([b"x", b"xx", b"a", b"AB", b"\0"]))
def test_containing_equals_a_plain_search(tokens: list[bytes], text: bytes) -> None:
    found = TokenArena.of(tokens).containing(text).tolist()
    assert found == [text.lower() in token.lower() for token in tokens]
