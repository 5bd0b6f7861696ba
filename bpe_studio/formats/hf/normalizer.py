"""The normalizer of a Hugging Face file → edits."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Final

import regex

from bpe_studio.bpe import chars_map
from bpe_studio.bpe.edits import (
    CharsMap,
    Edit,
    Lowercase,
    Nmt,
    Prepend,
    Replace,
    Strip,
    StripAccents,
    Unicode,
)
from bpe_studio.formats.hf.support import (
    expression_of,
    flag,
    kind_of,
    leaves,
    not_understood,
    translated,
)
from bpe_studio.formats.strict.json import Node

__all__ = ["ends_in_byte_alphabet", "mark_of_edits", "read_normalizer"]


def read_normalizer(node: Node) -> tuple[Edit, ...]:
    """What is done to a text, in order; the byte alphabet (`ends_in_byte_alphabet`) left out.

    Raises
    ------
    ValueError
        Something is wrong; with its place.
    NotUnderstoodError
        Something is not known here.
    """
    parts = list(leaves(node, "normalizers"))
    edits: list[Edit] = []
    for place, part in enumerate(parts):
        kind = kind_of(part)
        if kind == "ByteLevel":
            if place < len(parts) - 1:
                raise not_understood(part, "is a ByteLevel that is not the last part")
        elif kind in _READERS:
            edits += _READERS[kind](part)
        else:
            raise not_understood(part, f"is a {kind}, which is not known here")
    return tuple(edits)


def ends_in_byte_alphabet(node: Node) -> bool:
    """Whether the text leaves the normalizer in the byte alphabet."""
    return any(kind_of(part) == "ByteLevel" for part in leaves(node, "normalizers"))


def mark_of_edits(edits: tuple[Edit, ...]) -> str:
    """The character that every space has become in the end; empty where none has."""
    mark = ""
    for edit in edits:
        if not isinstance(edit, Replace):
            continue
        if edit.expression in (" ", r"\ ") and len(edit.text) == 1:
            mark = edit.text.strip(" ")
        elif mark and edit.expression == regex.escape(mark) and edit.text == " ":
            mark = ""
    return mark


def _replace(node: Node) -> tuple[Edit, ...]:
    for key in ("pattern", "content"):
        if key not in node:
            node.fail(f"has no key {key!r}")
    text, is_expression = expression_of(node.member("pattern"))
    content = node.member("content").text()
    if is_expression:
        return (Replace(translated(node, text), content),)
    return (Replace(regex.escape(text, literal_spaces=True), content),) if text else ()


def _prepend(node: Node) -> tuple[Edit, ...]:
    if "prepend" not in node:
        node.fail("has no key 'prepend'")
    text = node.member("prepend").text()
    return (Prepend(text),) if text else ()


def _chars_map(node: Node) -> tuple[Edit, ...]:
    if "precompiled_charsmap" not in node:
        node.fail("has no key 'precompiled_charsmap'")
    member = node.member("precompiled_charsmap")
    if member.value is None:
        return ()
    try:
        data = base64.b64decode(member.text(), validate=True)
    except (binascii.Error, ValueError):
        member.fail("is no base64")
    if not data:
        return ()
    try:
        chars_map.check(data)
    except ValueError as error:
        member.fail(f"cannot be used: {str(error).rstrip('.')}")
    return (CharsMap(data, by_grapheme=True),)


_READERS: Final[dict[str, Callable[[Node], tuple[Edit, ...]]]] = {
    "NFC": lambda node: (Unicode("NFC"),),
    "NFD": lambda node: (Unicode("NFD"),),
    "NFKC": lambda node: (Unicode("NFKC"),),
    "NFKD": lambda node: (Unicode("NFKD"),),
    "Lowercase": lambda node: (Lowercase(),),
    "StripAccents": lambda node: (StripAccents(),),
    "Nmt": lambda node: (Nmt(),),
    "Strip": lambda node: (Strip(flag(node, "strip_left"), flag(node, "strip_right")),),
    "Replace": _replace,
    "Prepend": _prepend,
    "Precompiled": _chars_map,
}
