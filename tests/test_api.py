from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.api import Settings, settings_for, smallest_vocab_size
from tests.bpe.test_trainer import trained

TEXT = "low low lower lowest"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(TEXT)
    return tmp_path


def test_train_save_load(corpus: Path, tmp_path: Path) -> None:
    tokenizer = bs.train([corpus], vocab_size=280)
    assert tokenizer.encode("lowest", add_bos=True, add_eos=True) == [1, 263, 107, 121, 122, 2]
    bs.save(tokenizer, tmp_path / "t.json")
    again = bs.load(tmp_path / "t.json")
    assert again.merges == tokenizer.merges
    assert again.training.counts.tolist() == tokenizer.training.counts.tolist()


def test_one_path_is_enough(corpus: Path) -> None:
    assert bs.train(str(corpus / "a.txt"), vocab_size=280).vocab_size == 266


def test_a_vocabulary_too_small_is_refused_with_the_smallest(corpus: Path) -> None:
    with pytest.raises(ValueError, match="262"):
        bs.train([corpus], vocab_size=261)
    (corpus / "a.txt").write_text("é日 low")
    with pytest.raises(ValueError, match="264"):
        bs.train([corpus], vocab_size=263, base="chars")
    assert smallest_vocab_size(()) == 256


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"base": "words"}, "base is 'bytes' or 'chars', not 'words'"),
        ({"ties": "random"}, "ties is"),
        ({"byte_order": "x"}, "byte_order is"),
        ({"min_freq": 0}, "min_freq is at least 1"),
        ({"vocab_size": 300.5}, "vocab_size is a whole number"),
        ({"vocab_size": True}, "vocab_size is a whole number"),
        ({"specials": ("<a>", "<a>")}, "'<a>' is named twice"),
        ({"specials": ("",)}, "at least one character"),
        ({"pattern": "("}, "not a valid expression"),
        ({"vocab_size": 2**31 + 1}, "at most 2,147,483,648"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Settings(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"pattern": "gpt2"}, "pattern 'gpt2' contradicts .* 'classic'"),
        ({"base": "chars"}, "base 'chars' contradicts .* 'bytes'"),
        ({"ties": "smallest-ids"}, "ties 'smallest-ids' contradicts .* 'first-seen'"),
        ({"byte_order": "gpt2"}, "byte_order 'gpt2' contradicts .* 'value'"),
        ({"specials": ("<x>",)}, "specials .* contradicts"),
        ({"vocab_size": 263}, "the table to continue has 266 tokens"),
    ],
)
def test_settings_that_contradict_the_table(other: dict[str, object], told: str) -> None:
    start = trained([TEXT], vocab_size=280)
    with pytest.raises(ValueError, match=told):
        settings_for(start, **other)
    followed = settings_for(start)
    assert (followed.pattern, followed.ties) == (start.pattern.expression, "first-seen")


def test_a_vocabulary_far_beyond_the_corpus_costs_nothing(corpus: Path) -> None:
    tokenizer = bs.train(corpus, vocab_size=2_000_000_000, min_freq=1)
    assert tokenizer.vocab_size == 269
    assert tokenizer.training.settings["vocab_size"] == 2_000_000_000


def test_one_special_is_one_special(corpus: Path) -> None:
    assert bs.train(corpus, vocab_size=300, specials="<a>").specials == ("<a>",)


def test_the_tables_that_come_along_are_found_by_name() -> None:
    assert bs.load("worked-example").encode("low") == [263]
    with pytest.raises(OSError, match="nowhere"):
        bs.load("nowhere")
    assert {"train", "load", "save"} <= set(dir(bs))


def test_an_empty_corpus_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no text"):
        bs.train([tmp_path], vocab_size=300)
    with pytest.raises(OSError, match="nowhere"):
        bs.train([tmp_path / "nowhere"], vocab_size=300)


def test_the_package_imports_no_engine() -> None:
    code = (
        "import bpe_studio, sys; "
        "print([m for m in ('numba', 'regex', 'PySide6') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_other_formats_by_suffix_name_and_folder(corpus: Path, tmp_path: Path) -> None:
    tokenizer = bs.train([corpus], vocab_size=280, specials=())
    losses = bs.save(tokenizer, tmp_path / "t.tiktoken")
    assert any("pattern" in loss for loss in losses)
    with pytest.raises(ValueError, match="--pattern"):
        bs.load(tmp_path / "t.tiktoken")
    again = bs.load(tmp_path / "t.tiktoken", pattern="classic")
    assert again.encode("the lowest") == tokenizer.encode("the lowest")
    model = tmp_path / "model"
    model.mkdir()
    bs.save(tokenizer, model / "tokenizer.json", "huggingface")
    assert bs.load(model).encode("the lowest") == tokenizer.encode("the lowest")
    with pytest.raises(ValueError, match="it must be studio"):
        bs.save(tokenizer, tmp_path / "t", "xml")
