"""SentencePiece models (.model): BPE with merges by score; all others through their library."""

from __future__ import annotations

import reprlib
from typing import Final

import numpy as np

from bpe_studio.bpe import chars_map
from bpe_studio.bpe.patterns import OTHERS
from bpe_studio.bpe.text_rules import TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.source import Source
from bpe_studio.formats.spm.model import (
    ModelType,
    PieceType,
    SentencePieceFile,
    looks_like_model,
    parse,
)
from bpe_studio.formats.spm.outside import SentencePieceModel
from bpe_studio.formats.spm.piece_table import SPACE, byte_of, pattern_for
from bpe_studio.formats.spm.scored_merges import TiedScoresError, merges_by_score
from bpe_studio.formats.spm.table import rules_of, surfaces, table_of

__all__ = ["NAME", "SUFFIXES", "TITLE", "read", "sniff"]

NAME: Final = "sentencepiece"
TITLE: Final = "SentencePiece model"
SUFFIXES: Final = (".model",)

_KINDS: Final = {
    ModelType.UNIGRAM: ("Unigram", "Unigram model: it finds the likeliest pieces of a whole text"),
    ModelType.WORD: ("Word", "word model: each word is a piece"),
    ModelType.CHAR: ("Char", "character model: each character is a piece"),
}


def sniff(data: bytes) -> bool:
    return looks_like_model(data)


def read(source: Source) -> Tokenizer:
    """The tokenizer in a file.

    Raises
    ------
    ValueError
        With the byte, or the piece and what is wrong with it.
    """
    model = parse(source.data, source.name, lambda share: source.report(share / 2))
    _check(model, source.name)
    if model.model_type != ModelType.BPE:
        kind, words = _KINDS[model.model_type]
        return _outside(source, model, kind, f"The file holds a {words}, so there are no merges.")
    if reason := _why_no_ranks(model):
        return _outside(source, model, "BPE", reason)
    texts = surfaces(model)
    defined = set(model.pieces.ids_of(PieceType.USER_DEFINED))
    # A user-defined piece is found before anything is joined, so it never joins.
    ids = [i for i, text in texts.items() if i not in defined or len(text) == 1]
    try:
        merges = merges_by_score(
            [texts[i] for i in ids],
            [model.pieces.scores[i] for i in ids],
            ids,
            report=lambda share: source.report(0.5 + share / 2),
        )
    except TiedScoresError as error:
        return _outside(source, model, "BPE", str(error))
    return Tokenizer(
        table=table_of(model, texts, merges),
        pattern=pattern_for(texts.values(), bytes_known=model.byte_fallback),
        special_ids=_specials(model),
        roles=_roles(model),
        rules=rules_of(model, texts),
    )


def _check(model: SentencePieceFile, source: str) -> None:
    """What SentencePiece itself would not take."""
    seen: dict[str, int] = {}
    unknown: list[int] = []
    bytes_found: set[int] = set()
    for number, (text, kind) in enumerate(zip(model.pieces.texts, model.pieces.types, strict=True)):
        first = seen.setdefault(text, number)
        if first != number:
            raise ValueError(f"{source}: piece {number} has the text of piece {first}.")
        if kind == PieceType.UNKNOWN:
            unknown.append(number)
        elif kind == PieceType.BYTE:
            byte = byte_of(text)
            if byte is None:
                raise ValueError(f"{source}: piece {number} is a byte, but not named as <0x0A> is.")
            bytes_found.add(byte)
    if len(unknown) != 1:
        raise ValueError(f"{source}: it has {len(unknown)} pieces for unknown text, not one.")
    if len(bytes_found) != (256 if model.byte_fallback else 0):
        raise ValueError(
            f"{source}: it has {len(bytes_found)} byte pieces, where it says that it falls back "
            f"to {'' if model.byte_fallback else 'no '}bytes."
        )
    if model.chars_map:
        try:
            chars_map.check(model.chars_map)
        except ValueError as error:
            raise ValueError(f"{source}: {error}.") from None


def _why_no_ranks(model: SentencePieceFile) -> str:
    """Why merges by rank would not do what the model does, a sentence; or nothing."""
    pieces = model.pieces
    if model.space_as_suffix:
        return "The model puts spaces at the end of words."
    if not model.escape_spaces:
        return f"The model does not write a space as {SPACE}."
    if model.denormalizes:
        return "The model changes characters when it decodes."
    own = {t for t in pieces.texts if len(t) == 1}
    for number, (text, kind) in enumerate(zip(pieces.texts, pieces.types, strict=True)):
        if kind == PieceType.BYTE:
            continue
        if kind in (PieceType.CONTROL, PieceType.UNKNOWN):
            if len(text) == 1:
                return f"{_named(number, text)} is a special of one character."
            continue
        if " " in text:
            return f"{_named(number, text)} holds a space beside {SPACE}."
        if kind == PieceType.UNUSED and len(text) > 1:
            return f"{_named(number, text)} is unused: it is made, and then taken apart again."
        if kind == PieceType.NORMAL and not own.issuperset(text):
            return f"{_named(number, text)} holds a character that is no piece itself."
    return ""


def _named(number: int, text: str) -> str:
    return f"Piece {number} ({reprlib.repr(text)})"


def _outside(source: Source, model: SentencePieceFile, kind: str, reason: str) -> Tokenizer:
    texts = surfaces(model)
    note = f"{reason} The sentencepiece package encodes with it, and there is no merge table."
    if kind != "BPE":
        note = f"{reason} The sentencepiece package encodes with it."
    return Tokenizer(
        table=table_of(model, texts, np.empty((0, 3), dtype=np.int32)),
        pattern=OTHERS["whole"],
        special_ids=_specials(model),
        roles=_roles(model),
        notes=(note,),
        rules=TextRules(),
        outside=SentencePieceModel(kind, source.data),
    )


def _specials(model: SentencePieceFile) -> dict[str, int]:
    ids = model.pieces.ids_of(PieceType.CONTROL, PieceType.UNKNOWN)
    return {model.pieces.texts[i]: i for i in ids}


def _roles(model: SentencePieceFile) -> dict[str, str]:
    control = {model.pieces.texts[i] for i in model.pieces.ids_of(PieceType.CONTROL)}
    return {
        role: name
        for role, name in model.role_names.items()
        if name in control and role in ("bos", "eos", "pad")
    }
