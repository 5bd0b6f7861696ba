"""A merge table → vocabulary and merges as strings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.ranks.byte_alphabet import LETTERS, to_text
from bpe_studio.formats.ranks.plain_only import readable_token
from bpe_studio.formats.strict.json import quoted

__all__ = ["Spelled", "spelled"]


@dataclass(frozen=True, slots=True)
class Spelled:
    """The model of a file.

    Attributes
    ----------
    names : dict from id to string
        Of every token and special.
    vocab : dict from string to id
        Of the tokens, and of the specials where these would else get other ids.
    merges : list of pairs
    byte_fallback : bool
    """

    names: dict[int, str]
    vocab: dict[str, int]
    merges: list[tuple[str, str]]
    byte_fallback: bool


def spelled(tokenizer: Tokenizer) -> Spelled:
    """Tokens and merges as strings.

    Raises
    ------
    ValueError
        They cannot be told apart, or joined, as strings.
    """
    table = tokenizer.table
    fallback = {} if table.base == "bytes" else _fallback(table)
    names = _names(table, fallback)
    vocab = {name: number for number, name in names.items()}
    if len(vocab) < len(names):
        _find_equal(names)
    _check_symbols(table, names)
    merges = _merges(tokenizer, names, vocab, set(fallback))
    _add_specials(tokenizer, names, vocab)
    return Spelled(names, vocab, merges, bool(fallback))


def _fallback(table: MergeTable) -> dict[int, int]:
    """``{id: byte}`` of the tokens that are written as <0x0A>: bytes that are no characters, and
    those beside which the character has a token of its own."""
    byte_ids = table.byte_ids.tolist()
    found = {number: byte for byte, number in enumerate(byte_ids) if byte >= 128 and number >= 0}
    own = set(byte_ids)
    for number, data in zip(table.ids.tolist(), table.token_list, strict=True):
        if len(data) == 1 and number not in own and byte_ids[data[0]] >= 0:
            found[number] = data[0]
    # Where all of them stand in a row, those that are characters too, and never join, are meant.
    first = byte_ids[255] - 255
    if byte_ids[128:] == list(range(first + 128, first + 256)):
        joined = set(table.merges.ravel().tolist())
        found |= {
            first + byte: byte
            for byte in range(128)
            if byte_ids[byte] == first + byte and first + byte not in joined
        }
    return found


def _names(table: MergeTable, fallback: Mapping[int, int]) -> dict[int, str]:
    names: dict[int, str] = {}
    for number, data in zip(table.ids.tolist(), table.token_list, strict=True):
        if number in fallback:
            names[number] = f"<0x{fallback[number]:02X}>"
        elif table.base == "bytes":
            names[number] = to_text(data)
        else:
            try:
                names[number] = data.decode()
            except UnicodeDecodeError:
                raise ValueError(
                    f"The token {number} of a character table, {readable_token(data)}, is a part "
                    "of a character, which a tokenizer.json cannot say; save it as JSON of BPE "
                    "Studio."
                ) from None
    return names


def _find_equal(names: Mapping[int, str]) -> None:
    first: dict[str, int] = {}
    for number, name in names.items():
        if (other := first.setdefault(name, number)) != number:
            raise ValueError(
                f"The tokens {other} and {number} are both {quoted(name)}, and a tokenizer.json "
                "can hold only one of them; save it as JSON of BPE Studio."
            )


def _check_symbols(table: MergeTable, names: Mapping[int, str]) -> None:
    """A token of one letter is a base symbol there, whether it is one here or not."""
    symbols = {*table.byte_ids.tolist(), *table.char_ids.values()}
    for number, name in names.items():
        if len(name) == 1 and number not in symbols:
            raise ValueError(
                f"The token {number} ({quoted(name)}) is of one letter and no base symbol, and "
                "there would be one in a tokenizer.json; save it as JSON of BPE Studio."
            )


def _merges(
    tokenizer: Tokenizer, names: Mapping[int, str], vocab: Mapping[str, int], fallback: set[int]
) -> list[tuple[str, str]]:
    """The merges; of equal ones the first, which is the one that counts."""
    cut = len(tokenizer.rules.word_prefix)
    pairs: dict[tuple[int, int], tuple[str, str]] = {}
    for rank, (left, right, new) in enumerate(tokenizer.merges):
        if fallback and not fallback.isdisjoint((left, right, new)):
            raise ValueError(
                f"Merge {rank} joins bytes that are no characters, which a tokenizer.json of a "
                "character table cannot say; save it as JSON of BPE Studio."
            )
        pair = names[left], names[right]
        if vocab.get(pair[0] + pair[1][cut:]) != new:
            raise ValueError(
                f"Merge {rank} makes another token than its parts spell; save it as JSON of BPE "
                "Studio."
            )
        pairs.setdefault((left, right), pair)
    return list(pairs.values())


def _add_specials(tokenizer: Tokenizer, names: dict[int, str], vocab: dict[str, int]) -> None:
    """Specials are counted on from the vocabulary, so one with another id is written into it."""
    for token in tokenizer.rules.added:
        if token.id in tokenizer.table and names[token.id] != token.content:
            raise ValueError(
                f"The added token {quoted(token.content)} shares its id with another token; save "
                "it as JSON of BPE Studio."
            )
    specials = tokenizer.special_ids
    for name, number in specials.items():
        if (other := vocab.get(name)) is not None:
            raise ValueError(
                f"The special {quoted(name)} ({number}) is spelled as the token {other} is, and a "
                "tokenizer.json can hold only one of them; save it as JSON of BPE Studio."
            )
        names[number] = name
    for name, number in _not_counted_on(tokenizer, len(vocab)):
        if name in LETTERS if tokenizer.base == "bytes" else len(name) == 1:
            raise ValueError(
                f"The special {quoted(name)} is of one letter, and would be a base symbol in a "
                "tokenizer.json; save it as JSON of BPE Studio."
            )
        vocab[name] = number


def _not_counted_on(tokenizer: Tokenizer, tokens: int) -> list[tuple[str, int]]:
    """The specials but for those at the end that take the numbers after the vocabulary."""
    specials = list(tokenizer.special_ids.items())
    unknown = tokenizer.rules.unknown
    number = tokens + len(specials) - 1
    while specials and specials[-1][1] == number and (unknown is None or number != unknown.id):
        specials.pop()
        number -= 1
    return specials
