"""The BPE model of a Hugging Face file → a merge table.

The vocabulary says what every token is, so nothing grows while merges are followed: the table has
no more bytes than the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.encoder import EngineName
from bpe_studio.bpe.table import Base, MergeTable
from bpe_studio.bpe.text_rules import Unknown
from bpe_studio.formats.byte_alphabet import LETTERS
from bpe_studio.formats.hf_added import Added
from bpe_studio.formats.hf_spelling import Spelling
from bpe_studio.formats.hf_support import flag
from bpe_studio.formats.hf_vocab import last_of_equal, read_merges
from bpe_studio.formats.strict_json import Node

__all__ = ["Model", "read_model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """What the reader makes of the ``model``.

    Attributes
    ----------
    table : MergeTable
        Without the added tokens that no merge makes or uses.
    engine : EngineName
    unknown : Unknown or None
    word_prefix, word_end : str
    notes : tuple of str
    unclear : tuple of str
        Why it cannot encode here.
    """

    table: MergeTable
    engine: EngineName
    unknown: Unknown | None
    word_prefix: str
    word_end: str
    notes: tuple[str, ...]
    unclear: tuple[str, ...]

    @property
    def may_cut_at_spaces(self) -> bool:
        """Whether a cut before a space that follows another character changes nothing."""
        if self.engine != "merges" or self.word_prefix or self.word_end:
            return False
        if self.unknown is not None and self.unknown.fuse:
            return False
        text = self.table.token_data
        spaces = np.flatnonzero((text[1:] == 0x20) & (text[:-1] != 0x20)) + 1
        return bool(np.isin(spaces, self.table.token_offsets).all())


def read_model(node: Node, vocab: dict[str, int], spelling: Spelling, added: Added) -> Model:
    """The table and what goes with it.

    Raises
    ------
    ValueError
        With the place of what is wrong.
    """
    prefix, end = _text(node, "continuing_subword_prefix"), _text(node, "end_of_word_suffix")
    fallback = _byte_tokens(vocab) if _truth(node, "byte_fallback") else {}
    maker = _Maker(vocab, spelling, fallback)
    if "merges" not in node:
        node.fail("has no key 'merges'")
    rows = maker.live(read_merges(node.member("merges"), vocab, prefix))
    rows, repeated = last_of_equal(rows)
    unknown = _unknown(node, vocab)
    maker.check(rows, unknown, affixes=bool(prefix or end))
    if len(fallback) == 256:
        unknown = None
    table = maker.table(rows, set(added.ids.values()))
    engine: EngineName = "whole-piece-first" if _truth(node, "ignore_merges") else "merges"
    if engine != "merges" and unknown is not None and not (spelling.byte_level or prefix or end):
        maker.unclear.append("ignore_merges goes together with a token for unknown characters")
    return Model(
        table=table,
        engine=engine,
        unknown=unknown,
        word_prefix=prefix,
        word_end=end,
        notes=(*repeated, *maker.notes, *_model_notes(node, table, unknown)),
        unclear=tuple(maker.unclear),
    )


def _text(node: Node, name: str) -> str:
    return node.member(name).text() if node.value.get(name) is not None else ""


def _truth(node: Node, name: str) -> bool:
    return flag(node, name) if node.value.get(name) is not None else False


def _byte_tokens(vocab: dict[str, int]) -> dict[int, int]:
    """``{byte: id}`` of the tokens that spell a byte as <0x0A>."""
    named = ((byte, vocab.get(f"<0x{byte:02X}>")) for byte in range(256))
    return {byte: number for byte, number in named if number is not None}


def _unknown(node: Node, vocab: dict[str, int]) -> Unknown | None:
    name = _text(node, "unk_token")
    if node.value.get("unk_token") is None or name not in vocab:
        return None
    return Unknown(vocab[name], _truth(node, "fuse_unk"))


def _model_notes(node: Node, table: MergeTable, unknown: Unknown | None) -> Iterable[str]:
    if node.value.get("dropout"):
        yield "The file asks for dropout, which is for training; here every merge is applied."
    named = node.value.get("unk_token")
    if named is not None and named not in node.value["vocab"]:
        yield "The token for unknown characters is not in the vocabulary, so there is none."
    if unknown is None and -1 in table.byte_ids.tolist():
        yield (
            "The vocabulary does not spell every byte and has no unknown token: tokenizers would "
            "drop what it lacks, and here that is an error."
        )


@dataclass(slots=True)
class _Maker:
    """Bytes of tokens, and what is wrong with some of them."""

    vocab: dict[str, int]
    spelling: Spelling
    fallback: dict[int, int]
    notes: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    dead: set[int] = field(default_factory=set)
    data: dict[int, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        bytes_of = self.spelling.bytes_of
        contents = list(map(bytes_of, self.vocab))
        self.data = dict(zip(self.vocab.values(), contents, strict=True))  # type: ignore[arg-type]
        if None in contents:
            self.dead = {number for number, made in self.data.items() if made is None}
            for token, number in self.vocab.items():
                if number in self.dead:
                    self.data[number] = token.encode()
        for byte, number in self.fallback.items():
            self.data[number] = bytes([byte])
            self.dead.discard(number)
        empty = self.vocab.get("")
        if empty is not None:
            del self.data[empty]
            self.notes.append(f"The token {empty} is empty; it never occurs and is left out.")

    def live(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """The merges that some text can set off."""
        no_text = self.dead | ({self.vocab[""]} if "" in self.vocab else set())
        if not no_text:
            return rows
        keep = ~np.isin(rows, list(no_text)).any(axis=1)
        if lost := len(rows) - int(keep.sum()):
            self.notes.append(
                f"{lost:,} merge(s) join characters that never come to them; they are left out."
            )
        return rows[keep]

    def check(self, rows: NDArray[np.int32], unknown: Unknown | None, *, affixes: bool) -> None:
        """Notes what our engines do not do as the library does."""
        fallback = self.fallback
        if fallback and np.isin(rows, list(fallback.values())).any():
            self.unclear.append("merges use the tokens of single bytes such as <0x0A>")
        if unknown is not None and (rows == unknown.id).any():
            self.unclear.append("merges use the unknown token")
        if fallback and affixes:
            self.unclear.append("byte_fallback goes together with a prefix or suffix of words")
        if fallback and len(fallback) < 256:
            self.unclear.append(
                f"byte_fallback is on and {256 - len(fallback)} of the 256 byte tokens are missing"
            )
        if fallback and self.spelling.byte_level:
            self.unclear.append("byte_fallback goes together with ByteLevel")
        if fallback and self.spelling.mark and self.spelling.mark not in self.vocab:
            self.unclear.append(f"byte_fallback is on and {self.spelling.mark} is no token")

    def table(self, rows: NDArray[np.int32], added: set[int]) -> MergeTable:
        """The table; an added token stays in it only where a merge or a symbol needs it."""
        if self.unclear and self.fallback:
            rows = rows[~np.isin(rows, list(self.fallback.values())).any(axis=1)]
        base, byte_ids, char_ids = self._symbols()
        needed = {*np.unique(rows).tolist(), *byte_ids, *char_ids.values()}
        for number in added - needed:
            self.data.pop(number, None)
        ids = np.array(sorted(self.data), dtype=np.int32)
        contents = [self.data[number] for number in ids.tolist()]
        offsets = np.zeros(len(ids) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, contents), np.int64, len(contents)), out=offsets[1:])
        return MergeTable(
            base=base,
            byte_ids=np.array(byte_ids, dtype=np.int32),
            char_ids=char_ids,
            merges=rows,
            token_ids=ids,
            token_data=np.frombuffer(b"".join(contents), dtype=np.uint8),
            token_offsets=offsets,
        )

    def _symbols(self) -> tuple[Base, list[int], dict[str, int]]:
        get = self.vocab.get
        if self.spelling.byte_level:
            return "bytes", [get(letter, -1) for letter in LETTERS], {}
        mark = self.spelling.mark
        chars = {
            " " if token == mark else token: number
            for token, number in self.vocab.items()
            if len(token) == 1 and number not in self.dead
        }
        byte_ids = [chars.get(chr(byte), -1) if byte < 128 else -1 for byte in range(256)]
        byte_ids = [
            self.fallback.get(byte, -1) if number < 0 else number
            for byte, number in enumerate(byte_ids)
        ]
        return "chars", byte_ids, {c: n for c, n in chars.items() if not c.isascii()}
