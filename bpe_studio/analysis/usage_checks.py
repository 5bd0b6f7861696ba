"""Flags that need a corpus: absent, never emitted, rare, scaffold."""

from __future__ import annotations

from collections.abc import Iterator, Set

import numpy as np

from bpe_studio.analysis.building import base_symbols
from bpe_studio.analysis.corpus_use import CorpusUse
from bpe_studio.analysis.flags import Flag, Thresholds, flag
from bpe_studio.analysis.usage import Usage
from bpe_studio.bpe.tokenizer import Tokenizer


def usage_flags(
    tokenizer: Tokenizer, usage: CorpusUse | Usage, thresholds: Thresholds, unreachable: Set[int]
) -> Iterator[list[Flag]]:
    """The flags of each token with few uses; an unreachable one has its explanation already."""
    base = base_symbols(tokenizer.table)
    rare = max(thresholds.rare_uses, thresholds.rare_per_million * usage.tokens / 1e6)
    with np.errstate(invalid="ignore"):
        low = (usage.final < rare) | (usage.survival <= thresholds.scaffold_ratio)
    for index in np.flatnonzero(low).tolist():
        token = int(usage.ids[index])
        uses, made = int(usage.final[index]), int(usage.created[index])
        if token in unreachable:
            yield []
        elif token in base:
            yield [_unused_base(token, made)] if uses == 0 else []
        else:
            yield [_judge(token, uses, made, thresholds)]


def _unused_base(token: int, made: int) -> Flag:
    if made == 0:
        return flag(token, "unused-base", "It does not come up in this corpus.")
    return flag(
        token,
        "unused-base",
        f"It was seen {_times(made)} and each time merged into a longer token.",
    )


def _judge(token: int, uses: int, made: int, thresholds: Thresholds) -> Flag:
    if made == 0:
        return flag(token, "absent", "It was never made: the corpus does not hold it.")
    if uses == 0:
        went_on = f"It was made {_times(made)} and each time merged into a longer token (R = 0)."
        return flag(token, "never-emitted", went_on)
    if uses / made <= thresholds.scaffold_ratio:
        of = f"of the {made:,} that it was made (R = {uses / made:.3f})"
        return flag(token, "scaffold", f"Used {_times(uses)} {of}.")
    return flag(token, "rare", f"Used {_times(uses)} in this corpus.")


def _times(count: int) -> str:
    return f"{count:,} time{'s'[: count != 1]}"
