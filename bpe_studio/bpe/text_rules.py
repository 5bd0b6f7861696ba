"""What a tokenizer does to a text around its merges: added tokens, edits, cuts, unknown text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from bpe_studio.bpe.edits import Edit, Unicode

__all__ = ["PLAIN_TEXT", "AddedToken", "Behavior", "Split", "TextRules", "Unknown"]

Behavior = Literal["isolated", "removed", "merged-with-previous", "merged-with-next", "contiguous"]


@dataclass(frozen=True, slots=True)
class AddedToken:
    """A token that is found in the text before anything else is done.

    Attributes
    ----------
    content : str
    id : int
    special : bool
        Whether decoding may skip it.
    lstrip, rstrip : bool
        Whether white space before it, or after it, belongs to it.
    single_word : bool
        Whether it must not touch a letter, number or underscore.
    normalized : bool
        Whether it is looked for in the text as the normalizer leaves it, in its own normalized
        form; else in the text as it came, and first.
    """

    content: str
    id: int
    special: bool = True
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False
    normalized: bool = False

    def may_cut(self) -> bool:
        """Whether it is found all the same in parts of a text that is cut beside white space."""
        alone = not (self.lstrip or self.rstrip or self.single_word or self.normalized)
        return alone and not any(map(str.isspace, self.content))


@dataclass(frozen=True, slots=True)
class Split:
    """Cuts every piece at the matches of an expression (for the `regex` package).

    Attributes
    ----------
    expression : str
    behavior : what becomes of a match: a piece of its own ("isolated"), nothing ("removed"), a
        part of the piece before or after it, or one piece with the matches that touch it
        ("contiguous")
    invert : bool
        Whether what lies between the matches is meant, and not the matches.
    """

    expression: str
    behavior: Behavior = "isolated"
    invert: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """The token of characters that the table cannot spell.

    Attributes
    ----------
    id : int
    fuse : bool
        Whether neighbours within a piece are one token.
    """

    id: int
    fuse: bool = False


@dataclass(frozen=True, slots=True)
class TextRules:
    """In what order they act: added tokens that are not normalized; the normalizer; added tokens
    that are; the pre-tokenizer; the tokenizer's pattern, on every piece that is left; and then the
    merges.

    Attributes
    ----------
    added : tuple of AddedToken
        Found in every text, unless `allowed_special` says otherwise. Each is a special of the
        tokenizer too.
    normalizer : tuple of Edit
        Applied to every stretch of text between added tokens.
    pre_tokenizer : tuple of Edit and Split
        Applied to every piece, in order. Only for what the pattern cannot say: edits, text that is
        dropped, several cuts one after another.
    fixed : tuple of (text, id)
        Found in the normalized text, leftmost and longest, and never cut or merged: the
        user-defined symbols of SentencePiece.
    unknown : Unknown or None
        None where text that the table cannot spell is an error.
    word_prefix, word_end : str
        Marks that the vocabulary writes at every symbol of a piece but its first
        (``continuing_subword_prefix``) and at its last (``end_of_word_suffix``).
    strip_left : int
        How many spaces decoding takes from the front of the text: those that encoding put there.
    """

    added: tuple[AddedToken, ...] = ()
    normalizer: tuple[Edit, ...] = ()
    pre_tokenizer: tuple[Edit | Split, ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()
    unknown: Unknown | None = None
    word_prefix: str = ""
    word_end: str = ""
    strip_left: int = 0

    def may_cut(self) -> bool:
        """Whether a text that is cut beside white space is edited in parts as it is whole."""
        # No form composes or reorders anything with white space, and these leave that as it is.
        canonical = (Unicode("NFC"), Unicode("NFD"))
        kept = replace(self, added=(), normalizer=(), strip_left=0)
        return kept == PLAIN_TEXT and all(step in canonical for step in self.normalizer)

    def named_ids(self) -> Iterator[tuple[str, int]]:
        """What has an id here, in words, and the id."""
        yield from ((f"The added token {token.content!r}", token.id) for token in self.added)
        yield from ((f"The fixed piece {text!r}", number) for text, number in self.fixed)
        if self.unknown is not None:
            yield "The unknown token", self.unknown.id


PLAIN_TEXT = TextRules()
