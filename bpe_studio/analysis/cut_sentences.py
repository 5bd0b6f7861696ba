"""What is said of a cut that one table has and the other has not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from bpe_studio.analysis.before_merging import by_whole_pieces
from bpe_studio.analysis.difference_reason import CutReason, Side
from bpe_studio.analysis.naming import listed, quoted
from bpe_studio.analysis.reason import Reason
from bpe_studio.analysis.span import Span
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["Names", "by_merging", "normalized", "outside", "special_of_cutter", "without_merging"]

_MOST_LISTED: Final = 6


@dataclass(frozen=True, slots=True)
class Names:
    """Which table cuts and which keeps a token, as A and B and as tokenizers."""

    cutter: Side
    keeper: Side
    cutter_of: Tokenizer
    keeper_of: Tokenizer

    def kept(self, known: CutReason) -> str:
        """The other's token: “␠low”, or “low” (“▁low” in B) where its bytes are not the text's."""
        return f"{quoted(known.data)}{self.other_spelling(known)}"

    def other_spelling(self, known: CutReason) -> str:
        """The bytes of the other's token, where they are not those of the text."""
        assert known.kept is not None
        data = self.keeper_of.token_bytes(known.kept)
        return "" if data == known.data else f" ({quoted(data)} in {self.keeper})"

    def made(self, tokens: tuple[int, ...]) -> str:
        """What the cutter makes of it."""
        names = [quoted(self.cutter_of.token_bytes(token)) for token in tokens[:_MOST_LISTED]]
        if len(tokens) > _MOST_LISTED:
            names.append(f"{len(tokens) - _MOST_LISTED:,} more")
        return listed(names)


def without_merging(names: Names, known: CutReason, put_in: int | None) -> CutReason | None:
    """Reasons that need no look at any merge, and lie with the other table but for the first."""
    if put_in is not None:
        put = quoted(names.cutter_of.token_bytes(put_in))
        return replace(
            known,
            kind="normalized",
            sentence=f"{names.cutter} has the token {put} there, which stands for no character of "
            f"the text; {names.keeper} has no such token.",
        )
    if known.kept is None:
        return replace(
            known,
            kind="normalized",
            side=names.keeper,
            sentence=f"{names.keeper} leaves out {quoted(known.data)} of the text, and "
            f"{names.cutter} has a token for it.",
        )
    keeper = names.keeper_of
    if not keeper.is_special(known.kept):
        return None
    name = keeper.token_bytes(known.kept)
    if name.strip() != known.data.strip():
        return replace(
            known,
            kind="unknown",
            side=names.keeper,
            sentence=f"{names.keeper} cannot spell {quoted(known.data)} and has {quoted(name)} for "
            f"it; {names.cutter} can.",
        )
    return replace(
        known,
        kind="special",
        side=names.keeper,
        sentence=f"{quoted(known.data)} is a special or an added token of {names.keeper}, which it "
        f"finds before anything else; {names.cutter} reads it as other text.",
    )


def outside(names: Names, known: CutReason, made: tuple[int, ...]) -> CutReason:
    """The cutter is a model that a library runs: its vocabulary is known, and its cuts."""
    model = names.cutter_of.outside
    assert model is not None
    table = names.cutter_of.table
    tokens = (table.find(spelled) for spelled in _spellings(known.data))
    token = next((token for token in tokens if token is not None), None)
    if token is None:
        return replace(known, kind="no-such-token", sentence=_no_such_token(names, known, made))
    return replace(
        known,
        kind="outside",
        token=token,
        sentence=f"{names.cutter} is a {model.kind} model that {model.library} runs, so only its "
        f"cuts are known: it has the token {quoted(table.token_bytes(token))}, but makes "
        f"{names.made(made)} of {names.kept(known)} here.",
    )


def _spellings(data: bytes) -> tuple[bytes, ...]:
    """How the vocabularies of other schools may write a stretch of text."""
    mark = "▁".encode()
    marked = data.replace(b" ", mark)
    bare = data.strip()
    spelled = (data, marked, mark + bare, bare, b"##" + bare)
    lower = tuple(each.decode("utf-8", "ignore").lower().encode() for each in spelled)
    return tuple(dict.fromkeys(each for each in spelled + lower if each))


def _no_such_token(names: Names, known: CutReason, made: tuple[int, ...]) -> str:
    makes = f"; it has {names.made(made)} there" if made else ""
    return (
        f"{names.cutter} has no token {quoted(known.data)}, which is one token of {names.keeper}"
        f"{names.other_spelling(known)}{makes}."
    )


def special_of_cutter(names: Names, known: CutReason, answer: Reason, before: int) -> CutReason:
    """It overlaps a special of the table that cuts."""
    name = quoted(names.cutter_of.token_bytes(answer.ids[0]))
    return replace(
        known,
        kind="special",
        token=answer.ids[0],
        offset=_place(answer, before),
        sentence=f"{name} is a special or an added token of {names.cutter}, which it finds before "
        f"anything else; {names.keeper} has {names.kept(known)} there.",
    )


