"""Which program makes a report."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def version_of_program() -> str:
    """The version that is installed; empty where it runs from a folder."""
    try:
        return version("bpe-studio")
    except PackageNotFoundError:
        return ""
