"""A report on two tables or more as plain values of JSON: what ``compare --json`` prints.

The names are stable. A token comes in readable form for people and in hexadecimal for programs,
because it need not be text; what is not known is null.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

import numpy as np

from bpe_studio.analysis.table_comparison import FirstDifference, OverlapCurve
from bpe_studio.bpe.patterns import regex_version, unicode_version
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.reports.compare_plain_texts import plain_corpus, plain_parallel, plain_texts
from bpe_studio.reports.compare_rows import COLUMNS, token_rows
from bpe_studio.reports.compare_subject import CompareSubject
from bpe_studio.reports.json_lines import json_chunks
from bpe_studio.reports.plain_values import Plain, number

__all__ = ["FORMAT", "JSON_HEAD", "compare_json_chunks", "plain_compare"]

FORMAT: Final = "bpe-studio compare"
VERSION: Final = 1
JSON_HEAD: Final = f'{{\n "format": "{FORMAT}"'.encode()
"""What every such file begins with."""


def compare_json_chunks(subject: CompareSubject) -> Iterator[bytes]:
    """The file: one member a line, and one token a line."""
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in token_rows(subject))
    yield from json_chunks(plain_compare(subject), "tokens", rows)


def plain_compare(subject: CompareSubject) -> Plain:
    """Everything but the tokens."""
    tables = subject.tables
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": subject.program,
        "unicode": unicode_version(),
        "regex": regex_version(),
        "a": subject.names[0],
        "b": subject.names[1],
        "tables": [
            _table(name, tokenizer)
            for name, tokenizer in zip(subject.names, subject.tokenizers, strict=True)
        ],
        "same": tables.same,
        "outcome": subject.outcome,
        "shared": tables.shared,
        "only_a": tables.only_a,
        "only_b": tables.only_b,
        "jaccard": tables.jaccard,
        "ids_moved": tables.ids_moved,
        "ranks_moved": tables.ranks_moved,
        "other_merge": int(np.count_nonzero(tables.other_merge)),
        "rank_correlation": number(tables.rank_correlation),
        "overlap": _overlap(tables.overlap()),
        "first_difference": _first(tables.first_difference),
        "specials_shared": list(tables.specials_shared),
        "specials_only_a": list(tables.specials_only_a),
        "specials_only_b": list(tables.specials_only_b),
        "rules": [asdict(rule) | {"values": list(rule.values)} for rule in subject.rules],
        "text": None if subject.text is None else plain_texts(subject.text),
        "corpus": None if subject.corpus is None else plain_corpus(subject),
        "parallel": None if subject.parallel is None else plain_parallel(subject.parallel),
        "notes": list(subject.notes),
    }


def _table(name: str, tokenizer: Tokenizer) -> Plain:
    return {
        "name": name,
        "vocab_size": tokenizer.vocab_size,
        "id_bound": tokenizer.id_bound,
        "merges": len(tokenizer.table.merges),
        "specials": list(tokenizer.specials),
        "base": tokenizer.base,
        "pattern": tokenizer.pattern.name,
        "expression": tokenizer.pattern.expression,
        "engine": tokenizer.engine,
        "view_only": tokenizer.view_only or None,
    }


def _first(first: FirstDifference | None) -> Plain | None:
    if first is None:
        return None

    def parts(found: tuple[bytes, bytes] | None) -> list[str] | None:
        return None if found is None else [part.hex() for part in found]

    return {
        "rank": first.rank,
        "a": parts(first.a),
        "b": parts(first.b),
        "count_a": first.count_a,
        "count_b": first.count_b,
        "tie": first.tie,
    }


def _overlap(curve: OverlapCurve) -> list[Plain]:
    """At every k up to 100, then at about a hundred more of even ratio, and at the last."""
    if not len(curve):
        return []
    places = np.geomspace(1, len(curve), 100).astype(np.int64)
    chosen = np.union1d(np.arange(1, min(100, len(curve)) + 1), np.append(places, len(curve))) - 1
    pairs = zip(curve.k[chosen].tolist(), curve.shared[chosen].tolist(), strict=True)
    return [{"k": k, "shared": shared} for k, shared in pairs]
