"""What tables make of the parts of a corpus, as sections of a report: tables with bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bpe_studio.reports.compare_colours import colour_of
from bpe_studio.reports.compare_parts import (
    CorpusPart,
    file_parts,
    kind_parts,
    language_parts,
    script_parts,
)
from bpe_studio.reports.compare_subject import CompareSubject, letter
from bpe_studio.reports.compare_words import extra_words
from bpe_studio.reports.page import Block, Cell, Column, Plot, Section, Table, Token, Words
from bpe_studio.reports.svg_groups import BarGroup, bar_legend, grouped_bars
from bpe_studio.reports.words import plural, ratio, short, shown, whole

__all__ = ["MOST_FILES", "group_sections", "language_section"]

MOST_FILES: Final = 50
"""Files that a report lists; its JSON has all."""
_MOST_BARS: Final = 12


def group_sections(subject: CompareSubject) -> Iterator[Section]:
    """The corpus by kind of file, by script, and file by file."""
    corpus = subject.corpus
    if corpus is None:
        return
    kinds, scripts = kind_parts(corpus), script_parts(corpus)
    yield _section(subject, "By kind of file", "kinds", "Kind", kinds)
    yield _section(subject, "By script", "scripts", "Script", scripts)
    files = file_parts(corpus)
    if len(files) > 1:
        more = len(files) - MOST_FILES
        note = f"and {plural(more, 'more file')}; JSON has all" if more > 0 else ""
        table = _table(subject, "File by file", "File", files[:MOST_FILES], note, names=True)
        words = Words("Those first for which B needs most tokens more than A.")
        yield Section("File by file", "files", (words, table), level=3)


def language_section(subject: CompareSubject) -> Iterator[Section]:
    """Parallel files: what a language costs under each table; nothing without such files."""
    parallel = subject.parallel
    if parallel is None:
        return
    parts, ratios = language_parts(parallel), parallel.ratios.T.tolist()
    sides = [letter(number) for number in subject.encoding]
    columns = (
        Column("File", "name"),
        *(Column("Lines", "number") for _ in parallel.lines[:1]),
        Column("Characters", "number"),
        *(Column(f"{side}: tokens", "number") for side in sides),
        *(Column(f"{side}: over {shown(short(parts[0].name))}", "number") for side in sides),
    )
    rows: list[tuple[Cell, ...]] = []
    for place, (part, row) in enumerate(zip(parts, ratios, strict=True)):
        lines = (whole(parallel.lines[place]),) if parallel.lines else ()
        numbers = (whole(part.characters), *map(whole, part.tokens), *map(ratio, row))
        rows.append((Token(shown(part.name)), *lines, *numbers))
    blocks: list[Block] = [
        Words(
            "These files say the same. What counts is how many tokens each takes over those of "
            f"{shown(parts[0].name)}: 2 is twice as dear, and leaves half the context."
        )
    ]
    if not parallel.same_lines:
        blocks.append(
            Words(
                "The files have different numbers of lines: they may not say the same.", "warning"
            )
        )
    blocks.append(Table("What each language costs", columns, rows))
    values = [
        BarGroup(shown(part.name), tuple(row)) for part, row in zip(parts, ratios, strict=True)
    ]
    title = "Tokens of each language over those of the first"
    text = "The shorter the bars, the more alike the table treats the languages."
    blocks.append(_plot(subject, "plot-languages", title, text, "times the tokens", values))
    yield Section("Languages", "languages", tuple(blocks))


def _section(
    subject: CompareSubject, title: str, anchor: str, head: str, parts: Sequence[CorpusPart]
) -> Section:
    bars = [
        BarGroup(part.name, tuple(part.per_token(n) for n in range(len(part.tokens))))
        for part in parts[:_MOST_BARS]
    ]
    named = f"Characters per token, {title[:1].lower()}{title[1:]}"
    text = "The longer a bar, the fewer tokens the same text takes."
    plot = _plot(subject, f"plot-{anchor}", named, text, "characters per token", bars)
    table = _table(subject, title, head, parts)
    return Section(title, anchor, (table, plot), level=3)


def _plot(
    subject: CompareSubject,
    anchor: str,
    title: str,
    text: str,
    axis: str,
    bars: Sequence[BarGroup],
) -> Plot:
    colours = [colour_of(number) for number in subject.encoding]
    names = [f"{letter(n)}: {shown(short(subject.names[n]))}" for n in subject.encoding]
    picture = grouped_bars(anchor, title, text, axis, bars, colours)
    return Plot(title, text, picture + bar_legend(names, colours))


def _table(
    subject: CompareSubject,
    title: str,
    head: str,
    parts: Sequence[CorpusPart],
    note: str = "",
    *,
    names: bool = False,
) -> Table:
    sides = [letter(number) for number in subject.encoding]
    columns = (
        Column(head, "name" if names else "words"),
        Column("Characters", "number"),
        *(Column(f"{side}: tokens", "number") for side in sides),
        *(Column(f"{side}: characters per token", "number") for side in sides),
        Column(f"{sides[1]} against {sides[0]}", "number"),
    )
    rows = [
        (
            Token(shown(part.name)) if names else part.name,
            whole(part.characters),
            *map(whole, part.tokens),
            *(ratio(part.per_token(number)) for number in range(len(part.tokens))),
            extra_words(*part.tokens[:2]),
        )
        for part in parts
    ]
    return Table(title, columns, rows, note)
