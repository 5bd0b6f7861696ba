"""Why no text, or only some, produces a token: the sentences."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis import utf8
from bpe_studio.analysis.alone import Alone
from bpe_studio.analysis.building import find_culprit, missing_part, no_merge_sentence
from bpe_studio.analysis.merging import events
from bpe_studio.analysis.naming import listed, merge_name, quoted, token_name
from bpe_studio.analysis.reachable import Reach
from bpe_studio.bpe.preparing import Cut
from bpe_studio.bpe.scanner import alternative_of
from bpe_studio.bpe.table import MissingByteError
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = [
    "cuts_sentence",
    "edited_sentence",
    "goes_on",
    "left_alone",
    "not_merged",
    "pieces_of",
    "spelled",
]

_NEIGHBOURS: Final = "texts with neighbours of every class"
_NO_UTF8: Final = "It holds bytes that no UTF-8 text has."
_MOST_PIECES: Final = 4
_MOST_POINTS: Final = 6


def not_merged(tokenizer: Tokenizer, alone: Alone, base: set[int], built: NDArray[np.bool_]) -> str:
    """Why merges do not make a token of its own bytes.

    Parameters
    ----------
    base : what merging begins with
    built : as `iter_built`
    """
    table, token, data = tokenizer.table, alone.token, alone.data
    if not built[table.index_of(token)]:
        missing = missing_part(table, token, base)
        return no_merge_sentence(tokenizer, token, token if missing is None else missing)
    try:
        happened = events(tokenizer, data)
        culprit = find_culprit(tokenizer, happened, token, len(data), built=built)
    except MissingByteError as lack:
        return str(lack)
    if culprit is None:
        return f"The characters of {quoted(data)} are symbols of their own in this table."
    event, own = culprit.event, culprit.own_rank
    left, right, _ = table.merge_of(own)
    return (
        f"On its own bytes {merge_name(tokenizer, event.rank)} wins and makes "
        f"{token_name(tokenizer, event.id)}, so "
        f"{quoted(table.token_bytes(left))} and {quoted(table.token_bytes(right))} "
        f"never meet for {merge_name(tokenizer, own)}."
    )


def pieces_of(tokenizer: Tokenizer, text: str) -> list[str]:
    """What the pattern makes of a text."""
    return [match.group() for match in tokenizer.pattern.compiled.finditer(text)]


def cuts_sentence(tokenizer: Tokenizer, text: str) -> str:
    """``The pattern cuts “a.b” at characters 1 and 2 into …``, without a full stop."""
    cuts: list[int] = []
    made: list[str] = []
    position = 0
    for piece in pieces_of(tokenizer, text):
        end = position + len(piece)
        number = alternative_of(tokenizer.pattern, text, position, end)
        made.append(f"{quoted(piece)} (alternative {number + 1})")
        position = end
        cuts.append(position)
    if len(made) < 2:
        return f"{quoted(text)} is changed or taken by a special before anything is merged"
    where = listed([f"{cut:,}" for cut in cuts[:-1][:_MOST_PIECES]])
    into = listed(made[:_MOST_PIECES])
    return f"The pattern cuts {quoted(text)} at character {where} into {into}"


def left_alone(tokenizer: Tokenizer, alone: Alone, reach: Reach) -> str:
    """That the search found no text in which nothing else happens to the bytes of a token."""
    if utf8.classify(alone.data) == "never":
        return _NO_UTF8
    if alone.text is None and reach.edited:
        why = "It is a part of characters that the normalizer, the pattern or a special takes first"
    elif alone.text is None:
        why = "It is a part of characters that the pattern cuts or merges join first"
    else:
        why = _before_merging(tokenizer, alone.text)
    return f"{why}, and none of {reach.tried:,} {_NEIGHBOURS} produces it."


def goes_on(alone: Alone, reach: Reach) -> str:
    """That merges make a token only on the way."""
    return (
        f"In {quoted(reach.absorbed or '')} merges make {quoted(alone.data)} and go on; none of "
        f"{reach.tried:,} {_NEIGHBOURS} ends with it."
    )


def edited_sentence(tokenizer: Tokenizer, alone: Alone, reach: Reach) -> str:
    """That no text was found, where texts are edited or another library encodes."""
    none = f"none of {reach.tried:,} {_NEIGHBOURS} produced it"
    if alone.text is None:
        if utf8.classify(alone.data) == "never":
            return _NO_UTF8
        return f"It is a part of characters, and {none}."
    if tokenizer.outside is not None:
        try:
            ids = tokenizer.encode(alone.text)
        except ValueError:
            ids = []
        made = listed([token_name(tokenizer, number) for number in ids[:_MOST_PIECES]])
        more = " and more" if len(ids) > _MOST_PIECES else ""
        return f"Its own text encodes to {made or 'nothing'}{more}, and {none}."
    return f"{_before_merging(tokenizer, alone.text)}, and {none}."


def _before_merging(tokenizer: Tokenizer, text: str) -> str:
    """What is done to the text of a token before it is merged, without a full stop."""
    if len(pieces_of(tokenizer, text)) > 1:
        return cuts_sentence(tokenizer, text)
    edited = _edited(tokenizer, text)
    if edited.lstrip(" ") != text.lstrip(" "):
        return f"The normalizer turns {quoted(text)} into {quoted(edited)}"
    special = next((t for t in tokenizer.rules.added if t.content in text), None)
    if special is not None:
        return f"{quoted(text)} holds the special {quoted(special.content)}, which is matched first"
    return f"{quoted(text)} does not reach the merges as it is"


def spelled(text: str) -> str:
    """A text with its code points, since texts of several forms look the same."""
    points = " ".join(f"U+{ord(char):04X}" for char in text[:_MOST_POINTS])
    return f"{quoted(text)} ({points}{' …' if len(text) > _MOST_POINTS else ''})"


def _edited(tokenizer: Tokenizer, text: str) -> str:
    """A text as it comes to the pattern, if no special is looked for."""
    parts = tokenizer.prepared(text, ())
    return "".join(part.stretch.text if isinstance(part, Cut) else "" for part in parts)
