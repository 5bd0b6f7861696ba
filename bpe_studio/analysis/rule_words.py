"""What a tokenizer does to a text around its merges, in words of no file format."""

from __future__ import annotations

from functools import singledispatch

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
from bpe_studio.bpe.text_rules import Split, TextRules

__all__ = ["NOTHING", "edit_words", "prefix_space", "steps_words"]

NOTHING = "none"


def steps_words(steps: tuple[Edit | Split, ...]) -> str:
    """Edits and cuts in the order in which they are done: "NFC, lower case"."""
    return ", ".join(map(edit_words, steps)) or NOTHING


def prefix_space(rules: TextRules) -> str:
    """Where a space is put in front of text."""
    steps = (*rules.normalizer, *rules.pre_tokenizer)
    found = [step for step in steps if isinstance(step, Prepend) and step.text == " "]
    if not found:
        return NOTHING
    where = "before the text" if all(step.first_only for step in found) else "before every part"
    return f"{where}, unless there is one" if all(step.unless_there for step in found) else where


@singledispatch
def edit_words(step: Edit | Split) -> str:
    """One step: what it does.

    >>> edit_words(Unicode("NFKC")), edit_words(Replace(" {2,}", " "))
    ('NFKC', "replace ' {2,}' by ' '")
    """
    raise TypeError(f"There are no words for {step!r}.")


@edit_words.register
def _(step: Unicode) -> str:
    return step.form


@edit_words.register
def _(step: Replace) -> str:
    return (
        f"replace {step.expression!r} by {step.text!r}"
        if step.text
        else (f"remove {step.expression!r}")
    )


@edit_words.register
def _(step: Prepend) -> str:
    what = "a space" if step.text == " " else repr(step.text)
    where = "before the text" if step.first_only else "before every part"
    return f"put {what} {where}" + (", unless it is there" if step.unless_there else "")


@edit_words.register
def _(step: Lowercase) -> str:
    return "lower case"


@edit_words.register
def _(step: Strip) -> str:
    sides = {(True, True): "both ends", (True, False): "the front", (False, True): "the end"}
    return f"strip white space at {sides.get((step.left, step.right), 'no end')}"


@edit_words.register
def _(step: StripAccents) -> str:
    return "strip combining marks"


@edit_words.register
def _(step: Nmt) -> str:
    return "remove control characters"


@edit_words.register
def _(step: CharsMap) -> str:
    return f"character map of {len(step.data):,} bytes"


@edit_words.register
def _(step: Split) -> str:
    matches = "what does not match" if step.invert else "matches of"
    return f"cut at {matches} {step.expression!r} ({step.behavior})"
