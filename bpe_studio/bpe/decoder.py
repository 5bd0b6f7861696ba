"""Ids to bytes to text, and how bytes are shown where text alone would mislead."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Final

import numpy as np
import regex

from bpe_studio.bpe.visible_names import is_invisible

_PICTURES: Final = {
    "\n": "⏎",
    "\t": "⇥",
    "\x7f": "␡",
    **{chr(code): chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)},
}
_MARK: Final = regex.compile(r"\p{M}")


def decode_bytes(ids: Iterable[int], token_bytes: Mapping[int, bytes]) -> bytes:
    """The bytes of tokens, one after another.

    Raises
    ------
    ValueError
        An id that is not in the mapping, with its place.
    """
    numbers = ids if isinstance(ids, list) else list(ids)
    try:
        return b"".join(map(token_bytes.__getitem__, numbers))
    except (KeyError, TypeError):
        check_ids(numbers, token_bytes)
        raise


def check_ids(ids: Iterable[object], known: Mapping[int, object]) -> None:
    """Refuses what is no id of a token.

    Raises
    ------
    ValueError
        With its place, and the ids that there are.
    """
    for place, token_id in enumerate(ids):
        if not isinstance(token_id, int) or token_id not in known:
            raise ValueError(
                f"There is no token with the id {token_id!r} (position {place:,}); "
                f"ids run from {min(known)} to {max(known):,}."
            ) from None


def decode_words(
    ids: Iterable[int],
    token_bytes: Mapping[int, bytes],
    specials: Container[int],
    *,
    prefix: bytes,
    end: bytes,
) -> bytes:
    """The bytes of tokens that mark where words begin and end (see `TextRules`).

    Every end of a word but the last becomes a space.

    >>> decode_words([0, 1], {0: b"low</w>", 1: b"er</w>"}, (), prefix=b"", end=b"</w>")
    b'low er'

    Raises
    ------
    ValueError
        As `decode_bytes`.
    """
    parts: list[bytes] = []
    for number in ids:
        data = decode_bytes([number], token_bytes)
        if number not in specials:
            data = data.removeprefix(prefix) if parts else data
            data = data.removesuffix(end) + b" " if end and data.endswith(end) else data
        parts.append(data)
    text = b"".join(parts)
    return text.removesuffix(b" ") if end else text


def numbers_of(ids: Iterable[int]) -> list[int]:
    """Ids as a list of Python's integers.

    Raises
    ------
    ValueError
        It is an array of something else.
    """
    if not isinstance(ids, np.ndarray):
        return list(ids)
    if ids.ndim != 1 or ids.dtype.kind not in "iu":
        raise ValueError(
            f"Ids are a row of whole numbers, not an array of {ids.dtype} of shape {ids.shape}."
        )
    numbers: list[int] = ids.tolist()
    return numbers


def readable(data: bytes, *, spaces: bool = True) -> str:
    """Bytes as one line that hides nothing.

    ``␠`` a leading space, ``·`` another, ``⏎`` and ``⇥``, pictures for controls, ``⟨200B⟩`` for
    what has no shape, ``⟨E2 82⟩`` for bytes that are no whole character.

    >>> readable(b" low est"), readable("a\\u200b".encode()), readable(b"\\xe2\\x82")
    ('␠low·est', 'a⟨200B⟩', '⟨E2 82⟩')

    Parameters
    ----------
    spaces : bool
        False leaves ordinary spaces as they are.
    """
    shown: list[str] = []
    text = data.decode("utf-8", "surrogateescape")
    broken: list[str] = []
    for char in text:
        if "\udc80" <= char <= "\udcff":
            broken.append(f"{ord(char) - 0xDC00:02X}")
            continue
        if broken:
            shown.append(f"⟨{' '.join(broken)}⟩")
            broken = []
        shown.append(_shown(char, first=not shown, spaces=spaces))
    if broken:
        shown.append(f"⟨{' '.join(broken)}⟩")
    return "".join(shown)


def _shown(char: str, *, first: bool, spaces: bool) -> str:
    if char == " ":
        return char if not spaces else "␠" if first else "·"
    if char.isascii():
        return _PICTURES.get(char, char)
    if is_invisible(char):
        return f"⟨{ord(char):04X}⟩"
    if first and _MARK.match(char):
        return f"◌{char}"
    return char
