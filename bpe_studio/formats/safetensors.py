"""The embedding matrices of a model in safetensors files: which tensors they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NoReturn

from bpe_studio.formats.strict.json import quoted
from bpe_studio.formats.tensors.header import Tensor
from bpe_studio.formats.tensors.matrix import FLOATS, Matrix
from bpe_studio.formats.tensors.shards import INDEX_NAME, Weights, find_weights

__all__ = ["Embeddings", "open_embeddings"]

# The usual ends of names; what stands before them, such as "model.", depends on the program.
_INPUTS: Final = (
    "embed_tokens.weight", "wte.weight", "word_embeddings.weight", "tok_embeddings.weight",
    "embed_in.weight", "token_embedding.weight", "embeddings.weight", "embedding.weight",
    "shared.weight",
)  # fmt: skip
_OUTPUTS: Final = (
    "lm_head.weight", "embed_out.weight", "output.weight", "output_layer.weight", "head.weight",
)  # fmt: skip
# Of each the first: names that nothing else has, so that one with too few rows is an error.
_NEVER_OTHERS: Final = 2
_PACKED: Final = ("qweight", "weight_packed", "qzeros", "weight.absmax", "weight_scale")
_MOST_LISTED: Final = 8


@dataclass(frozen=True, slots=True)
class Embeddings:
    """The matrices of a model that have a row a token; `output` is None where they are tied."""

    input: Matrix
    output: Matrix | None


@contextmanager
def open_embeddings(
    path: str | os.PathLike[str],
    *,
    rows: int,
    input_name: str | None = None,
    output_name: str | None = None,
) -> Iterator[Embeddings]:
    """Open the embedding matrices of a model; they can be read until the context ends.

    Parameters
    ----------
    path : str or PathLike
        A safetensors file, an index with shards beside it, or a folder with one of them.
    rows : int
        How many rows a matrix must have: the table's `id_bound`.
    input_name, output_name : str, optional
        The names of the tensors, where they are not the usual ones. The name of the input for
        both says that they are tied.

    Raises
    ------
    OSError, ValueError
        In one sentence that names the file, and what could be meant.
    """
    with Weights(find_weights(path)) as weights:
        finder = _Finder(weights, rows)
        source = finder.input(input_name)
        target = finder.output(output_name, source)
        yield Embeddings(source, target)


class _Finder:
    """Looks for matrices by name among the tensors of a model."""

    def __init__(self, weights: Weights, rows: int) -> None:
        self._weights = weights
        self._rows = rows

    def input(self, asked: str | None) -> Matrix:
        if asked is not None:
            return self._named(asked)
        found = self._ending(_INPUTS)
        if len(found) != 1:
            self._fail_to_choose("input embeddings", found)
        return self._matrix(found[0])

    def output(self, asked: str | None, source: Matrix) -> Matrix | None:
        if asked is not None:
            return None if asked == source.name else self._named(asked)
        found = self._ending(_OUTPUTS)
        if len(found) > 1:
            self._fail_to_choose("output embeddings", found)
        return self._matrix(found[0]) if found else None

    def _ending(self, ends: tuple[str, ...]) -> list[str]:
        """The tensors with a usual name that can be meant; the more usual name comes first."""
        for end in ends:
            named = [n for n in self._weights.names if n == end or n.endswith(f".{end}")]
            fitting = [n for n in named if self._fits(self._weights.find(n)[1])]
            if fitting:
                return fitting
        return self._too_short(ends[:_NEVER_OTHERS])

    def _too_short(self, ends: tuple[str, ...]) -> list[str]:
        """A matrix of a usual name at the top that has too few rows: the sentence says so."""
        for end in ends:
            named = [n for n in self._weights.names if n == end or n.endswith(f".{end}")]
            wide = [n for n in named if len(self._weights.find(n)[1].shape) == 2]
            # Layers have an "output.weight" of their own, deeper down.
            plain = [name for name in wide if not any(p.isdigit() for p in name.split("."))]
            if len(plain) == 1:
                return plain
        return []

    def _fits(self, tensor: Tensor) -> bool:
        return len(tensor.shape) == 2 and tensor.shape[0] >= self._rows and tensor.shape[1] > 0

    def _named(self, name: str) -> Matrix:
        if name not in self._weights.names:
            raise ValueError(
                f"{self._weights.name}: there is no tensor {quoted(name)}; {self._candidates()}."
            )
        return self._matrix(name)

    def _matrix(self, name: str) -> Matrix:
        file, tensor = self._weights.find(name)
        if len(tensor.shape) != 2 or 0 in tensor.shape:
            self._fail(file.name, f"{tensor} is no matrix with a row for each token")
        if tensor.dtype not in FLOATS:
            self._fail(
                file.name,
                f"{tensor} is quantised, or no embedding; give the files that the model was "
                "quantised from, in F16, BF16 or F32",
            )
        if tensor.shape[0] < self._rows:
            self._fail(
                file.name,
                f"{tensor.shown_name} has {tensor.shape[0]:,} rows, and the table needs "
                f"{self._rows:,}, one for each id up to its largest; these embeddings belong to "
                "another tokenizer",
            )
        return Matrix(file, tensor)

    def _fail_to_choose(self, what: str, found: list[str]) -> NoReturn:
        if found:
            listed = ", ".join(str(self._weights.find(n)[1]) for n in found[:_MOST_LISTED])
            self._fail(
                self._weights.name,
                f"{len(found)} tensors can be the {what}; name the one that is meant: {listed}",
            )
        packed = [n for n in self._weights.names if n.endswith(_PACKED) and "embed" in n]
        if packed:
            self._fail(
                self._weights.name,
                f"the embeddings are quantised ({quoted(packed[0])}); give the files that the "
                "model was quantised from, in F16, BF16 or F32",
            )
        self._fail(
            self._weights.name,
            f"no tensor has a usual name of {what}; {self._candidates()}",
        )

    def _candidates(self) -> str:
        """What could be meant: matrices with enough rows."""
        fitting = [str(tensor) for tensor in self._weights.tensors() if self._fits(tensor)]
        if fitting:
            more = f" and {len(fitting) - _MOST_LISTED} more" * (len(fitting) > _MOST_LISTED)
            return f"those with {self._rows:,} rows or more are " + (
                ", ".join(fitting[:_MOST_LISTED]) + more
            )
        index = self._weights.path.with_name(INDEX_NAME)
        if index != self._weights.path and index.exists():
            return f"this is one shard of several, so give {index.name}, which is beside it"
        return f"no matrix in it has the {self._rows:,} rows that the table needs"

    @staticmethod
    def _fail(source: str, reason: str) -> NoReturn:
        raise ValueError(f"{source}: {reason}.")
