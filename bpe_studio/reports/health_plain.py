"""A report on the tokens of a table as plain values of JSON: what ``health --json`` prints.

The names are stable. A token comes in readable form for people and in hexadecimal for programs,
because it need not be text; what is not known is null.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

from bpe_studio.analysis.contexts import Context
from bpe_studio.analysis.corpus_use import CorpusUse, DocumentPlace
from bpe_studio.analysis.flags import KINDS
from bpe_studio.analysis.health_change import HealthChange
from bpe_studio.analysis.integrity import Integrity
from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.patterns import regex_version, unicode_version
from bpe_studio.reports.corpus_facts import CorpusFacts
from bpe_studio.reports.health_plain_embeddings import plain_embeddings
from bpe_studio.reports.health_subject import HealthSubject, TokenRow, token_rows
from bpe_studio.reports.json_lines import json_chunks
from bpe_studio.reports.plain_values import Plain, number, plain_token

__all__ = ["FORMAT", "JSON_HEAD", "health_json_chunks", "plain_flags", "plain_health"]

FORMAT: Final = "bpe-studio health"
VERSION: Final = 1
JSON_HEAD: Final = f'{{\n "format": "{FORMAT}"'.encode()
"""What every such file begins with."""


def health_json_chunks(subject: HealthSubject) -> Iterator[bytes]:
    """The file: one member a line, and one flag a line."""
    yield from json_chunks(plain_health(subject), "flags", plain_flags(subject))


def plain_health(subject: HealthSubject) -> Plain:
    """Everything but the flags."""
    report = subject.report
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": subject.program,
        "unicode": unicode_version(),
        "regex": regex_version(),
        "table": subject.name,
        "tokenizer": _tokenizer(subject),
        "tokens": report.tokens,
        "flagged": report.flagged,
        "unused_base": report.unused_base,
        "unsure": report.unsure,
        "used": report.used,
        "trained_here": report.trained_here,
        "self_test": report.self_test,
        "unchecked": report.unchecked,
        "counts": report.counts,
        "only_kinds": list(subject.only) or None,
        "kinds": [_kind(subject, kind, count) for kind, count in report.counts.items()],
        "integrity": _integrity(report.integrity),
        "partial": asdict(report.partial),
        "thresholds": report.thresholds.as_dict(),
        "corpus": None if subject.corpus is None else _corpus(subject.corpus),
        "use": None if subject.use is None else _use(subject.use),
        "embeddings": plain_embeddings(subject),
        "change": None if subject.change is None else _change(subject.before_name, subject.change),
    }


def plain_flags(subject: HealthSubject) -> Iterator[Plain]:
    """One object a flag."""
    for row in token_rows(subject):
        yield _flag(row)


def _tokenizer(subject: HealthSubject) -> Plain:
    tokenizer = subject.tokenizer
    return {
        "vocab_size": tokenizer.vocab_size,
        "id_bound": tokenizer.id_bound,
        "merges": len(tokenizer.table.merges),
        "specials": list(tokenizer.specials),
        "base": tokenizer.base,
        "pattern": tokenizer.pattern.name,
        "expression": tokenizer.pattern.expression,
        "engine": tokenizer.engine,
    }


def _corpus(corpus: CorpusFacts) -> Plain:
    return {**asdict(corpus), "problems": list(corpus.problems)}


def _integrity(found: Integrity) -> Plain:
    sizes = [{"label": label, "count": count} for label, count in found.sizes]
    return {
        **asdict(found),
        "gap_ranges": [list(gap) for gap in found.gap_ranges],
        "sizes": sizes,
        "size_sentence": found.size_sentence,
        "sentences": list(found.sentences),
    }


def _kind(subject: HealthSubject, kind: str, count: int) -> Plain:
    words, tokens = KINDS[kind], subject.report.tokens
    return {
        "kind": kind,
        "title": words.title,
        "severity": subject.report.severity_of(kind),
        "count": count,
        "share": count / tokens if tokens else 0.0,
        "meaning": words.meaning,
        "advice": words.advice,
    }


def _flag(row: TokenRow) -> Plain:
    flag, use = row.flag, row.use
    return {
        "id": flag.id,
        "token": readable(row.data),
        "bytes": row.data.hex(),
        "rank": row.rank,
        "kind": flag.kind,
        "severity": flag.severity,
        "evidence": flag.evidence,
        "witness": flag.witness,
        "other_engine": flag.other_engine,
        "final": None if use is None else use.final,
        "created": None if use is None else use.created,
        "documents": None if use is None else use.documents,
        "share": None if use is None else number(use.share),
        "document": None if use is None or use.place is None else _place(use.place),
        "context": None if row.context is None else _context(row.context),
    }


def _place(place: DocumentPlace) -> Plain:
    return {"file": place.file, "row": place.row or None}


def _context(context: Context) -> Plain:
    return {
        **_place(context.place),
        "offset": context.offset,
        "line": context.line,
        "column": context.column,
        "before": context.before,
        "text": context.text,
        "after": context.after,
    }


def _use(use: CorpusUse) -> Plain:
    return {
        "used": use.used,
        "used_share": use.used / len(use.ids) if len(use.ids) else 0.0,
        "tokens": use.tokens,
        "characters": use.characters,
        "bytes": use.bytes,
        "documents": use.document_count,
        "files": len(use.files),
        "characters_per_token": use.characters / use.tokens if use.tokens else None,
        "failure_count": use.failure_count,
        "failures": [_place(use.place(document)) for document in use.failures],
        "specials": [
            {
                "name": special.name,
                "id": special.id,
                "count": special.count,
                "documents": special.documents,
                "files": [{"file": file, "count": count} for file, count in special.files],
            }
            for special in use.specials
        ],
        "scripts": [
            {**asdict(script), "characters_per_token": script.characters_per_token}
            for script in use.scripts
        ],
    }


def _change(before: str, change: HealthChange) -> Plain:
    return {
        "before": before,
        "gone": change.gone,
        "come": change.come,
        "figures": [asdict(one) for one in change.figures],
        "kinds": [
            {
                "kind": one.kind,
                "before": one.before,
                "after": one.after,
                "difference": one.difference,
                "gone": [plain_token(data) for data in one.gone],
                "come": [plain_token(data) for data in one.come],
                "gone_from_table": one.left,
                "new_in_table": one.new,
            }
            for one in change.kinds
        ],
    }
