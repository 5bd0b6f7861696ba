"""Text rules and patterns → normalizer, pre-tokenizer and decoder of a Hugging Face file.

Tokens keep their spaces, so no ▁ is written: ``Metaspace`` with a space for a mark puts a space in
front and cuts before spaces.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any, Final

import regex

from bpe_studio.bpe.edits import (
    CharsMap,
    Edit,
    Lowercase,
    Nmt,
    Prepend,
    Replace,
    Strip,
    StripAccents,
    Unicode,
)
from bpe_studio.bpe.patterns import OTHERS, PRESETS, Pattern
from bpe_studio.bpe.text_rules import Split, TextRules
from bpe_studio.formats.dialects.oniguruma import ExpressionError, to_oniguruma
from bpe_studio.formats.dialects.spellings import spelling_of

__all__ = ["decoder_of", "normalizer_of", "pre_tokenizer_of"]

Part = dict[str, Any]

_BEHAVIORS: Final = {
    "isolated": "Isolated",
    "removed": "Removed",
    "merged-with-previous": "MergedWithPrevious",
    "merged-with-next": "MergedWithNext",
    "contiguous": "Contiguous",
}
_REFUSAL: Final = "save it as JSON of BPE Studio"


def normalizer_of(rules: TextRules) -> tuple[Part | None, int]:
    """The normalizer, and how many steps of the pre-tokenizer have gone into it.

    Edits come first in a pre-tokenizer here and nowhere there. That is the same where no added
    token is looked for between the two.

    Raises
    ------
    ValueError
        A step that `tokenizers` does not know.
    """
    parts = [_edit(_everywhere(step, rules)) for step in rules.normalizer]
    moved = 0
    if not any(token.normalized for token in rules.added):
        for step in rules.pre_tokenizer:
            if isinstance(step, Split) or _goes_in_front(step):
                break
            parts.append(_edit(step))
            moved += 1
    return _sequence(parts, "normalizers"), moved


def pre_tokenizer_of(
    rules: TextRules, pattern: Pattern, *, done: int, byte_level: bool, may_cut: bool
) -> Part | None:
    """The pre-tokenizer.

    Parameters
    ----------
    done : int
        How many of its steps the normalizer does.
    byte_level : bool
        Whether tokens are written in the byte alphabet.
    may_cut : bool
        Whether the pattern "words" changes nothing.

    Raises
    ------
    ValueError
        A step or an expression that cannot be said there.
    """
    steps = list(rules.pre_tokenizer[done:])
    in_front = byte_level and len(steps) == 1 and _goes_in_front(steps[0], always=True)
    as_gpt2 = in_front and pattern == PRESETS["gpt2"]
    if as_gpt2 or (in_front and pattern == OTHERS["whole"]):
        return _byte_level(add_prefix_space=True, use_regex=as_gpt2)
    parts = [_split(step) if isinstance(step, Split) else _metaspace(step) for step in steps]
    if pattern == OTHERS["spaces"]:
        last = parts.pop() if parts and parts[-1]["type"] == "Metaspace" else _metaspace(None)
        parts.append(last | {"split": True})
    elif pattern != OTHERS["whole"] and not (pattern == OTHERS["words"] and may_cut):
        parts.append(_split_part({"Regex": _spelled(pattern)}, "Isolated"))
    if byte_level:
        parts.append(_byte_level(add_prefix_space=False, use_regex=False))
    return _sequence(parts, "pretokenizers")


def decoder_of(rules: TextRules, *, byte_level: bool, byte_fallback: bool) -> Part:
    """The decoder: what tokens spell, joined."""
    parts: list[Part] = []
    if byte_level:
        parts.append(_byte_level(add_prefix_space=False, use_regex=False))
    elif byte_fallback:
        parts.append({"type": "ByteFallback"})
    if rules.word_end:
        end = {"String": rules.word_end}
        ends: Part = {"type": "Replace", "pattern": end, "content": " "}
        parts.append(ends if byte_level else {"type": "BPEDecoder", "suffix": rules.word_end})
    if not byte_level or rules.strip_left:
        parts.append({"type": "Fuse"})
    if rules.strip_left:
        parts.append({"type": "Strip", "content": " ", "start": rules.strip_left, "stop": 0})
    return parts[0] if len(parts) == 1 else {"type": "Sequence", "decoders": parts}


def _sequence(parts: list[Part], key: str) -> Part | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return {"type": "Sequence", key: parts}


def _refuse(what: str) -> ValueError:
    return ValueError(
        f"The tokenizer {what}, which a tokenizer.json cannot say, so its ids would be others; "
        f"{_REFUSAL}."
    )


def _everywhere(step: Edit, rules: TextRules) -> Edit:
    """A text put in front of the whole text only: the same where added tokens part no text."""
    if isinstance(step, Prepend) and step.first_only and not rules.added:
        return replace(step, first_only=False)
    return step


def _edit(step: Edit) -> Part:
    match step:
        case Unicode(form):
            return {"type": form}
        case Lowercase():
            return {"type": "Lowercase"}
        case StripAccents():
            return {"type": "StripAccents"}
        case Nmt():
            return {"type": "Nmt"}
        case Strip(left, right):
            return {"type": "Strip", "strip_left": left, "strip_right": right}
        case Replace(expression, text):
            return {"type": "Replace", "pattern": _matched(expression), "content": text}
        case Prepend(text, unless_there=False, first_only=False):
            return {"type": "Prepend", "prepend": text}
        case CharsMap(data, by_grapheme=True, kept=()):
            chars_map = base64.b64encode(data).decode()
            return {"type": "Precompiled", "precompiled_charsmap": chars_map}
        case CharsMap():
            raise _refuse("replaces characters as SentencePiece does it")
    raise _refuse("puts text in front of some texts only")


def _goes_in_front(step: Edit | Split, *, always: bool = False) -> bool:
    """Whether this puts a space in front, as Metaspace does."""
    is_space = isinstance(step, Prepend) and step.text == " " and step.unless_there
    return is_space and not (always and isinstance(step, Prepend) and step.first_only)


def _metaspace(step: Edit | None) -> Part:
    scheme = "never"
    if isinstance(step, Prepend) and _goes_in_front(step):
        scheme = "first" if step.first_only else "always"
    elif step is not None:
        raise _refuse(f"edits a text ({type(step).__name__}) that has been cut")
    return {"type": "Metaspace", "replacement": " ", "prepend_scheme": scheme, "split": False}


def _byte_level(*, add_prefix_space: bool, use_regex: bool) -> Part:
    return {
        "type": "ByteLevel",
        "add_prefix_space": add_prefix_space,
        "trim_offsets": False,
        "use_regex": use_regex,
    }


def _split(step: Split) -> Part:
    return _split_part(_matched(step.expression), _BEHAVIORS[step.behavior], step.invert)


def _split_part(pattern: Part, behavior: str, invert: bool = False) -> Part:
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def _matched(expression: str) -> Part:
    """An expression as it is written there; a text where it is no more than that."""
    text = regex.sub(r"\\([^\w\s]|\s)", r"\1", expression)
    if regex.escape(text, literal_spaces=True) == expression or regex.escape(text) == expression:
        return {"String": text}
    try:
        return {"Regex": to_oniguruma(expression)}
    except ExpressionError as error:
        raise _refuse(f"uses the expression {expression!r} ({error})") from None


def _spelled(pattern: Pattern) -> str:
    try:
        return spelling_of(pattern)
    except ExpressionError as error:
        raise _refuse(f"cuts by {pattern.expression!r} ({error})") from None
