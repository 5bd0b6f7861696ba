"""What is saved of a corpus comes back, and nothing else is taken for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.corpus_use import CorpusUse, ScriptUse, SpelledSpecial
from bpe_studio.analysis.thresholds import Thresholds
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.reports.use_file import SavedUse, check_use_place, read_use, use_path, write_use
from tests.analysis.corpus_uses import plain_use
from tests.analysis.tables import Pair, make_pair, pairs

PAIR = make_pair([(97, 98, 256), (256, 99, 257)])
SPECIALS = (
    SpelledSpecial("<|x|>", 7, 3, 1, (("é.txt", 3),)),
    SpelledSpecial("<s>", None, 1, 1, (("a\n.txt", 1),)),
)


def saved(pair: Pair = PAIR, documents: tuple[str, ...] = ("abc ab", "ab ab c")) -> SavedUse:
    files = [("é.jsonl", len(documents))] if documents else []
    use = plain_use(pair.tokenizer, documents, files=files, plain=pair.plain)
    last = len(documents) - 1
    use = replace(
        use,
        specials=SPECIALS,
        scripts=(ScriptUse("Latin", int(use.final.sum()), 20),),
        row_jumps=np.array([[last, 5]]),
        failure_count=1,
        failures=(last,),
    )
    return SavedUse(use, Thresholds(rare_uses=7), "mine.json", "notes", "00ff")


def assert_same(found: CorpusUse, expected: CorpusUse) -> None:
    for item in fields(CorpusUse):
        one, other = getattr(found, item.name), getattr(expected, item.name)
        if isinstance(other, np.ndarray):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)
        else:
            assert one == other


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_it_comes_back(tmp_path: Path, data: st.DataObject) -> None:
    pair = data.draw(pairs())
    text = st.text(st.sampled_from(pair.alphabet), max_size=9)
    documents = data.draw(st.lists(text, min_size=1, max_size=3))
    kept = saved(pair, tuple(documents))
    write_use(tmp_path / "x.use.json", kept, pair.tokenizer)
    found = read_use(tmp_path / "x.use.json", pair.tokenizer)
    assert_same(found.use, kept.use)
    assert (found.thresholds, found.table, found.corpus, found.fingerprint) == (
        kept.thresholds,
        kept.table,
        kept.corpus,
        kept.fingerprint,
    )
    again = tmp_path / "again.json"
    write_use(again, found, pair.tokenizer)
    assert again.read_bytes() == (tmp_path / "x.use.json").read_bytes()


def test_it_is_beside_the_table() -> None:
    assert use_path(Path("a") / "b.json") == Path("a") / "b.use.json"
    assert use_path(Path("gpt2.tiktoken")) == Path("gpt2.tiktoken.use.json")


@pytest.mark.parametrize(
    ("other", "differing"),
    [
        (make_pair([(97, 98, 256), (256, 100, 257)]), "tokens and merges"),
        (make_pair([(97, 98, 256), (256, 99, 257)], pattern="gpt2"), "pattern"),
        (make_pair([(97, 98, 256), (256, 99, 257)], specials={"<a>": 300}), "specials"),
        (make_pair([(97, 98, 256), (256, 99, 257)], engine="whole-piece-first"), "rules"),
        (make_pair([], extra={256: b"ab", 257: b"abc"}, pattern="cl100k"), "merges and pattern"),
    ],
)
def test_another_table_is_refused(tmp_path: Path, other: Pair, differing: str) -> None:
    path = tmp_path / "x.use.json"
    write_use(path, saved(), PAIR.tokenizer)
    with pytest.raises(ValueError, match="of another table") as caught:
        read_use(path, other.tokenizer)
    assert str(caught.value) == (
        f"x.use.json: it is of another table (mine.json): {differing} differ; encode the corpus "
        "again with this one."
    )


def test_names_and_notes_of_a_table_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "x.use.json"
    write_use(path, saved(), PAIR.tokenizer)
    named = replace(PRESETS["classic"], name="mine")
    read_use(path, replace(PAIR.tokenizer, notes=("A note.",), pattern=named))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda v: v.pop("format"), "it is no saved use of a corpus, which “bpe-studio health"),
        (lambda v: v.update(version=2), "it was saved by another version of this program"),
        (lambda v: v.pop("files"), "the key 'files' is missing"),
        (lambda v: v.update(more=1), 'there is the unknown key "more"'),
        (lambda v: v["uses"]["final"].pop(), "uses.final has 257 numbers, and the table 258"),
        (lambda v: v["uses"].update(final=["1"] * 258), "uses.final must be a list of integers"),
        (lambda v: v["uses"]["offsets"].__setitem__(97, -1), "uses has numbers that no corpus gi"),
        (lambda v: v["uses"]["largest"].__setitem__(98, 9), "for token 98 of the table"),
        (lambda v: v["uses"]["final"].__setitem__(0, 1), "for token 0 of the table"),
        (lambda v: v["uses"]["final"].__setitem__(0, 1 << 63), "must have numbers from -1 to"),
        (lambda v: v["totals"].update(tokens=True), "totals.tokens must be an integer"),
        (lambda v: v["thresholds"].update(rare=1), "There is no threshold “rare”"),
        (lambda v: v.update(thresholds=3), "thresholds must be an object, not 3"),
        (lambda v: v["files"].append(["b", 9, 0]), "files do not hold the 2 documents"),
        (lambda v: v["files"].clear(), "files do not hold the 2 documents"),
        (lambda v: v["specials"][0].pop(), "specials[0] must have 5 values, not 4"),
    ],
)
def test_what_is_damaged_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], told: str
) -> None:
    path = tmp_path / "x.use.json"
    write_use(path, saved(), PAIR.tokenizer)
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value))
    with pytest.raises(ValueError, match=r"^x\.use\.json: ") as caught:
        read_use(path, PAIR.tokenizer)
    assert told in str(caught.value) and str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda v: v["totals"].update(tokens=3), "the corpus has 3 tokens, and the uses of all to"),
        (lambda v: v["totals"].update(tokens=99), "the corpus has 99 tokens, and the uses of all "),
        (lambda v: v["totals"].update(characters=20), "20 characters cannot be 13 bytes"),
        (lambda v: v["totals"].update(characters=3), "3 characters cannot be 13 bytes"),
        (lambda v: v["totals"].update(failures=9), "1 of 9 documents with a failure are named"),
        (lambda v: v["failures"].__setitem__(0, 2), "failures are in documents that the 2 have no"),
        (lambda v: v["scripts"][0].__setitem__(1, 9), "the scripts have 9 tokens, and the uses"),
        (lambda v: v["specials"][0].__setitem__(3, 4), "a special is in 4 documents, spelled 3"),
        (lambda v: v["specials"][0].__setitem__(2, 2), "files have a special 3 times, and all of"),
        (lambda v: v["uses"]["created"].__setitem__(256, 2), "2 times made"),
        (lambda v: v["uses"]["offsets"].__setitem__(256, 99), "99 bytes before it"),
        (lambda v: v["uses"]["documents"].__setitem__(256, 1), "and 1 documents"),
        (lambda v: v["uses"]["documents"].__setitem__(257, 2), "and 2 documents"),
    ],
)
def test_numbers_that_contradict_each_other_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], told: str
) -> None:
    path = tmp_path / "x.use.json"
    write_use(path, saved(), PAIR.tokenizer)
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value))
    with pytest.raises(ValueError, match="numbers do not fit together: ") as caught:
        read_use(path, PAIR.tokenizer)
    assert told in str(caught.value) and str(caught.value).endswith("; encode the corpus again.")


def test_a_token_with_more_uses_than_the_corpus_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.use.json"
    write_use(path, saved(), PAIR.tokenizer)
    value = json.loads(path.read_bytes())
    value["uses"]["final"][256] = value["uses"]["created"][256] = 10**9
    path.write_text(json.dumps(value))
    with pytest.raises(ValueError, match="and the uses of all tokens are 1,000,000,00"):
        read_use(path, PAIR.tokenizer)


def test_only_a_saved_use_or_an_empty_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.use.json"
    check_use_place(path)
    path.touch()
    check_use_place(path)
    write_use(path, saved(), PAIR.tokenizer)
    check_use_place(path)
    for data in (b"An essay.", b"{", b'{ "format": "bpe-studio"}', path.read_bytes()[:20]):
        path.write_bytes(data)
        with pytest.raises(ValueError, match="is there and is no saved use of a corpus; name ano"):
            check_use_place(path)
    with pytest.raises(OSError, match="cannot be saved"):
        check_use_place(tmp_path)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "it is empty"),
        (b"\xff\xfe", "it is no saved use of a corpus: it is no text"),
        (b"PK", "it is no saved use of a corpus: it is not JSON"),
        (b"[1]", "it is no saved use of a corpus, which"),
        (b'{"format":"bpe-studio-use",', "ends in the middle"),
    ],
)
def test_what_is_no_such_file(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "x.use.json"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=told):
        read_use(path, PAIR.tokenizer)


def test_what_is_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.use.json"
    write_use(path, saved(), PAIR.tokenizer)
    data = path.read_bytes().rstrip()
    for size in range(1, len(data), 97):
        path.write_bytes(data[:size])
        with pytest.raises(ValueError, match=r"^x\.use\.json: "):
            read_use(path, PAIR.tokenizer)
