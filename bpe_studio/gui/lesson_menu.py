"""What the menu of the lesson holds."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QMainWindow

from bpe_studio.gui.menus import SEPARATOR, Item, Line, Menus


def lesson_menu(menus: Menus, window: QMainWindow) -> None:
    """Add the menu; the keys after a tab are those of the rows, while they have the keyboard."""
    lesson = window.lesson
    run, export = lesson.run, lesson.export

    def front(done: object) -> None:
        window.show_panel(lesson)
        done()

    def item(name: str, text: str, done: object, keys: str | None = None) -> Item:
        return Item(name=f"lesson_{name}", text=text, keys=keys, done=partial(front, done))

    pages: list[Line] = [
        item(f"page_{number}", f"&{words}", partial(lesson.show_page, number), f"Ctrl+Alt+{key}")
        for number, (words, key) in enumerate(
            (("Steps", "1"), ("Units side by side", "2"), ("Traps", "3"))
        )
    ]
    menus.add(
        "&Lesson",
        [
            *pages,
            SEPARATOR,
            item("merge", "&Merge the marked pair\tSpace or Right", lesson.merge),
            item("back", "&Back\tLeft", run.back),
            item("play", "&Play or pause\tP", run.toggle),
            item("reset", "&Reset\tHome", run.reset),
            item("end", "To the &end\tEnd", run.run_to_end),
            item("faster", "&Faster\t+", lesson.faster),
            item("slower", "S&lower\t-", partial(lesson.faster, -1)),
            SEPARATOR,
            item("larger", "Lar&ger type", lesson.enlarge, "Ctrl++"),
            item("smaller", "Sm&aller type", partial(lesson.enlarge, -1), "Ctrl+-"),
            SEPARATOR,
            item("copy", "&Copy the steps as text", export.copy_steps, "Ctrl+Alt+X"),
            item("save", "Sa&ve the steps as text …", export.ask_and_save_steps, "Ctrl+Alt+V"),
            item(
                "picture",
                "Save a p&icture of the lesson …",
                export.ask_and_save_picture,
                "Ctrl+Alt+G",
            ),
            item(
                "window",
                "Save a picture of the &window …",
                partial(export.ask_and_save_picture, True),
                "Ctrl+Alt+P",
            ),
            item("open", "&Open as a table", export.open_as_table, "Ctrl+Alt+L"),
        ],
    )
