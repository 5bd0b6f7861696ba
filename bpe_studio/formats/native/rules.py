"""TextRules ↔ JSON: what a native file says of a text around its merges."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final, TypeVar

import regex

from bpe_studio.bpe import chars_map, edits
from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.edits import Edit
from bpe_studio.bpe.text_rules import PLAIN_TEXT, AddedToken, Split, TextRules, Unknown
from bpe_studio.formats.strict.json import Node

__all__ = ["rules_from_plain", "rules_to_plain"]

_T = TypeVar("_T")
_STEPS: Final[dict[str, type[Any]]] = {
    step.__name__: step
    for step in (
        edits.CharsMap,
        edits.Lowercase,
        edits.Nmt,
        edits.Prepend,
        edits.Replace,
        edits.Strip,
        edits.StripAccents,
        edits.Unicode,
        Split,
    )
}
_CHOICES: Final = {
    "form": ("NFC", "NFD", "NFKC", "NFKD"),
    "behavior": (
        "isolated",
        "removed",
        "merged-with-previous",
        "merged-with-next",
        "contiguous",
    ),
}
_MAX_EXPRESSION: Final = 1 << 16


def rules_to_plain(rules: TextRules) -> dict[str, Any]:
    """What differs from `PLAIN_TEXT`, as values that JSON knows."""
    plain: dict[str, Any] = {}
    for item in fields(TextRules):
        value = getattr(rules, item.name)
        if value != getattr(PLAIN_TEXT, item.name):
            plain[item.name] = _WRITERS.get(item.name, lambda value: value)(value)
    return plain


def rules_from_plain(node: Node) -> TextRules:
    """The rules that `rules_to_plain` has written.

    Raises
    ------
    ValueError
        With the key and the index of what is wrong.
    """
    node.check_keys((), [item.name for item in fields(TextRules)])
    return TextRules(**{name: _READERS[name](node.member(name)) for name in node.value})


def _step_to_plain(step: Edit | Split) -> dict[str, Any]:
    values = {item.name: getattr(step, item.name) for item in fields(step)}
    if isinstance(step, edits.CharsMap):
        values["data"] = base64.b64encode(step.data).decode()
        values["kept"] = list(step.kept)
    return {"type": type(step).__name__, **values}


def _step(node: Node) -> Any:
    if not isinstance(node.value, dict) or "type" not in node:
        node.fail_type('an object with a "type"')
    kind = _STEPS[node.member("type").one_of(*_STEPS)]
    node.check_keys(("type", *(item.name for item in fields(kind))))
    values = {item.name: _value(node.member(item.name)) for item in fields(kind)}
    try:
        return kind(**values)
    except ValueError as error:
        node.fail(f"cannot be used: {str(error).rstrip('.')}")


def _value(node: Node) -> Any:
    name = node.key.rpartition(".")[2]
    if name in _CHOICES:
        return node.one_of(*_CHOICES[name])
    if name == "data":
        return _bytes(node)
    if name == "kept":
        return tuple(item.text() for item in node.items())
    if name == "expression":
        return _expression(node)
    return node.text() if name == "text" else _truth(node)


def _truth(node: Node) -> bool:
    if not isinstance(node.value, bool):
        node.fail_type("true or false")
    return bool(node.value)


def _bytes(node: Node) -> bytes:
    try:
        data = base64.b64decode(node.text(), validate=True)
    except binascii.Error:
        node.fail("is no base64")
    try:
        chars_map.check(data)
    except ValueError as error:
        node.fail(f"is no map of characters: {str(error).rstrip('.')}")
    return data


def _expression(node: Node) -> str:
    expression = node.text()
    if len(expression) > _MAX_EXPRESSION:
        node.fail(f"has more than {_MAX_EXPRESSION:,} characters")
    try:
        regex.compile(expression)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        node.fail(f"is no valid expression: {error}")
    return expression


def _edit(node: Node) -> Edit:
    step = _step(node)
    if isinstance(step, Split):
        node.fail("is a Split, which cuts; a normalizer only edits")
    edit: Edit = step
    return edit


def _added(node: Node) -> AddedToken:
    node.check_keys([item.name for item in fields(AddedToken)])
    flags = {
        item.name: _truth(node.member(item.name))
        for item in fields(AddedToken)
        if item.name not in ("content", "id")
    }
    content = node.member("content").text()
    if not content:
        node.member("content").fail("is empty")
    return AddedToken(content, node.member("id").integer(largest=MAX_ID), **flags)


def _fixed(node: Node) -> tuple[str, int]:
    if not isinstance(node.value, list) or len(node.value) != 2 or not node.value[0]:
        node.fail_type("a text and its id")
    content, number = node.items()
    return content.text(), number.integer(largest=MAX_ID)


def _unknown(node: Node) -> Unknown:
    node.check_keys(("id", "fuse"))
    return Unknown(node.member("id").integer(largest=MAX_ID), _truth(node.member("fuse")))


def _all(reader: Callable[[Node], _T]) -> Callable[[Node], tuple[_T, ...]]:
    return lambda node: tuple(reader(item) for item in node.items())


_WRITERS: Final[dict[str, Callable[[Any], Any]]] = {
    "added": lambda added: [
        {item.name: getattr(token, item.name) for item in fields(AddedToken)} for token in added
    ],
    "normalizer": lambda steps: [_step_to_plain(step) for step in steps],
    "pre_tokenizer": lambda steps: [_step_to_plain(step) for step in steps],
    "fixed": lambda fixed: [list(pair) for pair in fixed],
    "unknown": lambda unknown: {"id": unknown.id, "fuse": unknown.fuse},
}
_READERS: Final[dict[str, Callable[[Node], Any]]] = {
    "added": _all(_added),
    "normalizer": _all(_edit),
    "pre_tokenizer": _all(_step),
    "fixed": _all(_fixed),
    "unknown": _unknown,
    "word_prefix": Node.text,
    "word_end": Node.text,
    "strip_left": lambda node: node.integer(largest=1 << 10),
}
