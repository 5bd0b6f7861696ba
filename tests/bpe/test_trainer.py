"""The trainer against the oracle: merges, counts, applied, totals; and against HF tokenizers."""

from __future__ import annotations

import itertools
import random
import sysconfig
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.api import DEFAULT_SPECIALS, Settings, TrainingSession
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trainer import MergeBatch, Trainer
from tests import oracle, texts


def trained(documents: list[str], **settings: object) -> Tokenizer:
    session = TrainingSession.of_texts(documents, Settings(**settings))  # type: ignore[arg-type]
    for _ in session.run():
        pass
    return session.tokenizer()


def assert_same(tokenizer: Tokenizer, judged: oracle.Trained) -> None:
    record = tokenizer.training
    assert record is not None
    assert tokenizer.merges == judged.merges
    assert record.counts.tolist() == judged.counts
    assert record.applied.tolist() == judged.applied
    assert record.totals["base_symbols"] == judged.base_symbols
    assert record.totals["pieces"] == judged.pieces
    assert record.totals["distinct_pieces"] == judged.distinct
    assert record.totals["characters"] == judged.characters
    assert record.totals["tokens"] == judged.base_symbols - sum(judged.applied)


def test_the_worked_example() -> None:
    tokenizer = trained(["low low lower lowest"], vocab_size=280)
    assert tokenizer.merges == [(114, 117, 262), (262, 125, 263), (38, 263, 264), (264, 107, 265)]
    assert tokenizer.encode("low") == [263]
    assert tokenizer.encode(" low") == [264]
    assert tokenizer.encode(" lower") == [265, 120]
    assert tokenizer.encode(" lowest") == [265, 121, 122]
    assert tokenizer.encode("lowest", add_bos=True, add_eos=True) == [1, 263, 107, 121, 122, 2]


@given(
    documents=texts.documents,
    pattern=st.sampled_from([*PRESETS, r"\S+|\s+", r"(?s).", r"(?s).{1,7}", r"(?s)a+|[^a]+"]),
    base=st.sampled_from(["bytes", "chars"]),
    ties=st.sampled_from(["first-seen", "smallest-ids"]),
    byte_order=st.sampled_from(["value", "gpt2"]),
    specials=st.sampled_from([DEFAULT_SPECIALS, (), ("<eos>",)]),
    min_freq=st.sampled_from([1, 2, 3]),
    max_merges=st.sampled_from([0, 1, 3, 60]),
)
def test_trains_as_the_oracle_does(
    documents: list[str],
    pattern: str,
    base: str,
    ties: str,
    byte_order: str,
    specials: tuple[str, ...],
    min_freq: int,
    max_merges: int,
) -> None:
    if not any(documents):
        return
    expression = PRESETS[pattern].expression if pattern in PRESETS else pattern
    judged = oracle.train(
        documents,
        expression,
        max_merges=max_merges,
        min_freq=min_freq,
        ties=ties,
        base=base,
        byte_order=byte_order,
        n_specials=len(specials),
    )
    tokenizer = trained(
        documents,
        vocab_size=len(specials) + 256 + len(judged.char_ids) + max_merges,
        pattern=pattern,
        base=base,
        ties=ties,
        byte_order=byte_order,
        specials=specials,
        min_freq=min_freq,
    )
    assert_same(tokenizer, judged)
    for document in documents:
        expected = oracle.encode(
            document, expression, judged.merges, judged.byte_ids, judged.char_ids
        )
        assert tokenizer.encode(document) == expected
        assert tokenizer.decode(expected) == document


@pytest.mark.parametrize("ties", ["first-seen", "smallest-ids"])
@pytest.mark.parametrize("alphabet", ["ab", "abc ", "aé \n"])
def test_long_trainings_with_runs_and_ties(ties: str, alphabet: str) -> None:
    rng = random.Random(len(alphabet))
    documents = ["".join(rng.choices(alphabet, k=300)) for _ in range(6)]
    judged = oracle.train(
        documents, PRESETS["classic"].expression, max_merges=400, min_freq=1, ties=ties
    )
    assert_same(trained(documents, vocab_size=662, min_freq=1, ties=ties), judged)


def test_counts_are_64_bit() -> None:
    session = TrainingSession.of_texts(["ab ab", "ab"], Settings(vocab_size=263))
    list(session.run(0))
    often = replace(session.words, counts=np.array([2**40, 2**41]))
    table = MergeTable.build(byte_ids=range(256))
    trainer = Trainer(often, table, first_id=256, total=1, min_freq=2, ties="first-seen")
    list(trainer.prepare())
    list(trainer.run())
    assert trainer.record()[1].tolist() == [2**40 + 2**41]
    assert trainer.base_symbols == 2 * 2**40 + 3 * 2**41


