"""Saving a report, and what a corpus has told, on a worker thread; reading the latter again."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from bpe_studio.gui.models.corpus_source import Source
from bpe_studio.gui.models.health_check import Checked, Known, iter_checked
from bpe_studio.gui.models.pass_progress import PassStep
from bpe_studio.gui.models.program import version_of_program

if TYPE_CHECKING:
    from bpe_studio.analysis.contexts import Context
    from bpe_studio.analysis.flags import Thresholds
    from bpe_studio.analysis.health_change import HealthChange
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.tokenizer import Tokenizer

WITH_CONTEXT = ("concentrated", "special-look-alike", "over-long", "rare")
MOST_CONTEXTS = 200  # of each kind
REPORTS = {
    "Web page (*.html)": ".html",
    "Markdown (*.md)": ".md",
    "CSV, a row a flag (*.csv)": ".csv",
    "JSON (*.json)": ".json",
}


def iter_saved_report(
    path: Path,
    name: str,
    checked: Checked,
    *,
    change: HealthChange | None = None,
    before_name: str = "",
) -> Generator[int, None, Path]:
    """Save a report by the suffix of its path; yields as it goes, returns the path.

    Raises
    ------
    ValueError, OSError
        In one sentence.
    """
    from bpe_studio.files import write_atomic
    from bpe_studio.reports.corpus_facts import CorpusFacts
    from bpe_studio.reports.health import HealthSubject, health_chunks, health_format

    health_format(path)  # a suffix that is none is told before a file is read
    facts = None
    if checked.use is not None:
        problems = tuple(f"{problem.label}: {problem.message}" for problem in checked.problems)
        facts = CorpusFacts(checked.source.title, checked.fingerprint, problems)
    subject = HealthSubject(
        name=name,
        tokenizer=checked.rows.tokenizer,
        report=checked.report,
        corpus=facts,
        contexts=(yield from _contexts(checked)),
        change=change,
        before_name=before_name if change is not None else "",
        program=version_of_program(),
    )
    chunks: list[bytes] = []
    for chunk in health_chunks(subject, path):
        chunks.append(chunk)
        yield len(chunks)
    write_atomic(path, chunks)
    return path


def _contexts(checked: Checked) -> Generator[int, None, dict[int, Context]]:
    from bpe_studio.analysis.contexts import iter_contexts

    if checked.use is None or checked.corpus is None:
        return {}
    wanted: dict[int, None] = {}
    for kind in WITH_CONTEXT:
        for flag in checked.report.of_kind(kind)[:MOST_CONTEXTS]:
            wanted.setdefault(flag.id)
    found = yield from iter_contexts(
        checked.rows.tokenizer, checked.corpus, checked.use, list(wanted)
    )
    return found.found


def save_use(path: Path, name: str, checked: Checked) -> Path:
    """Save what the corpus has told of the tokens; returns the path.

    Raises
    ------
    ValueError, OSError
        In one sentence; also where a file is that is something else.
    """
    from bpe_studio.reports.use_file import SavedUse, check_use_place, write_use

    check_use_place(path)
    assert checked.use is not None
    saved = SavedUse(
        checked.use,
        thresholds=checked.report.thresholds,
        table=name,
        corpus=checked.source.title,
        fingerprint=checked.fingerprint,
    )
    write_use(path, saved, checked.rows.tokenizer)
    return path


def iter_reopened(
    path: Path, tokenizer: Tokenizer, thresholds: Thresholds, corpora: tuple[Corpus, ...] = ()
) -> Generator[PassStep, None, Checked]:
    """Judge a table by what a file keeps of a corpus.

    Parameters
    ----------
    corpora : those that may be the one: where the labels of its files agree, texts can be shown
    """
    from bpe_studio.reports.use_file import read_use

    yield PassStep("Reading what a corpus has told")
    saved = read_use(path, tokenizer)
    labels = set(saved.use.files)
    at_hand = [c for c in corpora if labels <= {file.label for file in c.files}]
    known = Known(
        thresholds=thresholds,
        use=saved.use,
        corpus=at_hand[0] if at_hand else None,
        fingerprint=saved.fingerprint,
    )
    source = Source("saved", f"{saved.corpus or path.name}, as saved")
    return (yield from iter_checked(tokenizer, source, known))
