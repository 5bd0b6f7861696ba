"""Characters, words and byte-pair encoding side by side: three units for one text.

Each has a vocabulary made of the same text, and each is asked for a word that was not in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.word_tokenizer import UNKNOWN, UnknownWordError, WordTokenizer, split_words

UnitKind = Literal["characters", "words", "words-unk", "bpe"]
TITLES: Final[dict[UnitKind, str]] = {
    "characters": "Characters",
    "words": "Words",
    "words-unk": f"Words, with {UNKNOWN}",
    "bpe": "Byte-pair encoding",
}
_NEVER_SEEN: Final = ("slowest", "widening", "tokenizer", "unseen", "xylophone")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a unit makes of a text: its tokens in readable form and what they decode to, or why not.

    `parts` are the exact texts of the tokens where they have one; `error` is a sentence.
    """

    tokens: tuple[str, ...] = ()
    decoded: str = ""
    error: str = ""

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class Unit:
    """One way to cut.

    Attributes
    ----------
    kind, title : what it is.
    vocab_size : int
        All its tokens.
    text, unseen : Outcome
        Of the text, and of the word that was not in it.
    sentence : str
        What happens to that word.
    """

    kind: UnitKind
    title: str
    vocab_size: int
    text: Outcome
    unseen: Outcome
    sentence: str


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The units of one text, and the word that they were asked for."""

    text: str
    word: str
    units: tuple[Unit, ...]


def unseen_word(corpus: str) -> str:
    """A word that is not in a text.

    >>> unseen_word("the slowest and the widening")
    'tokenizer'
    """
    words = set(split_words(corpus))
    longer = max(words, key=len, default="") + "ness"
    return next((word for word in _NEVER_SEEN if word not in words), longer)


def side_by_side(tokenizer: Tokenizer, corpus: str, word: str | None = None) -> SideBySide:
    """What characters, words and a table's tokens make of a text and of a word not in it.

    Parameters
    ----------
    tokenizer : the table for byte-pair encoding
    corpus : what the characters and words are taken from, and the text that is encoded
    word : by default one that the text does not have
    """
    asked = word or unseen_word(corpus)
    known = asked in split_words(corpus)
    makers = (_characters, _plain_words, _marked_words, _byte_pairs)
    return SideBySide(
        corpus, asked, tuple(make(tokenizer, corpus, asked, known) for make in makers)
    )


def _characters(_: Tokenizer, corpus: str, word: str, known: bool) -> Unit:
    alphabet = sorted(set(corpus))
    missing = [char for char in word if char not in alphabet]
    if missing:
        sentence = f"The text has no {missing[0]!r}, so the character has no token."
        unseen = Outcome(error=sentence)
    else:
        unseen = _spelled(word)
        sentence = f"{_told(word, known)} is spelled, one token for each character: {len(word)}."
    return Unit(
        "characters", TITLES["characters"], len(alphabet), _spelled(corpus), unseen, sentence
    )


def _plain_words(_: Tokenizer, corpus: str, word: str, known: bool) -> Unit:
    return _words("words", corpus, word, known)


def _marked_words(_: Tokenizer, corpus: str, word: str, known: bool) -> Unit:
    return _words("words-unk", corpus, word, known)


def _words(kind: UnitKind, corpus: str, word: str, known: bool) -> Unit:
    words = WordTokenizer.of_text(corpus, specials=kind == "words-unk")

    def outcome(text: str) -> Outcome:
        ids = words.encode(text)
        return Outcome(tuple(words.vocabulary[i] for i in ids), words.decode(ids))

    try:
        unseen = outcome(word)
    except UnknownWordError as error:
        unseen = Outcome(
            error=f"“{error.word}” was never seen, so it has no token: this tokenizer knows only "
            "the words that it was made of."
        )
    if unseen.error:
        sentence = unseen.error
    elif known:
        sentence = f"{_told(word, known)} is a token."
    else:
        sentence = f"{_told(word, known)} becomes {unseen.decoded}: which word it was is lost."
    return Unit(kind, TITLES[kind], words.vocab_size, _tried(outcome, corpus), unseen, sentence)


def _byte_pairs(tokenizer: Tokenizer, corpus: str, word: str, known: bool) -> Unit:
    def outcome(text: str) -> Outcome:
        ids = tokenizer.encode(text)
        names = (readable(tokenizer.token_bytes(token)) for token in ids)
        return Outcome(tuple(names), tokenizer.decode(ids))

    unseen = _tried(outcome, word)
    if unseen.error:
        sentence = unseen.error
    elif len(unseen) == 1:
        sentence = f"{_told(word, known)} is one token."
    else:
        way = f"{_told(word, known)} is spelled with {len(unseen)} tokens"
        back = "decodes to itself" if unseen.decoded == word else f"decodes to {unseen.decoded!r}"
        sentence = f"{way} and {back}."
    text = _tried(outcome, corpus)
    return Unit("bpe", TITLES["bpe"], tokenizer.vocab_size, text, unseen, sentence)


def _told(word: str, known: bool) -> str:
    return f"“{word}” is in the text, and" if known else f"“{word}” was never seen, and"


def _spelled(text: str) -> Outcome:
    return Outcome(tuple(readable(char.encode()) for char in text), text)


def _tried(outcome: Callable[[str], Outcome], text: str) -> Outcome:
    try:
        return outcome(text)
    except ValueError as error:
        return Outcome(error=str(error))
