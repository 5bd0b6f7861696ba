"""The BPE model of a Hugging Face file → a merge table.

The vocabulary says what every token is, so nothing grows while merges are followed: the table has
no more bytes than the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bpe_studio.bpe.encoder import EngineName
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import Unknown
from bpe_studio.formats.hf.added import Added
from bpe_studio.formats.hf.spelling import Spelling
from bpe_studio.formats.hf.support import flag
from bpe_studio.formats.hf.table import TableMaker, lacks_bytes
from bpe_studio.formats.hf.vocab import last_of_equal, read_merges
from bpe_studio.formats.strict.json import Node

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
    apart : dict from name to id
        Tokens that no text gives, which the table would take for others.
    notes : tuple of str
    unclear : tuple of str
        Why it cannot encode here.
    """

    table: MergeTable
    engine: EngineName
    unknown: Unknown | None
    word_prefix: str
    word_end: str
    apart: dict[str, int]
    notes: tuple[str, ...]
    unclear: tuple[str, ...]


def read_model(node: Node, vocab: dict[str, int], spelling: Spelling, added: Added) -> Model:
    """The table and what goes with it.

    Raises
    ------
    ValueError
        With the place of what is wrong.
    """
    prefix, end = _text(node, "continuing_subword_prefix"), _text(node, "end_of_word_suffix")
    fallback = _byte_tokens(vocab) if _truth(node, "byte_fallback") else {}
    maker = TableMaker(vocab, spelling, fallback)
    if "merges" not in node:
        node.fail("has no key 'merges'")
    rows = maker.live(read_merges(node.member("merges"), vocab, prefix))
    rows, repeated = last_of_equal(rows)
    symbols, unknown = maker.symbols(), _unknown(node, vocab)
    maker.check(rows, symbols, unknown, affixes=bool(prefix or end))
    if fallback and not lacks_bytes(symbols.byte_ids):
        unknown = None
    engine: EngineName = "whole-piece-first" if _truth(node, "ignore_merges") else "merges"
    by_bytes = engine != "merges" or bool(prefix or end)
    if engine != "merges" and unknown is not None and not (spelling.byte_level or prefix or end):
        maker.unclear.append("ignore_merges goes together with a token for unknown characters")
    apart = maker.set_apart(by_bytes=by_bytes)
    table = maker.table(rows, symbols, added.ids.values())
    return Model(
        table=table,
        engine=engine,
        unknown=unknown,
        word_prefix=prefix,
        word_end=end,
        apart=apart,
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
    if unknown is None and lacks_bytes(table.byte_ids.tolist()):
        yield (
            "The vocabulary does not spell every text and has no unknown token: tokenizers drops "
            "what it lacks, and here that is an error."
        )
