"""What the menus of the main window hold."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from bpe_studio import formats
from bpe_studio.gui.compare_menu import compare_menu
from bpe_studio.gui.explanation_menu import explanation_menu
from bpe_studio.gui.file_actions import FileActions
from bpe_studio.gui.health_menu import health_menu
from bpe_studio.gui.lesson_menu import lesson_menu
from bpe_studio.gui.menus import SEPARATOR, Item, Menus
from bpe_studio.gui.size_menu import size_menu
from bpe_studio.gui.state.open_tables import OpenTables
from bpe_studio.gui.state.settings_store import SettingsStore

EXAMPLES = {
    "sample-chars": "a base of characters",
    "stdlib-8k": "Python's standard library",
    "worked-example": "four merges to follow by hand",
}
EDITS = (
    ("undo", "&Undo", "Ctrl+Z"),
    ("redo", "&Redo", "Ctrl+Shift+Z"),
    ("cut", "Cu&t", "Ctrl+X"),
    ("copy", "&Copy", "Ctrl+C"),
    ("paste", "&Paste", "Ctrl+V"),
    ("selectAll", "Select &all", "Ctrl+A"),
)
THEMES = (("system", "&As the desktop"), ("light", "&Light"), ("dark", "&Dark"))
PANEL_KEYS = {"Health": "He&alth", "Corpus and training": "Corpu&s and training", "Curve": "C&urve"}
"""Letters of the View menu where the first one of a panel's title is taken."""


def build_menus(window: QMainWindow) -> Menus:
    """Fill the menu bar of a `MainWindow` (which this module is not to import)."""
    menus = Menus(window)
    _file(menus, window)
    _edit(menus, window)
    _view(menus, window)
    _tokenizer(menus, window)
    lesson_menu(menus, window)
    compare_menu(menus, window)
    health_menu(menus, window)
    _help(menus, window)
    return menus


def _file(menus: Menus, window: QMainWindow) -> None:
    keys, files, saving = QKeySequence.StandardKey, window.files, window.saving
    recent = menus.submenu("Open &recent", [])
    examples = menus.submenu("Open e&xample", [])
    for name in formats.table_names():
        words = f"{name}: {EXAMPLES[name]}" if name in EXAMPLES else name
        action = examples.addAction(words.replace("&", "&&"))
        action.triggered.connect(lambda _, name=name: files.open_example(name))
    menu = menus.add(
        "&File",
        [
            Item(name="new", text="&New corpus", keys=keys.New, done=window.new_corpus),
            Item(name="open", text="&Open …", keys=keys.Open, done=files.ask_open),
            Item(
                name="open_folder",
                text="Open model &folder …",
                keys="Ctrl+Shift+O",
                done=files.ask_folder,
            ),
            recent,
            examples,
            SEPARATOR,
            Item(name="save", text="&Save", keys=keys.Save, done=saving.save),
            Item(name="save_as", text="Save &as …", keys="Ctrl+Shift+S", done=saving.ask_save),
            Item(name="save_csv", text="Save &merges as CSV …", done=window.merges.ask_and_save),
            SEPARATOR,
            Item(name="quit", text="&Quit", keys="Ctrl+Q", done=window.close),
        ],
    )
    menu.aboutToShow.connect(lambda: _fill_recent(recent, window.store, files))
    _fill_recent(recent, window.store, files)


def _edit(menus: Menus, window: QMainWindow) -> None:
    keys = QKeySequence.StandardKey
    menus.add(
        "&Edit",
        [
            *(
                # The keys are those of the widgets; an action with them would take them away.
                Item(name=name, text=f"{text}\t{shown}", done=lambda name=name: edit(window, name))
                for name, text, shown in EDITS
            ),
            SEPARATOR,
            Item(
                name="copy_ids",
                text="Copy token &ids",
                keys="Ctrl+Shift+C",
                done=window.text_panel.copy_ids,
            ),
            Item(name="copy_rows", text="Copy merges as &table", done=window.merges.copy_rows),
            SEPARATOR,
            Item(
                name="find",
                text="&Find, or filter this panel",
                keys=keys.Find,
                done=window.focus_filter,
            ),
            *_text_items(window),
            SEPARATOR,
            Item(name="rank", text="&Jump to rank …", keys="Ctrl+Shift+J", done=window.go_to_rank),
            Item(
                name="only_flagged",
                text="Only fla&gged merges, or all",
                keys="Ctrl+Shift+M",
                done=window.show_only_flagged,
            ),
        ],
    )


def _text_items(window: QMainWindow) -> list[Item]:
    """Finding in the text and counting its tokens; the Text panel comes to the front for it."""
    tools = window.text_panel.tools

    def in_text(what: Callable[[], None]) -> Callable[[], None]:
        def done() -> None:
            window.tabs.setCurrentWidget(window.text_panel)
            what()

        return done

    wanted = (
        ("find_next", "Find &next", "F3", tools.find_next),
        ("find_previous", "Find pre&vious", "Shift+F3", tools.find_previous),
        ("find_equal", "Find all tokens &equal to this one", "Ctrl+E", tools.find_equal),
        ("offset", "&Go to a character or byte …", "Ctrl+G", tools.go_to_offset),
        ("frequencies", "C&ount the tokens of the text", "Ctrl+Shift+F", tools.toggle_frequencies),
    )
    return [
        Item(name=name, text=text, keys=keys, done=in_text(done))
        for name, text, keys, done in wanted
    ]


