"""Tables that took turns in any order are joined to what one dict would hold."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.crew import Crew
from bpe_studio.bpe.word_join import Counted, Joined, Span, join_words
from bpe_studio.bpe.word_table import WordTable

words = st.lists(
    st.sampled_from([b"a", b"b", b"a\0", b"ab", b"abcdefgh", b"a" * 15, b"a" * 16, b"b" * 40])
    | st.binary(min_size=1, max_size=2),
    min_size=1,
    max_size=12,
)


def count_into(one: Counted, run: int, pieces: list[bytes], document: int) -> None:
    first = len(one.words)
    ends = np.array(list(accumulate(map(len, pieces))), dtype=np.int64)
    data = np.frombuffer(b"".join(pieces) + bytes(32), dtype=np.uint8)
    one.words.add(data, 0, ends, document)
    one.spans.append(Span(run, first, len(one.words)))


def joined(counted: list[Counted], **options: int) -> Joined:
    with Crew(2) as crew:
        *_, found = join_words(counted, crew, **options)
    assert found is not None
    return found


def pieces_of(found: Joined) -> list[tuple[bytes, int]]:
    data, ends = found.data.tobytes(), found.offsets.tolist()
    pieces = [data[a:b] for a, b in zip(ends, ends[1:], strict=False)]
    return list(zip(pieces, found.counts.tolist(), strict=True))


@given(runs=st.lists(st.tuples(words, st.integers(0, 3)), max_size=12))
def test_the_order_is_that_of_the_text(runs: list[tuple[list[bytes], int]]) -> None:
    counted = [Counted(WordTable(document_floor=3)) for _ in range(4)]
    for number, (pieces, thread) in enumerate(runs):
        count_into(counted[thread], number, pieces, number)
    found = joined(counted, document_floor=3)
    expected = Counter(piece for pieces, _ in runs for piece in pieces)
    assert pieces_of(found) == list(expected.items())
    assert found.rare_in is not None
    ends, documents = found.rare_in.offsets.tolist(), found.rare_in.documents.tolist()
    for piece, first, last in zip(expected, ends, ends[1:], strict=False):
        having = {number + 1 for number, (pieces, _) in enumerate(runs) if piece in pieces}
        # The run is the document here.
        assert set(documents[first:last]) == having or (first == last and len(having) >= 3)


def test_large_tables() -> None:
    counted = [Counted(WordTable()) for _ in range(2)]
    expected: Counter[bytes] = Counter()
    for run in range(40):
        pieces = [b"%d" % (n * (run + 1) % 150_001) * (n % 3 + 1) for n in range(4000)]
        expected.update(pieces)
        count_into(counted[run % 3 % 2], run, pieces, 0)
    assert pieces_of(joined(counted)) == list(expected.items())


def test_nothing() -> None:
    found = joined([Counted(WordTable())])
    assert pieces_of(found) == [] and found.rare_in is None
