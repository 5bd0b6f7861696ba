"""`bpe-studio lesson`: byte-pair encoding of a small text, step by step."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bpe_studio.cli.arguments import PATTERN_NAMES, Base, Ties, parse_specials, whole_number

if TYPE_CHECKING:
    from bpe_studio.bpe.lesson import Lesson
    from bpe_studio.bpe.tokenizer import Tokenizer


def command(
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT|-",
            help="A small text, - for standard input; by default low, lower, lowest and friends.",
        ),
    ] = None,
    base: Annotated[Base, typer.Option(help="Base symbols.")] = Base.bytes,
    ties: Annotated[Ties, typer.Option(help="Which of equally frequent pairs.")] = Ties.first_seen,
    merges: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole_number, help="Stop after so many merges."),
    ] = None,
    min_freq: Annotated[
        int,
        typer.Option(metavar="N", parser=whole_number, help="End where no pair is as frequent."),
    ] = 2,
    pattern: Annotated[
        str,
        typer.Option(metavar="NAME|REGEX", help=f"{PATTERN_NAMES}, or an expression."),
    ] = "classic",
    specials: Annotated[
        str, typer.Option(metavar="default|none|A,B", help="They take the first ids.")
    ] = "default",
    units: Annotated[
        bool,
        typer.Option("--units", help="Characters, words and byte pairs side by side, no steps."),
    ] = False,
    word: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="The word that --units asks for, one never seen."),
    ] = None,
    traps: Annotated[
        bool, typer.Option("--traps", help="Six traps, each found in the table; no steps.")
    ] = False,
    table: Annotated[
        str | None,
        typer.Option(
            "-t", "--table", metavar="TABLE", help="For --units and --traps, another table."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Save it there.")
    ] = None,
) -> None:
    """Learn the merges of a small text and show every step.

    Before each merge the counts of the pairs are told: → is the one that is merged, = those that
    are as frequent. Rows are the distinct words with their counts; no merge crosses from one to
    another.
    """
    if merges is not None and merges < 0:
        raise typer.BadParameter("a number of merges is 0 or more", param_hint="--merges")
    if min_freq < 1:
        raise typer.BadParameter("a smallest count is 1 or more", param_hint="--min-freq")
    if (table or word) and not (units or traps):
        raise typer.BadParameter("-t and --word are for --units and --traps")
    from bpe_studio.bpe.lesson import TOY_CORPUS, Lesson, LessonRules
    from bpe_studio.cli.documents import read_document
    from bpe_studio.cli.output import counted, shown, write_out
    from bpe_studio.files import check_savable, write_atomic

    if out is not None:
        check_savable(out)
        _refuse_other_files(out)
    rules = LessonRules(
        pattern=pattern,
        base=base.value,
        ties=ties.value,
        min_freq=min_freq,
        specials=parse_specials(specials) or (),
    )
    if text == "-":
        text = read_document("-", wanted="a lesson")
    lesson = Lesson(TOY_CORPUS if text is None else text, rules)
    lesson.run(merges)
    tokenizer = _table(lesson, table) if units or traps else None
    if as_json:
        told = _json(lesson, tokenizer, word, units=units, traps=traps)
    else:
        lines = _lines(lesson, tokenizer, word, units=units, traps=traps)
        told = "".join(f"{line}\n" for line in lines)
    if out is not None:
        write_atomic(out, told.encode())
        print(f"Saved {shown(str(out))}: {counted(len(told.encode()), 'byte')}", file=sys.stderr)
        return

    write_out(told)


def _refuse_other_files(out: Path) -> None:
    from bpe_studio.files import open_regular
    from bpe_studio.reports.lesson import is_export

    if out.exists():
        with open_regular(out, follow_links=True) as file:
            head = file.read(1 << 16)
        # An empty file, such as mktemp makes, holds nothing to lose.
        if head and not is_export(head):
            raise ValueError(f"{out} is there and is no lesson; name another file.")


def _table(lesson: Lesson, name: str | None) -> Tokenizer:
    from bpe_studio.bpe.lesson_table import tokenizer_of
    from bpe_studio.cli.tables import compile_kernels, open_table

    tokenizer = tokenizer_of(lesson) if name is None else open_table(name, None)
    compile_kernels()
    return tokenizer


def _lines(
    lesson: Lesson, tokenizer: Tokenizer | None, word: str | None, *, units: bool, traps: bool
) -> Iterator[str]:
    from bpe_studio.analysis.traps import find_traps
    from bpe_studio.analysis.units import side_by_side
    from bpe_studio.cli.output import shown
    from bpe_studio.reports.lesson import TRAPS_HEAD, lesson_lines, trap_lines, units_lines

    if tokenizer is None:
        yield from map(shown, lesson_lines(lesson))
        return
    if units:
        yield from map(shown, units_lines(side_by_side(tokenizer, lesson.text, word)))
    if traps:
        yield from ("", TRAPS_HEAD) if units else (TRAPS_HEAD,)
    for trap in find_traps(tokenizer, lesson.text) if traps else ():
        yield ""
        yield from map(shown, trap_lines(trap))


def _json(
    lesson: Lesson, tokenizer: Tokenizer | None, word: str | None, *, units: bool, traps: bool
) -> str:
    import json

    from bpe_studio.analysis.traps import find_traps
    from bpe_studio.analysis.units import side_by_side
    from bpe_studio.cli.output import jsonable
    from bpe_studio.reports.lesson import plain_lesson

    told: dict[str, Any] = plain_lesson(lesson, steps=tokenizer is None)
    if tokenizer is not None and units:
        told["units"] = jsonable(side_by_side(tokenizer, lesson.text, word))
    if tokenizer is not None and traps:
        told["traps"] = [jsonable(trap) for trap in find_traps(tokenizer, lesson.text)]
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"
