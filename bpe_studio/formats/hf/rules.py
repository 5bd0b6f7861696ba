"""Normalizer and pre-tokenizer → text rules and a pattern, with spaces as spaces.

Where a file writes a space as ▁, tokens here hold an ordinary space. So the text gets its marks as
the file says, and gives them back at the end; in the usual cases the two are taken together:
"▁ in front, then every space to ▁, then every ▁ to a space" is "a space in front, then every ▁ to
a space".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import regex

from bpe_studio.bpe.edits import Edit, Prepend, Replace
from bpe_studio.bpe.encoder import EngineName
from bpe_studio.bpe.patterns import OTHERS, Pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import Split, TextRules
from bpe_studio.formats.hf.pre_tokenizer import Cutting

__all__ = ["Arranged", "arrange", "may_cut_at_spaces"]

_SPACES: Final = (" ", r"\ ")


@dataclass(frozen=True, slots=True)
class Arranged:
    """What `TextRules` and `Tokenizer` want."""

    normalizer: tuple[Edit, ...]
    pre_tokenizer: tuple[Edit | Split, ...]
    pattern: Pattern


def may_cut_at_spaces(table: MergeTable, engine: EngineName, rules: TextRules) -> bool:
    """Whether a cut before a space that follows another character changes nothing."""
    if engine != "merges" or rules.word_prefix or rules.word_end:
        return False
    if rules.unknown is not None and rules.unknown.fuse:
        return False
    data = table.token_data
    spaces = np.flatnonzero((data[1:] == 0x20) & (data[:-1] != 0x20)) + 1
    return bool(np.isin(spaces, table.token_offsets).all())


def arrange(
    edits: tuple[Edit, ...], cutting: Cutting, *, mark: str, may_cut: bool, early: bool
) -> Arranged:
    """The rules of a file.

    Parameters
    ----------
    mark : str
        The character that stands for a space; empty where none does.
    may_cut : bool
        Whether no token has a space behind another character, so that a cut there changes nothing.
    early : bool
        Whether the marks may be gone when added tokens are looked for.
    """
    rest = OTHERS["words" if may_cut else "whole"]
    steps = cutting.steps
    if not mark:
        if cutting.pattern is None and steps and _cuts_before_spaces(steps[-1]):
            return Arranged(edits, steps[:-1], OTHERS["spaces"])
        return Arranged(edits, steps, cutting.pattern or rest)
    back = Replace(regex.escape(mark), " ")
    if edits and _gives_marks(edits[-1], mark):
        # No space is left at which these could cut.
        steps = tuple(s for s in steps if not (isinstance(s, Split) and s.expression in _SPACES))
    if steps and steps == cutting.steps and (simple := _metaspace(steps, mark, back)):
        pattern = OTHERS["spaces"] if len(steps) > len(simple) else rest
        return Arranged(edits, simple, pattern)
    if not steps and cutting.pattern is None and early and (merged := _merged(edits, mark, back)):
        return Arranged(merged, (), rest)
    if cutting.pattern is not None:
        steps = (*steps, Split(cutting.pattern.expression))
    return Arranged(edits, (*steps, back), rest)


def _cuts_before_spaces(step: Edit | Split) -> bool:
    return isinstance(step, Split) and step in (Split(s, "merged-with-next") for s in _SPACES)


def _gives_marks(edit: Edit, mark: str) -> bool:
    return isinstance(edit, Replace) and edit.expression in _SPACES and edit.text == mark


def _metaspace(
    steps: tuple[Edit | Split, ...], mark: str, back: Replace
) -> tuple[Edit | Split, ...] | None:
    """The steps of one Metaspace, without its cut: the pattern "spaces" makes that."""
    first, *others = steps
    if isinstance(first, Split) or not _gives_marks(first, mark):
        return None
    made: list[Edit | Split] = [back]
    if others and isinstance(prepend := others[0], Prepend) and prepend.text == mark:
        made.append(Prepend(" ", prepend.unless_there, prepend.first_only))
        others = others[1:]
    cut = Split(regex.escape(mark), "merged-with-next")
    return tuple(made) if others in ([], [cut]) else None


def _merged(edits: tuple[Edit, ...], mark: str, back: Replace) -> tuple[Edit, ...] | None:
    """The edits, with spaces where the others have marks; None where that is not the same."""
    made: list[Edit] = []
    began = False
    for edit in edits:
        if _gives_marks(edit, mark):
            made.append(back)
            began = True
        elif isinstance(edit, Prepend):
            made.append(Prepend(edit.text.replace(mark, " ")))
        elif began or any(isinstance(one, Prepend) for one in made):
            return None
        else:
            made.append(edit)
    return tuple(made) if began else None
