"""The probe texts that come with the program: a first answer where no corpus is at hand.

They are small and of our own writing: one news story in eight languages, translated paragraph by
paragraph, and code, data, formulas, numbers and emoji. They tell how tables differ, not how well
one does on the text that it is meant for.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from bpe_studio.bpe.folders import Corpus, CorpusFile

__all__ = ["PROBE_PARALLEL", "probe_corpus", "probe_folder"]

PROBE_PARALLEL: Final = (
    "English.txt",
    "German.txt",
    "Russian.txt",
    "Chinese.txt",
    "Japanese.txt",
    "Korean.txt",
    "Arabic.txt",
    "Hindi.txt",
)
"""Labels of the files that say the same, each line the same; the reference comes first."""

_OTHERS: Final = (
    "Python.py",
    "C.c",
    "JSON.json",
    "LaTeX.tex",
    "Markdown.md",
    "Numbers.txt",
    "Emoji.txt",
)


def probe_folder() -> Path:
    """Where the texts are."""
    return Path(str(files("bpe_studio") / "resources" / "probe"))


def probe_corpus() -> Corpus:
    """The probe texts, the parallel ones first.

    >>> probe_corpus().files[0].label
    'English.txt'
    """
    paths = [probe_folder() / label for label in (*PROBE_PARALLEL, *_OTHERS)]
    return Corpus(tuple(CorpusFile(path, path.name, path.stat().st_size) for path in paths))
