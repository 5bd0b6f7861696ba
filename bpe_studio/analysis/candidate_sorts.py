"""What else is known of under-trained candidates: words for a column, from the flags by id."""

from __future__ import annotations

from collections.abc import Iterable

from bpe_studio.analysis.flags import KINDS, Flag
from bpe_studio.analysis.looks import LookChecks
from bpe_studio.analysis.thresholds import Thresholds
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["NO_OTHER", "candidate_sorts"]

NO_OTHER = "–"
_BYTE = "Byte"


def candidate_sorts(
    tokenizer: Tokenizer, ids: Iterable[int], flags: Iterable[Flag] | None = None
) -> list[str]:
    """The titles of the other kinds of flags that each token has: ``"Unreachable, Over-long"``.

    Parameters
    ----------
    flags : iterable of Flag, optional
        What a check found. Without it only what the bytes of a token show is told.
    """
    wanted = list(ids)
    kinds: dict[int, list[str]] = {token: [] for token in wanted}
    for flag in _by_looks(tokenizer, wanted) if flags is None else flags:
        if flag.id in kinds and flag.kind != "under-trained":
            kinds[flag.id].append(flag.kind)
    order = list(KINDS)
    return [_words(tokenizer, token, sorted(kinds[token], key=order.index)) for token in wanted]


def _by_looks(tokenizer: Tokenizer, ids: list[int]) -> Iterable[Flag]:
    looks = LookChecks(tokenizer, Thresholds())
    for token in ids:
        if not tokenizer.is_special(token):
            yield from looks.flags(token, tokenizer.token_bytes(token))


def _words(tokenizer: Tokenizer, token: int, kinds: list[str]) -> str:
    titles = [KINDS[kind].title for kind in dict.fromkeys(kinds)]
    if not tokenizer.is_special(token) and len(tokenizer.token_bytes(token)) == 1:
        titles.insert(0, _BYTE)
    return ", ".join(titles) or NO_OTHER
