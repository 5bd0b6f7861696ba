"""What was read for a training, in lines of its summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_studio.cli.output import counted, shown, size_words

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import CorpusReport
    from bpe_studio.bpe.words import WordCounts

__all__ = ["left_out_lines", "read_line", "trouble_lines"]

_MOST_PROBLEMS: Final = 20


def read_line(words: WordCounts) -> str:
    """How much it was."""
    return (
        f"{counted(words.documents, 'document')}, {size_words(words.bytes)}, "
        f"{counted(words.pieces, 'piece')}, {len(words):,} distinct"
    )


def left_out_lines(report: CorpusReport) -> list[str]:
    """What somebody has asked not to read."""
    files, rows = report.left_out_files, report.left_out_rows
    parts = [counted(files, "file")] if files else []
    parts += [counted(rows, "row")] if rows else []
    return [f"{' and '.join(parts)} left out, as asked"] if parts else []


def trouble_lines(words: WordCounts, report: CorpusReport) -> list[str]:
    """What was changed, and what was wrong."""
    lines = []
    if report.surrogates_replaced:
        lines.append(f"{counted(report.surrogates_replaced, 'lone surrogate')} became U+FFFD")
    if words.cut_pieces:
        were = "was" if words.cut_pieces == 1 else "were"
        lines.append(f"{counted(words.cut_pieces, 'piece')} of over 1 MiB {were} cut")
    lines += [f"{shown(p.label)}: {shown(p.message)}" for p in report.problems[:_MOST_PROBLEMS]]
    if len(report.problems) > _MOST_PROBLEMS:
        more = len(report.problems) - _MOST_PROBLEMS
        lines.append(f"and {more:,} more {'problem' if more == 1 else 'problems'}")
    return lines
