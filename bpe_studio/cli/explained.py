"""What `explain` prints for people to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bpe_studio.bpe.decoder import readable
from bpe_studio.cli.output import counted, print_rows, shown, write_out

if TYPE_CHECKING:
    from bpe_studio.analysis.explain import PieceStory, Reason, Variant
    from bpe_studio.analysis.history import History, Making
    from bpe_studio.analysis.letters import Grid, Letter
    from bpe_studio.analysis.proof import Proof
    from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["print_history", "print_letters", "print_piece", "print_reason"]

_MOST_LOST = 3
_MOST_SYMBOLS = 24
_MOST_TOKENS = 40
_MOST_FILES = 3


def print_reason(
    tokenizer: Tokenizer,
    reason: Reason,
    proof: Proof | None,
    near: tuple[Variant, ...],
    plain_special: str | None = None,
) -> None:
    """The answer, the shortest text that shows it, and what nearly the same would be.

    `plain_special` is a special that is read as plain text there.
    """
    write_out(shown(reason.sentence) + "\n")
    if plain_special is not None:
        special = f"“{_token(plain_special)}” is the special {tokenizer.special_ids[plain_special]}"
        told = f"{special}; it is plain text here unless --allow-special names it."
        if plain_special == reason.text:  # the sentence says the first half
            told = "It is the special where --allow-special names it."
        write_out(f"{told}\n")
    if proof is not None and reason.kind != "one-token":
        where = f"characters {proof.start:,}–{proof.end:,} of"
        made = _row(tokenizer, proof.ids)
        write_out(f"The shortest text that shows it: {where} {_token(proof.text)}  →  {made}\n")
    if near:
        write_out("Near to it:\n")
        rows = [
            (_token(variant.text), counted(len(variant.ids), "token"),
             _row(tokenizer, variant.ids), variant.label)
            for variant in near
        ]  # fmt: skip
        print_rows(rows)
    write_out("\n")


def print_letters(grid: Grid) -> None:
    """Which characters are in which tokens, numbers, and letters that come more than once."""
    held: list[list[str]] = [[] for _ in grid.tokens]
    for letter in grid.letters:
        for place in range(max(letter.first, 0), letter.last + 1):
            held[place].append(_letter(letter))
    rows = [
        (
            token.id,
            _token(token.data),
            f"{token.text_start:,}–{token.text_end:,}",
            " ".join(letters),
        )
        for token, letters in zip(grid.tokens, held, strict=True)
    ]
    print_rows([("id", "token", "characters", "letters"), *rows], right="> ")
    if grid.left_out:
        left_out = counted(grid.left_out, "character")
        told = counted(len(grid.letters), "character")
        write_out(f"  These are the first {told}, and so is what follows; {left_out} more.\n")
    nowhere = [letter for letter in grid.letters if letter.first < 0]
    if nowhere:
        names = " ".join(_token(letter.character) for letter in nowhere[:_MOST_TOKENS])
        write_out(f"left out by the tokenizer: {names}\n")
    for number in grid.numbers:
        write_out(f"number {number.text}: {' | '.join(number.groups)}\n")
    if grid.repeated:
        times = ", ".join(f"{letter} {count:,} times" for letter, count in grid.repeated)
        heading = "letters that come more than once, capitals and small letters counted together"
        write_out(f"{heading}: {shown(times)}\n")
    write_out("\n")


def _letter(letter: Letter) -> str:
    name = _token(letter.character)
    return f"a part of {name}" if letter.split else name


def print_piece(tokenizer: Tokenizer, piece: PieceStory) -> None:
    """The story of a piece: what made it, every merge and what lost, and what it became."""
    place = f"characters {piece.start:,}–{piece.end:,}"
    if piece.special:
        made = "a special"
    elif piece.alternative is None:
        made = "by the rules of the tokenizer"
    else:
        made = f"alternative {piece.alternative + 1}: {piece.alternative_expression}"
    begin, end = piece.window_start - piece.start, piece.window_end - piece.start
    text = piece.text[begin:end] if piece.shortened else piece.text
    write_out(f"{_token(text)}  {place}, {shown(made)}\n")
    if piece.whole_piece:
        write_out("  the whole piece is a token, which this engine takes before any merge\n")
        if piece.engines_differ:
            merged = _row(tokenizer, piece.merged)
            write_out(f"  an engine of merges alone would give {merged}\n")
    if piece.shortened:
        window = f"characters {piece.window_start:,}–{piece.window_end:,}"
        symbols = f"{len(piece.symbols):,} of {counted(piece.symbol_count, 'symbol')}"
        write_out(f"  a window of the piece: {window}, {symbols}\n")
    if piece.steps:
        print_rows(_step_rows(tokenizer, piece), right=">")
    spans = (
        ("token", token.id, f"bytes {token.start:,}–{token.end:,}", _token(token.data))
        for token in piece.tokens
    )
    print_rows(spans, right=" >")
    write_out("\n")


def _step_rows(tokenizer: Tokenizer, piece: PieceStory) -> Iterator[tuple[str, ...]]:
    name = tokenizer.token_bytes
    short = len(piece.symbols) <= _MOST_SYMBOLS
    head = ("rank", "merge", "id", "times")
    yield (*head, "then", "pairs that lost") if short else (*head, "pairs that lost")
    for step in piece.steps:
        lost = [
            f"{_token(name(left))}+{_token(name(right))} ({rank})"
            for rank, left, right in step.lost[:_MOST_LOST]
        ]
        if len(step.lost) > _MOST_LOST:
            lost.append(f"and {len(step.lost) - _MOST_LOST} more")
        merge = f"{_token(name(step.left))} + {_token(name(step.right))} → {_token(name(step.id))}"
        then = ("|".join(_token(name(symbol)) for symbol in step.after),) if short else ()
        yield (
            str(step.rank), merge, str(step.id), str(len(step.positions)), *then, ", ".join(lost),
        )  # fmt: skip


def print_history(tokenizer: Tokenizer, history: History) -> None:
    """Why a token is there: what made it, what it makes, and what earned it."""
    from bpe_studio.analysis.history import NOT_ALONE

    write_out(f"{_token(history.data)}  id {history.token}, {_kind(history)}\n")
    if history.ancestry:
        told = "How it came to be, merge by merge:"
        write_out(f"{told if history.made_alone else NOT_ALONE}\n")
        _print_makings(tokenizer, history.ancestry)
    if len(history.makings) > 1:
        write_out(f"It has {len(history.makings):,} merges; every one makes it:\n")
        _print_makings(tokenizer, history.makings)
    if history.next_total:
        more = _of(len(history.next_makings), history.next_total)
        use = "uses" if history.next_total == 1 else "use"
        write_out(f"{counted(history.next_total, 'merge')} {use} it{more}:\n")
        _print_makings(tokenizer, history.next_makings)
    if history.longer_total:
        more = _of(len(history.longer), history.longer_total)
        hold = "holds" if history.longer_total == 1 else "hold"
        write_out(f"{counted(history.longer_total, 'longer token')} {hold} its bytes{more}:\n")
        write_out(f"  {_row(tokenizer, history.longer)}\n")
    _print_earned(history, tokenizer.engine)


def _kind(history: History) -> str:
    if history.special:
        return "a special"
    if history.base:
        return "a base symbol"
    return counted(len(history.data), "byte") if history.makings else "no merge makes it"


def _of(told: int, total: int) -> str:
    return f", of which the first {told}" if told < total else ""


def _print_makings(tokenizer: Tokenizer, makings: Iterable[Making]) -> None:
    name = tokenizer.token_bytes
    rows = []
    for making in makings:
        left, right, new = (_token(name(t)) for t in (making.left, making.right, making.id))
        row: tuple[object, ...] = (making.rank, f"{left} + {right} → {new}", making.id)
        if making.count is not None:
            row = (*row, f"{making.count:,}", f"{making.applied:,}")
        rows.append(row)
    head = ("rank", "merge", "id", "pair count", "applied")[: len(rows[0])]
    print_rows([head, *rows], right="> >>>")


def _print_earned(history: History, engine: str) -> None:
    if history.earned is None:
        return
    if history.earned_in_training is False:
        write_out("The corpus is not the one of the training.\n")
    if history.earned_hold_out:
        share = f"{100 * history.earned_hold_out:g} %"
        write_out(f"The {share} of documents held out of the training are passed over.\n")
    if not history.makings:
        write_out(f"No piece earned it: {_unearned(history)}.\n")
        return
    several = len(history.makings) > 1
    if not history.earned:
        never = "none of its merges" if several else "its merge never"
        write_out(f"No piece of the corpus earned it: {never} fired.\n")
        return
    if engine == "whole-piece-first":
        write_out("Merges are followed as training does; this engine takes whole pieces first.\n")
    pieces = counted(history.earned_pieces, "distinct piece")
    more = _of(len(history.earned), history.earned_pieces)
    times = counted(history.earned_applied, "time")
    what = f"Its {len(history.makings):,} merges, counted together," if several else "Its merge"
    write_out(f"{what} fired {times}, in {pieces}{more}:\n")
    rows = []
    for use in history.earned:
        files = [f"{name} ({count:,})" for name, count in use.files[:_MOST_FILES]]
        if len(use.files) > _MOST_FILES:
            files.append(f"and {len(use.files) - _MOST_FILES:,} more")
        rows.append((f"{use.count:,}", f"{use.applied:,}", _token(use.piece), ", ".join(files)))
    print_rows([("count", "fires in it", "piece", "files"), *rows], right=">>")


def _unearned(history: History) -> str:
    if history.special:
        return "it is a special, which is given its id"
    if history.base:
        return "it is a base symbol, which is there before the first merge"
    return "no merge makes it"


def _row(tokenizer: Tokenizer, ids: Iterable[int]) -> str:
    """``␠low (264), e (107)``"""
    named = [f"{_token(tokenizer.token_bytes(token))} ({token})" for token in ids]
    more = [f"and {len(named) - _MOST_TOKENS:,} more"] if len(named) > _MOST_TOKENS else []
    return shown(", ".join([*named[:_MOST_TOKENS], *more]))


def _token(data: bytes | str) -> str:
    return readable(data if isinstance(data, bytes) else data.encode())
