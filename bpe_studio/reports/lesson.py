"""A lesson in words: what the next merge is and why, every step as text, and all of it as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bpe_studio.analysis.traps import Trap
from bpe_studio.analysis.units import Outcome, SideBySide
from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.lesson import Lesson, LessonState, PairCount
from bpe_studio.bpe.trainer import Merge, Ties

Plain = dict[str, Any]
MOST_PAIRS = 8
MOST_TOKENS = 40
LESSON_HEAD = "A lesson in byte-pair encoding"
UNITS_HEAD = "Units side by side"
TRAPS_HEAD = "Traps, looked for in the table"
TIE_RULES: dict[Ties, str] = {
    "first-seen": "the one that the text shows first is merged",
    "smallest-ids": "the one with the smallest ids is merged",
}


def pair_words(lesson: Lesson, pair: PairCount | Merge) -> str:
    """`␠ + low`."""
    return f"{readable(lesson.name(pair.left))} + {readable(lesson.name(pair.right))}"


def next_words(lesson: Lesson, state: LessonState) -> str:
    """What is merged next and why, or why nothing is: a sentence or two."""
    best = state.next
    if best is None:
        return _end_words(lesson, state)
    pair, tied = pair_words(lesson, best), len(state.tied)
    fewer = _overlap_words(state, best)
    if tied == 1:
        return f"{pair} is the most frequent pair, {_times(best.count)}{fewer}."
    rule = TIE_RULES[lesson.rules.ties]
    how = _place_words(lesson, state, best)
    return f"{tied} pairs occur {_times(best.count)} each; of these {rule}: {pair}, {how}{fewer}."


def _overlap_words(state: LessonState, best: PairCount) -> str:
    """`aaa` has the pair twice, and only one of the two can be joined."""
    joined = sum(
        len(places) * word.count for places, word in zip(state.firing, state.words, strict=True)
    )
    if joined == best.count:
        return ""
    return f"; they overlap, so {joined:,} {'is' if joined == 1 else 'are'} joined"


def _end_words(lesson: Lesson, state: LessonState) -> str:
    if not state.pairs:
        return "No pair is left: every word is one token."
    best = state.pairs[0].count
    return (
        f"The end: a merge needs a pair that occurs {_times(lesson.rules.min_freq)}, and the most "
        f"frequent one occurs {_times(best)}."
    )


def _place_words(lesson: Lesson, state: LessonState, pair: PairCount) -> str:
    if lesson.rules.ties == "smallest-ids":
        return f"ids {pair.left} and {pair.right}"
    return f"first seen in “{readable(state.words[pair.word].piece)}”"


def score_words(state: LessonState, before: LessonState | None = None) -> str:
    """Vocabulary, tokens and characters per token, and how the last merge changed them."""
    less = f" (−{before.tokens - state.tokens:,})" if before else ""
    more = " (+1)" if before else ""
    return (
        f"vocabulary {state.vocab_size:,}{more}, tokens {state.tokens:,}{less}, "
        f"{state.characters_per_token:.2f} characters per token"
    )


def lesson_lines(lesson: Lesson) -> Iterator[str]:
    """Every step so far as text: the counts, the pair, the rows after it, the score."""
    rules, states = lesson.rules, lesson.states
    merges = len(states) - 1
    yield f"{LESSON_HEAD}: {merges:,} {'merge' if merges == 1 else 'merges'}"
    yield f"Text: {readable(lesson.text.encode(), spaces=False)}"
    yield (
        f"Base {rules.base}, ties {rules.ties}, smallest count {rules.min_freq}, pattern "
        f"{lesson.pattern.name}, {_specials_words(len(rules.specials))}"
    )
    yield ""
    yield "Before the first merge"
    yield from _row_lines(lesson, states[0])
    yield f"  {score_words(states[0])}"
    for before, after in zip(states, states[1:], strict=False):
        merge = after.merges[-1]
        yield ""
        yield f"Merge {merge.rank + 1}: {merge_words(lesson, merge)}"
        yield f"  {next_words(lesson, before)}"
        yield from _pair_lines(lesson, before)
        yield from _row_lines(lesson, after)
        yield f"  {score_words(after, before)}"
    last = states[-1]
    yield ""
    if last.next is None:
        yield next_words(lesson, last)
    else:
        yield f"Next: {next_words(lesson, last)}"
        yield from _pair_lines(lesson, last)


def _specials_words(number: int) -> str:
    return f"{number:,} {'special' if number == 1 else 'specials'}"


def merge_words(lesson: Lesson, merge: Merge) -> str:
    """`l + o → lo, the token 262`."""
    return f"{pair_words(lesson, merge)} → {readable(lesson.name(merge.id))}, the token {merge.id}"


def _row_lines(lesson: Lesson, state: LessonState) -> Iterator[str]:
    width = max(len(str(word.count)) for word in state.words)
    for word in state.words:
        yield f"  {word.count:>{width}}× {'|'.join(_names(lesson, word.symbols))}"


def _pair_lines(lesson: Lesson, state: LessonState) -> Iterator[str]:
    shown = state.pairs[:MOST_PAIRS]
    width = max(len(str(pair.count)) for pair in shown)
    ties = len(state.tied)
    for number, pair in enumerate(shown):
        mark = "→" if number == 0 else "=" if number < ties else " "
        yield f"  {mark} {pair.count:>{width}}  {pair_words(lesson, pair)}"
    if len(state.pairs) > MOST_PAIRS:
        yield f"    and {len(state.pairs) - MOST_PAIRS:,} more"


def _names(lesson: Lesson, symbols: Sequence[int]) -> list[str]:
    return [readable(lesson.name(symbol)) for symbol in symbols]


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


# Units and traps


def units_lines(found: SideBySide) -> Iterator[str]:
    """Units side by side as text."""
    yield f"{UNITS_HEAD}; asked for “{found.word}”"
    for unit in found.units:
        yield ""
        yield f"{unit.title}: vocabulary {unit.vocab_size:,}, {_length_words(unit.text)}"
        if not unit.text.error:
            yield f"  {_cut_words(unit.text.tokens)}"
        yield f"  {unit.sentence}"
        if unit.unseen.tokens:
            yield f"  {_cut_words(unit.unseen.tokens)}"


def _length_words(outcome: Outcome) -> str:
    return outcome.error or f"{len(outcome):,} tokens"


def _cut_words(tokens: Sequence[str]) -> str:
    more = f" … {len(tokens) - MOST_TOKENS:,} more" if len(tokens) > MOST_TOKENS else ""
    return "|".join(token if token.strip() else readable(token.encode()) for token in
                    tokens[:MOST_TOKENS]) + more  # fmt: skip


def trap_lines(trap: Trap) -> Iterator[str]:
    """A trap as text: its sentence and its results."""
    yield f"{trap.title}{'' if trap.shown else ' (not in this table)'}"
    yield f"  {trap.sentence}"
    for side in trap.sides:
        yield f"    {side.label}: {_cut_words([readable(token) for token in side.tokens])}"


# JSON


def plain_lesson(lesson: Lesson, *, steps: bool = True) -> Plain:
    """The lesson, and the steps so far, as plain values of JSON."""
    rules = lesson.rules
    told: Plain = {
        "text": lesson.text,
        "base": rules.base,
        "ties": rules.ties,
        "min_freq": rules.min_freq,
        "pattern": lesson.pattern.name,
        "specials": list(rules.specials),
    }
    if steps:
        told["states"] = [_plain_state(lesson, state) for state in lesson.states]
        told["stop_reason"] = lesson.state.stop_reason
    return told


def is_export(head: bytes) -> bool:
    """Whether a file that begins like this is a lesson that was saved, as text or as JSON."""
    text = head.decode("utf-8", "replace")
    return text.startswith((LESSON_HEAD, UNITS_HEAD, TRAPS_HEAD)) or (
        text.startswith('{\n "text": ') and '\n "min_freq": ' in text
    )


def _plain_state(lesson: Lesson, state: LessonState) -> Plain:
    merge = state.merges[-1] if state.merges else None
    return {
        "merge": None if merge is None else _plain_merge(lesson, merge),
        "words": [
            {"count": word.count, "symbols": _plain_symbols(lesson, word.symbols)}
            for word in state.words
        ],
        "pairs": [_plain_pair(lesson, pair) for pair in state.pairs],
        "tied": len(state.tied) if state.pairs else 0,
        "vocab_size": state.vocab_size,
        "tokens": state.tokens,
        "characters_per_token": round(state.characters_per_token, 6),
        "next": None if state.next is None else _plain_pair(lesson, state.next),
        "sentence": next_words(lesson, state),
    }


def _plain_merge(lesson: Lesson, merge: Merge) -> Plain:
    return {
        "rank": merge.rank,
        "left": _plain_symbol(lesson, merge.left),
        "right": _plain_symbol(lesson, merge.right),
        "result": _plain_symbol(lesson, merge.id),
        "count": merge.count,
        "applied": merge.applied,
    }


def _plain_pair(lesson: Lesson, pair: PairCount) -> Plain:
    return {
        "left": _plain_symbol(lesson, pair.left),
        "right": _plain_symbol(lesson, pair.right),
        "count": pair.count,
        "first_word": pair.word,
        "first_place": pair.place,
    }


def _plain_symbols(lesson: Lesson, symbols: Iterable[int]) -> list[Plain]:
    return [_plain_symbol(lesson, symbol) for symbol in symbols]


def _plain_symbol(lesson: Lesson, symbol: int) -> Plain:
    data = lesson.name(symbol)
    return {"id": symbol, "token": readable(data), "bytes": data.hex()}
