"""What the readers of the parts of a Hugging Face file share."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_studio.formats.dialects.oniguruma import ExpressionError, from_oniguruma
from bpe_studio.formats.strict.json import Node, quoted

__all__ = [
    "NotUnderstoodError",
    "expression_of",
    "flag",
    "kind_of",
    "leaves",
    "not_understood",
    "translated",
]

_MAX_EXPRESSION = 1 << 16


class NotUnderstoodError(ValueError):
    """A part is sound, but what it does is not done here: the table is for viewing only."""


def not_understood(node: Node, reason: str) -> NotUnderstoodError:
    return NotUnderstoodError(f"{node.key} {reason}")


def kind_of(node: Node) -> str:
    """The ``type`` of an object."""
    if not isinstance(node.value, dict):
        node.fail_type("an object or null")
    if "type" not in node:
        node.fail("has no key 'type'")
    return node.member("type").text()


def leaves(node: Node, list_key: str) -> Iterator[Node]:
    """The parts of a Sequence, however deep, or the part itself; nothing for null."""
    if node.value is None:
        return
    if kind_of(node) != "Sequence":
        yield node
        return
    if list_key not in node:
        node.fail(f"has no key {list_key!r}")
    for item in node.member(list_key).items():
        yield from leaves(item, list_key)


def flag(node: Node, name: str, default: bool | None = None) -> bool:
    """A member that is true or false; without a default it must be there."""
    if name not in node.value:
        if default is None:
            node.fail(f"has no key {name!r}")
        return default
    value = node.value[name]
    if not isinstance(value, bool):
        node.member(name).fail_type("true or false")
    return value


def expression_of(node: Node) -> tuple[str, bool]:
    """What a ``pattern`` says, as it stands there, and whether it is an expression or a text."""
    kinds = node.value if isinstance(node.value, dict) else {}
    kind = next((kind for kind in ("String", "Regex") if kind in kinds), None)
    if kind is None or len(kinds) != 1:
        node.fail_type('an object with "String" or "Regex"')
    member = node.member(kind)
    text = member.text()
    if len(text) > _MAX_EXPRESSION:
        member.fail(f"has more than {_MAX_EXPRESSION:,} characters")
    return text, kind == "Regex"


def translated(node: Node, expression: str) -> str:
    """An expression of Oniguruma for `regex`."""
    try:
        return from_oniguruma(expression)
    except ExpressionError as error:
        short = quoted(expression)
        raise not_understood(node, f"has the expression {short}, and {error}") from None