def normalized(
    names: Names,
    known: CutReason,
    span: Span,
    answer: Reason | None,
    made: tuple[int, ...],
    before: int,
) -> CutReason:
    """The cutter changes the characters first, or makes one of some of them and others."""
    if span.changed:
        becomes = f"changes {quoted(span.text)} into {quoted(span.data)}"
        does = becomes if span.data else f"leaves out {quoted(span.text)}"
    else:
        does = f"changes {quoted(span.text)} together with its neighbours"
    makes = f", and makes {names.made(made)} of it" if made else ""
    return replace(
        known,
        kind="normalized",
        rank=None if answer is None else answer.rank,
        own_rank=None if answer is None else answer.own_rank,
        offset=None if answer is None else _place(answer, before),
        sentence=f"{names.cutter} {does} before it merges{makes}; in {names.keeper} it is one "
        f"token{names.other_spelling(known)}.",
    )


def by_merging(
    names: Names,
    known: CutReason,
    span: Span,
    answer: Reason,
    made: tuple[int, ...],
    before: int,
) -> CutReason:
    """The cutter's pattern, vocabulary or merges are why."""
    joined: tuple[bytes, ...] = ()
    if answer.rank is not None:
        joined = tuple(map(span.table.token_bytes, span.table.merge_of(answer.rank)[:2]))
    filled = replace(
        known,
        kind=answer.kind,
        token=span.token,
        rank=answer.rank,
        own_rank=answer.own_rank,
        joined=joined,
        offset=_place(answer, before),
    )
    if answer.kind == "no-such-token":
        return replace(filled, sentence=_no_such_token(names, filled, made))
    sentence = _SENTENCES[answer.kind](names, filled, span)
    return replace(filled, sentence=sentence + _engine(names, span))


def _pattern_cut(names: Names, known: CutReason, span: Span) -> str:
    pieces = [
        f"{quoted(piece)} (alternative {known.alternatives[number][0] + 1})"
        if len(known.alternatives) == len(known.pieces)
        else quoted(piece)
        for number, piece in enumerate(known.pieces)
    ]
    more = len(span.parts) - len(pieces)
    pieces += [f"{more:,} more"] if more else []
    what = "pattern" if known.alternatives else "way of cutting"
    return (
        f"{names.cutter}'s {what} cuts {names.kept(known)} into the pieces {listed(pieces)}, and "
        f"merges never cross a cut; {names.keeper}'s keeps it in one piece."
    )


def _whole_piece(names: Names, known: CutReason, span: Span) -> str:
    return (
        f"{names.cutter} has {quoted(span.wanted)}, but only for a whole piece, as its merges do "
        f"not lead to it, and here it is a part of the piece {quoted(span.piece.data)}; "
        f"{names.keeper} makes it."
    )


def _no_merge(names: Names, known: CutReason, span: Span) -> str:
    return (
        f"{names.cutter} has {quoted(span.wanted)} in its table, but its merges do not lead to "
        f"it; {names.keeper} makes it."
    )


def _absorbed(names: Names, known: CutReason, span: Span) -> str:
    return (
        f"{names.cutter} makes {names.kept(known)}, but {_merge(known)} then joined it with its "
        f"neighbour; {names.keeper} does not."
    )


def _taken(names: Names, known: CutReason, span: Span) -> str:
    place = known.offset
    side = "before" if place is not None and place <= known.start else "after"
    if known.rank == known.own_rank:
        return (
            f"{names.cutter} makes {names.kept(known)} by {_merge(known)}, but merges run left to "
            "right, and it fired further left and took a part of it; "
            f"{names.keeper} keeps it whole."
        )
    own = (
        " before the one"
        if known.own_rank is None
        else f" before the one of rank {known.own_rank:,}"
    )
    return (
        f"In {names.cutter}, {_merge(known)} comes{own} that makes {names.kept(known)}, and joined "
        f"a part of it with what stands {side} it; {names.keeper} keeps it whole."
    )


def _inner_merge(names: Names, known: CutReason, span: Span) -> str:
    if known.rank is None:
        return (
            f"The characters of {names.kept(known)} are symbols of their own in {names.cutter}, "
            f"so the bytes that would make it never stand alone; {names.keeper} makes it."
        )
    own = ""
    if known.own_rank is not None:
        left, right, _ = span.table.merge_of(known.own_rank)
        parts = [quoted(span.table.token_bytes(part)) for part in (left, right)]
        own = f", so {parts[0]} and {parts[1]} never met for its merge of rank {known.own_rank:,}"
    return (
        f"Inside {names.kept(known)}, {names.cutter}'s merge of rank {known.rank:,} "
        f"({_parts(known)}) came first{own}; {names.keeper} keeps it whole."
    )


_SENTENCES: Final[dict[str, Callable[[Names, CutReason, Span], str]]] = {
    "pattern-cut": _pattern_cut,
    "whole-piece": _whole_piece,
    "no-merge": _no_merge,
    "absorbed": _absorbed,
    "taken": _taken,
    "inner-merge": _inner_merge,
}


def _merge(known: CutReason) -> str:
    return f"the merge of rank {known.rank:,} ({_parts(known)})"


def _parts(known: CutReason) -> str:
    return " + ".join(map(quoted, known.joined))


def _engine(names: Names, span: Span) -> str:
    """Where only the engines differ."""
    if names.keeper_of.engine == "merges" or not span.parts or len(span.parts) > 1:
        return ""
    if by_whole_pieces(span) == "":
        return ""
    return f" {names.keeper} takes whole pieces first; {names.cutter} only merges."


def _place(answer: Reason, before: int) -> int | None:
    return None if answer.offset is None else answer.offset + before
