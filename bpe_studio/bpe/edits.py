"""What is done to a text before it is cut into pieces: every change as data.

The names are those of Hugging Face's normalizers, whose files hold most of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "CharsMap",
    "Edit",
    "Form",
    "Lowercase",
    "Nmt",
    "Prepend",
    "Replace",
    "Strip",
    "StripAccents",
    "Unicode",
]

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


@dataclass(frozen=True, slots=True)
class Unicode:
    """A Unicode normalization form."""

    form: Form


@dataclass(frozen=True, slots=True)
class Replace:
    """Every match of an expression (for the `regex` package) becomes a text."""

    expression: str
    text: str


@dataclass(frozen=True, slots=True)
class Prepend:
    """A text put in front of every part that is not empty.

    Attributes
    ----------
    unless_there : bool
        Not where the part begins with it already.
    first_only : bool
        Only in front of the part with which the whole text begins.
    """

    text: str
    unless_there: bool = False
    first_only: bool = False


@dataclass(frozen=True, slots=True)
class Lowercase:
    """Every character by itself: a final sigma is not told from another."""


@dataclass(frozen=True, slots=True)
class Strip:
    """White space at the ends goes."""

    left: bool = True
    right: bool = True


@dataclass(frozen=True, slots=True)
class StripAccents:
    """Combining marks go."""


@dataclass(frozen=True, slots=True)
class Nmt:
    """Control characters go, and what looks like a space becomes one."""


@dataclass(frozen=True, slots=True)
class CharsMap:
    """The precompiled map of a SentencePiece file: the longest match at every place is replaced.

    Attributes
    ----------
    data : bytes
        A double-array trie and the replacements, as the file has them.
    by_grapheme : bool
        Whether short grapheme clusters are looked up whole, as Hugging Face does.
    kept : tuple of str
        Texts in which nothing is replaced: the user-defined symbols of SentencePiece.
    """

    data: bytes
    by_grapheme: bool = False
    kept: tuple[str, ...] = ()


Edit = Unicode | Replace | Prepend | Lowercase | Strip | StripAccents | Nmt | CharsMap
