"""Counting, whatever the blocks, runs and threads, is one dict's work."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import counting, word_table
from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.counting import CountProgress, count_words
from bpe_studio.bpe.patterns import PRESETS, Pattern, resolve_pattern
from bpe_studio.bpe.scanner import DroppedTextError
from bpe_studio.bpe.words import DocumentLists, WordCounts
from tests import oracle, texts

# Pieces on both sides of what is packed in one key, with NULs, which padding must not resemble.
EDGE_PARTS = [
    *(letter * n for letter in "ab" for n in (7, 8, 14, 15, 16, 17, 23, 24, 40)),
    "a\0", "a\0\0", "\0", "\0" * 15, "\0" * 16, "a" * 15 + "\0", "é" * 7, "é" * 8, "日" * 5,
    "日" * 6, " ", "\n", ".", "!" * 16, " " * 17,
]  # fmt: skip
parts = st.lists(st.sampled_from([*texts.HARD_PARTS, *EDGE_PARTS]), max_size=40).map("".join)
patterns = st.sampled_from([*PRESETS, r"(?s)\w+|."])


def blocks_of(documents: list[str], size: int) -> Iterator[Block]:
    read = 0
    for number, text in enumerate(documents):
        cuts = range(0, max(len(text), 1), size)
        for start in cuts:
            part = text[start : start + size].encode()
            read += len(part)
            yield Block(number, number, part, start == cuts[-1], read)


def count(documents: list[str], pattern: Pattern, size: int = 1000, **options) -> WordCounts:
    *_, last = count_words(blocks_of(documents, size), pattern, **options)
    assert last.words is not None
    assert last.distinct == len(last.words)
    return last.words


def pieces_of(words: WordCounts) -> list[bytes]:
    return [words.piece(i) for i in range(len(words))]


def check(words: WordCounts, documents: list[str], pattern: Pattern) -> None:
    split = [oracle.split(pattern.expression, text) for text in documents]
    expected = Counter(piece for pieces in split for piece in pieces)
    got = [(words.piece(i).decode(), int(words.counts[i])) for i in range(len(words))]
    assert got == list(expected.items())
    assert words.documents == len(documents)
    assert words.characters == sum(map(len, documents))
    assert words.bytes == sum(len(text.encode()) for text in documents)
    assert words.pieces == sum(expected.values())
    if words.rare_in is not None:
        check_documents(words.rare_in, split, list(expected))


def check_documents(found: DocumentLists, split: list[list[str]], pieces: list[str]) -> None:
    """Every piece has all of its documents, or none, and then it is in enough."""
    ends, documents = found.offsets.tolist(), found.documents.tolist()
    # Which number a document has does not matter, as long as each has its own.
    numbers: dict[int, set[int]] = {}
    for piece, first, last in zip(pieces, ends, ends[1:], strict=False):
        having = {number for number, parts in enumerate(split) if piece in parts}
        listed = set(documents[first:last])
        assert len(listed) == (len(having) if listed else 0)
        assert listed or len(having) >= found.floor
        for number in listed:
            numbers[number] = numbers.get(number, having) & having
    assert all(numbers.values())


@given(
    documents=st.lists(parts, min_size=1, max_size=4),
    pattern=patterns,
    size=st.integers(1, 30),
    threads=st.integers(1, 3),
    run_bytes=st.integers(1, 60),
    document_floor=st.integers(1, 4),
)
def test_counts_depend_neither_on_blocks_nor_on_threads(
    documents: list[str],
    pattern: str,
    size: int,
    threads: int,
    run_bytes: int,
    document_floor: int,
) -> None:
    resolved = resolve_pattern(pattern)
    words = count(
        documents,
        resolved,
        size,
        threads=threads,
        run_bytes=run_bytes,
        document_floor=document_floor,
    )
    check(words, documents, resolved)


@given(
    documents=st.lists(parts, min_size=1, max_size=8),
    pattern=patterns,
    share=st.sampled_from([0.1, 0.5, 0.9]),
    size=st.integers(1, 30),
    threads=st.integers(1, 3),
    run_bytes=st.integers(1, 60),
    document_floor=st.integers(1, 4),
)
def test_documents_that_are_held_out_are_counted_apart(
    documents: list[str], pattern: str, share: float, size: int, **options
) -> None:
    resolved = resolve_pattern(pattern)
    *_, last = count_words(blocks_of(documents, size), resolved, hold_out=share, **options)
    assert last.words is not None and last.held is not None
    held = [oracle.is_held_out(text, share) for text in documents]
    for words, wanted in ((last.words, False), (last.held, True)):
        check(words, [t for t, h in zip(documents, held, strict=True) if h is wanted], resolved)
    assert last.documents == last.words.documents == held.count(False)
    assert last.pieces == last.words.pieces and last.distinct == len(last.words)
    assert last.held_documents == last.held.documents == held.count(True)
    assert last.held_bytes == last.held.bytes


def test_without_a_hold_out_nothing_is_counted_apart() -> None:
    *_, last = count_words(blocks_of(["a b"], 9), PRESETS["gpt2"])
    assert last.held is None


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("document_floor", [1, 3])
def test_many_distinct_pieces(threads: int, document_floor: int) -> None:
    many = " ".join(f"{n:x} {n % 7777:030}" for n in range(60_000))
    documents = [many, "a b " * 9, many[:1000], *(f"{n} x" for n in range(500))]
    pattern = PRESETS["gpt2"]
    words = count(
        documents,
        pattern,
        50_000,
        threads=threads,
        run_bytes=20_000,
        document_floor=document_floor,
    )
    check(words, documents, pattern)


def test_text_without_a_place_to_cut_is_one_run() -> None:
    documents = ["日本" * 3000 + "," * 50 + "日", "b"]
    check(count(documents, PRESETS["gpt2"], 100, run_bytes=64), documents, PRESETS["gpt2"])


def test_documents_are_never_joined() -> None:
    assert pieces_of(count(["ab", "cd"], PRESETS["classic"])) == [b"ab", b"cd"]


def test_no_text() -> None:
    assert len(count([], PRESETS["classic"])) == 0
    words = count(["", ""], PRESETS["classic"], document_floor=2)
    assert (len(words), words.documents, words.bytes) == (0, 2, 0)
    assert words.rare_in is not None and words.rare_in.offsets.tolist() == [0]


@pytest.mark.parametrize("pattern", ["classic", r"(?s)\w+|."])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_piece_is_cut_at_a_character(monkeypatch, pattern: str, threads: int) -> None:
    monkeypatch.setattr(word_table, "MAX_PIECE_BYTES", 20)
    words = count(
        ["日" * 9, "ab 日日日", "日" * 14], resolve_pattern(pattern), run_bytes=1, threads=threads
    )
    expected = {
        "日" * 6: 3, "日" * 3: 1, "ab": 1, " 日日日": 1, "日日": 1,
    }  # fmt: skip
    if pattern != "classic":
        expected = {"日" * 6: 3, "日" * 3: 2, "ab": 1, " ": 1, "日日": 1}
    got = dict(zip(pieces_of(words), words.counts.tolist(), strict=True))
    assert list(got.items()) == [(piece.encode(), n) for piece, n in expected.items()]
    assert words.cut_pieces == 2
    assert words.bytes == 3 * (9 + 3 + 14) + 3


def test_progress_comes_often_and_only_the_last_has_words() -> None:
    documents = ["word " * 50_000]
    events = list(count_words(blocks_of(documents, 65_536), PRESETS["gpt2"]))
    assert len(events) > 3
    assert [event.words is not None for event in events].count(True) == 1
    assert events[-1].words is not None
    assert [e.bytes_read for e in events] == sorted(e.bytes_read for e in events)
    assert events[-1].pieces == 50_001


def test_progress_does_not_come_for_every_small_row() -> None:
    events = list(count_words(blocks_of(["a few words"] * 2000, 100), PRESETS["gpt2"]))
    assert 10 < len(events) < 100


# Threads


def endless() -> Iterator[Block]:
    for number, word in enumerate(cycle(["low ", "lower ", "new "])):
        yield Block(number, 0, word.encode() * 5000, True, number)


def test_closing_ends_the_threads() -> None:
    before = threading.active_count()
    generator = count_words(endless(), PRESETS["gpt2"], threads=3, run_bytes=1)
    for _ in islice(generator, 50):
        pass
    assert threading.active_count() > before
    generator.close()
    assert threading.active_count() == before


def test_a_forgotten_generator_ends_its_threads() -> None:
    before = threading.active_count()
    generator: Iterator[CountProgress] | None = count_words(endless(), PRESETS["gpt2"], run_bytes=1)
    for _ in islice(generator, 50):
        pass
    generator = None
    assert threading.active_count() == before


def test_an_error_of_a_thread_reaches_the_caller(monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(word_table.WordTable, "count_run", fail)
    before = threading.active_count()
    with pytest.raises(MemoryError, match="no room"):
        count(["a b"] * 100, PRESETS["gpt2"], run_bytes=1, threads=2)
    assert threading.active_count() == before


def test_an_error_of_the_reader_ends_the_threads() -> None:
    def blocks() -> Iterator[Block]:
        yield from islice(endless(), 20)
        raise ValueError("a bad file")

    before = threading.active_count()
    with pytest.raises(ValueError, match="a bad file"):
        list(count_words(blocks(), PRESETS["gpt2"], run_bytes=1))
    assert threading.active_count() == before


# Custom patterns


def test_a_custom_pattern_that_drops_text_is_refused() -> None:
    with pytest.raises(DroppedTextError, match="character 2"):
        count(["ab cd"], resolve_pattern(r"[a-z]+"))


def test_a_custom_pattern_has_a_largest_document(monkeypatch) -> None:
    monkeypatch.setattr(counting, "MAX_CUSTOM_DOCUMENT_CHARS", 10)
    pattern = resolve_pattern(r"(?s)\w+|.")
    assert len(count(["é" * 10, "ab"], pattern, 3)) == 2
    with pytest.raises(ValueError, match="Document 2 has over 10 characters"):
        count(["ab", "é" * 11], pattern, 3)
