"""How `bpe-studio compare` shortens names, rules and tokens for its columns."""

from __future__ import annotations

from typing import Final

from bpe_studio.cli.output import beginning, shown, width

__all__ = ["clipped", "token_words"]

_LONGEST: Final = 40


def clipped(text: str) -> str:
    """The beginning of a text, in as many columns as a table has for it."""
    text = shown(text)
    return text if width(text) <= _LONGEST else f"{beginning(text, _LONGEST - 1)}…"


def token_words(data: bytes | str) -> str:
    """A token, or a part of a text, in readable form; the middle of a long one is left out."""
    from bpe_studio.bpe.decoder import readable
    from bpe_studio.reports.words import cut

    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    return cut(readable(raw), 2 * _LONGEST)
