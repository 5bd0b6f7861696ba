"""Tokenizer → rank file.

Programs that read rank files join any two neighbours that together are a token, in the order of
the ids. That comes to the merges of the table when these stand in the order of the ids of their
tokens, and when the one merge that can be recovered for a token is among those it has: the other
ones never take place (see `bpe.recover`).
"""

from __future__ import annotations

import numpy as np

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.recover import recover_merges
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.ranks.known_encodings import find_known, rank_lines
from bpe_studio.formats.ranks.plain_only import (
    check_only_tokens,
    lost_beside_tokens,
    readable_token,
)
from bpe_studio.formats.written import Written, path_mark

__all__ = ["write"]

_TARGET = "a rank file"


def write(tokenizer: Tokenizer) -> Written:
    """The ids as ranks.

    Raises
    ------
    ValueError
        A rank file cannot hold the tokenizer, or would give other ids; with the reason.
    """
    check_only_tokens(tokenizer, _TARGET)
    table = tokenizer.table
    unused = _check_merges(tokenizer)
    data = rank_lines(zip(table.ids.tolist(), table.token_list, strict=True))
    losses = [*_lost(tokenizer, data), *lost_beside_tokens(tokenizer, _TARGET.capitalize())]
    if unused:
        losses.append(f"A rank file does not hold {unused:,} merges that never take place.")
    return Written({"": data}, tuple(losses), _python_lines(tokenizer))


def _check_merges(tokenizer: Tokenizer) -> int:
    """How many merges of the table are not recovered; ValueError where that changes ids."""
    table = tokenizer.table
    made = table.merges[:, 2]
    if len(made) and len(later := np.flatnonzero(np.diff(made.astype(np.int64)) < 0)):
        rank = int(later[0]) + 1
        raise ValueError(
            f"Merge {rank} makes the id {made[rank]}, and the one before it {made[rank - 1]}; in a "
            "rank file ids are ranks, so they must rise with the merges."
        )
    parts = recover_merges(table.token_list)
    recovered = np.flatnonzero(parts[:, 0] >= 0)
    rows = np.column_stack((table.ids[parts[recovered]], table.ids[recovered])).tolist()
    own = set(map(tuple, table.merges.tolist()))
    for left, right, new in rows:
        if (left, right, new) not in own:
            raise ValueError(_other_parts(table, left, right, new))
    if tokenizer.engine == "merges":
        _check_whole_pieces(table, recovered.tolist())
    return len(own) - len(rows)


def _other_parts(table: MergeTable, left: int, right: int, new: int) -> str:
    parts = (readable_token(table.token_bytes(part)) for part in (left, right))
    return (
        f"The ids would differ: read from a rank file, the token {new} is made of "
        f"{' and '.join(parts)}, and the table has no such merge."
    )


def _check_whole_pieces(table: MergeTable, recovered: list[int]) -> None:
    """A program that takes whole pieces first finds tokens that no merge makes, and ours not."""
    made = set(recovered)
    for place, (token_id, token) in enumerate(
        zip(table.ids.tolist(), table.token_list, strict=True)
    ):
        if len(token) > 1 and place not in made:
            raise ValueError(
                f"No merge makes the token {token_id}, {readable_token(token)}, and programs that "
                "read rank files take it wherever it is a whole piece, so the ids would differ."
            )


def _lost(tokenizer: Tokenizer, data: bytes) -> list[str]:
    known = find_known(data)
    losses = []
    if known is None or known.pattern != tokenizer.pattern.name:
        losses.append(
            f"A rank file does not hold the pattern ({tokenizer.pattern.name}): its reader must be "
            "told."
        )
    if tokenizer.pattern != PRESETS.get(tokenizer.pattern.name):
        losses.append(
            "The lines of Python give the expression as BPE Studio reads it, and tiktoken reads a "
            "few things otherwise, such as $, \\h, and a [ in brackets: compare ids before use."
        )
    own, found = tokenizer.special_ids, {} if known is None else known.specials
    if known is not None and own != found:
        losses.append(
            f"The tokens are those of {known.name}: read again, the file has the specials of that."
        )
    elif own != found:
        losses.append(
            f"A rank file does not hold the specials ({_names(tokenizer)}): its reader must be "
            "told their ids."
        )
    return losses


def _names(tokenizer: Tokenizer) -> str:
    names = tokenizer.specials
    return (
        ", ".join(names)
        if len(names) <= 6
        else f"{', '.join(names[:5])} and {len(names) - 5:,} more"
    )


def _python_lines(tokenizer: Tokenizer) -> str:
    specials = "".join(
        f"        {name!r}: {token_id},\n" for name, token_id in tokenizer.special_ids.items()
    )
    return f"""\
import base64

import tiktoken

with open({path_mark()}, "rb") as file:
    lines = [line.split() for line in file]
encoding = tiktoken.Encoding(
    "tokenizer",
    pat_str={tokenizer.pattern.expression!r},
    mergeable_ranks={{base64.b64decode(token): int(rank) for token, rank in lines}},
    special_tokens={{{chr(10) + specials + "    " if specials else ""}}},
)
"""
