"""What tables are compared on: the probe texts, the Corpus panel's files, or files."""

from __future__ import annotations

from bpe_studio.gui.models.corpus_source import PROBE, Source
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.widgets.source_box import SourceBox


class CompareSource(SourceBox):
    """Offers the probe texts first: they need no files, and are compared at once."""

    order = ("probe",)

    def __init__(self, corpus: CorpusState) -> None:
        super().__init__(corpus, "Compare on")

    def sources(self) -> list[tuple[Source, str]]:
        return [(PROBE, ""), self.panel_source()]
