"""Which size? What a model would have of every vocabulary size of a table: facts, no verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compression import Curve, curve, held_out_curve
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = [
    "Measured",
    "ModelShape",
    "Sizing",
    "Source",
    "attention_work",
    "measured",
    "sizing",
    "spaced_sizes",
]

Source = Literal["held-out", "training", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelShape:
    """What of a model matters here.

    Attributes
    ----------
    width : int
        Of the model: the numbers that an embedding has.
    tied : bool
        Whether the embedding of the input is that of the output, too.
    context : int
        Its length in tokens.
    """

    width: int = 4096
    tied: bool = False
    context: int = 8192

    def __post_init__(self) -> None:
        for name in ("width", "context"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1, not {getattr(self, name)}.")


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Documents whose tokens are known at every size, and where they come from."""

    source: Source
    curve: Curve
    documents: int


@dataclass(frozen=True, slots=True, eq=False)
class Sizing:
    """What a model has of the first 0, 1, 2, … merges; every array has the shape (merges + 1,).

    Attributes
    ----------
    measured : Measured
        The documents that tokens are counted on.
    vocab_sizes : int64 array
    embedding_parameters : int64 array
        ``V·d`` where input and output are tied, else ``2·V·d``.
    tokens_per_document : float64 array
        The mean over the documents.
    attention_work : float64 array
        `attention_work` of a document of mean length, relative to that at `current`.
    documents_in_context : float64 array
        The context length over `tokens_per_document`.
    current : int
        The number of merges that attention is relative to.
    """

    measured: Measured
    vocab_sizes: NDArray[np.int64]
    embedding_parameters: NDArray[np.int64]
    tokens_per_document: NDArray[np.float64]
    attention_work: NDArray[np.float64]
    documents_in_context: NDArray[np.float64]
    current: int

    def relative_to(self, current: int | None) -> Sizing:
        """The same with attention relative to another number of merges, by default all."""
        last = len(self.vocab_sizes) - 1
        at = last if current is None else min(max(current, 0), last)
        work = np.full(last + 1, np.nan)
        here = self.attention_work[at]
        np.divide(self.attention_work, here, out=work, where=here > 0)
        return replace(self, attention_work=work, current=at)


def measured(
    tokenizer: Tokenizer, text: Curve | None = None, documents: int = 1
) -> Measured | None:
    """What to read the tokens of a document from; None where nothing is known.

    What was held out of the training is the most honest, the training corpus comes next, and a
    text of so many documents last.
    """
    record = tokenizer.training
    held = held_out_curve(tokenizer)
    if held is not None and record is not None:
        return Measured("held-out", held, record.held_out_totals["documents"])
    trained = curve(tokenizer)
    if trained is not None and record is not None and trained.tokens[0] > 0:
        return Measured("training", trained, record.totals["documents"])
    if text is not None and text.tokens[0] > 0:
        return Measured("text", text, documents)
    return None


def sizing(known: Measured, model: ModelShape, *, current: int | None = None) -> Sizing:
    """What a model has of every size; `current` is a number of merges, by default all."""
    sizes = known.curve.vocab_sizes
    tokens = known.curve.tokens / max(known.documents, 1)
    fitting = np.full(len(tokens), np.nan)
    np.divide(model.context, tokens, out=fitting, where=tokens > 0)
    return Sizing(
        measured=known,
        vocab_sizes=sizes,
        embedding_parameters=sizes * model.width * (1 if model.tied else 2),
        tokens_per_document=tokens,
        attention_work=attention_work(tokens, model.context),
        documents_in_context=fitting,
        current=len(sizes) - 1,
    ).relative_to(current)


def attention_work(tokens: NDArray[np.float64], context: int) -> NDArray[np.float64]:
    """How many pairs of tokens full attention compares in a document of so many tokens.

    A document is read in windows of `context` tokens and a rest, and within each every token is
    compared with every other: ``T = q·N + r`` tokens take ``q·N² + r²``. Within one context the
    work grows with the square of the tokens, beyond it about in proportion to them. A causal mask
    halves all of it, so that what is relative stays.
    """
    windows, rest = np.divmod(tokens, context)
    return np.asarray(windows * float(context) ** 2 + rest**2)


def spaced_sizes(vocab_sizes: NDArray[np.int64], count: int = 12) -> list[int]:
    """Numbers of merges at about `count` well spaced vocabulary sizes: first, last, round ones.

    >>> spaced_sizes(np.arange(262, 4001), 6)
    [0, 238, 538, 1238, 1738, 3738]
    """
    first, last = int(vocab_sizes[0]), int(vocab_sizes[-1])
    steps = np.geomspace(max(first, 1), max(last, 1), count).tolist()
    wanted = {first, last, *(size for size in map(_rounded, steps[1:-1]) if first < size < last)}
    if len(wanted) < count // 2:  # so near to each other that round ones are few
        wanted |= set(np.linspace(first, last, count).astype(int).tolist())
    places = np.searchsorted(vocab_sizes, sorted(wanted), side="right") - 1
    return sorted(set(places.tolist()))


def _rounded(size: float) -> int:
    """The nearest of 1, 1.5, 2, 3, 4, 5, 6 and 8 times a power of ten."""
    near = np.array([1, 1.5, 2, 3, 4, 5, 6, 8, 10]) * 10.0 ** np.floor(np.log10(size))
    return int(near[np.argmin(np.abs(np.log(near / size)))])
