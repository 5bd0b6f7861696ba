from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import words as words_module
from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.patterns import PRESETS, Pattern, resolve_pattern
from bpe_studio.bpe.words import WordCounts, count_words
from tests import oracle, texts

parts = st.lists(st.sampled_from(texts.HARD_PARTS), max_size=40).map("".join)


def blocks_of(documents: list[str], size: int) -> Iterator[Block]:
    read = 0
    for number, text in enumerate(documents):
        cuts = range(0, max(len(text), 1), size)
        for start in cuts:
            part = text[start : start + size]
            read += len(part.encode())
            yield Block(number, number, part, start == cuts[-1], read)


def count(documents: list[str], pattern: Pattern, size: int = 1000) -> WordCounts:
    *_, last = count_words(blocks_of(documents, size), pattern)
    assert last.words is not None
    return last.words


@given(
    documents=st.lists(parts, min_size=1, max_size=4),
    pattern=st.sampled_from([*PRESETS, r"(?s)\w+|."]),
    size=st.integers(1, 30),
)
def test_counts_do_not_depend_on_the_block_size(
    documents: list[str], pattern: str, size: int
) -> None:
    resolved = resolve_pattern(pattern)
    expected = Counter(
        piece for text in documents for piece in oracle.split(resolved.expression, text)
    )
    words = count(documents, resolved, size)
    got = [(words.piece(i).decode(), int(words.counts[i])) for i in range(len(words))]
    assert got == list(expected.items())
    assert words.documents == len(documents)
    assert words.characters == sum(map(len, documents))
    assert words.bytes == sum(len(text.encode()) for text in documents)
    assert words.pieces == sum(expected.values())


def test_documents_are_never_joined() -> None:
    assert pieces_of(count(["ab", "cd"], PRESETS["classic"])) == [b"ab", b"cd"]


def pieces_of(words: WordCounts) -> list[bytes]:
    return [words.piece(i) for i in range(len(words))]


def test_a_long_piece_is_cut_at_a_character(monkeypatch) -> None:
    monkeypatch.setattr(words_module, "MAX_PIECE_BYTES", 10)
    words = count(["日" * 8, "ab"], PRESETS["classic"])
    assert pieces_of(words) == ["日日日".encode(), "日日".encode(), b"ab"]
    assert words.counts.tolist() == [2, 1, 1]
    assert words.cut_pieces == 1


def test_progress_comes_often_and_only_the_last_has_words() -> None:
    documents = ["word " * 50_000]
    events = list(count_words(blocks_of(documents, 65_536), PRESETS["gpt2"]))
    assert len(events) > 15
    assert [event.words is not None for event in events].count(True) == 1
    assert events[-1].words is not None
    assert [e.bytes_read for e in events] == sorted(e.bytes_read for e in events)


def test_slices_cover_the_pieces_and_the_alphabet_is_whole() -> None:
    text = "".join(f"word{n} é{chr(0x4E00 + n)} " for n in range(300))
    words = count([text], PRESETS["classic"])
    slices = list(words.slices(100))
    assert len(slices) > 10
    assert [i for first, last in slices for i in range(first, last)] == list(range(len(words)))
    assert words.alphabet() == set(text)
