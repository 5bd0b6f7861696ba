"""Traps of tokenizers, each computed for a table and shown as two results.

A trap is found in the table, not told: where it does not hold for this one, its sentence says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from bpe_studio.analysis.resorted import first_other_cut, renumbered, resorted
from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.tokenizer import Tokenizer

_WORD: Final = regex.compile(r"\p{L}[\p{L}\p{M}]+")
_MOST_WORDS: Final = 500
_MOST_MISREAD: Final = 24
_NUMBERS: Final = range(100, 2200)
_LONG_NUMBER: Final = "1234567"
_STRAWBERRY: Final = "strawberry"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two results: what was encoded or read, and the tokens."""

    label: str
    text: str
    ids: tuple[int, ...]
    tokens: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Trap:
    """A trap as a table shows it; `shown` is whether the two results differ as it says."""

    key: str
    title: str
    sentence: str
    sides: tuple[Side, ...]
    shown: bool = True


def find_trap(key: str, tokenizer: Tokenizer, corpus: str) -> Trap:
    """The trap of that name in a table.

    Parameters
    ----------
    corpus : a text whose words the trap may use

    Raises
    ------
    ValueError
        There is no such trap, or the tokenizer cannot encode; in one sentence.
    """
    if key not in TRAPS:
        raise ValueError(f"There is no trap {key!r}; they are {', '.join(TRAPS)}.")
    title, find = TRAPS[key]
    sentence, sides, shown = find(tokenizer, corpus)
    return Trap(key, title, sentence, sides, shown)


def find_traps(tokenizer: Tokenizer, corpus: str) -> Iterator[Trap]:
    """All of them, one after another."""
    for key in TRAPS:
        yield find_trap(key, tokenizer, corpus)


Found = tuple[str, tuple[Side, ...], bool]


def _resorted(tokenizer: Tokenizer, corpus: str) -> Found:
    if not len(tokenizer.table.merges):
        return "This table has no merges, so there is no order to lose.", (), False
    other = resorted(tokenizer, corpus)
    if other is None:
        return "The merges stand in the order of their frequency already.", (), False
    found = first_other_cut(tokenizer, other, corpus)
    if found is None:
        return _misnumbered(tokenizer, other, corpus)
    before = _side(tokenizer, found.text, "Merges in the order in which they were learned")
    after = _side(other, found.text, "The same merges, that of the most frequent token first")
    swapped = ""
    if found.first is not None and found.instead is not None:
        first, instead = (" + ".join(map(readable, pair)) for pair in (found.first, found.instead))
        swapped = f"{instead} comes before {first} then, and "
    sentence = (
        "The order of the merges is part of a table. Suppose that they are sorted by how often "
        f"their tokens are used in the text: {swapped}“{readable(found.text.encode())}” is cut as "
        f"{_shown(after)} instead of {_shown(before)}, ids that a model was not trained on."
    )
    return sentence, (before, after), True


def _misnumbered(tokenizer: Tokenizer, other: Tokenizer, corpus: str) -> Found:
    """No cut changes, but where a rank is an id, as in rank files, every id does."""
    text = corpus[:_MOST_MISREAD]
    before = _side(tokenizer, text, "Numbered in the order in which they were learned")
    ids = renumbered(tokenizer, other, list(before.ids))
    names = tuple(_token(tokenizer, token) for token in ids)
    data = b"".join(names)
    label = "Numbered by frequency, and read by the first numbers"
    after = Side(label, data.decode("utf-8", "replace"), tuple(ids), names)
    if after.tokens == before.tokens:
        return "No text that was tried is cut or read differently here.", (before, after), False
    sentence = (
        "Where a rank is an id, as in rank files, the order of the merges numbers the tokens. "
        f"Sorted by frequency, no text that was tried is cut differently, but “{text}” is read "
        f"back as “{readable(data, spaces=False)}”."
    )
    return sentence, (before, after), True


