"""What a lesson has learned so far, as the table that a training would give."""

from __future__ import annotations

import numpy as np

from bpe_studio.bpe.corpus import CorpusReport
from bpe_studio.bpe.lesson import Lesson
from bpe_studio.bpe.specials import roles_of
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord

_LABEL = "lesson"


def tokenizer_of(lesson: Lesson) -> Tokenizer:
    """The tokenizer of the merges so far, with the record of its training."""
    state, rules = lesson.state, lesson.rules
    specials = {name: number for number, name in enumerate(rules.specials)}
    table = MergeTable.build(
        base=rules.base,
        byte_ids=range(lesson.byte_base, lesson.byte_base + 256),
        char_ids=lesson.char_ids,
        merges=[(merge.left, merge.right, merge.id) for merge in state.merges],
    )
    return Tokenizer(
        table=table,
        pattern=lesson.pattern,
        special_ids=specials,
        roles=roles_of(specials),
        training=_record(lesson),
    )


def _record(lesson: Lesson) -> TrainingRecord:
    state, rules = lesson.state, lesson.rules
    data = lesson.text.encode()
    report = CorpusReport()
    report.add_text(data, last=True)
    counts = np.array([merge.count for merge in state.merges], dtype=np.int64)
    applied = np.array([merge.applied for merge in state.merges], dtype=np.int64)
    return TrainingRecord(
        counts=counts,
        applied=applied,
        settings={
            "vocab_size": state.vocab_size,
            "min_freq": rules.min_freq,
            "pattern": lesson.pattern.name,
            "base": rules.base,
            "ties": rules.ties,
            "byte_order": "value",
            "specials": list(rules.specials),
        },
        totals={
            "documents": 1,
            "characters": state.characters,
            "bytes": len(data),
            "pieces": sum(word.count for word in state.words),
            "distinct_pieces": len(state.words),
            "base_symbols": state.tokens + int(applied.sum()),
            "tokens": state.tokens,
        },
        corpus={
            "files": [{"path": _LABEL, "size": len(data)}],
            "fingerprint": report.fingerprint(),
            "problems": 0,
        },
    )
