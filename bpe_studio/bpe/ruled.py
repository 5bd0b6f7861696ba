"""Encoding by rules: prepare the text, merge what is left of it, and say where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.encoder import Encoder, Encoding, encoded
from bpe_studio.bpe.plain_encoder import PlainEncoder, needs_plain
from bpe_studio.bpe.preparing import Cut, Found, Preparer
from bpe_studio.bpe.stretch import Origin, Span, Stretch, byte_places
from bpe_studio.bpe.text_rules import AddedToken, TextRules

__all__ = ["RuledEncoder", "original_spans"]

_Bounds = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RuledEncoder:
    """Encodes text by the rules of a tokenizer. Safe to share between threads."""

    encoder: Encoder
    rules: TextRules

    @cached_property
    def preparer(self) -> Preparer:
        return Preparer(self.rules, self.encoder.pattern, self.encoder.table)

    def encode(self, text: str, tokens: tuple[AddedToken, ...]) -> NDArray[np.int32]:
        """The ids of a text in which these added tokens are looked for.

        Raises
        ------
        ValueError
            As `Encoder.encode`; and an expression of the rules that takes too long.
        """
        encoded(text)
        found = [
            np.array([part.id], dtype=np.int32) if isinstance(part, Found) else self._ids(part)
            for part in self.preparer.parts(text, tokens, tracked=False)
        ]
        return _joined(found)

    def encode_with_offsets(self, text: str, tokens: tuple[AddedToken, ...]) -> Encoding:
        """As `encode`, with the bytes of the text that each token stands for.

        Spans may be empty (text that was put in), shared (one character that several tokens
        spell) and leave text out (what the rules drop).
        """
        encoded(text)
        places = byte_places(text)
        ids: list[NDArray[np.int32]] = []
        spans: list[NDArray[np.int64]] = []
        for part in self.preparer.parts(text, tokens, tracked=True):
            if isinstance(part, Found):
                ids.append(np.array([part.id], dtype=np.int32))
                spans.append(places[[part.begin, part.end]].reshape(1, 2))
            else:
                found, bounds = self._bounds(part)
                ids.append(found)
                spans.append(original_spans(part.stretch, bounds, places))
        none = np.zeros((0, 2), dtype=np.int64)
        return Encoding(_joined(ids), np.concatenate([none, *spans]))

    def _ids(self, cut: Cut) -> NDArray[np.int32]:
        if self.plain is None and cut.spans is None:
            return self.encoder.encode(cut.stretch.text)
        return self._bounds(cut)[0]

    def _bounds(self, cut: Cut) -> tuple[NDArray[np.int32], _Bounds]:
        """The ids of a cut text, and where each begins and the last ends, in bytes of it."""
        text, spans = cut.stretch.text, cut.spans
        if self.plain is not None:
            spans = self.preparer.cut_all(cut)
            return self.plain.encode([text[begin:end] for begin, end in spans])
        if spans is None:
            return self.encoder.encode_bounds(text)
        ends = byte_places(text)[[end for _, end in spans]]
        if cut.unknown is None:
            return self.encoder.encode_cut(text.encode(), ends)
        return self._with_unknown(text, spans, ends, np.array(cut.unknown, dtype=np.bool_))

    def _with_unknown(
        self, text: str, spans: list[Span], ends: _Bounds, unknown: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int32], _Bounds]:
        """As `_bounds`, of pieces some of which are the unknown token."""
        assert self.rules.unknown is not None
        lengths = np.diff(ends, prepend=0)
        known = (text[a:b] for (a, b), out in zip(spans, unknown, strict=True) if not out)
        known_ends = np.cumsum(np.where(unknown, 0, lengths))
        tokens, bounds = self.encoder.encode_cut("".join(known).encode(), known_ends[~unknown])
        # An unknown token stands after the tokens of all known pieces before it.
        places = np.searchsorted(bounds, known_ends[unknown])
        missing = np.concatenate(([0], np.cumsum(lengths[unknown])))
        token_ends = bounds[1:] + missing[np.searchsorted(places, np.arange(len(tokens)), "right")]
        ids = np.insert(tokens, places, self.rules.unknown.id)
        all_ends = np.insert(token_ends, places, ends[unknown])
        return ids, np.concatenate(([0], all_ends)).astype(np.int64)

    @cached_property
    def plain(self) -> PlainEncoder | None:
        """What encodes in the place of the kernels, for tables whose symbols they do not know."""
        if not needs_plain(self.encoder.table, self.rules):
            return None
        return PlainEncoder(self.encoder.table, self.rules, self.encoder.engine)


def _joined(parts: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)


def original_spans(stretch: Stretch, bounds: _Bounds, places: _Bounds) -> NDArray[np.int64]:
    """The bytes of the original that tokens stand for, by their bytes in the edited text.

    Parameters
    ----------
    bounds : where each token begins and the last ends, in bytes of the edited text
    places : where each character of the original begins, in bytes
    """
    spans = np.stack((bounds[:-1], bounds[1:]), axis=1)
    if stretch.origin is None:
        spans += places[stretch.begin]
        return spans
    return _through(stretch.origin, byte_places(stretch.text), spans, places)


def _through(
    origin: Origin, edited: _Bounds, spans: NDArray[np.int64], places: _Bounds
) -> NDArray[np.int64]:
    # The first byte of a token, and its last: which character they are in, and how far.
    ends = np.stack((spans[:, 0], np.maximum(spans[:, 1] - 1, spans[:, 0])), axis=1)
    chars = np.searchsorted(edited, ends, side="right") - 1
    within = ends - edited[chars]
    same = origin.same[chars]
    starts, stops = places[origin.starts[chars]], places[origin.stops[chars]]
    # A character that is still itself can be told apart to its bytes.
    first = starts[:, 0] + np.where(same[:, 0], within[:, 0], 0)
    last = np.where(same[:, 1], starts[:, 1] + within[:, 1] + 1, stops[:, 1])
    return np.stack((first, np.maximum(first, last)), axis=1)
