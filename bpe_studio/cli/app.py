"""The commands that need no window, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from bpe_studio.cli import compare, convert, decode, encode, explain, health, lesson, sizes, train

__all__ = ["make_app"]

_HELP = """Train, look into, explain and compare byte-pair-encoding tokenizers.

`bpe-studio [FILE]...` opens the window, with these tokenizers or texts.

TABLE is the path of a tokenizer of any format or of a model folder, or the name of one that comes
with the program.
"""


def make_app() -> typer.Typer:
    """All commands that need no window."""
    app = typer.Typer(
        help=_HELP,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_general)
    for module in (train, encode, decode, explain, health, compare, convert, lesson, sizes):
        app.command()(module.command)
        app.registered_commands[-1].name = module.__name__.rpartition(".")[2]
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from bpe_studio import __version__

        typer.echo(f"bpe-studio {__version__}")
        raise typer.Exit


def _general(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass
