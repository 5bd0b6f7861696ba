"""The pre-tokenizer of a Hugging Face file → cuts and edits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import regex

from bpe_studio.bpe.edits import Edit, Prepend, Replace
from bpe_studio.bpe.patterns import PRESETS, Pattern
from bpe_studio.bpe.text_rules import Behavior, Split
from bpe_studio.formats.dialects.spellings import preset_spelled
from bpe_studio.formats.hf.support import (
    expression_of,
    flag,
    kind_of,
    leaves,
    not_understood,
    translated,
)
from bpe_studio.formats.strict.json import Node

__all__ = ["Cutting", "read_pre_tokenizer"]

Step = Edit | Split

_BEHAVIORS: Final[dict[str, Behavior]] = {
    "Isolated": "isolated",
    "Removed": "removed",
    "MergedWithPrevious": "merged-with-previous",
    "MergedWithNext": "merged-with-next",
    "Contiguous": "contiguous",
}
# The library's punctuation is that of an old Unicode: without what came later, with two that have
# become something else.
_LATER: Final = (
    r"\u061d\u09fd\u0a76\u0c77\u0c84\u1b4e\u1b4f\u1b7d-\u1b7f\u2e43-\u2e4f\u2e52-\u2e5d"
    r"\u2e60-\u2e63\U00010d6e\U00010ead\U00010ed0\U00010f55-\U00010f59\U00010f86-\U00010f89"
    r"\U000113d4\U000113d5\U000113d7\U000113d8\U0001144b-\U0001144f\U0001145a\U0001145b"
    r"\U0001145d\U00011660-\U0001166c\U000116b9\U0001183b\U00011944-\U00011946\U000119e2"
    r"\U00011a3f-\U00011a46\U00011a9a-\U00011a9c\U00011a9e-\U00011aa2\U00011b00-\U00011b09"
    r"\U00011be1\U00011c41-\U00011c45\U00011c70\U00011c71\U00011ef7\U00011ef8"
    r"\U00011f43-\U00011f4f\U00011fff\U00012ff1\U00012ff2\U00016d6d-\U00016d6f"
    r"\U00016e97-\U00016e9a\U00016fe2\U0001e5ff\U0001e95e\U0001e95f"
)
_PUNCTUATION: Final = rf"[!-/:-@\[-`{{-~\u166d\U000111c9]|(?![{_LATER}])\p{{P}}"


@dataclass(frozen=True, slots=True)
class Cutting:
    """What a pre-tokenizer does.

    Attributes
    ----------
    steps : tuple of Edit and Split
    pattern : Pattern or None
        The last step, where it is a preset.
    byte_level : bool
        Whether the pieces are written in the byte alphabet.
    mark : str
        The character that every space becomes; empty where none does.
    """

    steps: tuple[Step, ...] = ()
    pattern: Pattern | None = None
    byte_level: bool = False
    mark: str = ""


def read_pre_tokenizer(node: Node) -> Cutting:
    """How a text is cut.

    Raises
    ------
    ValueError
        Something is wrong; with its place.
    NotUnderstoodError
        Something is not known here.
    """
    steps: list[Step | Pattern] = []
    byte_level, mark = False, ""
    for part in leaves(node, "pretokenizers"):
        kind = kind_of(part)
        if byte_level:
            raise not_understood(part, f"is a {kind} after ByteLevel, which cuts between bytes")
        if kind == "ByteLevel":
            byte_level = True
        if kind == "Metaspace":
            mark = _replacement(part).strip(" ")  # a space may stand for itself
        if kind not in _READERS:
            raise not_understood(part, f"is a {kind}, which is not known here")
        steps += _READERS[kind](part)
    last = steps.pop() if steps and isinstance(steps[-1], Pattern) else None
    return Cutting(
        tuple(Split(step.expression) if isinstance(step, Pattern) else step for step in steps),
        last if isinstance(last, Pattern) else None,
        byte_level,
        mark,
    )


def _byte_level(node: Node) -> list[Step | Pattern]:
    steps: list[Step | Pattern] = []
    if flag(node, "add_prefix_space"):
        steps.append(Prepend(" ", unless_there=True))
    if flag(node, "use_regex", True):
        steps.append(PRESETS["gpt2"])
    return steps


def _behavior(node: Node, default: str | None = None) -> Behavior:
    if "behavior" not in node and default is not None:
        return _BEHAVIORS[default]
    if "behavior" not in node:
        node.fail("has no key 'behavior'")
    return _BEHAVIORS[node.member("behavior").one_of(*_BEHAVIORS)]


def _split(node: Node) -> list[Step | Pattern]:
    if "pattern" not in node:
        node.fail("has no key 'pattern'")
    text, is_expression = expression_of(node.member("pattern"))
    behavior, invert = _behavior(node), flag(node, "invert")
    if not text:
        # The empty text is between any two characters, so each is a piece of its own.
        if invert:
            raise not_understood(node, "cuts at all but the empty text")
        return [Split("(?s:.)")]
    if not is_expression:
        return [Split(regex.escape(text, literal_spaces=True), behavior, invert)]
    preset = preset_spelled(text)
    # The presets cover all text, so nothing is removed between their matches.
    if preset is not None and (behavior, invert) in (("isolated", False), ("removed", True)):
        return [preset]
    return [Split(translated(node, text), behavior, invert)]


def _replacement(node: Node) -> str:
    if "replacement" not in node:
        node.fail("has no key 'replacement'")
    text = node.member("replacement").text()
    if len(text) != 1:
        node.member("replacement").fail_type("one character")
    return text


def _metaspace(node: Node) -> list[Step | Pattern]:
    mark = _replacement(node)
    scheme = "always"
    if "prepend_scheme" in node:
        scheme = node.member("prepend_scheme").one_of("always", "never", "first")
    if not flag(node, "add_prefix_space", True):
        if "prepend_scheme" in node and scheme != "never":
            node.fail("has an add_prefix_space of false that contradicts its prepend_scheme")
        scheme = "never"
    literal = regex.escape(mark)
    steps: list[Step | Pattern] = [] if mark == " " else [Replace(" ", mark)]
    if scheme != "never":
        steps.append(Prepend(mark, unless_there=True, first_only=scheme == "first"))
    if flag(node, "split", True):
        steps.append(Split(literal, "merged-with-next"))
    return steps


def _digits(node: Node) -> list[Step | Pattern]:
    alone = flag(node, "individual_digits")
    return [Split(r"\p{N}", "isolated" if alone else "contiguous")]


def _delimiter(node: Node) -> list[Step | Pattern]:
    if "delimiter" not in node:
        node.fail("has no key 'delimiter'")
    text = node.member("delimiter").text()
    if len(text) != 1:
        node.member("delimiter").fail_type("one character")
    return [Split(regex.escape(text, literal_spaces=True), "removed")]


_READERS: Final[dict[str, Callable[[Node], list[Step | Pattern]]]] = {
    "ByteLevel": _byte_level,
    "Split": _split,
    "Metaspace": _metaspace,
    "Digits": _digits,
    "Punctuation": lambda node: [Split(_PUNCTUATION, _behavior(node, "Isolated"))],
    "Whitespace": lambda node: [Split(r"\w+|[^\w\s]+", "removed", invert=True)],
    "WhitespaceSplit": lambda node: [Split(r"\s", "removed")],
    "CharDelimiterSplit": _delimiter,
    "BertPreTokenizer": lambda node: [Split(r"\s", "removed"), Split(_PUNCTUATION)],
}