def test_a_stop_keeps_a_prefix_and_goes_on() -> None:
    documents = ["the cat sat on the mat and the hat " * 3]
    whole = trained(documents, vocab_size=290)
    session = TrainingSession.of_texts(documents, Settings(vocab_size=290))
    for event in session.run():
        if getattr(event, "words", None) is not None:
            break
    # What is kept of it is whole from the first moment on.
    assert session.tokenizer().merges == []
    assert session.tokenizer().training.totals["tokens"] == 105
    list(session.run(3))
    assert session.tokenizer().merges == whole.merges[:3]
    assert not session.done
    list(session.run(1))
    assert session.learned == 4
    list(session.run())
    assert session.done
    assert session.tokenizer().merges == whole.merges
    assert session.tokenizer().training.totals == whole.training.totals
    prefix = whole.prefix(3)
    assert prefix.merges == whole.merges[:3]
    assert prefix.vocab_size == 265


def test_batches_tell_every_merge_once() -> None:
    session = TrainingSession.of_texts(["abc abd abc abe " * 20], Settings(vocab_size=270))
    merges = [merge for event in session.run() if isinstance(event, MergeBatch) for merge in event]
    tokenizer = session.tokenizer()
    assert [(m.left, m.right, m.id) for m in merges] == tokenizer.merges
    assert [m.rank for m in merges] == list(range(len(merges)))
    assert [m.count for m in merges] == tokenizer.training.counts.tolist()
    assert {m.total for m in merges} == {8}


@pytest.mark.parametrize(
    ("text", "settings", "reason"),
    [
        ("ab ab ab cd", {"vocab_size": 263}, "vocab_size"),
        ("ab ab ab cd", {"vocab_size": 300}, "min_freq"),
        ("ab ab", {"vocab_size": 300}, "no_pairs"),
    ],
)
def test_says_why_it_ends(text: str, settings: dict[str, int], reason: str) -> None:
    pattern = r"\w+|\s" if reason == "no_pairs" else "classic"
    session = TrainingSession.of_texts([text], Settings(pattern=pattern, **settings))
    list(session.run())
    assert session.stop_reason == reason


@given(
    documents=texts.documents, split=st.integers(0, 12), base=st.sampled_from(["bytes", "chars"])
)
def test_continuing_on_the_same_corpus_is_one_training(
    documents: list[str], split: int, base: str
) -> None:
    if not any(documents):
        return
    chars = len({c for d in documents for c in d if c > "\x7f"}) if base == "chars" else 0
    size = 262 + chars
    whole = trained(documents, vocab_size=size + 20, base=base)
    first = trained(documents, vocab_size=size + split, base=base)
    second = trained(documents, vocab_size=size + 20, base=base, start=first)
    assert second.merges == whole.merges
    assert second.training.counts.tolist() == whole.training.counts.tolist()
    assert second.training.applied.tolist() == whole.training.applied.tolist()
    assert second.training.totals == whole.training.totals


def test_stopping_while_reading_loses_nothing() -> None:
    documents = [f"word{n} and more words " * 40 for n in range(30)]
    whole = trained(documents, vocab_size=300)
    session = TrainingSession.of_texts(documents, Settings(vocab_size=300))
    for _ in range(20):
        next(iter(session.run()))
    list(session.run())
    assert session.tokenizer().merges == whole.merges
    assert session.tokenizer().training.totals == whole.training.totals


def test_continuing_keeps_ids_and_begins_at_the_id_bound() -> None:
    first = trained(["low low lower lowest"], vocab_size=264)
    second = trained(["new newer newest"], vocab_size=268, start=first)
    assert second.merges[:2] == first.merges
    assert [new for _, _, new in second.merges] == list(range(262, 262 + len(second.merges)))
    assert second.training.applied.tolist()[:2] == [0, 0]


def library_code(size: int) -> list[str]:
    """A few MB of real code that every machine has."""
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    documents = itertools.chain(path.read_text("utf-8", "ignore") for path in files)
    taken: list[str] = []
    for document in documents:
        taken.append(document)
        size -= len(document)
        if size < 0:
            break
    return taken


def test_merges_equal_those_of_hf_tokenizers() -> None:
    tokenizers = pytest.importorskip("tokenizers")
    documents = library_code(3_000_000)
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE())
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.train_from_iterator(
        iter(documents),
        tokenizers.trainers.BpeTrainer(
            vocab_size=4256,
            min_frequency=2,
            show_progress=False,
            initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    ours = trained(
        documents,
        vocab_size=4256,
        pattern="gpt2",
        ties="smallest-ids",
        byte_order="gpt2",
        specials=(),
    )
    vocab = theirs.get_vocab()
    merged = sorted(i for i in vocab.values() if i >= 256)
    decode = {i: token for token, i in vocab.items()}
    alphabet = {ours.table.byte_ids[b]: decode[int(ours.table.byte_ids[b])] for b in range(256)}
    spelled = dict(alphabet)
    for left, right, new in ours.merges:
        spelled[new] = spelled[left] + spelled[right]
    assert len(ours.merges) == 4000
    assert [spelled[i] for i in merged] == [decode[i] for i in merged]
    sample = documents[0]
    assert ours.encode(sample) == theirs.encode(sample).ids
    assert np.array_equal(ours.encode_array(sample), theirs.encode(sample).ids)
