"""Tokenizer → vocab.json and merges.txt."""

from __future__ import annotations

import json
import re
from typing import Final

import numpy as np

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MissingByteError
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.dialects.oniguruma import ExpressionError
from bpe_studio.formats.dialects.spellings import spelling_of
from bpe_studio.formats.ranks.byte_alphabet import to_text
from bpe_studio.formats.ranks.plain_only import (
    check_only_tokens,
    lost_beside_tokens,
    readable_token,
)
from bpe_studio.formats.strict.json import quoted
from bpe_studio.formats.written import Written, path_mark

__all__ = ["MERGES", "looks_special", "write"]

MERGES: Final = "merges.txt"
_SPECIAL: Final = re.compile(r"<.+>|\[[A-Z0-9_ /-]+\]")
_TARGET: Final = "a pair of vocab.json and merges.txt"


def looks_special(name: str) -> bool:
    """Whether a token has the form of a special: ``<pad>``, ``<|im_start|>``, ``[CLS]``."""
    return _SPECIAL.fullmatch(name) is not None


def write(tokenizer: Tokenizer) -> Written:
    """The vocabulary, and beside it the merges.

    Raises
    ------
    ValueError
        The pair cannot hold the tokenizer, or would give other ids; with the reason.
    """
    check_only_tokens(tokenizer, _TARGET)
    if tokenizer.engine == "whole-piece-first":
        _check_whole_pieces(tokenizer)
    ids = tokenizer.table.ids.tolist()
    texts = {
        token_id: to_text(token)
        for token_id, token in zip(ids, tokenizer.table.token_list, strict=True)
    }
    pairs = dict.fromkeys((left, right) for left, right, _ in tokenizer.table.merges.tolist())
    merges = ["#version: 0.2", *(f"{texts[left]} {texts[right]}" for left, right in pairs), ""]
    files = {"": _vocab(tokenizer, texts), MERGES: "\n".join(merges).encode()}
    return Written(files, tuple(_lost(tokenizer)), _python_lines(tokenizer))


def _vocab(tokenizer: Tokenizer, texts: dict[int, str]) -> bytes:
    names = {text: token_id for token_id, text in texts.items()}
    for special, token_id in tokenizer.special_ids.items():
        if special in names:
            raise ValueError(
                f"The special {quoted(special)} is spelled as the token {names[special]} is, and "
                f"{_TARGET} can hold only one of them."
            )
        names[special] = token_id
    in_order = dict(sorted(names.items(), key=lambda item: item[1]))
    return json.dumps(in_order, ensure_ascii=False).encode()


def _check_whole_pieces(tokenizer: Tokenizer) -> None:
    """Programs that read the pair only merge, and ours takes a piece that is a token whole."""
    table = tokenizer.table
    merging = Tokenizer(table, tokenizer.pattern)
    try:
        ids, bounds = merging.encode_pieces(table.token_list)
    except MissingByteError as error:
        raise ValueError(
            f"The table has no token for the byte 0x{error.byte:02X}, so {_TARGET} cannot make "
            "some of its tokens."
        ) from None
    alone = np.diff(bounds) == 1
    alone[alone] = ids[bounds[:-1][alone]] == table.ids[alone]
    if not alone.all():
        place = int(np.argmin(alone))
        raise ValueError(
            f"The merges do not make {np.count_nonzero(~alone):,} of the tokens (the first is "
            f"{table.ids[place]}, {readable_token(table.token_list[place])}), and {_TARGET} only "
            "merges, so the ids would differ."
        )


def _lost(tokenizer: Tokenizer) -> list[str]:
    losses = []
    if tokenizer.pattern != PRESETS["gpt2"]:
        losses.append(
            f"{_TARGET.capitalize()} does not hold the pattern ({tokenizer.pattern.name}): its "
            "reader must be told, or cuts as GPT-2 does."
        )
    unseen = [name for name in tokenizer.specials if not looks_special(name)]
    if unseen:
        losses.append(
            f"{_TARGET.capitalize()} does not say which entries are specials: {quoted(unseen[0])} "
            "does not look like one and is read as a token."
        )
    return [*losses, *lost_beside_tokens(tokenizer, _TARGET.capitalize())]


def _python_lines(tokenizer: Tokenizer) -> str:
    """What reads the pair as we do.

    The package tokenizers runs Oniguruma, where an expression of ours may mean something else.
    """
    if tokenizer.pattern == PRESETS["gpt2"]:
        cut = "pre_tokenizers.ByteLevel(add_prefix_space=False)"
    else:
        try:
            cut = f"""pre_tokenizers.Sequence(
    [
        pre_tokenizers.Split(Regex({spelling_of(tokenizer.pattern)!r}), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ]
)"""
        except ExpressionError as error:
            reason = " ".join(str(error).split())
            cut = f"""...  # The pattern cannot be said in the dialect of this package: {reason}."""
    specials = list(tokenizer.specials)
    return f"""\
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

tokenizer = Tokenizer(models.BPE.from_file({path_mark()}, {path_mark(MERGES)}))
tokenizer.pre_tokenizer = {cut}
tokenizer.decoder = decoders.ByteLevel()
tokenizer.add_special_tokens({specials!r})
"""
