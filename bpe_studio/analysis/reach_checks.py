"""Flags about being reached: unreachable, not alone, duplicate, whole piece only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bpe_studio.analysis import utf8
from bpe_studio.analysis.building import (
    base_symbols,
    find_culprit,
    missing_part,
    no_merge_sentence,
)
from bpe_studio.analysis.flags import Flag, flag
from bpe_studio.analysis.merging import events
from bpe_studio.analysis.naming import listed, merge_name, quoted, token_name
from bpe_studio.analysis.reachable import Prober, Reach
from bpe_studio.bpe.scanner import alternative_of
from bpe_studio.bpe.tokenizer import Tokenizer

_BATCH: Final = 1_000


def unreached(tokenizer: Tokenizer) -> str:
    """Why it cannot be asked what text produces a token, a sentence; empty where it can."""
    if tokenizer.view_only:
        return tokenizer.view_only
    if tokenizer.outside is not None:
        return f"Another library encodes with {tokenizer.outside.kind}, which has no merges."
    if tokenizer.edits_text:
        return (
            "The tokenizer edits a text before it merges, so whether some text produces a token "
            "is not looked for."
        )
    return ""


class ReachChecks:
    """Asks each token of a table in turn whether some text produces it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.table = tokenizer.table
        self.base = base_symbols(tokenizer.table)
        self.prober = Prober(tokenizer)
        self.by_merges = replace(tokenizer, engine="merges")
        self.asks = not unreached(tokenizer)
        self.merged: dict[int, bool] = {}

    def tokens(self) -> Iterator[tuple[int, bytes]]:
        """Every token with its bytes; the engine is asked for many at once."""
        ids = self.table.ids.tolist()
        for first in range(0, len(ids), _BATCH):
            batch = ids[first : first + _BATCH]
            data = self.table.token_list[first : first + _BATCH]
            if not self.asks:
                yield from zip(batch, data, strict=True)
                continue
            made, places = self.by_merges.encode_pieces(data)
            bounds = places.tolist()
            self.merged = {
                token: end - begin == 1 and int(made[begin]) == token
                for token, begin, end in zip(batch, bounds[:-1], bounds[1:], strict=True)
            }
            yield from zip(batch, data, strict=True)

    def flags(self, token: int, data: bytes) -> list[Flag]:
        """The flags of a token; base symbols are always there and have none."""
        if token in self.base:
            return []
        twin = self.table.find(data)
        if len(data) == 1 and self.table.base == "chars":
            return []  # a byte to fall back to, beside the character
        if twin is not None and twin != token:
            name = token_name(self.tokenizer, twin)
            return [flag(token, "duplicate", f"{name} has the same bytes.")]
        if not self.asks:
            return []
        if self.tokenizer.engine == "merges":
            return self._by_merges(token, data)
        return self._whole_piece_first(token, data)

    def _by_merges(self, token: int, data: bytes) -> list[Flag]:
        if self.merged[token]:
            return self._cut_by_pattern(token, data)
        sentence = self._not_merged(token, data)
        if self._is_a_piece(data):
            sentence += " An engine that takes whole pieces first would produce it."
        return [flag(token, "unreachable", sentence)]

    def _whole_piece_first(self, token: int, data: bytes) -> list[Flag]:
        found = self._cut_by_pattern(token, data)
        if not self.merged[token] and not any(f.kind == "unreachable" for f in found):
            found.append(flag(token, "whole-piece-only", self._not_merged(token, data)))
        return found

    def _is_a_piece(self, data: bytes) -> bool:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return False
        match = self.tokenizer.pattern.compiled.match(text)
        return match is not None and match.end() == len(text)

    def _cut_by_pattern(self, token: int, data: bytes) -> list[Flag]:
        """What the pattern makes of a token that the engine makes of its own bytes."""
        if self._is_a_piece(data) and self._no_special_in(data):
            return []
        side = utf8.classify(data)
        if side == "never":
            return [flag(token, "unreachable", "It holds bytes that no UTF-8 text has.")]
        reach = self.prober.search(token, data)
        if reach.absorbed is not None:
            return [flag(token, "always-merged", self._goes_on(data, reach), reach.absorbed)]
        if reach.witness is None:
            return [flag(token, "unreachable", self._never_left_alone(data, reach.tried))]
        if side != "valid":
            return []
        sentence = (
            f"{self._cuts(data)}, so it comes only between certain neighbours, as in "
            f"{quoted(reach.witness)}."
        )
        return [flag(token, "not-alone", sentence, reach.witness)]

    def _no_special_in(self, data: bytes) -> bool:
        parts = list(self.tokenizer.segments(data.decode(), None))
        return all(special is None for _, special in parts)

    def _never_left_alone(self, data: bytes, tried: int) -> str:
        if utf8.classify(data) == "valid":
            why = self._cuts(data)
        else:
            why = "It is a part of characters that the pattern cuts or merges join first"
        return f"{why}, and none of {tried:,} texts with neighbours of every class produces it."

    def _goes_on(self, data: bytes, reach: Reach) -> str:
        return (
            f"In {quoted(reach.absorbed or '')} merges make {quoted(data)} and go on; none of "
            f"{reach.tried:,} texts with neighbours of every class ends with it."
        )

    def _cuts(self, data: bytes) -> str:
        """``The pattern cuts “a.b” at characters 1 and 2 (alternatives …)``"""
        text = data.decode()
        pattern = self.tokenizer.pattern
        cuts: list[int] = []
        made: list[str] = []
        position = 0
        for piece in pattern.compiled.findall(text):
            number = alternative_of(pattern, text, position, position + len(piece))
            made.append(f"{quoted(piece)} (alternative {number + 1})")
            position += len(piece)
            cuts.append(position)
        if len(made) < 2:
            return f"{quoted(text)} holds a special, which is matched first"
        where = listed([f"{cut:,}" for cut in cuts[:-1][:4]])
        return f"The pattern cuts {quoted(text)} at character {where} into {listed(made[:4])}"

    def _not_merged(self, token: int, data: bytes) -> str:
        """Why merges do not make the token of its own bytes."""
        missing = missing_part(self.table, token)
        if missing is not None:
            return no_merge_sentence(self.tokenizer, token, missing)
        culprit = find_culprit(self.tokenizer, events(self.tokenizer, data), token, len(data))
        if culprit is None:
            return f"The characters of {quoted(data)} are symbols of their own in this table."
        event, own = culprit.event, culprit.own_rank
        left, right, _ = self.table.merge_of(own)
        return (
            f"On its own bytes {merge_name(self.tokenizer, event.rank)} wins and makes "
            f"{token_name(self.tokenizer, event.id)}, so "
            f"{quoted(self.table.token_bytes(left))} and {quoted(self.table.token_bytes(right))} "
            f"never meet for {merge_name(self.tokenizer, own)}."
        )
