"""A picture of the real window, rendered without a display."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PySide6.QtCore import (
    QBuffer,
    QCoreApplication,
    QEvent,
    QIODevice,
    Qt,
    qInstallMessageHandler,
)
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from bpe_studio.analysis.compression import merges_of_size
from bpe_studio.files import write_atomic
from bpe_studio.gui import theme
from bpe_studio.gui.app import make_application, make_window, refusal
from bpe_studio.gui.job import Job
from bpe_studio.gui.main_window import MainWindow
from bpe_studio.gui.screenshot_pages import chose_difference, turn
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.state.text_file import read_text_file

PATIENCE_SECONDS = 120.0
TOKENS_LOOKED_AT = 60
CHARACTERS_LOOKED_AT = 400
MERGES_SHOWN = 3
QUIET_SECONDS = 0.4  # nothing must have run for this long


def screenshot(
    out: str | os.PathLike[str],
    tokenizers: Iterable[str | os.PathLike[str]] = (),
    text: str | os.PathLike[str] | None = None,
    panel: str | None = None,
    size: tuple[int, int] = (1280, 800),
    theme_name: str = "light",
    pattern: str | None = None,
    *,
    select: tuple[int, int] | None = None,
    view: str | None = None,
    vocab_size: int | None = None,
    corpus: Iterable[str | os.PathLike[str]] = (),
    page: str | None = None,
) -> Path:
    """Render the window with tables, a text and a panel in front, and save it as PNG.

    Parameters
    ----------
    tokenizers : paths; the first is the current table, the second is what it is compared with
    text : path, optional
    panel : the title of a panel, such as "compare"; case does not matter
    size : width and height in pixels
    theme_name : "light" or "dark"
    pattern : how a text is cut, for tables whose files do not tell it
    select : characters of the text to select; without it, a long token near its beginning is, and
        for Explain a long word
    view : what Explain has at its top: "why", "variants", "letters", "steps", "tree", "history"
    vocab_size : the size at which the slider over the text stands
    corpus : files and folders on which Health checks the current table; with the panel "compare"
        those on which it compares
    page : what Health shows: "table", "plots", "embeddings", "corpus" or "change"; or Compare:
        "tables", "plots", "text" or "corpus"

    Raises
    ------
    ValueError, OSError
        One sentence: what, where, what to do.
    """
    trouble = refusal()
    if trouble:
        raise ValueError(trouble)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = make_application()
    theme.apply(app, theme_name)
    with tempfile.TemporaryDirectory() as folder, _without_noise():
        window = make_window(SettingsStore(Path(folder)))
        try:
            window.kernels.skip()
            window.resize(*size)
            window.show()
            _open_tables(app, window, tokenizers, pattern or "")
            _fill(window, text, panel)
            _slide(window, vocab_size)
            _settle(app, window)
            _check_size(window, size)
            tells = view is not None or (panel or "").lower() == window.explain.title.lower()
            _look_closer(window, select or (_longest_word(window) if tells else None), view)
            _settle(app, window)
            if corpus or page is not None:
                turn(window, [Path(name) for name in corpus], page)
                _settle(app, window)
                if chose_difference(window):
                    _settle(app, window)
            if view is not None:
                window.explain.reveal("piece" if view in ("steps", "tree") else view)
                _settle(app, window)
            path = Path(out)
            write_atomic(path, _png(window))
            return path
        finally:
            window.closing.end_all(window, window.training, window.corpus)
            window.hide()
            window.deleteLater()
            app.processEvents()
            # Without a loop that runs, what is to be deleted waits for ever, and is dressed anew
            # with every theme.
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@contextmanager
def _without_noise() -> Iterator[None]:
    """The offscreen platform says of every window that it has no size hints."""

    def tell(_kind: object, _context: object, message: str) -> None:
        if "propagateSizeHints" not in message:
            print(message, file=sys.stderr)

    before = qInstallMessageHandler(tell)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


def panel_named(window: MainWindow, name: str) -> object:
    """The panel with this title.

    Raises
    ------
    ValueError
        There is none; the sentence names those that are there.
    """
    for panel in window.panels:
        if name.lower() in (panel.title.lower(), panel.title.lower().split()[0]):
            return panel
    titles = ", ".join(panel.title.lower() for panel in window.panels)
    raise ValueError(f"There is no panel {name!r}; the panels are {titles}.")


def _open_tables(
    app: object,
    window: MainWindow,
    tokenizers: Iterable[str | os.PathLike[str]],
    pattern: str,
) -> None:
    for tokenizer in tokenizers:
        window.files.open_table(Path(tokenizer), pattern=pattern, asks=False)
        _settle(app, window)
    if window.tables.tables:
        window.tables.set_current(window.tables.tables[0])


def _fill(window: MainWindow, text: str | os.PathLike[str] | None, panel: str | None) -> None:
    wanted = panel_named(window, panel) if panel else window.text_panel
    if text is not None:
        for _ in read_text_file(Path(text)):
            pass  # the panel would tell in the picture that it cannot be read
        window.text_panel.open_file(Path(text))
    else:
        window.text_panel.show_sample()
    window.show_panel(wanted)
    if wanted is window.explain:  # it is what the picture is about
        docks = [window.docks[window.merges], window.docks[window.explain]]
        window.resizeDocks(docks, [2, 5], Qt.Orientation.Vertical)


def _slide(window: MainWindow, vocab_size: int | None) -> None:
    """Move the slider to a size, and have the curve of the text drawn."""
    current = window.tables.current
    if current is not None and vocab_size is not None:
        window.size_state.set_merges(merges_of_size(current.tokenizer, vocab_size))
    window.text_panel.slide.trace()


def _check_size(window: MainWindow, size: tuple[int, int]) -> None:
    least = window.minimumSizeHint().expandedTo(window.minimumSize())
    if size[0] < least.width() or size[1] < least.height():
        raise ValueError(
            f"The window cannot be {size[0]}x{size[1]}; the least is "
            f"{least.width()}x{least.height()}."
        )


def _png(window: MainWindow) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    window.grab().save(buffer, "PNG")
    return bytes(buffer.data())


def _look_closer(window: MainWindow, select: tuple[int, int] | None, view: str | None) -> None:
    """What a user does next: choose a token or a span, ask for findings, merge a few pairs."""
    if window.tabs.currentWidget() is window.lesson:
        window.menus["only_views"].trigger()
        window.lesson.run.run_to(MERGES_SHOWN)
        return
    if window.tables.current is None:
        return
    if window.tabs.currentWidget() is window.health:
        window.health.check()
    if view in ("steps", "tree"):
        window.explain.view.set_merges(view)
    if select is not None:
        _select(window, *select)
        return
    layout = window.text_panel.pane.token_layout()
    wanted = _longest(window, layout.ids[:TOKENS_LOOKED_AT].tolist()) if layout is not None else -1
    for _ in range(wanted):
        window.text_panel.pane.walk(1)


def _longest_word(window: MainWindow) -> tuple[int, int] | None:
    """A word near the beginning of the text of which there is much to tell."""
    words = re.finditer(r"[^\W\d_]+", window.text.text[:CHARACTERS_LOOKED_AT])
    spans = [word.span() for word in words]
    return max(spans, key=lambda span: span[1] - span[0], default=None)


def _select(window: MainWindow, start: int, end: int) -> None:
    """Select characters of the text, or walk to the token that they are."""
    pane, text = window.text_panel.pane, window.text.text
    if end > len(text):
        raise ValueError(
            f"The span {start:,}:{end:,} is not in the text, which has {len(text):,} characters."
        )
    layout = pane.token_layout()
    places = layout.characters.tolist() if layout is not None else []
    if [start, end] in places:
        token = places.index([start, end])
        pane.reveal(token)
        pane.set_current(token)
        pane.tokenClicked.emit(token)
        return
    if isinstance(pane, QPlainTextEdit):
        first, last = pane.positions_of(np.array([start, end])).tolist()
        cursor = pane.textCursor()
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        pane.setTextCursor(cursor)
        pane.ensureCursorVisible()
    window.selection.select_span(text, start, end)


def _longest(window: MainWindow, ids: list[int]) -> int:
    """The place of the longest token: it has the most to explain."""
    sizes = [len(window.tables.current.tokenizer.token_bytes(token)) for token in ids]
    return sizes.index(max(sizes)) if sizes else -1


def _settle(app: object, window: MainWindow) -> None:
    """Let events run until no job has run for a while."""
    end = time.monotonic() + PATIENCE_SECONDS
    quiet_since = time.monotonic()
    while time.monotonic() < end:
        app.processEvents()
        time.sleep(0.005)
        owners = (window, window.training, window.corpus)
        if any(job.running for owner in owners for job in owner.findChildren(Job)):
            quiet_since = time.monotonic()
        elif time.monotonic() - quiet_since > QUIET_SECONDS:
            return
