"""Figures as Markdown tables that can also be read in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tests.bench.figures import OURS, Row, cases, ratio, row_of


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with its columns in line.

    >>> print(markdown(["who", "s"], [["a", "1.00"]]))
    | who |    s |
    | --- | ---: |
    | a   | 1.00 |
    """
    widths = [max(3, *(len(row[at]) for row in [header, *rows])) for at in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first = cells[0].ljust(widths[0])
        others = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
        return "| " + " | ".join([first, *others]) + " |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(header), line(rule), *map(line, rows)])


def number(value: float | None) -> str:
    """Three figures, and no more than a reader needs.

    >>> [number(value) for value in (0.1234, 12.34, 1234.5, None)]
    ['0.123', '12.3', '1,234', '—']
    """
    if value is None:
        return "—"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def spread(row: Row, name: str) -> str:
    """The median, and the smallest and largest where there are several."""
    values = row.values(name)
    if len(values) < 2:
        return number(row.median(name))
    return f"{number(row.median(name))} ({number(min(values))}–{number(max(values))})"


def times(value: float | None) -> str:
    return "—" if value is None else f"{value:.2f}×"


def compact(rows: Sequence[Row], name: str, second: str = "", unit: str = "") -> str:
    """Competitors down, cases across: the median, the ratio to ours, and a second figure."""
    by_case = cases(rows)
    names = list(dict.fromkeys(row.who for row in rows))
    lines = [
        [who, *(_cell(by_case[case], who, name, second, unit) for case in by_case)] for who in names
    ]
    return markdown(["", *by_case], lines)


def _cell(rows: Sequence[Row], who: str, name: str, second: str, unit: str) -> str:
    row, ours = row_of(rows, who), row_of(rows, OURS)
    if row is None:
        return ""
    if not row.values(name):
        return row.error or "—"
    text = number(row.median(name))
    if ours is not None and row is not ours:
        text += f" ({times(ratio(row, ours, name))})"
    if second and row.values(second):
        text += f" · {row.median(second):,.0f}{unit}"
    return text


def details(rows: Sequence[Row], columns: Sequence[tuple[str, str]], by: str) -> str:
    """A table a case: every figure with its spread, the ratio to ours, and what was checked."""
    parts = []
    for case, members in cases(rows).items():
        ours = row_of(members, OURS)
        header = ["", *(title for _, title in columns), "to ours", "runs", "given", "result"]
        lines = [
            [
                row.who,
                *(spread(row, name) for name, _ in columns),
                times(ratio(row, ours, by)) if ours is not None else "—",
                str(len(row.values(by))),
                row.given,
                row.error or row.check,
            ]
            for row in members
        ]
        parts.append(f"**{case}**\n\n{markdown(header, lines)}")
    return "\n\n".join(parts)
