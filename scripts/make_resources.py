"""Make the small tables that come with the program.

Run from the root of a checkout: `python scripts/make_resources.py`. The same Python and the
same sample text give the same bytes.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from bpe_studio import formats
from bpe_studio.api import Settings, TrainingSession
from bpe_studio.bpe.corpus import Corpus, find_files, standard_library

RESOURCES = Path(__file__).parent.parent / "bpe_studio" / "resources"


def make_tables(folder: Path) -> None:
    """Train every table and save it in `folder`."""
    save(folder / "stdlib-8k.json", standard_library(), Settings(vocab_size=8000))
    for name, (corpus, settings) in small_tables().items():
        save(folder / f"{name}.json", corpus, settings)


def small_tables() -> dict[str, tuple[Corpus, Settings]]:
    """Those that are the same whatever Python makes them."""
    sample = find_files([RESOURCES / "sample.txt"])
    return {
        "sample-chars": (sample, Settings(vocab_size=1200, base="chars")),
        "worked-example": (worked_example(), Settings(vocab_size=280)),
    }


def worked_example() -> Corpus:
    """The corpus of the README's example."""
    path = Path(tempfile.mkdtemp()) / "lowest.txt"
    path.write_bytes(b"low low lower lowest")
    return find_files([path])


def save(path: Path, corpus: Corpus, settings: Settings) -> None:
    session = TrainingSession(corpus, settings)
    for _ in session.run():
        pass
    formats.save(session.tokenizer(), path)
    print(f"{path.name}: {session.tokenizer()!r}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    tables = RESOURCES / "tables"
    tables.mkdir(exist_ok=True)
    make_tables(tables)
