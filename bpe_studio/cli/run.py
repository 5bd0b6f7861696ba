"""Running a command: what an error looks like, and the exit status.

0 done, 1 an error or a defect told in one line, 2 wrong usage, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from typing import Any, cast

import typer
import typer.main

from bpe_studio.cli.arguments import spread_lists
from bpe_studio.cli.interrupts import Terminated, sigterm_interrupts, status_of
from bpe_studio.cli.output import flush_out, shown
from bpe_studio.files import reason_of

__all__ = ["complain", "open_closed_streams", "run"]

TRACEBACK = "BPE_STUDIO_TRACEBACK"
"""The environment variable with which a defect shows where it is."""

# Whether typer brings its own click or uses the installed one depends on its version.
_ClickError = cast(type[Exception], typer.BadParameter.__mro__[2])


def run(app: typer.Typer, arguments: Sequence[str]) -> int:
    """Run one command line; the exit status."""
    open_closed_streams()
    try:
        with sigterm_interrupts():
            status = _invoke(_command_of(app), spread_lists(list(arguments)))
            flush_out()
        return status
    except typer.Exit as stop:
        return stop.exit_code
    except (KeyboardInterrupt, typer.Abort) as stop:
        complain("interrupted; nothing was saved.")
        return status_of(signal.SIGTERM if isinstance(stop, Terminated) else signal.SIGINT)
    except BrokenPipeError:
        return 0  # `… | head`: whoever reads has seen enough
    except _ClickError as error:
        complain(_usage_message(error))
        return 2
    except (ValueError, OSError, MemoryError, RecursionError) as error:
        complain(_message(error))
        return 1
    except Exception as error:
        complain(_defect(error))
        return 1
    finally:
        _give_up_stdout_if_broken()


def complain(message: str) -> None:
    """One line on stderr."""
    print(f"bpe-studio: {shown(' '.join(message.split(chr(10))))}", file=sys.stderr)


def open_closed_streams() -> None:
    """Put the null device where a standard stream is closed.

    The next file that is opened would take its number, and get what is meant for the stream.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _command_of(app: typer.Typer) -> Any:
    group = typer.main.get_command(app)
    for command in getattr(group, "commands", {}).values():
        for parameter in command.params:
            # The metavar says it: PATH, not PATH <list[str]>.
            if parameter.param_type_name == "argument":
                parameter.display_type_rich = lambda ctx: None
    return group


def _invoke(command: Any, arguments: list[str]) -> int:
    with command.make_context("bpe-studio", arguments) as context:
        result = command.invoke(context)
    return result if isinstance(result, int) else 0


def _give_up_stdout_if_broken() -> None:
    """What could not be written would be tried again, and complained about, at the very end."""
    try:
        flush_out()
    except OSError:
        with contextlib.suppress(OSError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_message(error: Exception) -> str:
    message = str(getattr(error, "format_message", lambda: error)()).rstrip(".")
    message = message.replace(": Value error, ", ": ")  # the parser's library speaks here
    context = getattr(error, "ctx", None)
    help_of = context.command_path if context is not None else "bpe-studio"
    return f"{message[:1].lower()}{message[1:]}; see `{help_of} --help`."


def _message(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "there is not enough memory for this."
    if isinstance(error, RecursionError):
        return "the input is nested too deeply."
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename is not None else ""
        return f"{where}{reason_of(error)}."
    return str(error)


def _defect(error: Exception) -> str:
    """What nobody has thought of is asked to be reported."""
    if os.environ.get(TRACEBACK):
        traceback.print_exception(error)
    steps = traceback.extract_tb(error.__traceback__)
    where = f" in {os.path.basename(steps[-1].filename)}, line {steps[-1].lineno}" if steps else ""
    return (
        f"this is a defect of the program ({type(error).__name__}{where}); please report it with "
        f"the command that you gave; {TRACEBACK}=1 in the environment shows more."
    )
