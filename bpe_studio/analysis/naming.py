"""How sentences name tokens, merges and places: the same words in the window and on a terminal."""

from __future__ import annotations

from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.tokenizer import Tokenizer

_LONGEST = 40


def quoted(data: bytes | str) -> str:
    """Bytes or text in readable form, in quotation marks; the middle of a long one is left out.

    >>> quoted(" low"), quoted(b"\\xe2\\x82")
    ('“␠low”', '“⟨E2 82⟩”')
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(raw) > 8 * _LONGEST:
        head, tail = raw[: 2 * _LONGEST], raw[-_LONGEST:]
        shown = readable(head)[:_LONGEST] + "…" + readable(tail, spaces=False)[-_LONGEST // 2 :]
        return f"“{shown}” ({len(raw):,} bytes)"
    return f"“{readable(raw)}”"


def token_name(tokenizer: Tokenizer, token: int) -> str:
    """``“␠low” (id 264)``"""
    return f"{quoted(tokenizer.token_bytes(token))} (id {token:,})"


def merge_name(tokenizer: Tokenizer, rank: int) -> str:
    """``the merge of rank 2 (“␠” + “low”)``: one number, the rank, as lists of merges show it."""
    left, right, _ = tokenizer.table.merge_of(rank)
    parts = f"{quoted(tokenizer.token_bytes(left))} + {quoted(tokenizer.token_bytes(right))}"
    return f"the merge of rank {rank:,} ({parts})"


def listed(words: list[str], last: str = "and") -> str:
    """``a, b and c``"""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def opened(words: str) -> str:
    """The words with a capital, to begin a sentence."""
    return words[:1].upper() + words[1:]
