"""Flags that need a corpus: absent, never emitted, rare, scaffold, concentrated."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.building import base_symbols
from bpe_studio.analysis.corpus_use import CorpusUse
from bpe_studio.analysis.flags import Flag, Thresholds, flag
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["tells_documents", "usage_flags"]

_AT_ONCE: Final = 500  # tokens, in a millisecond or so


def usage_flags(
    tokenizer: Tokenizer, use: CorpusUse, thresholds: Thresholds, unreachable: Set[int]
) -> Iterator[list[Flag]]:
    """The flags of each token with few uses; an unreachable one has its explanation already.

    Then those of the concentrated ones, the worst first: long ones, then the most used.
    """
    base = np.isin(use.ids, list(base_symbols(tokenizer.table)))
    known = np.isin(use.ids, list(unreachable))
    few = np.flatnonzero(_few(use, thresholds) & ~known)
    for begin in range(0, len(few), _AT_ONCE):
        places = few[begin : begin + _AT_ONCE]
        columns = (use.ids, use.final, use.created, base)
        rows = zip(*(column[places].tolist() for column in columns), strict=True)
        yield [
            _unused_base(token, made)
            if is_base
            else _judge(token, uses, made, use.tokens, thresholds)
            for token, uses, made, is_base in rows
            if not (is_base and uses)
        ]
    if tells_documents(use):
        for place in _concentrated(tokenizer, use, thresholds, ~(base | known)):
            yield [_in_one_document(use, place)]


def tells_documents(use: CorpusUse) -> bool:
    """Whether the corpus has several documents: in a single one every token is concentrated."""
    return use.document_count > 1


def _few(use: CorpusUse, thresholds: Thresholds) -> NDArray[np.bool_]:
    rare = max(thresholds.rare_uses, thresholds.rare_per_million * use.tokens / 1e6)
    with np.errstate(invalid="ignore"):
        scaffold = use.survival <= thresholds.scaffold_ratio
    few: NDArray[np.bool_] = (use.final == 0) | (use.final < rare) | scaffold
    return few


def _unused_base(token: int, made: int) -> Flag:
    if made == 0:
        return flag(token, "unused-base", "It does not come up in this corpus.")
    return flag(
        token,
        "unused-base",
        f"It was seen {_times(made)} and each time merged into a longer token.",
    )


def _judge(token: int, uses: int, made: int, total: int, thresholds: Thresholds) -> Flag:
    if uses == made == 0:
        return flag(token, "absent", "It never came up, not even on the way to a longer token.")
    if uses == 0:
        went_on = f"It was made {_times(made)} and each time merged into a longer token (R = 0)."
        return flag(token, "never-emitted", went_on)
    if uses <= thresholds.scaffold_ratio * made:
        of = f"of the {made:,} that it was made (R = {uses / made:.2g})"
        return flag(token, "scaffold", f"Used {_times(uses)} {of}.")
    if uses < thresholds.rare_uses:
        return flag(token, "rare", f"Used {_times(uses)} in this corpus.")
    share = f"{1e6 * uses / total:.2g} in a million tokens"
    return flag(token, "rare", f"Used {_times(uses)} in this corpus, {share}.")


def _concentrated(
    tokenizer: Tokenizer, use: CorpusUse, thresholds: Thresholds, looked_at: NDArray[np.bool_]
) -> list[int]:
    """Places of the tokens whose uses are nearly all in one document, in order."""
    only = (use.documents == 1) & (use.final >= thresholds.only_document_uses)
    with np.errstate(invalid="ignore"):
        most = use.share >= thresholds.concentrated_share
    most &= use.final >= thresholds.concentrated_uses
    places = np.flatnonzero((only | most) & looked_at)
    lengths = [len(tokenizer.token_bytes(token)) for token in use.ids[places].tolist()]
    short = np.array(lengths, dtype=np.int64) <= thresholds.long_bytes
    order = np.lexsort((-use.final[places], short))
    found: list[int] = places[order].tolist()
    return found


def _in_one_document(use: CorpusUse, place: int) -> Flag:
    """``3,000 of its 3,000 uses are in a.txt, the only document of 1,001 that has it.``"""
    uses, largest = int(use.final[place]), int(use.largest[place])
    documents = int(use.documents[place])
    where = use.place(int(use.largest_document[place]))
    rest = f", the only document of {use.document_count:,} that has it"
    if documents > 1:
        of_all = f"{documents:,} of {use.document_count:,} documents have it"
        rest = f" ({_percent(largest, uses)}); {of_all}"
    evidence = f"{largest:,} of its {uses:,} uses are in {where}{rest}."
    return flag(int(use.ids[place]), "concentrated", evidence)


def _percent(part: int, whole: int) -> str:
    """Rounded down, so that only all is 100 %."""
    return f"{1000 * part // whole / 10:g} %"


def _times(count: int) -> str:
    return f"{count:,} time{'s'[: count != 1]}"
