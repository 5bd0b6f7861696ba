"""What a table is checked on: nothing else, its training's corpus, the Corpus panel's, or files."""

from __future__ import annotations

from bpe_studio.gui.models.corpus_source import Source, training_source
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.source_box import SourceBox

NO_TRAINING = (
    "The files of this table's training are not known here; it was not trained in this window."
)


class HealthSource(SourceBox):
    """Offers the table alone, too, and the corpus of its training."""

    order = ("training", "panel", "table")

    def __init__(self, corpus: CorpusState) -> None:
        self._table: OpenTable | None = None
        super().__init__(corpus, "Check on")

    def set_table(self, table: OpenTable | None) -> None:
        """Offer the corpus of another table's training; what was chosen stays if it can."""
        self._table = table
        self._fill()

    def sources(self) -> list[tuple[Source, str]]:
        session = self._table.session if self._table is not None else None
        tokenizer = self._table.tokenizer if self._table is not None else None
        trained = session.corpus if session is not None and session.corpus.files else None
        return [
            (Source(), ""),
            (training_source(tokenizer, trained), "" if trained else NO_TRAINING),
            self.panel_source(),
        ]
