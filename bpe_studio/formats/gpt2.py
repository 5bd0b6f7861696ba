"""GPT-2's pair of files: vocab.json (token → id) and merges.txt (two tokens a line, by rank).

Either is opened, and the other is looked for beside it, under the name that goes with it. Tokens
are spelled in the byte alphabet. The files do not say which entries are specials: those that no
merge makes or uses and that look like one (``<|endoftext|>``, ``<s>``, ``[PAD]``) are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NoReturn

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.patterns import PRESETS, Pattern, resolve_pattern
from bpe_studio.bpe.specials import roles_of
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.ranks.byte_alphabet import to_bytes
from bpe_studio.formats.ranks.gpt2_merges import looks_like_merges, read_merges
from bpe_studio.formats.ranks.gpt2_writer import looks_special, write
from bpe_studio.formats.ranks.known_encodings import find_known, rank_lines
from bpe_studio.formats.ranks.table import merged_table, table_notes
from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.json import Node, parse, quoted
from bpe_studio.formats.strict.token_bytes import MAX_TOKEN_BYTES, MAX_TOKENS, repeated_note

__all__ = ["NAME", "SUFFIXES", "TITLE", "read", "sniff", "write"]

NAME: Final = "gpt2"
TITLE: Final = "GPT-2 pair (vocab.json and merges.txt)"
SUFFIXES: Final = (".json",)

_BOM: Final = b"\xef\xbb\xbf"
_ENTRY: Final = rb'\s*"(?:[^"\\]|\\.){1,4096}"\s*:\s*\d{1,10}\s*'
_FIRST_ENTRIES: Final = re.compile(rb"\s*\{(?:%b,){16}" % _ENTRY)
_ALL_ENTRIES: Final = re.compile(rb"\s*\{%b(?:,%b){0,15}\}" % (_ENTRY, _ENTRY))


def sniff(data: bytes) -> bool:
    """Whether it begins as an object of names with numbers, or as a list of merges."""
    head = data[: 1 << 16].removeprefix(_BOM)
    if head.lstrip().startswith(b"{"):
        return bool(_FIRST_ENTRIES.match(head) or _ALL_ENTRIES.match(head))
    return looks_like_merges(head)


def read(source: Source) -> Tokenizer:
    """Read the pair of which `source` is one file.

    Raises
    ------
    ValueError
        With the entry or the line; or the other file is not there.
    """
    is_vocab = source.data.removeprefix(_BOM).lstrip().startswith(b"{")
    # What is wrong with the file that was opened is told before what is wrong with the other.
    own = parse(source.data, source.name) if is_vocab else None
    other = _other(source, is_vocab)
    merges_file = other if is_vocab else source
    root = own or parse(other.data, other.name)
    vocab = _vocab(root)
    source.report(0.3)
    merges = read_merges(merges_file, vocab)
    source.report(0.8)
    tokens, specials = _split(root, vocab, merges)
    table = merged_table(tokens, merges)
    pattern, notes = _pattern(source, table)
    return Tokenizer(
        table,
        pattern,
        special_ids=specials,
        roles=roles_of(specials),
        notes=(*notes, *table_notes(table), *repeated_note(merges)),
    )


def _other(source: Source, is_vocab: bool) -> Source:
    """The file that goes with this one."""
    own = source.name if source.path is None else source.path.name
    names = list(_names_of_merges(own) if is_vocab else _names_of_vocab(own))
    other = next((found for name in names if (found := source.beside(name))), None)
    if other is None:
        what = "the merges" if is_vocab else "the tokens"
        raise ValueError(
            f"{source.name}: it goes with a file of {what}, and there is no "
            f"{' or '.join(names)} beside it."
        )
    return other


def _names_of_merges(name: str) -> Iterator[str]:
    if name.endswith("vocab.json"):
        yield name.removesuffix("vocab.json") + "merges.txt"
        return
    if name.endswith("encoder.json"):
        yield name.removesuffix("encoder.json") + "vocab.bpe"
    else:
        yield name.removesuffix(".json") + "-merges.txt"
    yield "merges.txt"


def _names_of_vocab(name: str) -> Iterator[str]:
    if name.endswith("vocab.bpe"):
        yield name.removesuffix("vocab.bpe") + "encoder.json"
    if name.endswith("merges.txt"):
        before = name.removesuffix("merges.txt")
        yield before + "vocab.json"
        if before.endswith("-"):
            yield before.removesuffix("-") + ".json"
    if name != "merges.txt":
        yield "vocab.json"


def _vocab(root: Node) -> dict[str, int]:
    """``{token as it is spelled: id}``."""
    vocab = root.value
    if not isinstance(vocab, dict):
        root.fail_type("an object of tokens and their ids")
    if len(vocab) > MAX_TOKENS:
        root.fail(f"it has {len(vocab):,} tokens, and {MAX_TOKENS:,} is the limit")
    ids = vocab.values()
    # Quick looks at everything at once; only a wrong file is gone through slowly.
    if not (
        set(map(type, ids)) <= {int}
        and min(ids, default=0) >= 0
        and max(ids, default=0) <= MAX_ID
        and len(set(ids)) == len(vocab)
        and "" not in vocab
        and max(map(len, vocab), default=0) <= MAX_TOKEN_BYTES
        and "".join(vocab).isprintable()
    ):
        _find_bad_entry(root)
    return vocab


def _find_bad_entry(root: Node) -> None:
    names: dict[int, str] = {}
    for (name, _), node in zip(root.value.items(), root.members(), strict=True):
        token_id = node.integer(largest=MAX_ID)
        Node(root.source, f"the token {quoted(name)}", name).text()
        if not name:
            node.fail("is a token without a character")
        if len(name) > MAX_TOKEN_BYTES:
            node.fail("is longer than 1 MiB, which is the limit of a token")
        if (first := names.setdefault(token_id, name)) != name:
            node.fail(f"is {token_id}, the id of {quoted(first)}")


def _split(
    root: Node, vocab: dict[str, int], merges: list[tuple[int, int, int]]
) -> tuple[dict[int, bytes], dict[str, int]]:
    """The tokens with their bytes, and the specials."""
    used = {token_id for merge in merges for token_id in merge}
    tokens: dict[int, bytes] = {}
    specials: dict[str, int] = {}
    for name, token_id in vocab.items():
        token = to_bytes(name)
        if token is not None and (len(token) == 1 or token_id in used):
            tokens[token_id] = token
        elif token is None and token_id in used:
            _fail_letters(root, name)
        elif token is None or looks_special(name):
            specials[name] = token_id
        else:
            tokens[token_id] = token
    unmade = used - {new for _, _, new in merges}
    for token_id in unmade:
        if tokens[token_id].endswith(b"</w>") and len(tokens[token_id]) > 1:
            root.fail(
                "the tokens end words with </w>, which these files do not describe; open the "
                "tokenizer.json that goes with them"
            )
    return tokens, specials


def _fail_letters(root: Node, name: str) -> NoReturn:
    root.fail(
        f"the token {quoted(name)} is not spelled in the byte alphabet of GPT-2, so these files "
        "need rules that they do not hold; open the tokenizer.json that goes with them"
    )


def _pattern(source: Source, table: MergeTable) -> tuple[Pattern, list[str]]:
    if source.pattern is not None:
        return resolve_pattern(source.pattern), []
    ranked = zip(table.ids.tolist(), table.token_list, strict=True)
    if known := find_known(rank_lines(ranked)):
        return PRESETS[known.pattern], []
    return PRESETS["gpt2"], ["The files do not tell how a text is cut; it is cut as GPT-2 does it."]
