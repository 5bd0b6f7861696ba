"""Words as tokens: what tokenizers were before subwords, to set beside byte-pair encoding.

Its vocabulary is the sorted distinct words and signs of a text. A word that was not there has no
token.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import regex

UNKNOWN: Final = "<|unk|>"
END_OF_TEXT: Final = "<|endoftext|>"

_PARTS: Final = regex.compile(
    r"<\|(?:unk|endoftext)\|>|--|[.,:;?!…_\"“”„()\[\]{}'’‘]|(?:(?!--)[^\s.,:;?!…_\"“”„()\[\]{}'’‘])+"
)
_NO_SPACE_BEFORE: Final = frozenset(".,:;?!…)]}”’")
_NO_SPACE_AFTER: Final = frozenset("([{„‘")


class UnknownWordError(ValueError):
    """The vocabulary has no such word; `word` is the first one."""

    def __init__(self, word: str, place: int) -> None:
        self.word = word
        super().__init__(
            f"The word tokenizer has no token for {word!r} (word {place + 1:,} of the text): it "
            f"knows only the words that it was made of; {UNKNOWN} would stand for any other."
        )


def split_words(text: str) -> list[str]:
    """The words of a text; signs are words of their own, and the case stays.

    >>> split_words("Hello, (World) -- it's 5!")
    ['Hello', ',', '(', 'World', ')', '--', 'it', "'", 's', '5', '!']
    """
    words: list[str] = _PARTS.findall(text)
    return words


def join_words(words: Iterable[str]) -> str:
    """Words with a space between, none before a comma or after a bracket; a guess, not the text.

    >>> join_words(['Hello', ',', '"', 'it', "'", 's', '(', 'World', ')', '"', '--', '!'])
    'Hello, "it\\'s (World)" --!'
    """
    text = ""
    glued = True
    quoted = False
    for word in words:
        closes = word in _NO_SPACE_BEFORE or word in ("'", "_")
        opens = word in _NO_SPACE_AFTER or word in ("'", "’", "_")
        if word == '"':
            closes, opens = quoted, not quoted
            quoted = not quoted
        text += word if glued or closes else f" {word}"
        glued = opens
    return text


class WordTokenizer:
    """Encodes words by their place in a sorted list.

    Parameters
    ----------
    words : iterable of str
        In any order, also more than once.
    specials : bool
        Whether `<|endoftext|>` and `<|unk|>` are put at the end; then a word that was never seen
        becomes `<|unk|>`, else it is an error.

    >>> words = WordTokenizer(split_words("the cat, the hat"), specials=True)
    >>> words.vocabulary
    (',', 'cat', 'hat', 'the', '<|endoftext|>', '<|unk|>')
    >>> words.encode("the dog, the cat"), words.decode(words.encode("the dog, the cat"))
    ([3, 5, 0, 3, 1], 'the <|unk|>, the cat')
    """

    def __init__(self, words: Iterable[str], *, specials: bool = False) -> None:
        known = sorted(set(words) - {UNKNOWN, END_OF_TEXT} if specials else set(words))
        self.vocabulary: tuple[str, ...] = (*known, *((END_OF_TEXT, UNKNOWN) if specials else ()))
        self._ids = {word: number for number, word in enumerate(self.vocabulary)}
        self._unknown = self._ids[UNKNOWN] if specials else None

    @classmethod
    def of_text(cls, text: str, *, specials: bool = False) -> WordTokenizer:
        """The tokenizer of the words of a text."""
        return cls(split_words(text), specials=specials)

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    @property
    def vocab_size(self) -> int:
        return len(self.vocabulary)

    def encode(self, text: str) -> list[int]:
        """The ids of a text.

        Raises
        ------
        UnknownWordError
            A word has no token, and there is no `<|unk|>`.
        """
        ids: list[int] = []
        for place, word in enumerate(split_words(text)):
            found = self._ids.get(word, self._unknown)
            if found is None:
                raise UnknownWordError(word, place)
            ids.append(found)
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The words of ids, with the spaces that are usual between them.

        Raises
        ------
        ValueError
            There is no such id.
        """
        words: list[str] = []
        for place, number in enumerate(ids):
            if not 0 <= number < self.vocab_size:
                raise ValueError(
                    f"There is no word with the id {number} (position {place:,}); ids run from 0 "
                    f"to {self.vocab_size - 1:,}."
                )
            words.append(self.vocabulary[number])
        return join_words(words)
