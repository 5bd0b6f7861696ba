"""What nearly the same text would become: with a leading space, in another case, normalized, or at
another place.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bpe_studio.analysis.parts import check_text
from bpe_studio.analysis.reason import Reason
from bpe_studio.bpe.tokenizer import Tokenizer

LONGEST: Final = 200
"""Of a longer text no variants are asked for a span."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A text close to the one that was asked about, and its tokens.

    Attributes
    ----------
    label : str
        How it differs.
    text : str
    ids : tuple of int
        What it is as a text of its own; where the label says another place, what it is there.
    """

    label: str
    text: str
    ids: tuple[int, ...]

    @property
    def is_one_token(self) -> bool:
        return len(self.ids) == 1


def variants(
    tokenizer: Tokenizer, text: str, *, here: Sequence[int] | None = None
) -> tuple[Variant, ...]:
    """The nearest variants of a text, each different from it; those of one token first.

    Variants that a tokenizer edits to the same text, and so gives the same tokens, are one.

    Parameters
    ----------
    here : ids, optional
        What the text is at its place in a longer one; empty where no tokens are just this text.
        By itself it may be something else, which is a variant then.
    """
    check_text(text)
    alone = tuple(tokenizer.encode(text))
    seen = {alone if here is None else tuple(here)}
    found = []
    for label, variant, ids in _all(tokenizer, text, alone):
        if ids and ids not in seen:
            seen.add(ids)
            found.append(Variant(label, variant, ids))
    return tuple(sorted(found, key=lambda variant: not variant.is_one_token))


def variants_of(tokenizer: Tokenizer, reason: Reason) -> tuple[Variant, ...]:
    """The variants of a span of a text: what to write, or where, for another result."""
    if len(reason.text) > LONGEST:
        return ()
    tokens = reason.tokens
    fits = tokens and (tokens[0].text_start, tokens[-1].text_end) == (reason.start, reason.end)
    return variants(tokenizer, reason.text, here=[token.id for token in tokens] if fits else ())


def _all(
    tokenizer: Tokenizer, text: str, alone: tuple[int, ...]
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    yield "at the start of the text", text, alone
    for label, variant in _rewritten(text):
        if variant not in ("", text):
            yield label, variant, tuple(tokenizer.encode(variant))
    yield "at the start of a line", text, _in_line(tokenizer, text)


def _in_line(tokenizer: Tokenizer, text: str) -> tuple[int, ...]:
    """What a text is after a line end; nothing where a token holds both."""
    encoding = tokenizer.encode_with_offsets(f"\n{text}")
    starts, ends = encoding.offsets[:, 0], encoding.offsets[:, 1]
    if ((starts < 1) & (ends > 1)).any():
        return ()
    return tuple(encoding.ids[ends > 1].tolist())


def _rewritten(text: str) -> Iterator[tuple[str, str]]:
    spaced = [("with a leading space", f" {text}")]
    if text.startswith(" "):
        spaced = [("without the leading space", text[1:])]
    yield from spaced
    cased = [
        ("in lower case", text.lower()),
        ("in upper case", text.upper()),
        ("capitalised", _capitalised(text)),
    ]
    yield from cased
    # Both at once: " Low" for "low".
    for label, variant in cased:
        if variant != text:
            other = variant[1:] if text.startswith(" ") else f" {variant}"
            yield f"{label}, {spaced[0][0]}", other
    yield "in NFC (composed)", unicodedata.normalize("NFC", text)
    yield "in NFD (decomposed)", unicodedata.normalize("NFD", text)
    yield "with ordinary spaces", text.replace("\u00a0", " ").replace("\u202f", " ")


def _capitalised(text: str) -> str:
    """``" low"`` -> ``" Low"``"""
    bare = text.lstrip(" ")
    return text[: len(text) - len(bare)] + bare[:1].upper() + bare[1:].lower()
