"""Names of files without what one does not see: controls, marks of direction, odd spaces."""

from __future__ import annotations

from typing import Final

import regex

__all__ = ["is_invisible", "visible_name"]

_INVISIBLE: Final = regex.compile(
    r"[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}"
)


def is_invisible(char: str) -> bool:
    """Whether one sees nothing of a character: controls, marks of direction, odd spaces."""
    return _INVISIBLE.match(char) is not None


def visible_name(name: str) -> str:
    """The name of a file as one line that hides nothing, and in the order in which it is written.

    >>> visible_name("a\\nb.txt"), visible_name("\\u202etxt.exe")
    ('a⟨0A⟩b.txt', '⟨202E⟩txt.exe')
    """
    if name.isascii() and name.isprintable():
        return name
    return "".join(f"⟨{ord(char):02X}⟩" if is_invisible(char) else char for char in name)
