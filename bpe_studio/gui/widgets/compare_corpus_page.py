"""The Corpus page of Compare: what the open tables make of files."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.corpus_comparing import CorpusComparing
from bpe_studio.gui.models.corpus_figure_rows import TableRow
from bpe_studio.gui.models.corpus_figures import headline
from bpe_studio.gui.models.corpus_question import Compare, ComparedCorpus
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.basics import Button, lines
from bpe_studio.gui.widgets.clamped_label import ClampedLabel
from bpe_studio.gui.widgets.compare_sections import CompareSections
from bpe_studio.gui.widgets.compare_source import CompareSource
from bpe_studio.gui.widgets.notice import NoticeBar
from bpe_studio.gui.widgets.pass_strip import PassStrip
from bpe_studio.gui.widgets.words import counted, plain_tip

ONE_TABLE = "A and B are the same table; choose another for one of them."
OTHER_TABLES = "These figures are of {} and {}, not of the tables chosen now."
OLDER_TABLES = "The tables have changed since these figures were counted."
MORE_TABLES = "Not all tables that are chosen are among these figures."
ASK = "Press Compare to count what both make of {}: tokens, words, numbers, and where they part."
STOPPED = "The comparison was stopped."
OLD_FIGURES = "The figures are still those of {}."


class CompareCorpusPage(QWidget):
    """What to compare on, how far that is, and in sections what came of it.

    Signals
    -------
    tokenChosen(object, int)
        A token was chosen: the `OpenTable` and its id there.
    spanChosen(str, int, int)
        Characters of a text were chosen, which any table can be asked about.
    sidesAsked(object, object)
        Other tables are to be A and B, two of `OpenTable`.
    partnerAsked()
        A table of another kind is to be trained beside A.
    runningChanged()
        A comparison has begun or ended.
    resultChanged()
        There is another `result`, or none any more.
    """

    tokenChosen = Signal(object, int)
    spanChosen = Signal(str, int, int)
    sidesAsked = Signal(object, object)
    partnerAsked = Signal()
    runningChanged = Signal()
    resultChanged = Signal()

    def __init__(
        self,
        *,
        tables: OpenTables,
        corpus: CorpusState,
        ready: threading.Event | None = None,
        compare: Compare | None = None,
    ) -> None:
        """`compare` stands for `iter_compare_corpus` in tests."""
        super().__init__()
        self._tables = tables
        self._same = self._stopped = False
        self._listed: tuple[OpenTable, ...] = ()
        self.comparing = CorpusComparing(tables, ready=ready, compare=compare, parent=self)
        self.source = CompareSource(corpus)
        self.compare_button = Button("Compare", tip="Compare the tables on these texts")
        self.partner_button = Button(
            "Train a partner …",
            tip="Train WordPiece or Unigram on the Corpus panel's files, as large as A (Shift+F5)",
        )
        self.strip = PassStrip("comparison")
        self.headline = ClampedLabel(most=2)
        self.headline.setAccessibleName("What the comparison tells")
        self.notice = NoticeBar()
        self.sections = CompareSections()
        self._build()
        self._wire()
        self._show_result()

    @property
    def result(self) -> ComparedCorpus | None:
        """The newest comparison, with its tables."""
        return self.comparing.result

    @property
    def running(self) -> bool:
        """Whether tables are being compared."""
        return self.comparing.runner.running

    def stop(self) -> None:
        """End a comparison; what was shown before stays."""
        if self.running:
            self._stopped = True
            self.comparing.stop()
            self.strip.tell_cancelled()

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """Take the tables that are compared in detail, as they are now."""
        self._same = a is not None and a is b
        self.comparing.set_sides(a, b)

    # What menus ask for

    def compare(self) -> None:
        """Compare on what is chosen."""
        self.comparing.compare()

    def compare_probe(self) -> None:
        """Compare on the built-in probe texts."""
        self.source.choose("probe")
        self.comparing.compare()

    def compare_corpus(self) -> None:
        """Compare on the files of the Corpus panel; without any, let the user choose files."""
        if self.source.choose("panel"):
            self.comparing.compare()
        else:
            self.ask_files()

    def compare_paths(self, paths: list[Path]) -> None:
        """Compare on files and folders."""
        self.source.choose_paths(paths)
        self.comparing.compare()

    def ask_files(self) -> None:
        """Let the user choose files, and compare on them."""
        if self.source.ask_files():
            self.comparing.compare()

    def ask_folder(self) -> None:
        """Let the user choose a folder, and compare on it."""
        if self.source.ask_folder():
            self.comparing.compare()

    def ask_partner(self) -> None:
        """Ask for a table of another kind beside A."""
        self.partnerAsked.emit()

    def show_section(self, section: int) -> None:
        """Bring a section to the front."""
        self.sections.show_section(section)

    # Construction

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.source, 1)
        row.addWidget(self.compare_button)
        row.addWidget(self.partner_button)
        column = lines(row, self.strip, self.headline, self.notice, margin=0)
        column.addWidget(self.sections, 1)
        self.setLayout(column)

    def _wire(self) -> None:
        comparing = self.comparing
        self.source.changed.connect(lambda: comparing.set_source(self.source.source))
        self.compare_button.clicked.connect(lambda _: self.compare())
        self.partner_button.clicked.connect(lambda _: self.ask_partner())
        self.strip.cancelAsked.connect(self.stop)
        self.sections.sideAsked.connect(self._on_side)
        self.sections.partAsked.connect(self._on_part)
        self.sections.textChosen.connect(self._on_piece)
        self.sections.sizeChanged.connect(self._tell)
        comparing.wantedChanged.connect(self._show_wanted)
        comparing.began.connect(self._on_began)
        comparing.found.connect(self._show_result)
        comparing.failed.connect(self._on_failed)
        comparing.ended.connect(self._on_ended)
        comparing.runner.stepped.connect(lambda step: self.strip.tell(step, comparing.runner.pace))

    # What comes of it

    def _on_began(self) -> None:
        asked = self.comparing.runner.subject
        self.strip.begin(counted(len(asked.tables), "table"))
        self._stopped = False
        self.notice.hide()
        self._show_wanted()
        self.runningChanged.emit()

    def _on_ended(self) -> None:
        self.strip.end()
        self._show_wanted()
        if self._stopped:
            self._tell_stopped()
        self.runningChanged.emit()

    def _tell_stopped(self) -> None:
        result = self.result
        title = "" if result is None else result.question.source.title
        self.notice.tell(STOPPED + (f" {OLD_FIGURES.format(title)}" if title else ""))

    def _on_failed(self, sentence: str) -> None:
        self.notice.tell(sentence)

    def _show_result(self) -> None:
        result = self.result
        self.sections.show_compared(result)
        if result is not None:
            self.notice.hide()
        self._show_wanted()
        self.resultChanged.emit()

    def _show_wanted(self) -> None:
        """What can be asked for, what is said above the sections, and the list of tables."""
        comparing = self.comparing
        self.compare_button.setEnabled(comparing.to_do and not self.running)
        self._tell()
        if comparing.outdated and not self.running and self.source.source.kind != "probe":
            self.notice.ask(self._outdated_words(), "Compare again", self.compare, focus=False)
        elif self.notice.asking:
            self.notice.hide()
        self._list_tables()

    def _tell(self) -> None:
        """What is said above the sections."""
        comparing, result = self.comparing, self.result
        if self._same:
            words = ONE_TABLE
        elif result is not None:
            title, equal = result.question.source.title, self.sections.at_equal_size
            words = headline(result.comparison, title, result.names, equal=equal)
        elif comparing.question() is not None and not self.running:
            words = ASK.format(self.source.source.title)
        else:
            words = ""
        self.headline.setText(words)
        self.headline.setToolTip(plain_tip(words) if words else "")
        self.headline.setVisible(bool(words))

    def _outdated_words(self) -> str:
        result, sides = self.result, self.comparing.sides
        assert result is not None
        if result.tables[:2] != sides:
            return OTHER_TABLES.format(*result.names[:2])
        now = all(table.tokenizer is made for table, made in result.question.pairs.items())
        return MORE_TABLES if now else OLDER_TABLES

    def _list_tables(self) -> None:
        sides, result = self.comparing.sides, self.result
        named = list(sides or ())
        self._listed = (*named, *(table for table in self._tables if table not in named))
        known = {} if result is None else result.question.pairs
        figures = {} if result is None else dict(
            zip(result.tables, result.comparison.tables, strict=True)
        )  # fmt: skip
        rows = [
            TableRow(
                table.name,
                "AB"[named.index(table)] if table in named else "",
                self.comparing.takes_part(table),
                fixed=table in named or bool(table.tokenizer.view_only),
                figures=figures.get(table) if known.get(table) is not None else None,
                why=table.tokenizer.view_only or "",
            )
            for table in self._listed
        ]
        self.sections.show_tables(rows, result)

    def _on_piece(self, text: str, side: int) -> None:
        """Ask the table that needs more tokens for it."""
        result = self.result
        if result is not None and self._tables.index(result.tables[side]) >= 0:
            self._tables.set_current(result.tables[side])
        self.spanChosen.emit(text, 0, len(text))

    # What is asked for in the list

    def _on_side(self, row: int, side: int) -> None:
        table, sides = self._listed[row], self.comparing.sides
        if sides is None or table is sides[side]:
            return
        other = sides[1 - side]
        if other is table:  # it is the other one: they change places
            other = sides[side]
        self.sidesAsked.emit(*((table, other) if side == 0 else (other, table)))

    def _on_part(self, row: int, chosen: bool) -> None:
        self.comparing.set_part(self._listed[row], chosen)

    # Qt's questions

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.comparing.eager = True
        self.comparing.look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.comparing.eager = False
