"""What tables make of a corpus, counted plainly: it stands for the kernels in tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import regex

from bpe_studio.analysis.compare_text import compare_text
from bpe_studio.analysis.compression import Curve, vocab_sizes
from bpe_studio.analysis.corpus_comparison import (
    CorpusComparison,
    CostlyPiece,
    EqualSize,
    NumberCut,
    TableFigures,
)
from bpe_studio.bpe.corpus import Corpus, CorpusReport, read_blocks
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.gui.plain_use import Step

PIECES = regex.compile(r"\s*(?:[\p{L}\p{M}]+|\p{N}+|[^\s\p{L}\p{M}\p{N}]+)|\s+")


def plain_comparison(
    tables: Sequence[Tokenizer], corpus: Corpus, *, report: CorpusReport | None = None
) -> Generator[Any, None, CorpusComparison]:
    """As `iter_compare_corpus`; scripts are Latin or Common, a curve is made up."""
    texts: dict[int, str] = {}
    for block in read_blocks(corpus, report=report):
        texts[block.file] = texts.get(block.file, "") + block.text
        yield Step(block.bytes_read)
    found = [_figures(table, list(texts.values())) for table in tables]
    joined = "\n".join(texts.values())
    dearer_a, dearer_b = _costly(tables[0], tables[1], joined)
    spans = compare_text(tables[0], tables[1], joined)
    sizes = sorted({table.vocab_size for table in tables[:2]})
    equal = EqualSize(sizes[0], found[0], found[1]) if len(sizes) > 1 else None
    characters = np.array([len(text) for text in texts.values()], np.int64)
    return CorpusComparison(
        tables=tuple(found),
        equal=equal,
        characters=int(characters.sum()),
        bytes=len("".join(texts.values()).encode()),
        document_count=len(texts),
        files=tuple(corpus.files[file].label for file in texts),
        file_characters=characters,
        file_bytes=np.array([len(text.encode()) for text in texts.values()], np.int64),
        file_documents=np.ones(len(texts), np.int64),
        scripts=("Latin", "Common"),
        script_characters=np.array([characters.sum() - 1, 1], np.int64),
        words=len(regex.findall(r"[\p{L}\p{M}]+", joined)),
        numbers=len(regex.findall(r"\p{N}+", joined)),
        long_numbers=0,
        spans=dict(Counter(span.kind for span in spans.spans)),
        dearer_a=dearer_a,
        dearer_b=dearer_b,
        notes=("This comparison was counted plainly.",),
    )


def _figures(table: Tokenizer, texts: list[str]) -> TableFigures:
    counts = [len(table.encode(text)) for text in texts]
    uses = Counter(token for text in texts for token in table.encode(text))
    ids = sorted(table.table.ids)
    tokens, words, whole, cuts = sum(counts), 0, 0, Counter[tuple[int, ...]]()
    for text in texts:
        borders = _borders(table, text)
        for word in regex.finditer(r"[\p{L}\p{M}]+", text):
            inside = sum(place in borders for place in range(word.start() + 1, word.end()))
            words, whole = words + 1 + inside, whole + (not inside)
        for run in regex.finditer(r"\p{N}{1,12}", text):
            inner = [place for place in range(run.start() + 1, run.end()) if place in borders]
            places = [run.start(), *inner]
            ends = [*places[1:], run.end()]
            cuts[tuple(end - start for start, end in zip(places, ends, strict=True))] += 1
    sizes = vocab_sizes(table)
    base = sum(len(text.encode()) for text in texts)
    falling = np.linspace(base, tokens, len(sizes)).astype(np.int64)
    return TableFigures(
        vocab_size=table.vocab_size,
        ids=np.array(ids, np.int32),
        final=np.array([uses[token] for token in ids], np.int64),
        tokens=tokens,
        file_tokens=np.array(counts, np.int64),
        script_tokens=np.array([tokens - 1, 1], np.int64),
        whole_words=whole,
        word_tokens=words,
        number_cuts=tuple(NumberCut(cut, count) for cut, count in cuts.most_common()),
        renyi_efficiency=0.5,
        curve=Curve(sizes, falling, sum(map(len, texts)), base),
    )


def _borders(table: Tokenizer, text: str) -> set[int]:
    """Characters before which a token ends."""
    ends = accumulate(len(character.encode()) for character in text)
    starts = {end: place for place, end in enumerate(ends, start=1)}
    tokens = table.encode_with_offsets(text).offsets[:, 1].tolist()
    return {starts[end] for end in tokens if end in starts}


def _costly(
    a: Tokenizer, b: Tokenizer, text: str
) -> tuple[tuple[CostlyPiece, ...], tuple[CostlyPiece, ...]]:
    found = []
    for piece, count in Counter(PIECES.findall(text)).items():
        alone = [count * len(table.encode(piece)) for table in (a, b)]
        found.append(CostlyPiece(piece.encode(), count, *alone))
    found.sort(key=lambda piece: -abs(piece.lost))
    return (
        tuple(piece for piece in found if piece.lost > 0)[:100],
        tuple(piece for piece in found if piece.lost < 0)[:100],
    )
