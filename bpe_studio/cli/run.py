"""Running a command: what an error looks like, and the exit status.

0 done, 1 an error told in one line, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, cast

import typer
import typer.main

from bpe_studio.cli.arguments import spread_lists

__all__ = ["complain", "run"]

INTERRUPTED = 130

# Whether typer brings its own click or uses the installed one depends on its version.
_ClickError = cast(type[Exception], typer.BadParameter.__mro__[2])


def run(app: typer.Typer, arguments: Sequence[str]) -> int:
    """Run one command line; the exit status."""
    try:
        status = _invoke(typer.main.get_command(app), spread_lists(list(arguments)))
        sys.stdout.flush()
        return status
    except typer.Exit as stop:
        return stop.exit_code
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted; nothing was saved.")
        return INTERRUPTED
    except BrokenPipeError:
        return 0  # `… | head`: whoever reads has seen enough
    except _ClickError as error:
        complain(_usage_message(error))
        return 2
    except (ValueError, OSError, MemoryError, RecursionError) as error:
        complain(_message(error))
        return 1
    finally:
        _give_up_stdout_if_broken()


def complain(message: str) -> None:
    """One line on stderr."""
    line = " ".join(message.split("\n"))
    print(f"bpe-studio: {line}", file=sys.stderr)


def _invoke(command: Any, arguments: list[str]) -> int:
    with command.make_context("bpe-studio", arguments) as context:
        result = command.invoke(context)
    return result if isinstance(result, int) else 0


def _give_up_stdout_if_broken() -> None:
    """What could not be written would be tried again, and complained about, at the very end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_message(error: Exception) -> str:
    message = str(getattr(error, "format_message", lambda: error)()).rstrip(".")
    context = getattr(error, "ctx", None)
    help_of = context.command_path if context is not None else "bpe-studio"
    return f"{message[:1].lower()}{message[1:]}; see `{help_of} --help`."


def _message(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "there is not enough memory for this."
    if isinstance(error, RecursionError):
        return "the input is nested too deeply."
    if isinstance(error, OSError) and error.errno is not None and error.filename is not None:
        reason = error.strerror or "an unknown error"
        return f"{error.filename}: {reason[:1].lower()}{reason[1:]}."
    if isinstance(error, OSError) and error.errno is not None and error.strerror:
        return f"{error.strerror[:1].lower()}{error.strerror[1:]}."
    return str(error)