def edit(window: QMainWindow, what: str) -> None:
    """Do to the widget with the keyboard what its own key would do, if it can."""
    widget = window.focusWidget()
    while widget is not None and not hasattr(widget, what):
        widget = widget.parentWidget()
    if widget is not None:
        getattr(widget, what)()


def _view(menus: Menus, window: QMainWindow) -> None:
    chosen = window.store.get("theme", "system")
    themes = menus.submenu(
        "T&heme",
        [
            Item(
                name=f"theme_{name}",
                text=text,
                done=lambda name=name: window.set_theme(name),
                checkable=True,
                checked=name == chosen,
                group="theme",
            )
            for name, text in THEMES
        ],
    )
    places = [
        Item(
            name=f"show_{number}",
            text=PANEL_KEYS.get(panel.title, f"&{panel.title}"),
            keys=f"Ctrl+{number}",
            done=lambda _=False, panel=panel: _show(menus, window, panel),
            checkable=True,
        )
        for number, panel in enumerate(window.panels, start=1)
    ]
    menu = menus.add(
        "&View",
        [
            *places,
            SEPARATOR,
            Item(
                name="whitespace",
                text="Show &whitespace",
                keys="Ctrl+Shift+W",
                done=window.text.set_show_whitespace,
                checkable=True,
                checked=window.text.show_whitespace,
            ),
            Item(
                name="which_size",
                text="Which &vocabulary size?",
                keys="Ctrl+Shift+A",
                done=lambda shown: _ask_size(window, shown),
                checkable=True,
            ),
            themes,
            explanation_menu(menus, window),
            SEPARATOR,
            Item(
                name="only_views",
                text="&Only the views",
                keys="F11",
                done=window.layout_of_docks.show_only_middle,
                checkable=True,
            ),
            Item(name="reset_layout", text="&Reset layout", done=lambda: _reset(menus, window)),
        ],
    )
    menu.aboutToShow.connect(lambda: _tick(menus, window))
    window.text.whitespaceChanged.connect(menus["whitespace"].setChecked)
    window.curve.sizingShown.connect(menus["which_size"].setChecked)


def _reset(menus: Menus, window: QMainWindow) -> None:
    menus["only_views"].setChecked(False)
    window.layout_of_docks.arrange()


def _show(menus: Menus, window: QMainWindow, panel: QWidget) -> None:
    window.show_panel(panel)
    _tick(menus, window)


def _ask_size(window: QMainWindow, shown: bool) -> None:
    window.show_panel(window.curve)
    window.curve.show_sizing(shown)


def _tick(menus: Menus, window: QMainWindow) -> None:
    """Tick the panels that are open: docks in sight, and the view in front."""
    for number, panel in enumerate(window.panels, start=1):
        action = menus[f"show_{number}"]
        dock = window.docks.get(panel)
        shown = dock.isVisible() if dock is not None else window.tabs.currentWidget() is panel
        action.blockSignals(True)
        action.setChecked(shown)
        action.blockSignals(False)


def _tokenizer(menus: Menus, window: QMainWindow) -> None:
    panel = window.training_panel
    tables = menus.submenu("Open &tables", [])
    tables.aboutToShow.connect(lambda: _fill_tables(tables, window.tables))
    menus.add(
        "&Tokenizer",
        [
            Item(name="files", text="Add &files …", done=panel.corpus_list.ask_files),
            Item(name="folder", text="Add f&older …", done=panel.corpus_list.ask_folder),
            Item(
                name="sample",
                text="Train on this Python's standard &library",
                done=panel.train_sample,
            ),
            SEPARATOR,
            Item(name="start", text="&Start", keys="F5", done=panel.start),
            Item(name="step", text="St&ep: one merge", keys="F10", done=panel.step),
            Item(name="continue", text="&Continue", keys="F8", done=panel.continue_),
            Item(name="stop", text="Sto&p", keys="Esc", done=window.stopping.ask),
            Item(
                name="retrain",
                text="&Retrain without …",
                keys="Ctrl+Shift+R",
                done=window.retraining.ask,
            ),
            SEPARATOR,
            size_menu(menus, window),
            tables,
            Item(name="next", text="&Next table", keys="Ctrl+Tab", done=window.tables.next),
            Item(name="close", text="&Close table", keys="Ctrl+W", done=window.saving.close_table),
        ],
    )


def _help(menus: Menus, window: QMainWindow) -> None:
    menus.add(
        "&Help",
        [
            Item(
                name="shortcuts",
                text="&Keyboard shortcuts",
                keys=QKeySequence.StandardKey.HelpContents,
                done=window.show_shortcuts,
            ),
            Item(name="about", text="&About BPE Studio", done=window.show_about),
        ],
    )


def _fill_recent(menu: QMenu, store: SettingsStore, files: FileActions) -> None:
    """List the files that were opened or saved lately."""
    menu.clear()
    for path in store.recent():
        action = menu.addAction(str(path).replace("&", "&&"))
        action.triggered.connect(lambda _, path=path: files.open_recent(path))
    menu.setEnabled(not menu.isEmpty())


def _fill_tables(menu: QMenu, tables: OpenTables) -> None:
    """List the open tables; the current one is checked."""
    menu.clear()
    for table in tables:
        action = menu.addAction(table.name.replace("&", "&&") + (" ●" if table.dirty else ""))
        action.setCheckable(True)
        action.setChecked(table is tables.current)
        action.triggered.connect(lambda _, table=table: tables.set_current(table))
