"""Flags about being reached: unreachable, not alone, cut by the pattern, whole piece only, twice.

Each answer is for the engine that the file declares; where the other engine's is another one, the
flag says it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.alone import Alone, AloneTokens, knows_symbols, reads_as_written
from bpe_studio.analysis.building import base_of, first_ids, iter_built
from bpe_studio.analysis.edited_reach import EncodingProber, may_be_searched
from bpe_studio.analysis.flags import Flag, flag
from bpe_studio.analysis.naming import quoted, token_name
from bpe_studio.analysis.reach_words import (
    cuts_sentence,
    edited_sentence,
    goes_on,
    left_alone,
    not_merged,
    pieces_of,
    spelled,
)
from bpe_studio.analysis.reachable import Prober, Reach
from bpe_studio.bpe.engine import EngineName
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["OF_REACH", "ReachChecks", "unreached"]

OF_REACH: Final = (
    "unreachable",
    "not-alone",
    "always-merged",
    "cut-by-pattern",
    "whole-piece-only",
)
# Tokens whose texts are encoded together: about 5 ms.
_BATCH: Final = 256
_OTHER: Final[dict[EngineName, EngineName]] = {
    "merges": "whole-piece-first",
    "whole-piece-first": "merges",
}
_WOULD: Final[dict[EngineName, str]] = {
    "merges": "An engine that only merges would produce it",
    "whole-piece-first": "An engine that takes whole pieces first would produce it",
}
_NEVER: Final[dict[EngineName, str]] = {
    "merges": "An engine that only merges never produces it.",
    "whole-piece-first": "An engine that takes whole pieces first never produces it.",
}

Grade = Literal["alone", "between neighbours", "on the way", "never"]


def unreached(tokenizer: Tokenizer) -> str:
    """Why it cannot be asked what text produces a token, a sentence; empty where it can."""
    return may_be_searched(tokenizer)


class ReachChecks:
    """Asks each token of a table in turn whether some text produces it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.table = tokenizer.table
        self.base = first_ids(tokenizer)
        self.asks = not unreached(tokenizer)
        self.as_written = reads_as_written(tokenizer) and knows_symbols(tokenizer)
        self.alone = AloneTokens(tokenizer)
        self.held: set[int] = set()
        rules = tokenizer.rules
        # These are there before anything is merged.
        self.given = {token.id for token in rules.added} | {number for _, number in rules.fixed}
        if rules.unknown is not None:
            self.given.add(rules.unknown.id)

    def tokens(self) -> Iterator[Alone]:
        """Every token, and what its bytes become by themselves."""
        if not self.asks or self.as_written:
            yield from self.alone
            return
        tokens = iter(self.alone)
        while batch := list(islice(tokens, _BATCH)):
            self.held = self._encodings.held(batch)
            yield from batch

    def flags(self, alone: Alone) -> list[Flag]:
        """The flags of a token; base symbols are always there and have none."""
        token, data = alone.token, alone.data
        twin = self.table.find(data)
        if self.as_written and alone.uncut and alone.merged and twin == token:
            return []  # nearly all of them
        if token in self.base or token in self.given:
            return []
        if len(data) == 1 and self.table.base == "chars":
            return []  # a byte to fall back to, beside the character
        if twin is not None and twin != token:
            name = token_name(self.tokenizer, twin)
            return [flag(token, "duplicate", f"{name} has the same bytes.")]
        if not self.asks:
            return []
        found = self._as_written(alone) if self.as_written else self._edited(alone)
        return [*found, *self._cut_by_pattern(alone)]

    @cached_property
    def _built(self) -> NDArray[np.bool_]:
        return result_of(iter_built(self.table, base_of(self.tokenizer)))

    def _cut_by_pattern(self, alone: Alone) -> list[Flag]:
        if alone.uncut or self.tokenizer.outside is not None or not self._is_cut(alone):
            return []
        sentence = f"{cuts_sentence(self.tokenizer, alone.text or '')}."
        return [flag(alone.token, "cut-by-pattern", sentence)]

    # Texts that are merged as they are written

    @cached_property
    def _probers(self) -> dict[EngineName, Prober]:
        return {engine: Prober(self.tokenizer, engine) for engine in _OTHER}

    def _grade(self, alone: Alone, engine: EngineName) -> tuple[Grade, Reach | None]:
        if alone.uncut and (alone.merged or engine != "merges"):
            return "alone", None
        if not alone.merged and (alone.text is None or engine == "merges"):
            return "never", None
        if self._is_normalized_away(alone.text):
            return "never", None
        reach = self._probers[engine].search(alone)
        if reach.witness is not None:
            return "between neighbours", reach
        return ("never" if reach.absorbed is None else "on the way"), reach

    def _is_normalized_away(self, text: str | None) -> bool:
        """Whether the normalizer never leaves a text: every part of what it makes is normal too."""
        form = self.alone.form
        return bool(form and text and not unicodedata.is_normalized(form, text))

    def _as_written(self, alone: Alone) -> list[Flag]:
        if alone.uncut and alone.merged:
            return []
        token, engine = alone.token, self.tokenizer.engine
        grade, reach = self._grade(alone, engine)
        if grade == "between neighbours" and alone.text is None:
            return []
        other = self._other_engine(alone, grade) if reach is None or not reach.cut else ""
        if reach is None:
            kind = "unreachable" if grade == "never" else "whole-piece-only"
            return [_flag(token, kind, self._without_search(alone), None, other)]
        if grade == "never":
            sentence = left_alone(self.tokenizer, alone, reach)
            return [_flag(token, "unreachable", sentence, None, other)]
        if grade == "on the way":
            return [_flag(token, "always-merged", goes_on(alone, reach), reach.absorbed, other)]
        between = (
            f"{cuts_sentence(self.tokenizer, alone.text or '')}, so it comes only between certain "
            f"neighbours, as in {quoted(reach.witness or '')}."
        )
        found = [_flag(token, "not-alone", between, reach.witness, other)]
        if not alone.merged:
            unmerged = not_merged(self.tokenizer, alone, self.base, self._built)
            found.append(_flag(token, "whole-piece-only", unmerged, None, other))
        return found

    def _without_search(self, alone: Alone) -> str:
        """Why a token does not come from its own bytes, where no text had to be tried."""
        form = self.alone.form
        if form and self._is_normalized_away(alone.text):
            edited = unicodedata.normalize(form, alone.text or "")
            return (
                f"The normalizer ({form}) turns {spelled(alone.text or '')} into "
                f"{spelled(edited)}, and what it makes never holds the first."
            )
        return not_merged(self.tokenizer, alone, self.base, self._built)

    def _other_engine(self, alone: Alone, grade: Grade) -> str:
        """What the other engine makes of a token, where that is another answer."""
        engine = _OTHER[self.tokenizer.engine]
        if alone.merged and alone.text is None:
            return ""  # half characters are no whole pieces
        other, reach = self._grade(alone, engine)
        here, there = (g in ("alone", "between neighbours") for g in (grade, other))
        if here == there:
            return ""
        if here:
            return _NEVER[engine]
        if reach is None:
            return f"{_WOULD[engine]}."
        return f"{_WOULD[engine]}, as in {quoted(reach.witness or '')}."

    # Texts that are edited first, and other libraries

    @cached_property
    def _encodings(self) -> EncodingProber:
        return EncodingProber(self.tokenizer)

    @cached_property
    def _by_merges(self) -> bool:
        return knows_symbols(self.tokenizer)

    def _edited(self, alone: Alone) -> list[Flag]:
        token = alone.token
        if self._by_merges and not alone.merged and self.tokenizer.engine == "merges":
            sentence = not_merged(self.tokenizer, alone, self.base, self._built)
            return [flag(token, "unreachable", sentence)]
        found = []
        if self._by_merges and not alone.merged:
            sentence = not_merged(self.tokenizer, alone, self.base, self._built)
            found.append(_flag(token, "whole-piece-only", sentence, None, _NEVER["merges"]))
        is_cut = self.tokenizer.outside is None and self._is_cut(alone)
        if token in self.held and not is_cut:
            return found
        reach = self._encodings.search(alone)
        if reach.witness is None:
            sentence = edited_sentence(self.tokenizer, alone, reach)
            return [flag(token, "unreachable", sentence)]
        if is_cut:
            between = (
                f"{cuts_sentence(self.tokenizer, alone.text or '')}, so it comes only between "
                f"certain neighbours, as in {quoted(reach.witness)}."
            )
            found.append(flag(token, "not-alone", between, reach.witness))
        return found

    def _is_cut(self, alone: Alone) -> bool:
        return alone.text is not None and len(pieces_of(self.tokenizer, alone.text)) > 1


def _flag(token: int, kind: str, evidence: str, witness: str | None, other: str) -> Flag:
    """A flag whose evidence says what the other engine does, too."""
    told = f"{evidence} {other}" if other else evidence
    return flag(token, kind, told, witness, other_engine=other)
