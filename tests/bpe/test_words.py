from __future__ import annotations

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.words import WordCounts
from tests.bpe.test_counting import count


def some_words() -> tuple[str, WordCounts]:
    text = "".join(f"word{n} é{chr(0x4E00 + n)} " for n in range(300))
    return text, count([text], PRESETS["classic"])


def test_slices_cover_the_pieces() -> None:
    _, words = some_words()
    slices = list(words.slices(100))
    assert len(slices) > 10
    assert [i for first, last in slices for i in range(first, last)] == list(range(len(words)))


def test_the_alphabet_is_whole() -> None:
    text, words = some_words()
    assert words.alphabet() == set(text)
