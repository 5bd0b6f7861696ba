"""Byte-pair encoding the slow, plain way: the judge of the engine.

It imports nothing of the program and shares no idea with it but the definitions. Training: recount
every pair after every merge, choose, replace left to right. Encoding: look at every pair, join the
leftmost of those of lowest rank, and look again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

import regex


@dataclass
class Trained:
    merges: list[tuple[int, int, int]] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    applied: list[int] = field(default_factory=list)
    base_symbols: int = 0
    pieces: int = 0
    distinct: int = 0
    characters: int = 0
    byte_ids: list[int] = field(default_factory=list)
    char_ids: dict[str, int] = field(default_factory=dict)
    words: list[tuple[bytes, int]] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)
    ended: str = "vocab_size"


def gpt2_order() -> list[int]:
    printable = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    return printable + [b for b in range(256) if b not in printable]


def split(expression: str, text: str) -> list[str]:
    return [match.group() for match in regex.finditer(expression, text) if match.group()]


def to_symbols(piece: str, byte_ids: list[int], char_ids: dict[str, int]) -> list[int]:
    symbols: list[int] = []
    for char in piece:
        if char in char_ids:
            symbols.append(char_ids[char])
        else:
            symbols.extend(byte_ids[b] for b in char.encode())
    return symbols


def pair_counts(words: list[list[int]], weights: list[int]) -> dict[tuple[int, int], int]:
    """In the order in which the pairs are first met."""
    counts: dict[tuple[int, int], int] = {}
    for word, weight in zip(words, weights, strict=True):
        for pair in zip(word, word[1:], strict=False):
            counts[pair] = counts.get(pair, 0) + weight
    return counts


def replace_pair(word: list[int], pair: tuple[int, int], new: int) -> tuple[list[int], int]:
    out: list[int] = []
    times = i = 0
    while i < len(word):
        if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
            out.append(new)
            times += 1
            i += 2
        else:
            out.append(word[i])
            i += 1
    return out, times


def documents_of(pair: tuple[int, int], words: list[list[int]], having: list[set[int]]) -> set[int]:
    found: set[int] = set()
    for word, documents in zip(words, having, strict=True):
        if pair in zip(word, word[1:], strict=False):
            found |= documents
    return found


def is_whole_or_begun(data: bytes) -> bool:
    """Whether bytes are whole characters, or the beginning of one."""
    try:
        data.decode()
    except UnicodeDecodeError:
        ends = (bytes(rest) for n in (1, 2, 3) for rest in product(ENDS, repeat=n))
        return any(is_one_character(data + end) for end in ends)
    return True


# A continuation of every range in which some second byte must lie.
ENDS = (0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF)


def is_one_character(data: bytes) -> bool:
    try:
        return len(data.decode()) == 1
    except UnicodeDecodeError:
        return False


def is_held_out(document: str, share: float) -> bool:
    digest = hashlib.sha256(b"bpe-studio hold-out 1\n" + document.encode()[:65536])
    return Fraction(int(digest.hexdigest()[:16], 16), 2**64) < Fraction(share)


def train(
    documents: list[str],
    expression: str,
    *,
    max_merges: int,
    min_freq: int = 2,
    ties: str = "first-seen",
    base: str = "bytes",
    byte_order: str = "value",
    n_specials: int = 6,
    whole_characters: bool = False,
    max_token_bytes: int | None = None,
    min_documents: int = 1,
) -> Trained:
    result = Trained()
    frequency: dict[str, int] = {}
    having: dict[str, set[int]] = {}
    for number, document in enumerate(documents):
        result.characters += len(document)
        for piece in split(expression, document):
            frequency[piece] = frequency.get(piece, 0) + 1
            having.setdefault(piece, set()).add(number)
            result.pieces += 1
    result.distinct = len(frequency)
    result.words = [(piece.encode(), n) for piece, n in frequency.items()]
    order = gpt2_order() if byte_order == "gpt2" else list(range(256))
    result.byte_ids = [n_specials + order.index(b) for b in range(256)]
    next_id = n_specials + 256
    if base == "chars":
        for char in sorted({c for piece in frequency for c in piece if ord(c) > 127}):
            result.char_ids[char] = next_id
            next_id += 1
    words = [to_symbols(piece, result.byte_ids, result.char_ids) for piece in frequency]
    weights = list(frequency.values())
    token_bytes = {token: bytes([byte]) for byte, token in enumerate(result.byte_ids)}
    token_bytes |= {token: char.encode() for char, token in result.char_ids.items()}

    def allowed(pair: tuple[int, int]) -> bool:
        made = token_bytes[pair[0]] + token_bytes[pair[1]]
        if max_token_bytes is not None and len(made) > max_token_bytes:
            return False
        if whole_characters and not is_whole_or_begun(made):
            return False
        return len(documents_of(pair, words, list(having.values()))) >= min_documents

    result.base_symbols = sum(len(w) * n for w, n in zip(words, weights, strict=True))
    while len(result.merges) < max_merges:
        counts = pair_counts(words, weights)
        frequent = {pair for pair, count in counts.items() if count >= min_freq}
        refused = {pair for pair in frequent if not allowed(pair)}
        if not frequent - refused:
            result.ended = "rules" if refused else "min_freq" if counts else "no_pairs"
            break
        counts = {pair: count for pair, count in counts.items() if pair not in refused}
        best_count = max(counts.values())
        tied = [pair for pair, count in counts.items() if count == best_count]
        pair = tied[0] if ties == "first-seen" else min(tied)
        applied = 0
        before = list(words)
        for number, word in enumerate(words):
            words[number], times = replace_pair(word, pair, next_id)
            applied += times * weights[number]
        token_bytes[next_id] = token_bytes[pair[0]] + token_bytes[pair[1]]
        result.documents.append(len(documents_of(pair, before, list(having.values()))))
        result.merges.append((*pair, next_id))
        result.counts.append(best_count)
        result.applied.append(applied)
        next_id += 1
    return result


def encode_piece(
    piece: str, merges: list[tuple[int, int, int]], byte_ids: list[int], char_ids: dict[str, int]
) -> list[int]:
    word = to_symbols(piece, byte_ids, char_ids)
    join_all(word, merges)
    return word


def join_all(word: list[int], merges: list[tuple[int, int, int]]) -> list[int]:
    """One pair at a time, in place, until none is left; the rank of every join, in order."""
    ranks = ranks_of(merges)
    joined: list[int] = []
    while True:
        pairs = zip(word, word[1:], strict=False)
        present = [(ranks[pair][0], at) for at, pair in enumerate(pairs) if pair in ranks]
        if not present:
            return joined
        rank, at = min(present)
        word[at : at + 2] = [merges[rank][2]]
        joined.append(rank)


def encode_piece_everywhere(
    piece: str, merges: list[tuple[int, int, int]], byte_ids: list[int], char_ids: dict[str, int]
) -> list[int]:
    """As training merges: the lowest rank everywhere, and then the lowest that there is."""
    ranks = ranks_of(merges)
    word = to_symbols(piece, byte_ids, char_ids)
    while True:
        present = [ranks[p] for p in zip(word, word[1:], strict=False) if p in ranks]
        if not present:
            return word
        rank, new = min(present)
        word, _ = replace_pair(word, merges[rank][:2], new)


def ranks_of(merges: list[tuple[int, int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """``{(left, right): (rank, new)}``, the first of equal pairs."""
    ranks: dict[tuple[int, int], tuple[int, int]] = {}
    for rank, (left, right, new) in enumerate(merges):
        ranks.setdefault((left, right), (rank, new))
    return ranks


def encode(
    text: str,
    expression: str,
    merges: list[tuple[int, int, int]],
    byte_ids: list[int],
    char_ids: dict[str, int],
) -> list[int]:
    return [
        token
        for piece in split(expression, text)
        for token in encode_piece(piece, merges, byte_ids, char_ids)
    ]
