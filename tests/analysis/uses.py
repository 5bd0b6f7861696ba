"""Uses of a corpus that a test writes down, document by document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bpe_studio.analysis.corpus_use import CorpusUse, SpelledSpecial
from bpe_studio.bpe.tokenizer import Tokenizer


def use_of(
    tokenizer: Tokenizer,
    files: Mapping[str, Sequence[Mapping[int, int]]],
    *,
    specials: tuple[SpelledSpecial, ...] = (),
) -> CorpusUse:
    """The uses of a corpus: label to documents, each a count by token; `.jsonl` files have rows."""
    documents = [dict(document) for rows in files.values() for document in rows]
    ids = tokenizer.table.ids
    columns = [[document.get(token, 0) for document in documents] for token in ids.tolist()]
    final = np.array([sum(column) for column in columns], dtype=np.int64)
    largest = np.array([max(column, default=0) for column in columns], dtype=np.int64)
    firsts = np.cumsum([0, *(len(rows) for rows in files.values())])[:-1]
    sizes = Counter({token: len(tokenizer.token_bytes(token)) for token in ids.tolist()})
    size = int(sum(sizes[t] * n for document in documents for t, n in document.items()))
    return CorpusUse(
        ids=ids,
        final=final,
        created=final,
        documents=np.array([sum(map(bool, column)) for column in columns], dtype=np.int64),
        largest=largest,
        largest_document=np.array(
            [column.index(max(column)) if any(column) else -1 for column in columns],
            dtype=np.int64,
        ),
        offsets=np.zeros(len(ids), dtype=np.int64),
        tokens=int(final.sum()),
        characters=size,
        bytes=size,
        document_count=len(documents),
        files=tuple(files),
        first_documents=firsts.astype(np.int64),
        has_rows=np.array([name.endswith(".jsonl") for name in files]),
        specials=specials,
    )
