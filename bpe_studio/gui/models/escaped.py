"""Tooltips whose text is data: escaped, a line for each line."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def escaped_lines(lines: Iterable[str]) -> str:
    """Lines as the markup that shows them as they are.

    >>> escaped_lines(["<pad>", "id 0"])
    '<span>&lt;pad&gt;<br>id 0</span>'
    """
    return f"<span>{'<br>'.join(escape(line) for line in lines)}</span>"
