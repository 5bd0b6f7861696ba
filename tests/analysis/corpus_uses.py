"""What a corpus does with tokens, by the plain oracle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bpe_studio.analysis.corpus_use import CorpusUse
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle_analysis as oracle


def plain_table(tokenizer: Tokenizer) -> oracle.PlainTable:
    """The oracle's table of a tokenizer with bytes or characters as base symbols."""
    table = tokenizer.table
    base = {int(token): bytes([b]) for b, token in enumerate(table.byte_ids) if token >= 0}
    base |= {token: char.encode() for char, token in table.char_ids.items()}
    made = {new for _, _, new in tokenizer.merges}
    data = dict(zip(table.ids.tolist(), table.token_list, strict=True))
    return oracle.PlainTable(
        base,
        tokenizer.merges,
        tokenizer.pattern.expression,
        dict(tokenizer.special_ids),
        tokenizer.engine == "whole-piece-first",
        {token: d for token, d in data.items() if token not in made and token not in base},
    )


def plain_use(
    tokenizer: Tokenizer,
    documents: Sequence[str],
    *,
    files: Sequence[tuple[str, int]] | None = None,
    plain: oracle.PlainTable | None = None,
    **more: Any,
) -> CorpusUse:
    """Counted plainly.

    Parameters
    ----------
    files : sequence of (label, documents)
        A file with a number of documents holds rows; 0 is one whole document. By default each
        document is a file of its own, ``0.txt``, ``1.txt``, …
    """
    plain = plain or plain_table(tokenizer)
    files = files or [(f"{number}.txt", 0) for number in range(len(documents))]
    found = oracle.corpus_use(plain, list(documents))
    ids = tokenizer.table.ids
    largest = [found.largest.get(token, (0, 1, 0)) for token in ids.tolist()]
    counts = [max(count, 1) for _, count in files]
    assert sum(counts) == len(documents)
    return CorpusUse(
        ids=ids,
        final=_column(ids, found.final),
        # A piece that is taken whole and that no merges make came to be as often as it is used.
        created=np.maximum(_column(ids, found.created), _column(ids, found.final)),
        documents=_column(ids, found.documents),
        largest=np.array([uses for uses, _, _ in largest], dtype=np.int64),
        largest_document=np.array([-minus for _, minus, _ in largest], dtype=np.int64),
        offsets=np.array([offset for _, _, offset in largest], dtype=np.int64),
        tokens=found.tokens,
        characters=sum(map(len, documents)),
        bytes=sum(len(text.encode()) for text in documents),
        document_count=len(documents),
        files=tuple(label for label, _ in files),
        first_documents=np.cumsum([0, *counts[:-1]], dtype=np.int64),
        has_rows=np.array([count > 0 for _, count in files], dtype=np.bool_),
        **more,
    )


def _column(ids: Any, counts: Any) -> Any:
    return np.array([counts[token] for token in ids.tolist()], dtype=np.int64)
