"""Mistral's tekken.json: ranks with base64 tokens, the pattern, and the specials in front.

The specials have the first ids, and a token's id is its rank plus their number. Only as much of the
vocabulary is used as the configuration says. Whatever else the file holds (images, audio) is not
about text.
"""

from __future__ import annotations

import binascii
import re
from typing import Final, NoReturn

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.specials import roles_of
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.expressions import pattern_in
from bpe_studio.formats.ranks.table import rank_table
from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.json import Node, parse, quoted
from bpe_studio.formats.strict.token_bytes import MAX_TOKEN_BYTES, MAX_TOKENS

__all__ = ["NAME", "SUFFIXES", "TITLE", "read", "sniff"]

NAME: Final = "tekken"
TITLE: Final = "Mistral tekken (tekken.json)"
SUFFIXES: Final = (".json",)

# What files do not list up to version 7; all further ones are <SPECIAL_n>.
_UNLISTED: Final = (
    *("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]"),
    *("[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]"),
    *("[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"),
    "[TOOL_CONTENT]",
)
_LAST_UNLISTED: Final = 7
_MAX_SPECIALS: Final = 1 << 20


def sniff(data: bytes) -> bool:
    """Whether it is a JSON object with keys that only this format has."""
    head = data[: 1 << 16].removeprefix(b"\xef\xbb\xbf").lstrip()
    return head.startswith(b"{") and (
        b'"default_num_special_tokens"' in head or b'"token_bytes"' in head
    )


def read(source: Source) -> Tokenizer:
    """Read a tekken file.

    Raises
    ------
    ValueError
        One sentence that names the file, the key and the index.
    """
    root = parse(source.data, source.name)
    source.report(0.2)
    config = _member(root, "config")
    pattern = pattern_in(_member(config, "pattern"))
    reserved = _member(config, "default_num_special_tokens").integer(largest=_MAX_SPECIALS)
    size = _member(config, "default_vocab_size").integer(smallest=reserved, largest=MAX_TOKENS)
    specials = _specials(root, reserved)
    tokens = _tokens(_member(root, "vocab"), size - reserved)
    source.report(0.4)
    table, notes = rank_table(
        range(reserved, size), tokens, report=lambda share: source.report(0.4 + 0.6 * share)
    )
    if unused := len(root.value["vocab"]) - len(tokens):
        notes.insert(0, f"The last {unused:,} tokens of the file are not used, as it says.")
    return Tokenizer(
        table,
        pattern,
        special_ids=specials,
        roles=roles_of(specials),
        engine="whole-piece-first",
        notes=tuple(notes),
    )


def _member(node: Node, name: str) -> Node:
    if not isinstance(node.value, dict):
        node.fail_type("an object")
    if name not in node:
        node.fail(f"has no key {name!r}" if node.key else f"the key {name!r} is missing")
    return node.member(name)


def _tokens(vocab: Node, wanted: int) -> list[bytes]:
    """The bytes of the tokens that are used; the rank of each is its place."""
    if not isinstance(vocab.value, list):
        vocab.fail_type("a list")
    if len(vocab.value) < wanted:
        vocab.fail(f"has {len(vocab.value):,} tokens, and the configuration wants {wanted:,}")
    places: dict[bytes, int] = {}
    for place, entry in enumerate(vocab.value[:wanted]):
        try:
            rank, code = entry["rank"], entry["token_bytes"]
            token = binascii.a2b_base64(code, strict_mode=True)
        except (TypeError, KeyError, ValueError):
            rank, token = None, b""
        if type(rank) is not int or rank != place or not 0 < len(token) <= MAX_TOKEN_BYTES:
            _fail_entry(Node(vocab.source, f"vocab[{place}]", entry), place)
        if (first := places.setdefault(token, place)) != place:
            vocab.fail(f"has the same token at {first:,} and at {place:,}")
    return list(places)


def _fail_entry(entry: Node, place: int) -> NoReturn:
    rank = _member(entry, "rank")
    if type(rank.value) is not int or rank.value != place:
        rank.fail_type(f"{place}, the number of its place")
    code = _member(entry, "token_bytes")
    if len(code.text()) > MAX_TOKEN_BYTES:
        code.fail("is longer than 1 MiB, which is the limit of a token")
    code.fail_type("a token in base64")


def _specials(root: Node, reserved: int) -> dict[str, int]:
    """Those that are listed, and a filler for every id that is left."""
    listed = root.value.get("special_tokens")
    if listed is None:
        _check_version(root)
        names = dict(enumerate(_UNLISTED))
    else:
        names = _listed(root.member("special_tokens"))
    if names and max(names) >= reserved:
        place = "config.default_num_special_tokens"
        Node(root.source, place, None).fail(
            f"is {reserved:,}, and {quoted(names[max(names)])} is special number {max(names):,}"
        )
    fillers = {place: f"<SPECIAL_{place}>" for place in range(reserved) if place not in names}
    specials = {name: place for place, name in sorted((names | fillers).items())}
    if len(specials) < reserved:
        root.member("special_tokens").fail("has a name of the form <SPECIAL_n> at another place")
    return specials


def _listed(node: Node) -> dict[int, str]:
    names: dict[int, str] = {}
    seen: set[str] = set()
    for entry in node.items():
        rank = _member(entry, "rank").integer(largest=MAX_ID)
        name = _member(entry, "token_str").text()
        if rank in names:
            entry.member("rank").fail(f"is {rank}, which another special has already")
        if not name or name in seen:
            entry.member("token_str").fail(f"must be a new name, not {quoted(name)}")
        if len(names) > _MAX_SPECIALS:
            node.fail(f"has over {_MAX_SPECIALS:,} entries, which is the limit")
        names[rank] = name
        seen.add(name)
    return names


def _check_version(root: Node) -> None:
    version = root.member("config").value.get("version", "v3")
    number = re.fullmatch(r"v([0-9]{1,4})", version) if isinstance(version, str) else None
    if number is None:
        root.member("config").member("version").fail_type('a version such as "v3"')
    if int(number[1]) > _LAST_UNLISTED:
        root.fail(f"the key 'special_tokens' is missing, which a file of version {version} has")
