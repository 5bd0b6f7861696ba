"""Which texts a report is about."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CorpusFacts"]


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """Which corpus it was.

    Attributes
    ----------
    name : str
        The names that were given, without the folders that they are in.
    fingerprint : str
        Of the documents, without names, as in a training record; empty where it is not known.
    problems : tuple of str
        What was met in reading, a sentence each with the file.
    """

    name: str
    fingerprint: str = ""
    problems: tuple[str, ...] = ()
