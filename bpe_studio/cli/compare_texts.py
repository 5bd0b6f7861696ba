"""Texts under all tables: figures of each document, spans and lines that differ, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bpe_studio.cli.documents import open_strict_corpus, read_strictly

if TYPE_CHECKING:
    from bpe_studio.analysis.compare_text import TextComparison
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.cli.progress import Progress
    from bpe_studio.reports.compare_subject import ComparedTexts, TextDifference, TextLine

__all__ = ["compare_texts"]

_MOST_LINES: Final = 100
_WORTH_TELLING: Final = 1_000_000  # bytes


@dataclass(frozen=True)
class _Document:
    name: str
    text: str
    comparison: TextComparison
    tokens: tuple[int | None, ...]
    lines: tuple[TextLine, ...]


def compare_texts(
    tables: Sequence[Tokenizer],
    names: Sequence[str],
    text_key: str | None,
    progress: Progress,
    *,
    reasons: int,
) -> ComparedTexts:
    """Cuts every document with every table that can.

    Parameters
    ----------
    tables : the first two can encode
    names : files and folders, as they were given
    reasons : of how many of the most frequent differences the reason is asked

    Raises
    ------
    ValueError, OSError
        Something that is no text; a table that cannot spell it.
    """
    documents: list[_Document] = []
    with open_strict_corpus(names, text_key=text_key) as corpus:
        if corpus.total_bytes >= _WORTH_TELLING:
            progress.phase("Cutting texts", total=corpus.total_bytes, unit="bytes")
        parts: list[str] = []
        for block in read_strictly(corpus):
            parts.append(block.text)
            if block.last:
                name = _name(corpus, block.file, block.row)
                documents.append(_cut(len(documents), name, "".join(parts), tables))
                parts.clear()
            progress.update(block.bytes_read)
    return _with_reasons(tables, documents, _joined(documents), reasons)


def _name(corpus: Corpus, file: int, row: int) -> str:
    label = corpus.files[file].label
    return f"{label}, row {row:,}" if row else label


def _cut(number: int, name: str, text: str, tables: Sequence[Tokenizer]) -> _Document:
    from bpe_studio.analysis.compare_lines import compare_lines
    from bpe_studio.analysis.compare_text import compare_ends
    from bpe_studio.reports.compare_subject import TextLine

    a, b = (table.encode_with_offsets(text).offsets for table in tables[:2])
    found = compare_ends(text, a[:, 1], b[:, 1])
    others = (None if table.view_only else len(table.encode_array(text)) for table in tables[2:])
    lines = compare_lines(text, a[:, 0], b[:, 0], found)
    worst = (-lines.extra).argsort(kind="stable")[:_MOST_LINES].tolist()
    return _Document(
        name,
        text,
        found,
        (found.tokens_a, found.tokens_b, *others),
        tuple(
            TextLine(
                number,
                line + 1,
                text[int(lines.starts[line]) : int(lines.starts[line + 1])],
                int(lines.tokens_a[line]),
                int(lines.tokens_b[line]),
            )
            for line in worst
            if lines.extra[line] > 0
        ),
    )


def _joined(documents: Sequence[_Document]) -> ComparedTexts:
    from bpe_studio.reports.compare_subject import (
        ComparedDocument,
        ComparedTexts,
        TextDifference,
    )

    spans: list[TextDifference] = []
    for number, one in enumerate(documents):
        spans += (
            TextDifference(number, span, one.text[span.start : span.end])
            for span in one.comparison.differences
        )
    counts = [one.comparison.counts for one in documents]
    lines = [line for one in documents for line in one.lines]
    lines.sort(key=lambda line: line.tokens_a - line.tokens_b)
    return ComparedTexts(
        tuple(
            ComparedDocument(one.name, one.comparison.characters, one.comparison.bytes, one.tokens)
            for one in documents
        ),
        {kind: sum(count[kind] for count in counts) for kind in counts[0]} if counts else {},
        tuple(spans),
        tuple(lines[:_MOST_LINES]),
    )


def _with_reasons(
    tables: Sequence[Tokenizer],
    documents: Sequence[_Document],
    texts: ComparedTexts,
    most: int,
) -> ComparedTexts:
    """The first of each of the most frequent differences gets its reason."""
    from bpe_studio.analysis.difference_reasons import DifferenceReasons
    from bpe_studio.bpe.generators import result_of

    wanted = [group.first for group in texts.frequent[:most]]
    if not wanted:
        return texts
    told: dict[int, TextDifference] = {}
    askers: dict[int, DifferenceReasons] = {}
    for one in wanted:
        if one.document not in askers:
            text = documents[one.document].text
            askers[one.document] = DifferenceReasons(tables[0], tables[1], text)
        reason = result_of(askers[one.document].iter_reason(one.span))
        told[id(one)] = replace(one, kind=reason.kind, sentence=reason.sentence)
    return replace(texts, spans=tuple(told.get(id(one), one) for one in texts.spans))
