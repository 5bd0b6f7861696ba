"""Post-processor and decoder of a Hugging Face file → roles, and what decoding takes away."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bpe_studio.bpe.specials import roles_of
from bpe_studio.formats.hf.support import kind_of, leaves
from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.json import Node, quoted

__all__ = ["Decoding", "read_decoder", "read_roles"]

_CONFIG: Final = "tokenizer_config.json"
_MAX_CONFIG_BYTES: Final = 16 << 20


def read_roles(
    root: Node, specials: Collection[str], source: Source
) -> tuple[dict[str, str], list[str]]:
    """Which special is bos, eos and pad, and notes.

    What the post-processor adds says it first, then the ``tokenizer_config.json`` beside the file,
    then the usual names.
    """
    notes: list[str] = []
    roles: dict[str, str] = {}
    before, after = _added_around(root, notes)
    for role, names in (("bos", before), ("eos", after)):
        if len(names) > 1:
            notes.append(
                f"The post-processor adds {len(names)} tokens as {role} ({', '.join(names)}); "
                f"here only {names[0] if role == 'bos' else names[-1]} is."
            )
        if names and (name := names[0] if role == "bos" else names[-1]) in specials:
            roles[role] = name
    config = _config(source)
    for role in ("bos", "eos", "pad"):
        name = _name_in(config.get(f"{role}_token"))
        if role not in roles and name in specials:
            roles[role] = name
    usual = {role: n for role, n in roles_of(specials).items() if f"{role}_token" not in config}
    return {**usual, **roles}, notes


def _added_around(root: Node, notes: list[str]) -> tuple[list[str], list[str]]:
    """The tokens that are put before a single text, and after it."""
    before: list[str] = []
    after: list[str] = []
    if "post_processor" not in root:
        return before, after
    for node in leaves(root.member("post_processor"), "processors"):
        kind = kind_of(node)
        if kind == "TemplateProcessing":
            first, last = _template(node)
        elif kind in ("BertProcessing", "RobertaProcessing"):
            first, last = [_pair_name(node, "cls")], [_pair_name(node, "sep")]
        else:
            if kind != "ByteLevel":
                notes.append(f"What the post-processor {quoted(kind)} adds is not known here.")
            continue
        before, after = first + before, after + last
    return before, after


def _template(node: Node) -> tuple[list[str], list[str]]:
    if "single" not in node:
        node.fail("has no key 'single'")
    before: list[str] = []
    after: list[str] = []
    side = before
    for item in node.member("single").items():
        if not isinstance(item.value, dict) or len(item.value) != 1:
            item.fail_type('an object with "SpecialToken" or "Sequence"')
        if "Sequence" in item:
            side = after
        elif "SpecialToken" in item:
            side += _template_names(node, item.member("SpecialToken"))
        else:
            item.fail_type('an object with "SpecialToken" or "Sequence"')
    return before, after


def _template_names(node: Node, item: Node) -> Iterator[str]:
    """A special of the template, or the tokens that it stands for."""
    if not isinstance(item.value, dict) or "id" not in item:
        item.fail("has no key 'id'")
    name = item.member("id").text()
    known = node.value.get("special_tokens")
    entry = known.get(name) if isinstance(known, dict) else None
    tokens = entry.get("tokens") if isinstance(entry, dict) else None
    if isinstance(tokens, list) and tokens and all(isinstance(token, str) for token in tokens):
        yield from tokens
    else:
        yield name


def _pair_name(node: Node, key: str) -> str:
    value = node.value.get(key)
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], str):
        Node(node.source, f"{node.key}.{key}", value).fail_type("a token and its id")
    return value[0]


def _config(source: Source) -> Mapping[str, Any]:
    """The file beside it, as far as it is there and sound; it is only a hint."""
    try:
        beside = source.beside(_CONFIG)
        if beside is None or len(beside.data) > _MAX_CONFIG_BYTES:
            return {}
        config = json.loads(beside.data)
    except (OSError, ValueError, RecursionError):
        return {}
    return config if isinstance(config, dict) else {}


def _name_in(value: Any) -> str:
    """The name of a token: a string, or an object with its content."""
    if isinstance(value, dict):
        value = value.get("content")
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Decoding:
    """What is taken from the text of ids, and notes."""

    strip_left: int = 0
    notes: tuple[str, ...] = ()


def read_decoder(root: Node, *, mark: str, word_end: str) -> Decoding:
    """What decoding does, as far as it is done here."""
    node = root.member("decoder") if "decoder" in root else Node(root.source, "decoder", None)
    strip = 0
    notes: list[str] = []
    for part in leaves(node, "decoders"):
        kind = kind_of(part)
        if kind == "Metaspace":
            never = part.value.get("prepend_scheme") == "never"
            strip = 0 if never or part.value.get("add_prefix_space") is False else 1
        elif kind == "Strip" and _is_left_strip(part):
            strip = part.value["start"]
        elif kind == "BPEDecoder" and part.value.get("suffix") == word_end:
            continue
        elif kind not in ("ByteLevel", "ByteFallback", "Fuse") and not _gives_spaces(part, mark):
            notes.append(f"The decoder {quoted(kind)} is not followed: decoding joins the tokens.")
    if node.value is None:
        notes.append(
            "Without a decoder tokenizers puts a space between tokens; here there is none."
        )
    return Decoding(strip, tuple(notes))


def _is_left_strip(node: Node) -> bool:
    start, stop = node.value.get("start"), node.value.get("stop")
    sound = type(start) is int and 0 <= start <= 1024 and stop == 0
    return sound and node.value.get("content") == " "


def _gives_spaces(node: Node, mark: str) -> bool:
    """Whether this is the Replace that makes spaces of the marks."""
    value = node.value
    return bool(mark) and value.get("content") == " " and value.get("pattern") == {"String": mark}
