"""Ours beside the peers that are installed, on your corpora; nothing is fetched.

    pip install -e '.[bench]'
    python -m tests.bench CORPORA training counting growth start
    python -m tests.bench CORPORA encoding --tokenizers DIR
    python -m tests.bench --from RAW.json --markdown

CORPORA is a folder with en.txt, code_10mb.txt, code.txt, multi.txt and mixed_1gb.txt, or some of
them; DIR one with cl100k_base.tiktoken. Progress goes to stderr, the tables to stdout.
"""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from tests.bench import counting, encoding, growth, start, training
from tests.bench.encoders import ENCODERS
from tests.bench.figures import Measured, Row, joined, load, save
from tests.bench.machine import machine, versions
from tests.bench.processes import PEERS_PYTHON, ROOT, environment, python_of
from tests.bench.trainers import TRAINERS

Given = argparse.Namespace


def _training(given: Given) -> Iterable[Row]:
    return training.measure(
        given.corpora,
        names=given.only,
        peers=given.peers,
        rounds=given.rounds,
        limit=given.limit,
        once_above=given.once_above,
    )


def _counting(given: Given) -> Iterable[Row]:
    return counting.measure(
        given.corpora,
        names=given.only,
        rounds=given.rounds,
        limit=given.limit,
        once_above=given.once_above,
    )


def _encoding(given: Given) -> Iterable[Row]:
    ranks = given.tokenizers / encoding.RANKS if given.tokenizers else None
    if ranks is None or not ranks.exists():
        print(f"encoding needs --tokenizers DIR with {encoding.RANKS}", file=sys.stderr)
        return []
    return encoding.measure(
        given.corpora,
        ranks,
        names=given.only,
        peers=given.peers,
        rounds=given.rounds,
        limit=given.limit,
        once_above=given.once_above,
    )


def _growth(given: Given) -> Iterable[Row]:
    return growth.measure(
        given.corpora, rounds=given.rounds, limit=given.limit, once_above=given.once_above
    )


def _start(given: Given) -> Iterable[Row]:
    return start.measure(rounds=given.rounds, limit=given.limit)


SUBJECTS: Final[dict[str, Callable[[Given], Iterable[Row]]]] = {
    "training": _training,
    "counting": _counting,
    "encoding": _encoding,
    "growth": _growth,
    "start": _start,
}
TABLES: Final[dict[str, Callable[[Sequence[Row], bool], str]]] = {
    "training": training.tables,
    "counting": counting.tables,
    "encoding": encoding.tables,
    "growth": growth.tables,
    "start": start.tables,
}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("corpora", nargs="?", type=Path, metavar="CORPORA")
    made.add_argument("subjects", nargs="*", metavar="SUBJECT", help=", ".join(SUBJECTS))
    made.add_argument("--rounds", type=int, default=5)
    made.add_argument("--limit", type=float, default=600, help="seconds for one run")
    made.add_argument(
        "--once-above", type=float, default=20, help="seconds; who is slower runs only once"
    )
    made.add_argument("--only", nargs="+", default=[], metavar="CORPUS", help="such as en")
    made.add_argument("--peers", nargs="+", default=[], metavar="NAME", help="not all of them")
    made.add_argument(
        "--peers-python", type=Path, metavar="PYTHON", help="the interpreter that has the peers"
    )
    made.add_argument("--tokenizers", type=Path, metavar="DIR", help="for encoding")
    made.add_argument("--json", type=Path, metavar="OUT", help="all figures")
    made.add_argument("--from", type=Path, nargs="+", dest="saved", metavar="RAW.json")
    made.add_argument("--plot", type=Path, metavar="OUT.svg", help="how cost grows, drawn")
    made.add_argument("--markdown", action="store_true", help="short tables, for the README")
    return made


def main() -> int:
    made = parser()
    given = made.parse_args()
    unknown = [name for name in given.subjects if name not in SUBJECTS]
    if unknown:
        made.error(f"{unknown[0]} is none of {', '.join(SUBJECTS)}")
    if given.saved:
        measured = joined([one for path in given.saved for one in load(path)])
    elif given.corpora is None or not given.corpora.is_dir():
        made.error("give a folder of corpora, or --from")
    else:
        measured = _measure(given)
    for one in measured:
        print(_shown(one, given.markdown), end="\n\n")
        if given.plot and one.subject == "growth":
            given.plot.write_text(growth.drawing(one.rows), "utf-8")
    return 0


def _measure(given: Given) -> list[Measured]:
    if given.peers_python:
        os.environ[PEERS_PYTHON] = str(given.peers_python)
    print("Compiling the kernels, where they are not compiled yet", file=sys.stderr, flush=True)
    subprocess.run(
        [sys.executable, "-m", "bpe_studio.warm"], cwd=ROOT, env=environment(), check=True
    )
    measured = []
    for subject in given.subjects or list(SUBJECTS):
        rows: list[Row] = []
        measured.append(_begin(subject, rows, _command(given)))
        for row in SUBJECTS[subject](given):
            rows.append(row)
            if given.json:  # row by row: what is measured is kept when a later one is interrupted
                save(measured, given.json)
    return measured


def _begin(subject: str, rows: list[Row], command: str) -> Measured:
    peers = {"training": TRAINERS, "encoding": ENCODERS}.get(subject, {})
    own = ["numba", "numpy", "regex"]
    others = [peer.package for peer in peers.values() if peer.package not in own]
    return Measured(
        subject=subject,
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        command=command,
        machine=machine(),
        versions=versions(own) | versions(others, python_of("a peer")),
        rows=rows,
    )


def _command(given: Given) -> str:
    """What was asked for, without the places of this machine."""
    names = {given.corpora: "CORPORA", given.tokenizers: "DIR", given.json: "RAW.json"}
    names |= {given.plot: "OUT.svg", given.peers_python: "PYTHON"}
    places = {str(path): name for path, name in names.items() if path is not None}
    return " ".join(["python -m tests.bench", *(places.get(word, word) for word in sys.argv[1:])])


def _shown(measured: Measured, short: bool) -> str:
    commands = ", ".join(f"`{command}`" for command in measured.command.split("\n"))
    title = f"{measured.subject.capitalize()}, {measured.date}: {commands}"
    names = ", ".join(f"{name} {number}" for name, number in measured.versions.items())
    about = f"{measured.machine}. {names}."
    return f"{title}  \n{about}\n\n{TABLES[measured.subject](measured.rows, short)}"


if __name__ == "__main__":
    sys.exit(main())
