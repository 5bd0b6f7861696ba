"""What was planted in a corpus is found: a repeated word, a control token, a scaffold."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.analysis.contexts import iter_context
from bpe_studio.analysis.corpus_use import CorpusUse, DocumentPlace
from bpe_studio.analysis.health import HealthReport, check_all
from bpe_studio.analysis.usage import corpus_use
from bpe_studio.bpe.corpus import Corpus, find_files
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.tokenizer import Tokenizer

INVENTED = "Floomberax"
SYLLABLES = (
    *("ba", "cor", "de", "fen", "gol", "hi", "jun", "la", "mor"),
    *("ne", "or", "pi", "ras", "su", "to", "un", "ve", "yt"),
)


@dataclass(frozen=True)
class Planted:
    tokenizer: Tokenizer
    corpus: Corpus
    use: CorpusUse
    report: HealthReport


def write_ordinary(folder: Path) -> None:
    """1,000 files of prose, with words as frequent as words are."""
    rng = random.Random(6)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(600)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    for number in range(1_000):
        place = folder / f"book{number // 100}"
        place.mkdir(exist_ok=True)
        lines = (" ".join(rng.choices(words, weights, k=12)).capitalize() + "." for _ in range(6))
        (place / f"{number}.txt").write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    folder = tmp_path_factory.mktemp("planted")
    write_ordinary(folder)
    (folder / "notes").mkdir()
    lines = (f"{number % 7} {INVENTED} said\n" for number in range(3_000))
    (folder / "notes" / "log.txt").write_text("".join(lines))
    for number in range(0, 1_000, 5):  # “ wqzk” in many files, and “ wqz” alone in few
        path = folder / f"book{number // 100}" / f"{number}.txt"
        path.write_text(f"{path.read_text()} wqzk wqzk{' wqz' * (number == 500)}\n")
    chat = folder / "book3" / "311.txt"
    chat.write_text(f"{chat.read_text()}<|im_start|>user\nhi<|im_end|>\n<|im_start|>\n")
    tokenizer = bs.train([folder], vocab_size=1_200)
    corpus = find_files([folder])
    use = corpus_use(tokenizer, corpus)
    return Planted(tokenizer, corpus, use, check_all(tokenizer, use))


def token_of(planted: Planted, text: str) -> int:
    (token,) = planted.tokenizer.encode(text)
    return token


def test_the_repeated_word_is_the_first_of_the_concentrated(planted: Planted) -> None:
    first = planted.report.of_kind("concentrated")[0]
    assert planted.tokenizer.token_bytes(first.id) == f" {INVENTED}".encode()
    assert first.evidence == (
        "3,000 of its 3,000 uses are in notes/log.txt, the only document of 1,001 that has it."
    )
    context = result_of(iter_context(planted.tokenizer, planted.corpus, planted.use, first.id))
    assert context is not None
    assert context.place == DocumentPlace("notes/log.txt") and context.path.name == "log.txt"
    assert (context.line, context.column, context.offset) == (1, 2, 1)
    assert (context.before, context.text) == ("0", f" {INVENTED}")
    assert context.after.startswith(f" said\n1 {INVENTED} said\n")


def test_ordinary_words_are_not_concentrated(planted: Planted) -> None:
    found = {planted.tokenizer.token_bytes(f.id) for f in planted.report.of_kind("concentrated")}
    assert found <= {f" {INVENTED}".encode(), b" said", b"\n"}


def test_control_tokens_are_told_with_file_and_count(planted: Planted) -> None:
    told = [(one.name, one.id, one.count, one.documents, one.files) for one in planted.use.specials]
    assert told == [
        ("<|im_start|>", None, 2, 1, (("book3/311.txt", 2),)),
        ("<|im_end|>", None, 1, 1, (("book3/311.txt", 1),)),
    ]


def test_the_scaffold_is_found_by_use_and_by_training(planted: Planted) -> None:
    token = token_of(planted, " wqz")
    evidence = {f.kind: f.evidence for f in planted.report.flags if f.id == token}
    assert evidence["scaffold"] == "Used 1 time of the 401 that it was made (R = 0.0025)."
    assert evidence["intermediate"].startswith("In training it was there 401 times when the merge")
    assert evidence["intermediate"].endswith("found 400 pairs with it (IoS = 0.998).")
    assert "concentrated" not in evidence
    whole = token_of(planted, " wqzk")
    assert not {f.kind for f in planted.report.flags if f.id == whole} & {"scaffold", "rare"}


def test_the_self_test_holds(planted: Planted) -> None:
    assert planted.report.self_test is True