def _stripped(tokenizer: Tokenizer, corpus: str) -> Found:
    words = _words(corpus)
    word = max(words, key=lambda w: abs(_length(tokenizer, w) - _length(tokenizer, f" {w}")))
    before = _side(tokenizer, f" {word}", "The word inside a sentence")
    after = _side(tokenizer, word, "The same word stripped of its space")
    if before.ids == after.ids:
        way = "This table puts a space before a text itself"
        return f"{way}, so “{word}” is the same with and without one.", (before, after), False
    spaced = tokenizer.encode(corpus)
    bare = sum(_length(tokenizer, part) for part in corpus.split())
    common = set(before.ids) & set(after.ids)
    shared = "they share no token" if not common else f"they share {len(common)} of their tokens"
    sentence = (
        f"A leading space belongs to the word: “{readable(before.text.encode())}” is "
        f"{_counted(before)}, “{word}” is {_counted(after)}, and {shared}. The whole text has "
        f"{len(spaced):,} tokens; its words one by one, without their spaces, have {bare:,}."
    )
    return sentence, (before, after), True


def _shifted(tokenizer: Tokenizer, corpus: str) -> Found:
    first = int(tokenizer.table.ids[0]) if len(tokenizer.table) else 0
    shift = first or 1
    given = f"{shift} specials" if shift > 1 else "one special"
    before = _side(tokenizer, corpus[:_MOST_MISREAD], "Read by the table that wrote it")
    if any(number + shift not in tokenizer.table for number in before.ids):
        before = _unmerged(tokenizer, before)
    names = tuple(_token(tokenizer, number + shift) for number in before.ids)
    data = b"".join(names)
    label = f"The same ids, read by a table without {given} in front"
    after = Side(label, data.decode("utf-8", "replace"), before.ids, names)
    if names == before.tokens:
        return "The shifted ids stand for the same bytes here.", (before, after), False
    sentence = (
        f"Ids are only numbers. Where one program puts {given} in front and another does not, "
        f"every id means the symbol {shift} further on, and nothing fails: “{before.text}” is "
        f"read as “{readable(data, spaces=False)}”."
    )
    return sentence, (before, after), True


def _unmerged(tokenizer: Tokenizer, side: Side) -> Side:
    """The text of a side in base symbols; the side itself where the table has not all of them."""
    try:
        symbols = tokenizer.table.symbols(side.text.encode())
    except ValueError:
        return side
    names = tuple(tokenizer.token_bytes(symbol) for symbol in symbols)
    return Side(f"{side.label}, before any merge", side.text, symbols, names)


def _numbers(tokenizer: Tokenizer, _corpus: str) -> Found:
    texts = [str(number) for number in _NUMBERS]
    cuts = [_cut(tokenizer, text) for text in texts]
    neighbours = [
        (abs(len(cuts[i]) - len(cuts[i + 1])), i)
        for i in range(len(texts) - 1)
        if cuts[i] != cuts[i + 1] and len(texts[i]) == len(texts[i + 1])
    ]
    if neighbours:
        _, place = max(neighbours, key=lambda found: (found[0], found[1]))
        before = _side(tokenizer, texts[place], "A number")
        after = _side(tokenizer, texts[place + 1], "The next number")
        sentence = (
            f"{before.text} is cut as {_shown(before)}, the next number as {_shown(after)}: "
            "digits stand together as often as the text had them together, not by their place."
        )
        return sentence, (before, after), True
    before = _side(tokenizer, _LONG_NUMBER, "A number")
    after = _side(tokenizer, f"{_LONG_NUMBER}8", "One digit more")
    if len(before.ids) >= len(_LONG_NUMBER):
        sentence = (
            f"Every digit is a token of its own: {before.text} is {_counted(before)}. Sums are "
            "easier so, and texts with numbers are long."
        )
    else:
        sentence = (
            f"Digits are grouped from the left: {before.text} is {_shown(before)}, and with one "
            f"digit more {_shown(after)}, so the last group is not hundreds, tens and units."
        )
    return sentence, (before, after), True


