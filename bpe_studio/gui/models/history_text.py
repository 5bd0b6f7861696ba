"""Why a token is a token at all, in sentences and as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bpe_studio.analysis.flags import KINDS, Flag
from bpe_studio.analysis.history import NOT_ALONE, History, Making, PieceUse
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.naming import name, pair_text, row_text

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

TITLE = "Why is this a token at all?"
MOST_FILES = 3


def origin(history: History) -> str:
    """What made the token, in a sentence."""
    if history.special:
        return "It is a special: it was given its id, and no merge makes it."
    if history.base:
        return "It is a base symbol: it was there before the first merge."
    if not history.makings:
        return "No merge of this table makes it."
    if not history.made_alone:
        return NOT_ALONE
    if len(history.makings) > 1:
        return f"{len(history.makings):,} merges make it; told is the way that its bytes go."
    return counts(history.makings[0])


def counts(making: Making) -> str:
    """How often training saw and made a merge; nothing where it is not known."""
    if making.count is None or making.applied is None:
        return ""
    return (
        f"In training its pair was seen {_times(making.count)} and merged {_times(making.applied)}."
    )


def figure(making: Making) -> str:
    """How often a merge was made in training, in few characters."""
    return "" if making.applied is None else f"{making.applied:,}×"


def flag_lines(flags: Iterable[Flag]) -> list[str]:
    """What Health has flagged in the token, a line for each flag."""
    return [f"Health: {KINDS[flag.kind].title}. {flag.evidence}" for flag in flags]


def next_words(history: History) -> str:
    """Over the merges that use the token."""
    if not history.next_total:
        return "No merge uses it: it lives on in no other token by merges."
    return f"Used by {_counted(history.next_total, 'merge')}, into:"


def longer_words(history: History) -> str:
    """Over the tokens that contain its bytes."""
    if not history.longer_total:
        return "No longer token contains its bytes."
    verb = "contains" if history.longer_total == 1 else "contain"
    return f"{_counted(history.longer_total, 'longer token')} {verb} its bytes:"


def earned_words(history: History) -> str:
    """Over the pieces of a corpus in which its merge fired."""
    corpus = "In this corpus"
    if history.earned_in_training is not None:
        what = "that of" if history.earned_in_training else "not that of"
        corpus += f", {what} the training,"
    passed_over = ""
    if history.earned_hold_out:
        share = f"{100 * history.earned_hold_out:g} %"
        passed_over = f" The {share} of documents held out are passed over."
    several = len(history.makings) > 1
    if not history.earned_pieces:
        what = "none of its merges fires" if several else "its merge does not fire"
        return f"{corpus} {what} in any piece.{passed_over}"
    what = f"its {len(history.makings):,} merges fire" if several else "its merge fires"
    return (
        f"{corpus} {what} {_times(history.earned_applied)}, in "
        f"{_counted(history.earned_pieces, 'distinct piece')}.{passed_over} Most in:"
    )


def files_words(use: PieceUse) -> str:
    """The files that a piece comes from."""
    shown = [f"{file} ({count:,})" for file, count in use.files[:MOST_FILES]]
    more = len(use.files) - MOST_FILES
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")


def history_lines(tokenizer: Tokenizer, history: History) -> Iterator[str]:
    """All of it, line by line."""
    yield f"{TITLE} {row_text(tokenizer, [history.token])}"
    if origin(history):
        yield origin(history)
    for made in history.ancestry:
        pair = pair_text(tokenizer, made.left, made.right)
        yield (
            f"  rank {made.rank:,}: {pair} → {name(tokenizer, made.id)} ({made.id}) {figure(made)}"
        ).rstrip()
    if not history.special:
        yield next_words(history)
        if history.next_makings:
            yield f"  {row_text(tokenizer, (made.id for made in history.next_makings))}"
        yield longer_words(history)
        if history.longer:
            yield f"  {row_text(tokenizer, history.longer)}"
    if history.earned is not None:
        yield earned_words(history)
        for use in history.earned:
            files = files_words(use)
            yield (f"  {readable(use.piece)} {use.count:,}×{f', {files}' if files else ''}")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
