"""Can any text produce this token, where texts are edited first or another library encodes?

What an edit can make of all texts is not known, so texts are tried: the token's own, with and
without the space that many tokenizers put in front, and with neighbours of every class. What holds
the token in its encoding is a witness; that none does is no proof, and the number of texts is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from bpe_studio.analysis import utf8
from bpe_studio.analysis.alone import Alone
from bpe_studio.analysis.reachable import Contexts, Reach
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["EncodingProber", "may_be_searched"]

_MOST_CONTEXTS: Final = 400
_FEW_COMPLETIONS: Final = 4
_OWN: Final = (("", ""), ("a", ""), ("", "a"), ("a", "a"), ("a ", ""), ("\n", ""), ("=", ""))


def may_be_searched(tokenizer: Tokenizer) -> str:
    """Why texts cannot be tried, a sentence; empty where they can."""
    if tokenizer.view_only:
        return tokenizer.view_only
    if tokenizer.outside is None:
        return ""
    if tokenizer.outside.kind not in ("Unigram", "BPE"):
        return (
            f"Another library encodes with {tokenizer.outside.kind}, whose tokens depend on their "
            "place in a word, so whether some text produces a token is not looked for."
        )
    try:
        tokenizer.encode("a")
    except ValueError as error:  # the library is not installed
        return str(error)
    return ""


class EncodingProber:
    """Searches the encodings of texts for tokens."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.contexts = Contexts()
        self.own = list(_OWN)

    def held(self, tokens: Sequence[Alone]) -> set[int]:
        """Those of some tokens that are in the encoding of all their texts, one after another.

        Quicker than a search for each, which is left for the others.
        """
        texts = [alone.text for alone in tokens if alone.text]
        found: set[int] = set()
        for between in ("\n", " ", "a "):
            bare = [text.removeprefix(" ") if between != "\n" else text for text in texts]
            found |= self._together(bare, between)
        return found & {alone.token for alone in tokens}

    def _together(self, texts: list[str], between: str) -> set[int]:
        found = self._encoded(between.join(texts))
        if found or len(texts) < 2:
            return found
        middle = len(texts) // 2  # one of them cannot be spelled
        return self._together(texts[:middle], between) | self._together(texts[middle:], between)

    def search(self, alone: Alone) -> Reach:
        """The first text among the probes whose encoding holds a token."""
        tried: set[str] = set()
        for left, right, text in self._probes(alone):
            if text in tried:
                continue
            tried.add(text)
            if alone.token in self._encoded(text):
                self._remember(left, right)
                return Reach(text, None, len(tried))
        self.contexts.in_vain(len(tried))
        return Reach(None, None, len(tried))

    def _probes(self, alone: Alone) -> Iterator[tuple[str, str, str]]:
        completions = islice(utf8.completions(alone.data), 5 * _FEW_COMPLETIONS)
        texts = [(before + alone.data + after).decode() for before, after in completions]
        # What is put in front of a text, or of every word, is often a space.
        bare = [text[1:] for text in texts[:1] if text[:1] == " " and len(text) > 1]
        for text in (*bare, *texts):
            for left, right in tuple(self.own):
                yield left, right, f"{left}{text}{right}"
        for left, right in islice(self.contexts, _MOST_CONTEXTS):
            for text in texts[:_FEW_COMPLETIONS]:
                yield left, right, f"{left}{text}{right}"

    def _remember(self, left: str, right: str) -> None:
        pair = left, right
        if pair in self.own:
            if self.own[0] != pair:
                self.own.remove(pair)
                self.own.insert(0, pair)
        else:
            self.contexts.helped(pair)

    def _encoded(self, text: str) -> set[int]:
        try:
            return set(self.tokenizer.encode(text))
        except ValueError:  # what the table cannot spell
            return set()
