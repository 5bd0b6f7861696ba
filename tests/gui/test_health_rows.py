"""The rows of Health agree with the report and the use that they are made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bpe_studio.analysis.health import KINDS, check_all
from bpe_studio.bpe.corpus import find_files
from bpe_studio.bpe.generators import result_of
from bpe_studio.gui.models.health_check import Known, Source, Thresholds, iter_checked
from bpe_studio.gui.models.health_rows import KIND_NAMES, health_rows
from tests.gui.plain_use import plain_use
from tests.gui.small_tables import PROSE, small_tokenizer

TEXT = PROSE * 3 + "─" * 8 + " नमस्ते नमस्ते " * 2


@pytest.fixture
def corpus_folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(PROSE * 2 + "low " * 30, encoding="utf-8")
    (tmp_path / "b.txt").write_text("the newest thing", encoding="utf-8")
    return tmp_path


def test_ranks_and_kinds_are_those_of_the_flags() -> None:
    tokenizer = small_tokenizer(TEXT * 2, 80)
    report = check_all(tokenizer)
    rows = result_of(health_rows(tokenizer, report))
    merges = np.asarray(tokenizer.table.merges)[:, 2].tolist()
    expected = [merges.index(flag.id) if flag.id in merges else -1 for flag in report.flags]
    assert rows.ranks.tolist() == expected
    assert [KIND_NAMES[kind] for kind in rows.kinds] == [flag.kind for flag in report.flags]
    assert rows.use is None
    assert rows.flagged == report.flagged
    titles = [column.title for column in rows.columns()]
    assert titles == ["Token", "Category", "Id", "Rank", "Evidence"]


def test_sorting_by_token_and_evidence_is_sorting_their_bytes() -> None:
    tokenizer = small_tokenizer(TEXT * 2, 80)
    report = check_all(tokenizer)
    rows = result_of(health_rows(tokenizer, report))
    tokens = [tokenizer.token_bytes(flag.id) for flag in report.flags]
    shown = [tokens[row] for row in np.argsort(rows.token_places, kind="stable")]
    assert shown == sorted(tokens)
    words = [flag.evidence.encode()[:64] for flag in report.flags]
    assert [words[row] for row in np.argsort(rows.evidence_places, kind="stable")] == sorted(words)


def test_a_text_is_looked_for_in_token_id_and_evidence() -> None:
    tokenizer = small_tokenizer(TEXT * 2, 80)
    rows = result_of(health_rows(tokenizer, check_all(tokenizer)))
    flag = rows.flags[-1]
    for text in (str(flag.id), flag.evidence[:12].upper()):
        assert rows.mask(kind=None, text=text)[-1]
    assert not rows.mask(kind=None, text="no such words at all").any()
    kinds = rows.mask(kind=flag.kind, text="")
    assert kinds.sum() == sum(other.kind == flag.kind for other in rows.flags)


def test_uses_are_those_of_the_corpus(corpus_folder: Path) -> None:
    tokenizer = small_tokenizer()
    source = Source("chosen", "a folder", paths=(corpus_folder,))
    found = result_of(iter_checked(tokenizer, source, read=plain_use))
    use = result_of(plain_use(tokenizer, find_files([corpus_folder])))
    assert found.corpus is not None and len(found.corpus.files) == 2
    assert found.use is not None and found.use.tokens == use.tokens
    assert found.rows.use is not None
    for row, flag in enumerate(found.rows.flags):
        place = use.index(flag.id)
        assert place is not None
        assert found.rows.use.uses[row] == use.final[place]
        assert found.rows.use.documents[row] == use.documents[place]
        assert flag.kind in KINDS
    titles = [column.title for column in found.rows.columns()]
    assert titles[4:7] == ["F1", "DF", "Share %"]


def test_other_limits_are_judged_by_without_reading_again(corpus_folder: Path) -> None:
    tokenizer = small_tokenizer()
    source = Source("chosen", "a folder", paths=(corpus_folder,))
    found = result_of(iter_checked(tokenizer, source, read=plain_use))
    limits = Thresholds(rare_uses=1000)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the corpus is read again")

    again = result_of(iter_checked(tokenizer, source, found.known(limits), read=never))
    assert again.report.thresholds == limits
    assert again.use is found.use and again.corpus is found.corpus
    assert again.report.counts["rare"] > found.report.counts["rare"]


def test_files_without_text_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no file with text"):
        result_of(iter_checked(small_tokenizer(), Source("chosen", "x", paths=(tmp_path,))))
    assert Known().thresholds == Thresholds()
