"""From a file of weights to under-trained tokens: the reader and the judge, composed."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import TYPE_CHECKING

from bpe_studio.analysis.reference_rows import rows_from_words
from bpe_studio.analysis.undertrained import EmbeddingProgress, UnderTrained, iter_undertrained
from bpe_studio.formats.safetensors import open_embeddings

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["judge_embeddings"]


def judge_embeddings(
    tokenizer: Tokenizer,
    path: str | os.PathLike[str],
    *,
    input_name: str | None = None,
    output_name: str | None = None,
    reference: str | None = None,
    percentile: float = 2.0,
) -> Generator[EmbeddingProgress, None, UnderTrained]:
    """Judge every token by the embeddings of a model; closing the generator cancels.

    Parameters
    ----------
    path : str or PathLike
        A safetensors file, an index with its shards beside it, or a folder with one of them.
    input_name, output_name : str, optional
        The tensors, where they have no usual names.
    reference : str, optional
        Ids and ranges of tokens that no text has, such as ``"5,128000-128255"``. None looks for
        them.

    Raises
    ------
    OSError, ValueError
        In one sentence.
    """
    rows = tokenizer.id_bound
    with open_embeddings(
        path, rows=rows, input_name=input_name, output_name=output_name
    ) as matrices:
        target = matrices.output or matrices.input
        chosen = None if reference is None else rows_from_words(reference, target.rows)
        return (
            yield from iter_undertrained(
                tokenizer, matrices, reference=chosen, percentile=percentile
            )
        )
