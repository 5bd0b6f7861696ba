"""What nearly the same text would become: with a leading space, in another case, normalized."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from bpe_studio.analysis.parts import check_text
from bpe_studio.bpe.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Variant:
    """A text close to the one that was asked about, and its tokens as a text of its own."""

    label: str
    text: str
    ids: tuple[int, ...]

    @property
    def is_one_token(self) -> bool:
        return len(self.ids) == 1


def variants(tokenizer: Tokenizer, text: str) -> tuple[Variant, ...]:
    """The nearest variants of a text, each different from it; those of one token first.

    Variants that a tokenizer edits to the same text, and so gives the same tokens, are one.
    """
    check_text(text)
    seen = {tuple(tokenizer.encode(text))}
    found = []
    for label, variant in _rewritten(text):
        ids = tuple(tokenizer.encode(variant)) if variant not in ("", text) else ()
        if ids and ids not in seen:
            seen.add(ids)
            found.append(Variant(label, variant, ids))
    return tuple(sorted(found, key=lambda variant: not variant.is_one_token))


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
