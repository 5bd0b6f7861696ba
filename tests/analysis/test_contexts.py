"""Examples of tokens in their files, against the texts that were written there."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.contexts import CHARACTERS, Context, Contexts, iter_context, iter_contexts
from bpe_studio.analysis.corpus_use import CorpusUse, DocumentPlace
from bpe_studio.analysis.usage import corpus_use
from bpe_studio.bpe.corpus import Corpus, find_files
from bpe_studio.bpe.edits import Lowercase
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.text_rules import TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.analysis.tables import make_pair, pairs

HALF = [(0xE6, 0x97, 300), (300, 0xA5, 301), (0x20, 0xE6, 302), (97, 98, 303)]


def found_in(tokenizer: Tokenizer, corpus: Corpus, use: CorpusUse) -> Contexts:
    return result_of(iter_contexts(tokenizer, corpus, use, use.ids.tolist()))


def check_context(context: Context, text: str, token: bytes) -> None:
    data = text.encode()
    end = context.offset + len(token)
    assert data[context.offset : end] == token
    starts = [len(text[:n].encode()) for n in range(len(text) + 1)]
    first = max(n for n, start in enumerate(starts) if start <= context.offset)
    last = min(n for n, start in enumerate(starts) if start >= end)
    assert context.text == text[first:last]
    assert context.before == text[max(0, first - CHARACTERS) : first]
    assert context.after == text[last : last + CHARACTERS]
    assert context.line == text.count("\n", 0, first) + 1
    assert context.column == first - text.rfind("\n", 0, first)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_token_is_where_it_is_said_to_be(tmp_path: Path, data: st.DataObject) -> None:
    pair = data.draw(pairs())
    parts = st.lists(st.sampled_from([*pair.alphabet, "日ab " * 30, "\n"]), max_size=9)
    documents = data.draw(st.lists(parts.map("".join), min_size=1, max_size=4))
    for file in tmp_path.iterdir():
        file.unlink()
    for number, text in enumerate(documents):
        (tmp_path / f"{number}.txt").write_bytes(text.encode())
    if not any(documents):
        return
    corpus = find_files([tmp_path])
    use = corpus_use(pair.tokenizer, corpus)
    contexts = found_in(pair.tokenizer, corpus, use)
    assert not contexts.missing
    assert set(contexts.found) == set(use.ids[use.final > 0].tolist())
    for token, context in contexts.found.items():
        text = documents[int(context.place.file.removesuffix(".txt"))]
        check_context(context, text, pair.tokenizer.token_bytes(token))


TEXTS = ["first 日本\n", "ab " * 4 + "日" * 3 + " ab\n日", "the ab in a third"]


def write_rows(folder: Path) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    return path


def write_gzip(folder: Path) -> Path:
    path = folder / "rows.jsonl.gz"
    path.write_bytes(gzip.compress(write_rows(folder).read_bytes()))
    return path


def write_parquet(folder: Path) -> Path:
    path = folder / "rows.parquet"
    pq.write_table(pa.table({"text": TEXTS}), path)
    return path


@pytest.mark.parametrize("write", [write_rows, write_gzip, write_parquet])
def test_rows(tmp_path: Path, write: object) -> None:
    path = write(tmp_path)
    tokenizer = make_pair(HALF).tokenizer
    corpus = find_files([path])
    use = corpus_use(tokenizer, corpus)
    context = result_of(iter_context(tokenizer, corpus, use, 303))
    assert context == Context(
        place=DocumentPlace(path.name, 2), path=path, offset=0, line=1, column=1,
        before="", text="ab", after=" ab ab ab 日日日 ab\n日",
    )  # fmt: skip
    for token, found in found_in(tokenizer, corpus, use).found.items():
        check_context(found, TEXTS[found.place.row - 1], tokenizer.token_bytes(token))


def test_half_characters_are_shown_whole_and_utf_16_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("x\nab 日本".encode("utf-16"))
    tokenizer = make_pair(HALF[:1] + HALF[2:]).tokenizer
    corpus = find_files([tmp_path])
    use = corpus_use(tokenizer, corpus)
    context = result_of(iter_context(tokenizer, corpus, use, 300))
    assert context is not None
    assert (context.before, context.text, context.after) == ("x\nab ", "日", "本")
    assert (context.offset, context.line, context.column) == (5, 2, 4)
    rest = result_of(iter_context(tokenizer, corpus, use, 0xA5))
    assert rest is not None
    assert (rest.before, rest.text, rest.after) == ("x\nab ", "日", "本")
    assert (rest.offset, rest.column) == (7, 4)
    assert result_of(iter_context(tokenizer, corpus, use, 0)) is None
    assert result_of(iter_context(tokenizer, corpus, use, 99_999)) is None


def test_text_that_is_edited_first(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("É x AB y")
    tokenizer = replace(make_pair(HALF).tokenizer, rules=TextRules(normalizer=(Lowercase(),)))
    corpus = find_files([tmp_path])
    use = corpus_use(tokenizer, corpus)
    context = result_of(iter_context(tokenizer, corpus, use, 303))
    assert context is not None and (context.before, context.text, context.after) == (
        "É x ", "AB", " y",
    )  # fmt: skip


def test_a_file_that_has_changed_or_is_gone(tmp_path: Path) -> None:
    for name, text in {"a.txt": "ab ab ab", "b.txt": "日日"}.items():
        (tmp_path / name).write_text(text)
    tokenizer = make_pair(HALF).tokenizer
    corpus = find_files([tmp_path])
    use = corpus_use(tokenizer, corpus)
    (tmp_path / "a.txt").write_text("now something else")
    (tmp_path / "b.txt").unlink()
    with pytest.raises(ValueError, match=r"^a\.txt has changed since the corpus was encoded; enc"):
        result_of(iter_context(tokenizer, corpus, use, 303))
    with pytest.raises(ValueError, match=r"^b\.txt: It cannot be read: .*"):
        result_of(iter_context(tokenizer, corpus, use, 301))
    contexts = found_in(tokenizer, corpus, use)
    assert set(contexts.missing) == {303, 301, ord(" ")} and not contexts.found
    elsewhere = replace(corpus, files=corpus.files[:1])
    with pytest.raises(ValueError, match=r"^The corpus has no file b\.txt any more\.$"):
        result_of(iter_context(tokenizer, elsewhere, use, 301))


def test_equal_labels_are_told_apart(tmp_path: Path) -> None:
    for folder, text in {"x": "日", "y": "ab"}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(text)
    tokenizer = make_pair(HALF).tokenizer
    corpus = find_files([tmp_path / "x" / "a.txt", tmp_path / "y" / "a.txt"])
    use = corpus_use(tokenizer, corpus)
    context = result_of(iter_context(tokenizer, corpus, use, 303))
    assert context is not None and context.path == tmp_path / "y" / "a.txt"
