"""What a corpus shows beside the tokens with flags: specials, scripts, and what went wrong."""

from __future__ import annotations

import numpy as np

from bpe_studio.analysis.corpus_use import CorpusUse
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.models.health_words import share
from bpe_studio.gui.models.listing import Listing, number_column, problem_listing, text_column
from bpe_studio.gui.models.numbers import grouped

MOST_FILES = 3
MOST_FAILURES = 20
ALL_READ = "Every file was read to its end."
NOT_KNOWN = "The files are not known here."


def corpus_figures(checked: Checked) -> str:
    """Return how much was read and what it became."""
    use = checked.use
    assert use is not None
    per = use.characters / use.tokens if use.tokens else 0.0
    parts = [
        f"{grouped(use.document_count)} documents in {grouped(len(use.files))} files",
        f"{grouped(use.bytes)} bytes",
        f"{grouped(use.characters)} characters",
        f"{grouped(use.tokens)} tokens",
        f"{per:.2f} characters per token",
    ]
    return "  ·  ".join(parts)


def failures(use: CorpusUse) -> str:
    """Return which documents decoding does not give back."""
    if not use.failure_count:
        return "Round trip: decoding gives every document back."
    shown = ", ".join(str(use.place(number)) for number in use.failures[:MOST_FAILURES])
    more = " …" if use.failure_count > min(MOST_FAILURES, len(use.failures)) else ""
    one = use.failure_count == 1
    return (
        f"Round trip: decoding does not give {grouped(use.failure_count)} "
        f"{'document' if one else 'documents'} back: {shown}{more}."
    )


def listings(checked: Checked) -> tuple[Listing, ...]:
    """Return the tables of the page: specials spelled in the data, scripts, problems."""
    assert checked.use is not None
    none = ALL_READ if checked.corpus else NOT_KNOWN
    return (_specials(checked.use), _scripts(checked.use), problem_listing(checked.problems, none))


def _specials(use: CorpusUse) -> Listing:
    found = use.specials
    files = [
        ", ".join(f"{name} ({grouped(count)})" for name, count in special.files[:MOST_FILES])
        + (" …" if len(special.files) > MOST_FILES else "")
        for special in found
    ]
    return Listing(
        "Specials spelled in the data",
        "The text of the corpus spells no special.",
        (
            text_column("Special", [special.name for special in found], share=1),
            number_column("Count", [special.count for special in found]),
            number_column("Documents", [special.documents for special in found], spare=1),
            text_column("Most in", files, share=2),
        ),
        len(found),
    )


def _scripts(use: CorpusUse) -> Listing:
    found, whole = use.scripts, max(1, use.tokens)
    shares = [script.tokens for script in found]
    return Listing(
        "Tokens by script",
        "No token of the corpus is of a script.",
        (
            text_column("Script", [script.script for script in found], share=1),
            number_column("Tokens", [script.tokens for script in found]),
            Column("Share", lambda row: share(shares[row], whole), lambda: np.array(shares),
                   right=True, sample="00.0 %", spare=1),
            Column(
                "Characters per token",
                lambda row: f"{found[row].characters_per_token:.2f}",
                lambda: np.array([script.characters_per_token for script in found]),
                right=True,
            ),
        ),
        len(found),
    )  # fmt: skip
