"""The user's frozen value: table, pattern, specials and training record in one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, Final, Literal

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_studio.bpe import decoder, reference
from bpe_studio.bpe.batch import grouped, in_order
from bpe_studio.bpe.encoder import Encoder, Encoding, EngineName, told
from bpe_studio.bpe.outside import OutsideModel
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.table import Base, MergeTable, read_only
from bpe_studio.bpe.text_rules import PLAIN_TEXT, TextRules

AllowedSpecial = Collection[str] | Literal["all"] | None

_ROLES: Final = {
    "bos": ("<bos>", "<s>", "<|begin_of_text|>", "<|startoftext|>"),
    "eos": ("<eos>", "</s>", "<|end_of_text|>", "<|endoftext|>"),
    "pad": ("<pad>", "<|pad|>"),
}


def roles_of(specials: Iterable[str]) -> dict[str, str]:
    """Which of these specials is bos, eos and pad, told by their usual names."""
    names = set(specials)
    found = {role: next((n for n in known if n in names), None) for role, known in _ROLES.items()}
    return {role: name for role, name in found.items() if name is not None}


@dataclass(frozen=True)
class TrainingRecord:
    """What training saw and did.

    Attributes
    ----------
    counts, applied : int64 arrays, shape (merges,)
        By rank: the count of the pair when it was chosen, and how often the merge was applied
        (fewer where the pair overlaps itself, as in ``aaa``).
    settings : dict
        Every setting, as it is written in the file.
    totals : dict
        documents, characters, bytes, pieces, distinct_pieces, base_symbols, tokens.
    corpus : dict
        files (path relative to the root that was given, size), fingerprint, problems.
    """

    counts: NDArray[np.int64]
    applied: NDArray[np.int64]
    settings: dict[str, Any] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    corpus: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", read_only(self.counts))
        object.__setattr__(self, "applied", read_only(self.applied))

    def prefix(self, merges: int) -> TrainingRecord:
        """The record of a training that stopped after `merges` merges."""
        applied = self.applied[:merges]
        totals = {**self.totals, "tokens": self.totals["base_symbols"] - int(applied.sum())}
        return replace(self, counts=self.counts[:merges], applied=applied, totals=totals)


@dataclass(frozen=True, eq=False)
class Tokenizer:
    """Encodes, decodes, and tells what it is made of. Immutable; safe to share between threads.

    Attributes
    ----------
    table : MergeTable
    pattern : Pattern
    special_ids : dict from name to id, in id order
    roles : dict from "bos", "eos" or "pad" to the name of a special
    engine : "merges" or "whole-piece-first"
    training : TrainingRecord or None
    notes : tuple of str
        What the reader of the file wants the user to know.
    rules : TextRules
        What is done to a text around the merges.
    outside : OutsideModel or None
        The library that encodes, where there are no merges of ours.
    view_only : str
        Why it cannot encode, a sentence; empty where it can.
    """

    table: MergeTable
    pattern: Pattern
    special_ids: Mapping[str, int] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    engine: EngineName = "merges"
    training: TrainingRecord | None = None
    notes: tuple[str, ...] = ()
    rules: TextRules = PLAIN_TEXT
    outside: OutsideModel | None = None
    view_only: str = ""

    def __post_init__(self) -> None:
        in_order = dict(sorted(self.special_ids.items(), key=lambda item: item[1]))
        object.__setattr__(self, "special_ids", in_order)
        if len(set(in_order.values())) < len(in_order):
            raise ValueError("Two specials share one id.")
        for name, token_id in in_order.items():
            if not name:
                raise ValueError("A special needs a name.")
            if token_id in self.table:
                raise ValueError(f"The special {name!r} and a token share the id {token_id}.")

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what is computed on use (locks, caches) stays behind."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def __repr__(self) -> str:
        return f"<Tokenizer {self.pattern.name}, {self.base}: {self.vocab_size:,} tokens>"

    @property
    def base(self) -> Base:
        return self.table.base

    @property
    def specials(self) -> tuple[str, ...]:
        """The names of the specials in id order."""
        return tuple(self.special_ids)

    @property
    def vocab_size(self) -> int:
        """The number of distinct ids, specials included."""
        return len(self.table) + len(self.special_ids)

    @property
    def id_bound(self) -> int:
        """The largest id + 1: the rows that an embedding matrix needs."""
        largest = int(self.table.ids[-1]) if len(self.table) else -1
        return max(largest, *self.special_ids.values(), -1) + 1

    @property
    def merges(self) -> list[tuple[int, int, int]]:
        """``(left id, right id, new id)`` by rank; a list of the caller's own."""
        return [(left, right, new) for left, right, new in self.table.merges.tolist()]

    def is_special(self, token_id: int) -> bool:
        return token_id in self._special_names

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes of a token; those of a special are its name.

        Raises
        ------
        ValueError
            No token has this id.
        """
        name = self._special_names.get(token_id)
        return self.table.token_bytes(token_id) if name is None else name.encode()

    # Encoding

    def encode(
        self,
        text: str,
        add_bos: bool = False,
        add_eos: bool = False,
        allowed_special: AllowedSpecial = None,
    ) -> list[int]:
        """The ids of a text.

        Parameters
        ----------
        add_bos, add_eos : bool
            Put the token with that role in front or at the end.
        allowed_special : "all", a collection of names, or None
            The specials that are recognised in the text. None is the table's own rule: none, so
            that data cannot inject control tokens.

        Raises
        ------
        ValueError
            A lone surrogate (with its position), a role or special that the tokenizer lacks, or
            a byte that the table lacks.
        """
        ids: list[int] = self.encode_array(text, add_bos, add_eos, allowed_special).tolist()
        return ids

    def encode_array(
        self,
        text: str,
        add_bos: bool = False,
        add_eos: bool = False,
        allowed_special: AllowedSpecial = None,
    ) -> NDArray[np.int32]:
        """As `encode`, as an int32 array: the fast way."""
        runs = list(self._runs(text, add_bos, add_eos, allowed_special))
        parts = [
            self._encoder.encode(run) if isinstance(run, str) else np.array(run[:1], np.int32)
            for run in runs
        ]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def encode_with_offsets(
        self,
        text: str,
        add_bos: bool = False,
        add_eos: bool = False,
        allowed_special: AllowedSpecial = None,
    ) -> Encoding:
        """The ids of a text, and the byte span of each; the spans tile the text."""
        ids: list[NDArray[np.int32]] = []
        bounds: list[NDArray[np.int64]] = []
        position = 0
        for run in self._runs(text, add_bos, add_eos, allowed_special):
            if isinstance(run, str):
                part, borders = self._encoder.encode_bounds(run)
            else:
                part, borders = np.array(run[:1], np.int32), np.array((0, run[1]), np.int64)
            if position:
                borders += position
            position = int(borders[-1])
            ids.append(part)
            # Every part begins where the one before it ends.
            bounds.append(borders[1:] if bounds else borders)
        if len(ids) == 1:
            return Encoding.of_bounds(ids[0], bounds[0])
        return Encoding.of_bounds(np.concatenate(ids), np.concatenate(bounds))

    def encode_batch(
        self,
        texts: Iterable[str],
        add_bos: bool = False,
        add_eos: bool = False,
        allowed_special: AllowedSpecial = None,
        *,
        threads: int | None = None,
    ) -> list[NDArray[np.int32]]:
        """As `encode_array` of each text, on all cores.

        Parameters
        ----------
        threads : int, optional
            How many to use instead of one for each core.

        Raises
        ------
        TextError
            A text cannot be encoded; with its number.
        """
        if isinstance(texts, str):
            raise TypeError("encode_batch wants several texts; encode_array takes one.")
        numbered = enumerate(texts)
        groups = grouped(numbered, lambda item: len(item[1]) if isinstance(item[1], str) else 0)
        jobs = (
            partial(self._encode_group, group, add_bos, add_eos, allowed_special)
            for group in groups
        )
        return [ids for part in in_order(jobs, threads) for ids in part]

    def encode_many(
        self,
        texts: Sequence[str],
        add_bos: bool = False,
        add_eos: bool = False,
        allowed_special: AllowedSpecial = None,
    ) -> list[NDArray[np.int32]]:
        """As `encode_array` of each text, in one call on this thread: quick for short texts.

        Raises as `encode_batch` does.
        """
        group = list(enumerate(texts))
        return self._encode_group(group, add_bos, add_eos, allowed_special) if group else []

    def _encode_group(
        self,
        group: Sequence[tuple[int, str]],
        add_bos: bool,
        add_eos: bool,
        allowed_special: AllowedSpecial,
    ) -> list[NDArray[np.int32]]:
        if self._splitter(allowed_special) is not None:
            return [
                told(number, self.encode_array, text, add_bos, add_eos, allowed_special)
                for number, text in group
            ]
        before = np.array([self._role_id("bos")] if add_bos else [], dtype=np.int32)
        after = np.array([self._role_id("eos")] if add_eos else [], dtype=np.int32)
        parts = self._encoder.encode_many([text for _, text in group], first=group[0][0])
        if add_bos or add_eos:
            return [np.concatenate((before, part, after)) for part in parts]
        return parts

    def _runs(
        self, text: str, add_bos: bool, add_eos: bool, allowed_special: AllowedSpecial
    ) -> Iterator[str | tuple[int, int]]:
        """Plain parts, and the ids and byte lengths of specials; at least one plain part."""
        if not isinstance(text, str):
            raise TypeError(f"A text is a str, not {type(text).__name__}; decode bytes first.")
        if add_bos:
            yield self._role_id("bos"), 0
        plain = False
        for part, special in self.segments(text, allowed_special):
            plain = plain or special is None
            yield part if special is None else (special, len(part.encode()))
        if not plain:
            yield ""
        if add_eos:
            yield self._role_id("eos"), 0

    def encode_piece(self, piece: bytes) -> list[int]:
        """The ids of one piece: the engine alone, without pattern and specials."""
        dense, _ = self._encoder.encode_pieces([piece])
        ids: list[int] = self.table.ids[dense].tolist()
        return ids

    def encode_pieces(
        self, pieces: Collection[bytes]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The ids of many pieces, one after another, and where each begins and the last ends."""
        dense, offsets = self._encoder.encode_pieces(list(pieces))
        return self.table.ids[dense], offsets

    def trace(self, piece: bytes) -> Iterator[reference.Step]:
        """Every merge that fires on one piece, in order (the merges, whatever the engine)."""
        return reference.trace(self.table.symbols(piece), self.table.merge_ranks)

    def segments(
        self, text: str, allowed_special: AllowedSpecial
    ) -> Iterator[tuple[str, int | None]]:
        """Plain parts (with None) and specials (with their id), in order."""
        splitter = self._splitter(allowed_special)
        position = 0
        for match in splitter.finditer(text) if splitter else ():
            if match.start() > position:
                yield text[position : match.start()], None
            yield match.group(), self.special_ids[match.group()]
            position = match.end()
        if position < len(text):
            yield text[position:], None

    def _splitter(self, allowed_special: AllowedSpecial) -> regex.Pattern[str] | None:
        if allowed_special is None:
            return None
        if allowed_special == "all":
            names = set(self.special_ids)
        else:
            names = {allowed_special} if isinstance(allowed_special, str) else set(allowed_special)
        for name in names:
            if name not in self.special_ids:
                raise ValueError(
                    f"The tokenizer has no special {name!r}; it has "
                    f"{', '.join(self.special_ids) or 'none'}."
                )
        # Leftmost, and of several that start there the longest.
        longest_first = sorted(names, key=len, reverse=True)
        return regex.compile("|".join(map(regex.escape, longest_first))) if names else None

    def _role_id(self, role: str) -> int:
        if role not in self.roles:
            raise ValueError(f"The tokenizer has no {role} token, so it cannot be added.")
        return self.special_ids[self.roles[role]]

    # Decoding

    def decode(self, ids: Iterable[int], skip_specials: bool = False) -> str:
        """The text of ids; bytes that are no valid UTF-8 become U+FFFD.

        Raises
        ------
        ValueError
            An id that the tokenizer lacks, with its position.
        """
        return self.decode_bytes(ids, skip_specials).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int], skip_specials: bool = False) -> bytes:
        """The bytes of ids, as they are."""
        if isinstance(ids, np.ndarray) and (ids.ndim != 1 or ids.dtype.kind not in "iu"):
            raise ValueError(
                f"Ids are a row of whole numbers, not an array of {ids.dtype} of shape {ids.shape}."
            )
        numbers = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
        if skip_specials:
            numbers = [i for i in numbers if i not in self._special_names]
        return decoder.decode_bytes(numbers, self._bytes_of_id)

    def prefix(self, merges: int) -> Tokenizer:
        """The tokenizer of the first `merges` merges."""
        training = self.training and self.training.prefix(merges)
        return replace(self, table=self.table.prefix(merges), training=training)

    # What is computed once

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.table, self.pattern, self.engine)

    @property
    def encoder(self) -> Encoder:
        """The engine itself, in dense token numbers: for analysis."""
        return self._encoder

    @cached_property
    def _special_names(self) -> dict[int, str]:
        return {token_id: name for name, token_id in self.special_ids.items()}

    @cached_property
    def _bytes_of_id(self) -> dict[int, bytes]:
        data, offsets = self.table.token_data.tobytes(), self.table.token_offsets.tolist()
        tokens = zip(self.table.ids.tolist(), offsets[:-1], offsets[1:], strict=True)
        return {
            **{token_id: data[a:b] for token_id, a, b in tokens},
            **{token_id: name.encode() for token_id, name in self._special_names.items()},
        }
