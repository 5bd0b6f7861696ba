"""What tables make of texts, of a corpus and of parallel files, as plain values of JSON."""

from __future__ import annotations

from dataclasses import asdict

from bpe_studio.analysis.compression import Curve
from bpe_studio.analysis.corpus_comparison import CorpusComparison, CostlyPiece, TableFigures
from bpe_studio.analysis.parallel import Parallel
from bpe_studio.reports.compare_figures import unknown_tokens
from bpe_studio.reports.compare_parts import CorpusPart, file_parts, kind_parts, script_parts
from bpe_studio.reports.compare_subject import ComparedTexts, CompareSubject, TextDifference
from bpe_studio.reports.plain_values import Plain, number, plain_token

__all__ = ["plain_corpus", "plain_parallel", "plain_texts"]

_CURVE_POINTS = 400


def plain_texts(texts: ComparedTexts) -> Plain:
    """Every document, and every difference of the first two tables."""
    return {
        "documents": len(texts.documents),
        "characters": texts.characters,
        "bytes": texts.bytes,
        "tokens_a": texts.tokens(0),
        "tokens_b": texts.tokens(1),
        "tokens": [texts.tokens(table) for table in range(texts.tables)],
        "differences": dict(texts.differences),
        "by_document": [
            asdict(document) | {"tokens": list(document.tokens)} for document in texts.documents
        ],
        "frequent": [_difference(group.first) | {"times": group.times} for group in texts.frequent],
        "lines": list(map(asdict, texts.lines)),
        "spans": list(map(_difference, texts.spans)),
    }


def _difference(found: TextDifference) -> Plain:
    return {
        "document": found.document,
        "start": found.span.start,
        "end": found.span.end,
        "kind": found.span.kind,
        "text": found.text,
        "tokens_a": found.span.tokens_a,
        "tokens_b": found.span.tokens_b,
        "reason": found.kind or None,
        "sentence": found.sentence or None,
    }


def plain_corpus(subject: CompareSubject) -> Plain:
    """The corpus, a row for each table, and the first two in detail."""
    corpus, facts = subject.corpus, subject.corpus_facts
    assert corpus is not None
    equal = corpus.equal
    return {
        "name": None if facts is None else facts.name,
        "fingerprint": None if facts is None else facts.fingerprint or None,
        "problems": [] if facts is None else list(facts.problems),
        "files": len(corpus.files),
        "documents": corpus.document_count,
        "characters": corpus.characters,
        "bytes": corpus.bytes,
        "words": corpus.words,
        "numbers": corpus.numbers,
        "long_numbers": corpus.long_numbers,
        "tables": [
            {"table": table}
            | _figures(corpus, figures)
            | {"unknown": unknown_tokens(subject.tokenizers[table], figures)}
            for table, figures in zip(subject.encoding, corpus.tables, strict=True)
        ],
        "extra_percent": number(corpus.extra_percent),
        "equal_size": None
        if equal is None
        else {
            "vocab_size": equal.vocab_size,
            "a": _figures(corpus, equal.a),
            "b": _figures(corpus, equal.b),
        },
        "kinds": list(map(_part, kind_parts(corpus))),
        "scripts": list(map(_part, script_parts(corpus))),
        "by_file": list(map(_part, file_parts(corpus))),
        "spans": dict(corpus.spans),
        "dearer_a": list(map(_piece, corpus.dearer_a)),
        "dearer_b": list(map(_piece, corpus.dearer_b)),
        "notes": list(corpus.notes),
    }


def plain_parallel(parallel: Parallel) -> Plain:
    """Files that say the same; ratios are over the first of them, by table."""
    return {
        "files": list(parallel.files),
        "characters": parallel.characters.tolist(),
        "lines": list(parallel.lines) or None,
        "tokens": parallel.tokens.tolist(),
        "ratios": [list(map(number, row)) for row in parallel.ratios.tolist()],
    }


def _figures(corpus: CorpusComparison, figures: TableFigures) -> Plain:
    def over(part: int, total: int) -> float | None:
        return part / total if total else None

    return {
        "vocab_size": figures.vocab_size,
        "tokens": figures.tokens,
        "characters_per_token": over(corpus.characters, figures.tokens),
        "bytes_per_token": over(corpus.bytes, figures.tokens),
        "whole_words": figures.whole_words,
        "whole_words_share": over(figures.whole_words, corpus.words),
        "word_tokens": figures.word_tokens,
        "tokens_per_word": over(figures.word_tokens, corpus.words),
        "renyi_efficiency": number(figures.renyi_efficiency),
        "used": figures.used,
        "number_cuts": [
            {"digits": list(cut.digits), "count": cut.count} for cut in figures.number_cuts
        ],
        "curve": None if figures.curve is None else _curve(figures.curve),
    }


def _curve(curve: Curve) -> list[Plain]:
    """At most 400 points, of even distance in merges, and the last."""
    step = max(1, -(-(len(curve) - curve.exact_from) // _CURVE_POINTS))
    chosen = [*range(curve.exact_from, len(curve), step)]
    if chosen and chosen[-1] != len(curve) - 1:
        chosen.append(len(curve) - 1)
    pairs = zip(curve.vocab_sizes[chosen].tolist(), curve.tokens[chosen].tolist(), strict=True)
    return [{"vocab_size": size, "tokens": tokens} for size, tokens in pairs]


def _part(part: CorpusPart) -> Plain:
    return {"name": part.name, "characters": part.characters, "tokens": list(part.tokens)}


def _piece(piece: CostlyPiece) -> Plain:
    numbers = {"count": piece.count, "tokens_a": piece.tokens_a, "tokens_b": piece.tokens_b}
    return plain_token(piece.data) | numbers
