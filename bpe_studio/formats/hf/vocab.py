"""The vocabulary and the merges of a Hugging Face BPE model, checked and as ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.formats.strict.json import Node, quoted
from bpe_studio.formats.strict.token_bytes import MAX_MERGES, MAX_TOKEN_BYTES, MAX_TOKENS

__all__ = ["last_of_equal", "read_merges", "read_vocab"]


def read_vocab(node: Node) -> dict[str, int]:
    """``{token: id}``.

    Raises
    ------
    ValueError
        An id that is no integer, out of range or there twice; a token too long, or with a lone
        surrogate.
    """
    vocab: dict[str, int] = node.value
    if not isinstance(vocab, dict):
        node.fail_type("an object of tokens and ids")
    if len(vocab) > MAX_TOKENS:
        node.fail(f"has {len(vocab):,} tokens, and {MAX_TOKENS:,} is the limit")
    # Quick looks at everything at once; only a wrong vocabulary is gone through slowly.
    if not (
        set(map(type, vocab.values())) <= {int}
        and min(vocab.values(), default=0) >= 0
        and max(vocab.values(), default=0) <= MAX_ID
        and len(set(vocab.values())) == len(vocab)
        and max(map(len, vocab), default=0) <= MAX_TOKEN_BYTES // 4
        and _is_sound("".join(vocab))
    ):
        _find_bad_token(node)
    return vocab


def _is_sound(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _find_bad_token(node: Node) -> None:
    owners: dict[int, str] = {}
    for (token, number), member in zip(node.value.items(), node.members(), strict=True):
        name = Node(node.source, f"{node.key}: the token {quoted(token)}", token)
        length = len(name.text().encode())
        if length > MAX_TOKEN_BYTES:
            name.fail(f"has {length:,} bytes, and 1 MiB is the limit")
        member.integer(largest=MAX_ID)
        if (owner := owners.setdefault(number, token)) != token:
            member.fail(
                f"is {number}, the id of {quoted(owner)} too; every token needs an id of its own"
            )


def read_merges(node: Node, vocab: dict[str, int], prefix: str) -> NDArray[np.int32]:
    """Rows (left id, right id, new id) by rank, shape (m, 3).

    Parameters
    ----------
    prefix : str
        What the right part of a merge loses when it is joined.

    Raises
    ------
    ValueError
        A merge that is no pair, or a part or result that is no token; with its index.
    """
    if not isinstance(node.value, list):
        node.fail_type("a list of pairs")
    if len(node.value) > MAX_MERGES:
        node.fail(f"has {len(node.value):,} merges, and {MAX_MERGES:,} is the limit")
    places, pairs = _pairs(node)
    get = vocab.get
    lefts = [get(left) for left, _ in pairs]
    rights = [get(right) for _, right in pairs]
    if prefix:
        made = [get(_joined(left, right, prefix)) for left, right in pairs]
    else:
        made = [get(left + right) for left, right in pairs]
    try:
        rows = np.array((lefts, rights, made), dtype=np.int32)
    except TypeError:  # there is a None
        _find_missing(node, places, pairs, vocab, prefix)
    return np.ascontiguousarray(rows.T).reshape(len(pairs), 3)


def _joined(left: str, right: str, prefix: str) -> str:
    """As the library does it: as many bytes go as the prefix has, whichever they are."""
    return left + right.encode()[len(prefix.encode()) :].decode(errors="replace")


def _pairs(node: Node) -> tuple[Sequence[int], list[Any]]:
    """The merges as pairs of strings, and where each stands."""
    merges: list[Any] = node.value
    kinds = set(map(type, merges))
    if kinds <= {list}:
        if set(map(len, merges)) <= {2} and set(map(type, chain.from_iterable(merges))) <= {str}:
            return range(len(merges)), merges
        _find_bad_merge(node)
    if kinds <= {str}:
        pairs = [merge.split(" ") for merge in merges]
        versions = any(merge.startswith("#version") for merge in merges)
        if set(map(len, pairs)) <= {2} and not versions:
            return range(len(merges)), pairs
    return _mixed_pairs(node)


def _mixed_pairs(node: Node) -> tuple[list[int], list[Any]]:
    places: list[int] = []
    pairs: list[Any] = []
    for place, merge in enumerate(node.value):
        if isinstance(merge, str) and merge.startswith("#version"):
            continue
        pair = merge.split(" ") if isinstance(merge, str) else merge
        if not _is_pair(pair):
            _fail_pair(Node(node.source, f"{node.key}[{place}]", merge))
        places.append(place)
        pairs.append(pair)
    return places, pairs


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(isinstance(p, str) for p in pair)


def _find_bad_merge(node: Node) -> None:
    for item in node.items():
        if not _is_pair(item.value):
            _fail_pair(item)


def _fail_pair(node: Node) -> NoReturn:
    hint = ""
    if isinstance(node.value, str) and node.value.count(" ") > 1:
        hint = "; tokens with spaces must be written as pairs"
    node.fail(f'must be two tokens ("a b" or ["a", "b"]), not {quoted(node.value)}{hint}')


def _find_missing(
    node: Node, places: Sequence[int], pairs: Iterable[Any], vocab: dict[str, int], prefix: str
) -> NoReturn:
    for place, (left, right) in zip(places, pairs, strict=True):
        item = Node(node.source, f"{node.key}[{place}]", None)
        for token in (left, right):
            if token not in vocab:
                item.fail(f"uses {quoted(token)}, which is no token of the vocabulary")
        made = _joined(left, right, prefix)
        if made not in vocab:
            item.fail(f"makes {quoted(made)}, which is no token of the vocabulary")
    raise AssertionError("a merge lacked a token")


def last_of_equal(rows: NDArray[np.int32]) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """The merges without those whose pair comes again: in `tokenizers` the last one counts."""
    keys = rows[:, 0].astype(np.int64) << 32 | rows[:, 1]
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return rows, ()
    _, firsts = np.unique(keys[::-1], return_index=True)
    keep = np.sort(len(rows) - 1 - firsts)
    lost = len(rows) - len(keep)
    first = int(np.setdiff1d(np.arange(len(rows)), keep)[0])
    again = int(keep[np.flatnonzero(keys[keep] == keys[first])[0]])
    return rows[keep], (
        f"{lost:,} of the merges {'is' if lost == 1 else 'are'} there again later (merge {first} "
        f"as merge {again}); the last of them counts, as in tokenizers.",
    )
