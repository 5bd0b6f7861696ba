"""The program: commands that need no window, the window, and a picture of it.

`bpe-studio FILE...` opens the window. Qt is imported only for the window and the picture.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bpe_studio.cli.app import make_app
from bpe_studio.cli.arguments import TablePattern, VocabSize, parse_range, parse_size
from bpe_studio.cli.run import complain, open_closed_streams, run
from bpe_studio.files import check_savable


class Theme(StrEnum):
    LIGHT = "light"
    DARK = "dark"


class PanelPage(StrEnum):
    """Compare has tables, plots, text and corpus, Health all but tables and text."""

    TABLE = "table"
    PLOTS = "plots"
    EMBEDDINGS = "embeddings"
    CORPUS = "corpus"
    CHANGE = "change"
    TABLES = "tables"
    TEXT = "text"


class ExplainPart(StrEnum):
    WHY = "why"
    VARIANTS = "variants"
    LETTERS = "letters"
    STEPS = "steps"
    TREE = "tree"
    HISTORY = "history"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; the exit status."""
    open_closed_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if getattr(sys, "frozen", False) and words == ["--read-a-tokenizer"]:
        # A program without `-m` is its own child process; see formats/apart/process.py.
        from bpe_studio.formats.apart.child import main as read_tokenizer

        return read_tokenizer()
    if getattr(sys, "frozen", False) and words == ["--train-a-partner"]:
        from bpe_studio.partners.child import main as train_partner

        return train_partner()
    app = make_app()
    app.command("screenshot")(_screenshot)
    commands = {command.name for command in app.registered_commands}
    if words and (words[0].startswith("-") or words[0] in commands):
        return run(app, words)
    return _open_window(words)


def _open_window(words: list[str]) -> int:
    from bpe_studio import formats

    paths = [Path(word) for word in words]
    for place, word in enumerate(words):
        if os.path.isfile(word):
            continue
        if not os.path.lexists(word) and word in formats.table_names():
            paths[place] = formats.find_table(word)
            continue
        if os.path.isdir(word):
            from bpe_studio.formats.model_folder import find_in_folder

            if find_in_folder(word) is not None:
                continue
            complain(
                f"{word} is a folder without a tokenizer; `bpe-studio train {word} ...` trains "
                "on it."
            )
        elif place == 0:
            complain(f"{word} is neither a command, a file nor a table; see `bpe-studio --help`.")
        else:
            complain(f"{word}: there is no such file.")
        return 2
    try:
        from bpe_studio.gui.app import run_window
    except ImportError as error:
        return _no_qt(error)
    return run_window(paths)


def _screenshot(
    out: Annotated[Path, typer.Argument(metavar="OUT.png", help="Where to save the picture.")],
    tokenizer: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", help="The table to show; a second one to compare with it."),
    ] = None,
    text: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The text in the Text panel.")
    ] = None,
    panel: Annotated[
        str | None, typer.Option(metavar="NAME", help="The panel in front, such as health.")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="In pixels.")] = "1280x800",
    theme: Annotated[Theme, typer.Option(help="The colours of the window.")] = Theme.LIGHT,
    pattern: TablePattern = None,
    select: Annotated[
        str | None,
        typer.Option(
            metavar="FROM:TO", help="Characters of the text to select, so that Explain tells them."
        ),
    ] = None,
    view: Annotated[
        ExplainPart | None,
        typer.Option(help="What is at the top of Explain: merges are its steps or its tree."),
    ] = None,
    vocab_size: VocabSize = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            help="What Health checks the table on, or Compare compares on; may be repeated.",
        ),
    ] = None,
    page: Annotated[
        PanelPage | None, typer.Option(help="What Health shows, or with --panel compare Compare.")
    ] = None,
) -> int:
    """Save a picture of the window; needs no display."""
    try:
        width_and_height = parse_size(size)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--size") from None
    try:
        span = None if select is None else parse_range(select)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--select") from None
    if out.suffix.lower() != ".png":
        raise typer.BadParameter(f"{out} must end in .png", param_hint="OUT.png")
    check_savable(out)
    tables = []
    if tokenizer:
        from bpe_studio.cli.tables import compile_kernels, find, open_table

        for name in tokenizer:
            # Opened here first: a table that cannot be read is an error, not an empty window.
            open_table(name, pattern)
            tables.append(find(name))
        compile_kernels()
    try:
        from bpe_studio.gui.screenshot import screenshot
    except ImportError as error:
        return _no_qt(error)
    screenshot(
        out, tables, text, panel, width_and_height, theme.value, pattern,
        select=span, view=None if view is None else view.value, vocab_size=vocab_size,
        corpus=corpus or (), page=None if page is None else page.value,
    )  # fmt: skip
    return 0


def _no_qt(error: ImportError) -> int:
    """A system library that is missing shows here too, as a file that cannot be opened."""
    complain(
        f"the window needs PySide6, which cannot be used here ({error}); all other commands "
        "work without it."
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
