"""What a corpus does with tokens, counted plainly: it stands for the kernels in tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Any

import numpy as np

from bpe_studio.analysis.corpus_use import CorpusUse, ScriptUse, SpelledSpecial
from bpe_studio.bpe.corpus import Corpus, CorpusReport, holds_rows, read_blocks
from bpe_studio.bpe.tokenizer import Tokenizer


class Step:
    """As the progress of the pass."""

    def __init__(self, bytes_read: int) -> None:
        self.bytes_read = bytes_read


def plain_use(
    tokenizer: Tokenizer, corpus: Corpus, *, report: CorpusReport | None = None
) -> Generator[Any, None, CorpusUse]:
    """As `iter_corpus_use`; every token is said to be final as often as it came to be."""
    texts: list[bytes] = []
    firsts: dict[int, int] = {}
    held = b""
    for block in read_blocks(corpus, report=report):
        firsts.setdefault(block.file, block.document)
        held += block.data
        if block.last:
            texts.append(held)
            held = b""
        yield Step(block.bytes_read)
    if not texts:
        raise ValueError("The corpus holds no text; choose other files.")
    per_document = [Counter(tokenizer.encode(text.decode())) for text in texts]
    ids = sorted(token for token in tokenizer.table.ids)
    final = [sum(counts[token] for counts in per_document) for token in ids]
    largest = [max(counts[token] for counts in per_document) for token in ids]
    where = [
        next((n for n, counts in enumerate(per_document) if most and counts[token] == most), -1)
        for token, most in zip(ids, largest, strict=True)
    ]
    characters = sum(len(text.decode()) for text in texts)
    tokens = sum(final)
    return CorpusUse(
        ids=np.array(ids, np.int32),
        final=np.array(final, np.int64),
        created=np.array(final, np.int64),
        documents=np.array([sum(c[t] > 0 for c in per_document) for t in ids], np.int64),
        largest=np.array(largest, np.int64),
        largest_document=np.array(where, np.int64),
        offsets=np.zeros(len(ids), np.int64),
        tokens=tokens,
        characters=characters,
        bytes=sum(map(len, texts)),
        document_count=len(texts),
        files=tuple(corpus.files[file].label for file in firsts),
        first_documents=np.array(list(firsts.values()), np.int64),
        has_rows=np.array([holds_rows(corpus.files[file]) for file in firsts], np.bool_),
        specials=(SpelledSpecial("<eos>", 2, 3, 1, (("a.txt", 3),)),),
        scripts=(ScriptUse("Latin", tokens, characters),),
        failures=(),
    )
