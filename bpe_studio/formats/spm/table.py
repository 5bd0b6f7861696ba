"""The table and the rules of a SentencePiece model.

Pieces write a space as ▁; tokens here hold an ordinary space, so that they can be compared with
those of any other table, and the normalizer turns a ▁ of the text into a space too.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe import chars_map
from bpe_studio.bpe.edits import CharsMap, Edit, Prepend, Replace
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import TextRules, Unknown
from bpe_studio.formats.spm.model import PieceType, SentencePieceFile
from bpe_studio.formats.spm.piece_table import SPACE, byte_of, piece_table

__all__ = ["rules_of", "surfaces", "table_of"]

_IN_TABLE = (PieceType.NORMAL, PieceType.USER_DEFINED, PieceType.UNUSED, PieceType.BYTE)


def surfaces(model: SentencePieceFile) -> dict[int, str]:
    """By id: the text of every piece that is no byte and no special, with spaces."""
    texts, wanted = model.pieces.texts, set(_IN_TABLE) - {PieceType.BYTE}
    return {
        i: texts[i].replace(SPACE, " ") if model.escape_spaces else texts[i]
        for i, kind in enumerate(model.pieces.types)
        if kind in wanted
    }


def table_of(
    model: SentencePieceFile, texts: Mapping[int, str], merges: NDArray[np.int32]
) -> MergeTable:
    """The table of the pieces and of merges by rank."""
    bytes_ = {i: byte_of(model.pieces.texts[i]) for i in model.pieces.ids_of(PieceType.BYTE)}
    known = {i: byte for i, byte in bytes_.items() if byte is not None}
    return piece_table(texts, known, merges)


def rules_of(model: SentencePieceFile, texts: Mapping[int, str]) -> TextRules:
    """What SentencePiece does to a text before and around the merges."""
    defined = model.pieces.ids_of(PieceType.USER_DEFINED)
    unknown = model.pieces.ids_of(PieceType.UNKNOWN)
    return TextRules(
        normalizer=tuple(_normalizer(model, defined)),
        fixed=tuple((texts[i], i) for i in defined),
        unknown=None if model.byte_fallback or not unknown else Unknown(unknown[0], fuse=True),
        strip_left=1 if model.dummy_prefix or model.remove_extra_spaces else 0,
    )


def _normalizer(model: SentencePieceFile, defined: list[int]) -> list[Edit]:
    edits: list[Edit] = []
    if model.chars_map:
        kept = tuple(model.pieces.texts[i] for i in defined)
        edits.append(CharsMap(model.chars_map, kept=kept))
    if model.remove_extra_spaces:
        # Of what the map leaves: spaces at the front, and but one of several (which stands for
        # them all); at the end also what the text itself writes as ▁.
        edits.append(Replace(r"\A +", ""))
        edits.append(Replace(" {2,}", " "))
        edits.append(Replace(rf"(?r)[ {SPACE}]++\Z", ""))
    if model.dummy_prefix:
        prefix = Prepend(" ", first_only=True)
        # A text of which the map leaves nothing gets its space too; but the map must not see it.
        alone = model.chars_map and chars_map.starts_with(model.chars_map, " ")
        early = not model.remove_extra_spaces and not alone
        edits.insert(0 if early else len(edits), prefix)
    return [*edits, Replace(SPACE, " ")]
