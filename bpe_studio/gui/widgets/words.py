"""Numbers, sizes and times as people read them, in the locale's way."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QLocale


def plain_tip(text: str) -> str:
    """A tooltip that shows a text as it is, whatever markup it looks like."""
    return f"<span>{escape(text)}</span>"


def number(value: float) -> str:
    """12345 -> 12,345."""
    return QLocale().toString(int(value))


def size(count: float) -> str:
    """12_400_000 -> 12.4 MB."""
    precision = 0 if count < 1000 else 1
    if 999_950 <= count < 1_000_000:  # it would be 1,000.0 kB
        count = 1_000_000
    return QLocale().formattedDataSize(
        int(count), precision, QLocale.DataSizeFormat.DataSizeSIFormat
    )


def percent(done: float, total: float) -> str:
    """3, 4 -> 75 %."""
    return f"{int(100 * done / total)} %" if total else ""


def duration(seconds: float) -> str:
    """72 -> 1 m 12 s."""
    whole = round(seconds)
    if whole < 60:
        return f"{max(1, whole)} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} m {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} m"


def counted(count: int, one: str, many: str = "") -> str:
    """1, "file" -> 1 file; 2, "file" -> 2 files."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"
