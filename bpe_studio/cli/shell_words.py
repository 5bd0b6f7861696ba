"""Words of a command line, such that what is shown can be copied and names what is meant."""

from __future__ import annotations

import shlex

from bpe_studio.bpe.visible_names import is_invisible

__all__ = ["shell_word"]

_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def shell_word(text: str) -> str:
    """The text quoted for a shell; where it holds what nobody sees, by its bytes.

    Controls, marks of direction and other invisible characters would be lost in copying, or would
    change how the line looks; bash, zsh and ksh read them from ``$'…'``.

    >>> shell_word("a.txt"), shell_word("b c.txt"), shell_word("a\\u202eb")
    ('a.txt', "'b c.txt'", "$'a\\\\xe2\\\\x80\\\\xaeb'")
    """
    if not any(map(is_invisible, text)):
        return shlex.quote(text)
    return f"$'{''.join(map(_escaped, text))}'"


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if not is_invisible(char):
        return char
    # A name of a file that is no UTF-8 comes as lone surrogates, which stand for its bytes.
    data = char.encode("utf-8", "surrogateescape" if "\udc80" <= char <= "\udcff" else "replace")
    return "".join(f"\\x{byte:02x}" for byte in data)
