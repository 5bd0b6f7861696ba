"""Counted pieces → a model, learned by the package `tokenizers`.

Its trainers take texts and count words themselves, so each piece is handed over as often as it was
counted, in the byte alphabet, and cut by the cheapest rule that there is: what they count is then
exactly what was counted, whatever the pattern is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.formats.hf.outside import asked, library
from bpe_studio.formats.ranks.byte_alphabet import LETTERS
from bpe_studio.partners.file import WORDPIECE_LONGEST

__all__ = ["learn_unigram", "learn_wordpiece", "texts_of"]

_UNIGRAM_LONGEST: Final = 48
"""Bytes of a token: 16 characters of three bytes each; 16 is what SentencePiece allows."""

_BORDER: Final = "\n"  # not a letter of the byte alphabet
_TEXT_LETTERS: Final = 1 << 17
_IN_ORDER: Final = 1e-4  # between the scores that the library gives to letters it has not scored

Report = Callable[[float], None]


def learn_wordpiece(
    pieces: Iterator[str], vocab_size: int, specials: Sequence[str], *, min_freq: int
) -> dict[str, Any]:
    """The model of a `tokenizer.json`.

    No prefix marks a token inside of a word: the space that begins one is in its first token.
    """
    package = library()
    trainer = package.trainers.WordPieceTrainer(
        vocab_size=vocab_size,
        min_frequency=min_freq,
        special_tokens=list(specials),
        initial_alphabet=list(LETTERS),
        continuing_subword_prefix="",
        show_progress=False,
    )
    model = package.models.WordPiece(
        continuing_subword_prefix="", max_input_chars_per_word=WORDPIECE_LONGEST
    )
    return _learned(package, model, trainer, pieces)


def learn_unigram(
    pieces: Iterator[str], vocab_size: int, specials: Sequence[str]
) -> dict[str, Any]:
    """The model of a `tokenizer.json`."""
    package = library()
    trainer = package.trainers.UnigramTrainer(
        vocab_size=vocab_size - len(specials),
        initial_alphabet=list(LETTERS),
        max_piece_length=_UNIGRAM_LONGEST,
        show_progress=False,
    )
    model = _learned(package, package.models.Unigram(), trainer, pieces)
    scored = [(token, score) for token, score in _settled(model["vocab"]) if token not in specials]
    return {**model, "vocab": [*((name, 0.0) for name in specials), *scored]}


def _learned(package: Any, model: Any, trainer: Any, pieces: Iterator[str]) -> dict[str, Any]:
    tokenizer = package.Tokenizer(model)
    tokenizer.pre_tokenizer = package.pre_tokenizers.CharDelimiterSplit(_BORDER)
    asked(lambda: tokenizer.train_from_iterator(pieces, trainer))
    made: dict[str, Any] = json.loads(tokenizer.to_str())["model"]
    return made


def _settled(vocab: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Tokens with scores that are the same every time.

    The library adds up in an order that changes from run to run, so the last digits of a score do,
    and letters that it has found no use for are ranked at random: here they are by their byte.
    """
    least = min(score for _, score in vocab)
    unscored = [(token, score) for token, score in vocab if _is_unscored(token, score - least)]
    tokens = sorted((token for token, _ in unscored), key=LETTERS.index)
    ranked = dict(zip(tokens, sorted((score for _, score in unscored), reverse=True), strict=True))
    settled = [(token, round(ranked.get(token, score), 6)) for token, score in vocab]
    return sorted(settled, key=lambda item: (-item[1], item[0]))


def _is_unscored(token: str, above: float) -> bool:
    steps = above / _IN_ORDER
    return len(token) == 1 and steps < len(LETTERS) and abs(steps - round(steps)) < 1e-5


def texts_of(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    counts: NDArray[np.int64],
    *,
    longest: int | None,
    report: Report,
) -> Iterator[str]:
    """Texts in which every piece is as often as it was counted, each before a line end.

    Parameters
    ----------
    longest : int or None
        Bytes; what is longer is cut.
    report : callable
        Told how much is handed over, from 0 to 1.
    """
    letters = data.tobytes().decode("latin-1").translate(dict(enumerate(LETTERS)))
    total, done = max(int(np.dot(np.diff(offsets) + 1, counts)), 1), 0
    text: list[str] = []
    size = 0
    ends = offsets.tolist()
    for place, count in enumerate(counts.tolist()):
        piece = _cut(letters[ends[place] : ends[place + 1]], longest)
        while count:
            times = min(count, max(1, (_TEXT_LETTERS - size) // len(piece)))
            text.append(piece * times)
            size += times * len(piece)
            count -= times
            if size >= _TEXT_LETTERS:
                done += size
                report(min(done / total, 1.0))
                yield "".join(text)
                text, size = [], 0
    report(1.0)
    yield "".join(text)


def _cut(piece: str, longest: int | None) -> str:
    if longest is None or len(piece) <= longest:
        return piece + _BORDER
    parts = (piece[start : start + longest] for start in range(0, len(piece), longest))
    return "".join(part + _BORDER for part in parts)
