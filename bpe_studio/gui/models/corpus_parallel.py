"""Which files of a corpus say the same in other languages."""

from __future__ import annotations

from bpe_studio.gui.models.corpus_question import ComparedCorpus


def parallel_files(compared: ComparedCorpus) -> list[int]:
    """Places in `comparison.files`, the reference first.

    Those of the probe texts are known; of another corpus all may be, and the user knows.
    """
    files = compared.comparison.files
    if compared.question.source.kind != "probe":
        return list(range(len(files)))
    from bpe_studio.probe import PROBE_PARALLEL

    places = {name: place for place, name in enumerate(files)}
    return [places[name] for name in PROBE_PARALLEL if name in places]
