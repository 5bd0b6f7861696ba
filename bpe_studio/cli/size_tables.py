"""What is known of the vocabulary sizes of a table, printed as tables or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bpe_studio.analysis.compression import Curve
from bpe_studio.analysis.sizing import ModelShape, Sizing
from bpe_studio.cli.output import counted, print_rows, write_out

__all__ = ["FoundSizes"]

_NAMES = {"text": "the text", "training": "training", "held-out": "held out"}
_OF = {"text": "the text", "training": "the training", "held-out": "what was held out"}
_NOT_EXACT = (
    "is not exact: at that size the table lacks merges that others need, or tokens that it looks "
    "for\nin a text before it merges."
)


@dataclass(frozen=True, eq=False)
class FoundSizes:
    """All that is told, at some numbers of merges."""

    places: list[int]
    curves: dict[str, Curve]
    sizing: Sizing
    model: ModelShape
    below: int
    rare: NDArray[Any]
    rare_in: str
    id_bound: int

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "model": self.model,
            "documents_of": self.sizing.measured.source,
            "documents": self.sizing.measured.documents,
            "exact_from": {name: curve.exact_from for name, curve in self.curves.items()},
            "id_bound": self.id_bound,
            "rare_below": self.below,
            "rare_in": self.rare_in,
            "sizes": [self._plain_row(place) for place in self.places],
        }

    def _plain_row(self, place: int) -> dict[str, Any]:
        found = self.sizing
        row: dict[str, Any] = {"vocab_size": found.vocab_sizes[place], "merges": place}
        for name, curve in self.curves.items():
            row[name] = {
                "tokens": curve.tokens[place],
                "characters_per_token": _number(curve.characters_per_token[place]),
            }
        return row | {
            "embedding_parameters": found.embedding_parameters[place],
            "tokens_per_document": _number(found.tokens_per_document[place]),
            "attention_work": _number(found.attention_work[place]),
            "documents_in_context": _number(found.documents_in_context[place]),
            "rare_tokens": self.rare[place],
        }

    def print(self) -> None:
        """As two tables."""
        write_out("Tokens, and characters per token\n")
        print_rows(self._compression(), right=">" * 9)
        model, documents = self.model, self.sizing.measured
        largest = self.sizing.vocab_sizes[self.sizing.current]
        write_out(
            f"\nA model of width {model.width:,}, {'tied' if model.tied else 'untied'}, that reads "
            f"{counted(model.context, 'token')}\n"
        )
        print_rows(self._of_model(), right=">" * 9)
        of = counted(documents.documents, "document")
        write_out(
            f"\nTokens a document: the mean of {_OF[documents.source]}, {of}. Attention: the pairs "
            f"of tokens\nthat are compared in such a document, as a part of those at {largest:,}. "
            f"Rare: learned tokens used\nfewer than {counted(self.below, 'time')} in "
            f"{_OF[self.rare_in]}.\n"
        )
        if self.id_bound != largest:
            write_out(
                f"Embeddings count distinct ids, {largest:,} at most; the largest id + 1 is "
                f"{self.id_bound:,},\nand a model that is addressed by ids has so many rows.\n"
            )
        if any(min(self.places) < curve.exact_from for curve in self.curves.values()):
            write_out(f"≈ {_NOT_EXACT}\n")

    def _compression(self) -> Iterator[tuple[str, ...]]:
        heads = (head for name in self.curves for head in (_NAMES[name], "per token"))
        yield ("vocabulary", "merges", *heads)
        for place in self.places:
            cells = [f"{self.sizing.vocab_sizes[place]:,}", f"{place:,}"]
            for curve in self.curves.values():
                about = "≈" if place < curve.exact_from else ""
                cells.append(f"{about}{curve.tokens[place]:,}")
                cells.append(f"{curve.characters_per_token[place]:.2f}")
            yield tuple(cells)

    def _of_model(self) -> Iterator[tuple[str, ...]]:
        found = self.sizing
        yield (
            "vocabulary", "embeddings", "tokens a document", "attention", "documents in context",
            "rare",
        )  # fmt: skip
        for place in self.places:
            yield (
                f"{found.vocab_sizes[place]:,}",
                f"{found.embedding_parameters[place] / 1e6:,.1f} M",
                f"{found.tokens_per_document[place]:,.1f}",
                f"{found.attention_work[place]:.2f}",
                _three_digits(found.documents_in_context[place]),
                f"{self.rare[place]:,}",
            )


def _three_digits(value: float) -> str:
    """`0.000218`, `2.48`, `1,230`."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _number(value: float) -> float | None:
    """JSON has no NaN."""
    return float(value) if value == value else None
