"""Numbers, names and places in reports: one spelling in every format."""

from __future__ import annotations

import math

from bpe_studio.analysis.health_figures import Unit
from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.page import NOTHING

__all__ = [
    "cut",
    "figure",
    "percent",
    "plural",
    "ratio",
    "safe_words",
    "short",
    "shown",
    "signed",
    "whole",
]


def whole(number: int | None) -> str:
    """``12,345``"""
    return NOTHING if number is None else f"{number:,}"


def percent(share: float | None) -> str:
    """``12.3 %``; what is more than nothing is never shown as nothing, nor less than all as all.

    >>> percent(0.5), percent(0.00001), percent(0.99999)
    ('50.0 %', '< 0.1 %', '> 99.9 %')
    """
    if share is None or math.isnan(share):
        return NOTHING
    if 0 < share < 0.0005:
        return "< 0.1 %"
    return "> 99.9 %" if 0.9995 <= share < 1 else f"{100 * share:.1f} %"


def ratio(value: float | None) -> str:
    """``3.142``"""
    return NOTHING if value is None or math.isnan(value) else f"{value:z,.3f}"


def figure(value: float | None, unit: Unit) -> str:
    """A number of a report in its unit."""
    if value is None:
        return NOTHING
    if unit == "share":
        return percent(value)
    return ratio(value) if unit == "ratio" else whole(int(value))


def signed(number: int | None) -> str:
    """``+12``, ``−3``, ``0``"""
    if number is None:
        return NOTHING
    return f"+{number:,}" if number > 0 else f"−{-number:,}" if number else "0"


def plural(number: int, thing: str) -> str:
    """``1 token``, ``2,000 tokens``"""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def short(name: str) -> str:
    """The last part of a path, for the head of a column."""
    return shown(name.replace("\\", "/").rstrip("/").rpartition("/")[2] or name)


def shown(text: str) -> str:
    """Text of a corpus, or the name of a file, as one line that hides nothing; spaces stay."""
    # Names of files may be no text: their bytes are shown, whatever Python made of them.
    data = text.encode("utf-8", "surrogateescape" if _escaped(text) else "surrogatepass")
    return readable(data, spaces=False)


def cut(text: str, longest: int = 160) -> str:
    """The middle of a long token in readable form is left out."""
    if len(text) <= longest:
        return text
    return f"{text[: longest * 2 // 3]} … {text[-longest // 4 :]}"


def safe_words(text: str) -> str:
    """What every format does with every text before it escapes it: no control, no surrogate.

    >>> safe_words("a\u202eb")
    'a⟨202E⟩b'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else f"⟨{ord(char):04X}⟩" for char in text)


def _escaped(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True
