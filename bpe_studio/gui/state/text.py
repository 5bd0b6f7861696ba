"""The text of the Text pane, shared with Compare and Explain."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class TextState(QObject):
    """One text and where it came from.

    Lone surrogates, which no file can hold, are replaced when they come in, and counted in
    `.replaced`.

    Signals
    -------
    textChanged(object)
        The text is another one now. It is given as an object: Qt would copy a str for each that
        listens, and for 10 MB that is a second.
    whitespaceChanged(bool)
        Whether spaces and line ends are to be shown.
    """

    textChanged = Signal(object)
    whitespaceChanged = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._name = ""
        self._replaced = 0
        self._whitespace = False

    @property
    def text(self) -> str:
        """The text, without lone surrogates."""
        return self._text

    @property
    def name(self) -> str:
        """The name of the file it was read from, or nothing."""
        return self._name

    @property
    def replaced(self) -> int:
        """How many lone surrogates were replaced."""
        return self._replaced

    @property
    def show_whitespace(self) -> bool:
        """Whether spaces and line ends are to be shown."""
        return self._whitespace

    def set_text(self, text: str, *, name: str = "") -> None:
        """Take a text, and the name of its file where it has one."""
        clean, replaced = without_surrogates(text)
        self._name, self._replaced = name, replaced
        if clean != self._text:
            self._text = clean
            self.textChanged.emit(clean)

    def set_show_whitespace(self, shown: bool) -> None:
        """Show or hide spaces and line ends."""
        if shown != self._whitespace:
            self._whitespace = shown
            self.whitespaceChanged.emit(shown)


def without_surrogates(text: str) -> tuple[str, int]:
    """Return a text with U+FFFD for its lone surrogates, and how many it had."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        clean = "".join(REPLACEMENT if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)
        return clean, sum(0xD800 <= ord(c) <= 0xDFFF for c in text)
    return text, 0
