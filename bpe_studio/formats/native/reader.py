"""Bytes of a native file → Tokenizer; anything odd is a ValueError that names its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, cast

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.encoder import EngineName
from bpe_studio.bpe.patterns import OTHERS, PRESETS, Pattern, resolve_pattern, unicode_version
from bpe_studio.bpe.text_rules import PLAIN_TEXT
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.native.rules import rules_from_plain
from bpe_studio.formats.native.table import read_table
from bpe_studio.formats.native.training import read_training
from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.json import Node, parse, quoted

__all__ = ["FORMAT", "VERSION", "read", "sniff"]

FORMAT: Final = "bpe-studio"
VERSION: Final = 3
"""The newest; a file says the first that has all it needs."""

_REQUIRED = (
    "format",
    "format_version",
    "base",
    "engine",
    "pattern",
    "unicode",
    "regex",
    "specials",
    "roles",
    "merges",
)
_OPTIONAL = (
    "byte_base",
    "byte_order",
    "bytes",
    "characters",
    "tokens_without_merge",
    "first_merge_id",
    "rules",
    "view_only",
    "training",
)
_MAX_EXPRESSION = 1 << 16
_MARK = re.compile(rb'\s*\{\s*"format"\s*:\s*"bpe-studio"')


def sniff(data: bytes) -> bool:
    """Whether this is a native file, by its first key."""
    return _MARK.match(data.removeprefix(b"\xef\xbb\xbf")) is not None


def read(source: Source) -> Tokenizer:
    """Read a native file.

    Raises
    ------
    ValueError
        One sentence that names the file, the key and the index.
    """
    root = parse(source.data, source.name)
    _check_format(root)
    root.check_keys(_REQUIRED, _OPTIONAL)
    specials = _specials(root.member("specials"))
    pattern, notes = _pattern(root.member("pattern"))
    rules = rules_from_plain(root.member("rules")) if "rules" in root else PLAIN_TEXT
    table, repeated = read_table(root, word_prefix=rules.word_prefix)
    notes += [*_unicode_note(root), *repeated]
    roles = _roles(root.member("roles"), specials)
    engine = cast(EngineName, root.member("engine").one_of("merges", "whole-piece-first"))
    view_only = root.member("view_only").text() if "view_only" in root else ""
    try:
        tokenizer = Tokenizer(
            table=table,
            pattern=pattern,
            special_ids=specials,
            roles=roles,
            engine=engine,
            notes=tuple(notes),
            rules=rules,
            view_only=view_only,
        )
    except ValueError as error:
        raise _named(error, source.name) from None
    if "training" not in root:
        return tokenizer
    name = root.value["pattern"]["name"]
    training = read_training(
        root.member("training"),
        tokenizer,
        pattern_name=name,
        version=root.value["format_version"],
    )
    return replace(tokenizer, training=training)


def _check_format(root: Node) -> None:
    if not isinstance(root.value, dict):
        root.fail("it is JSON, but no tokenizer: the outermost value must be an object")
    if "format" not in root and "model" not in root:
        root.fail(
            'it is JSON, but no tokenizer that is known: it has no "format" as BPE Studio\'s files '
            'have, no "model" and "added_tokens" as a tokenizer.json, no "config" and "vocab" as '
            "a tekken.json, and is no vocab.json of tokens and ids"
        )
    if root.value.get("format") != FORMAT:
        hint = "; this looks like a file of Hugging Face" if "model" in root else ""
        root.fail(f'it is no BPE Studio table: its "format" is not "{FORMAT}"{hint}')
    if "format_version" not in root:
        root.fail("the key 'format_version' is missing")
    version = root.value["format_version"]
    if type(version) is int and version > VERSION:
        root.fail(
            f"format_version is {version}, and this program reads up to {VERSION}; "
            "a newer one has written it"
        )
    if type(version) is not int or version < 1:
        root.fail(f"format_version must be 1 to {VERSION}, not {quoted(version)}")


def _pattern(node: Node) -> tuple[Pattern, list[str]]:
    node.check_keys(("name", "expression"))
    name, expression = node.member("name").text(), node.member("expression").text()
    preset = PRESETS.get(name) or OTHERS.get(name)
    if preset is not None and preset.expression == expression:
        return preset, []
    if len(expression) > _MAX_EXPRESSION:
        node.member("expression").fail(f"has more than {_MAX_EXPRESSION:,} characters")
    try:
        pattern = resolve_pattern(expression)
    except (ValueError, RecursionError, OverflowError, MemoryError) as error:
        node.member("expression").fail(f"cannot be used: {str(error).rstrip('.')}")
    if preset is None:
        return pattern, []
    return pattern, [f"The expression is not that of the preset {name}; it is used as it is."]


def _unicode_note(root: Node) -> Iterator[str]:
    root.member("regex").text()
    recorded, installed = root.member("unicode").text(), unicode_version()
    if recorded != installed:
        yield (
            f"The table was saved with Unicode {quoted(recorded)} and Unicode {installed} is "
            "installed; text with characters that differ may be cut in another way."
        )


def _specials(node: Node) -> dict[str, int]:
    ids = [member.integer(largest=MAX_ID) for member in node.members()]
    return {_name_in(node, name): number for name, number in zip(node.value, ids, strict=True)}


def _name_in(node: Node, name: str) -> str:
    """A key that is a special's name, checked as the text that it is."""
    return Node(node.source, f"{node.key}: the name", name).text()


def _roles(node: Node, specials: dict[str, int]) -> dict[str, str]:
    for member in node.members():
        if member.text() not in specials:
            member.fail(f"is {quoted(member.value)}, which is none of the specials")
    return {_name_in(node, role): name for role, name in node.value.items()}


def _named(error: ValueError, source: str) -> ValueError:
    message = str(error)
    return ValueError(f"{source}: {message[:1].lower()}{message[1:]}")