def _upper(tokenizer: Tokenizer, corpus: str) -> Found:
    cased = [word for word in _words(corpus) if word.lower() != word.upper()] or ["hello"]
    word = max(
        dict.fromkeys(word.lower() for word in cased),
        key=lambda w: _length(tokenizer, f" {w.upper()}") - _length(tokenizer, f" {w}"),
    )
    before = _side(tokenizer, f" {word}", "Small letters")
    title = _side(tokenizer, f" {word.capitalize()}", "The first letter large")
    after = _side(tokenizer, f" {word.upper()}", "Capitals")
    if before.ids == after.ids:
        way = "This table makes all letters small before it merges"
        return f"{way}, so case makes no difference and is lost.", (before, title, after), False
    sentence = (
        f"For a table, “{word.upper()}” has nothing to do with “{word}”: {_counted(before)} in "
        f"small letters, {len(title.ids)} with the first letter large, {len(after.ids)} in "
        "capitals"
    )
    if len(after.ids) > len(before.ids):
        sentence += ", since merges are learned from what the text has most."
    else:
        sentence += ", and other ids each time."
    return sentence, (before, title, after), True


def _letters(tokenizer: Tokenizer, _corpus: str) -> Found:
    before = _side(tokenizer, _STRAWBERRY, "As it is written")
    after = _side(tokenizer, " ".join(_STRAWBERRY), "Spelled with spaces")
    longer = [token for token in before.tokens if len(token) > 1]
    if not longer:
        sentence = (
            f"This table has no merge for “{_STRAWBERRY}”: it is {_counted(before)}, one for each "
            "letter, so here they could be counted. A table that was trained on English joins them."
        )
        return sentence, (before, after), False
    counts = [
        f"{token.count(b'r')} in {readable(token)}" for token in before.tokens if b"r" in token
    ]
    sentence = (
        f"A model is given the ids {' '.join(map(str, before.ids))}, not the letters. The three r "
        f"of “{_STRAWBERRY}” are {', '.join(counts)}; nothing in the numbers says so. Spelled "
        f"with spaces it is {_counted(after)}."
    )
    return sentence, (before, after), True


TRAPS: Final[dict[str, tuple[str, Callable[[Tokenizer, str], Found]]]] = {
    "order": ("Merges sorted", _resorted),
    "spaces": ("Spaces stripped", _stripped),
    "shift": ("Ids shifted", _shifted),
    "numbers": ("Numbers", _numbers),
    "case": ("Upper case", _upper),
    "letters": ("Strawberry", _letters),
}


def _words(corpus: str) -> list[str]:
    """The distinct words of a text, or some of ours where it has none."""
    return list(dict.fromkeys(_WORD.findall(corpus)))[:_MOST_WORDS] or ["hello", "world"]


def _side(tokenizer: Tokenizer, text: str, label: str) -> Side:
    ids = tokenizer.encode(text)
    return Side(label, text, tuple(ids), tuple(tokenizer.token_bytes(token) for token in ids))


def _token(tokenizer: Tokenizer, token: int) -> bytes:
    """The bytes of a token; of an id that has none, those of U+FFFD."""
    try:
        return tokenizer.token_bytes(token)
    except ValueError:
        return "\ufffd".encode()


def _length(tokenizer: Tokenizer, text: str) -> int:
    return len(tokenizer.encode_array(text))


def _cut(tokenizer: Tokenizer, text: str) -> Sequence[int]:
    """How many bytes of a text each of its tokens has."""
    offsets = tokenizer.encode_with_offsets(text).offsets
    return [int(end - start) for start, end in offsets.tolist()]


def _counted(side: Side) -> str:
    return f"{len(side.ids)} token{'' if len(side.ids) == 1 else 's'}"


def _shown(side: Side) -> str:
    return "|".join(readable(token) for token in side.tokens)
