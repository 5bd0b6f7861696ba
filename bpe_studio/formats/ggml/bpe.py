"""Byte-level BPE in a GGUF file: tokens in the byte alphabet, merges as pairs of them."""

from __future__ import annotations

import reprlib
from typing import Final, NoReturn

from bpe_studio.bpe.patterns import OTHERS, resolve_pattern
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.ggml.metadata import Metadata
from bpe_studio.formats.ggml.patterns import PreTokenizer, pre_tokenizer
from bpe_studio.formats.ggml.vocabulary import USER_DEFINED, Vocabulary
from bpe_studio.formats.ranks.byte_alphabet import LETTERS, to_bytes
from bpe_studio.formats.ranks.table import merged_table, table_notes
from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.token_bytes import MAX_MERGES

__all__ = ["read_bpe"]

_MERGES: Final = "tokenizer.ggml.merges"
_PRE: Final = "tokenizer.ggml.pre"
_REPORT_EVERY: Final = 1 << 16


def read_bpe(source: Source, found: Metadata, vocabulary: Vocabulary) -> Tokenizer:
    """Raises a ValueError that names the key and the index."""
    merges = _merges(source, found, vocabulary)
    used = {number for merge in merges for number in merge}
    used |= {number for letter in LETTERS if (number := vocabulary.id_of.get(letter)) is not None}
    tokens, specials = _sorted_out(source, vocabulary, used)
    # Cut out of every text, whatever it is; specials only where the user allows it.
    added = tuple(
        AddedToken(vocabulary.texts[i], i, special=False)
        for i, kind in enumerate(vocabulary.types)
        if kind == USER_DEFINED
    )
    table = merged_table(tokens, merges)
    name = found.get(_PRE, "")
    rule = pre_tokenizer(name) if isinstance(name, str) else None
    known = rule or _asked(source, name) or PreTokenizer(pattern=OTHERS["whole"])
    return Tokenizer(
        table=table,
        pattern=known.pattern,
        special_ids=specials,
        roles={
            role: vocabulary.texts[number]
            for role, number in vocabulary.role_ids.items()
            if number in specials.values()
        },
        engine="whole-piece-first" if known.whole_first else "merges",
        notes=(*([known.note] if known.note else []), *table_notes(table)),
        rules=TextRules(added=added, pre_tokenizer=known.steps),
        view_only=""
        if rule or source.pattern is not None
        else f"The pre-tokenizer {reprlib.repr(name)} of this model is not known here, so that a "
        "text cannot be cut as the model needs it; where you know the pattern, give it with "
        "--pattern NAME.",
    )


def _asked(source: Source, name: object) -> PreTokenizer | None:
    """What the user has said, who may know how this model cuts."""
    if source.pattern is None:
        return None
    pattern = resolve_pattern(source.pattern)
    return PreTokenizer(
        pattern=pattern,
        note=f"The pre-tokenizer {reprlib.repr(name)} of this model is not known here; text is "
        f"cut by the pattern that was asked for ({pattern.name}).",
    )


def _merges(source: Source, found: Metadata, vocabulary: Vocabulary) -> list[tuple[int, int, int]]:
    texts = found.get(_MERGES)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{source.name}: {_MERGES} must be a list of texts.")
    if len(texts) > MAX_MERGES:
        raise ValueError(
            f"{source.name}: {_MERGES} has {len(texts):,} merges, and {MAX_MERGES:,} is the limit."
        )
    id_of = vocabulary.id_of
    rows: list[tuple[int, int, int]] = []
    for rank, text in enumerate(texts):
        # As llama.cpp: the first space that does not begin the left part.
        cut = text.find(" ", 1)
        left, right = (text[:cut], text[cut + 1 :]) if cut > 0 else (text, "")
        try:
            rows.append((id_of[left], id_of[right], id_of[left + right]))
        except KeyError as error:
            if cut < 0:
                _fail(source, rank, "must be two tokens with a space between them")
            _fail(source, rank, f"uses {reprlib.repr(error.args[0])}, which is no token")
        if not rank % _REPORT_EVERY:
            source.report(0.5 + 0.4 * rank / len(texts))
    return rows


def _sorted_out(
    source: Source, vocabulary: Vocabulary, used: set[int]
) -> tuple[dict[int, bytes], dict[str, int]]:
    """The tokens that text is made of, and those that stand beside it."""
    tokens: dict[int, bytes] = {}
    specials: dict[str, int] = {}
    for number, text in enumerate(vocabulary.texts):
        data = to_bytes(text)
        beside = vocabulary.is_special(number) or vocabulary.types[number] == USER_DEFINED
        if number in used:
            if data is None:
                raise ValueError(
                    f"{source.name}: tokenizer.ggml.tokens[{number}] is used by a merge, but not "
                    "spelled in the byte alphabet."
                )
            tokens[number] = data
        elif beside or data is None:
            specials[text] = number
        else:
            tokens[number] = data
    return tokens, specials


def _fail(source: Source, rank: int, reason: str) -> NoReturn:
    raise ValueError(f"{source.name}: {_MERGES}[{rank}] {reason}.")
