"""The user's frozen value: table, pattern, specials and training record in one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe import decoder, reference
from bpe_studio.bpe.batch import grouped, in_order
from bpe_studio.bpe.edits import Prepend
from bpe_studio.bpe.encoder import Encoder, Encoding, EngineName, encoded, told
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.outside import OutsideModel
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.preparing import Cut, Found
from bpe_studio.bpe.ruled import RuledEncoder
from bpe_studio.bpe.specials import AllowedSpecial, Specials
from bpe_studio.bpe.stretch import Span, byte_places
from bpe_studio.bpe.table import Base, MergeTable
from bpe_studio.bpe.text_rules import PLAIN_TEXT, AddedToken, TextRules
from bpe_studio.bpe.trace import Trace
from bpe_studio.bpe.tracer import Tracer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.bpe.trimming import Trimmer


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
        known = set(in_order.values())
        for what, token_id in self.rules.named_ids():
            if token_id not in known and token_id not in self.table:
                raise ValueError(f"{what} has the id {token_id}, which no token has.")

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

    @property
    def edits_text(self) -> bool:
        """Whether more is done to a text than to find specials, cut it and merge."""
        return not self._is_plain or self.outside is not None

    def may_cut(self, allowed_special: AllowedSpecial = None) -> bool:
        """Whether a text may be encoded in parts that are cut where the pattern can be cut."""
        if self.view_only or self.outside is not None:
            return False
        return self.rules.may_cut() and all(t.may_cut() for t in self._looked_for(allowed_special))

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
            The specials that are recognised in the text. None is the table's own rule: those that
            its file says are always found (`TextRules.added`), and in a table of ours none, so that
            data cannot inject control tokens.

        Raises
        ------
        ValueError
            A lone surrogate (with its position), a role or special that the tokenizer lacks, a
            byte that the table lacks, or a tokenizer that can only be viewed.
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
        before, after = self._around(add_bos, add_eos)
        tokens = self._looked_for(allowed_special)
        if self.outside is not None:
            encoded(text)  # refuses what no UTF-8 can hold, in our words
            ids = self.outside.ids(text)
        elif tokens or not self._is_plain:
            ids = self._ruled.encode(text, tokens)
        else:
            ids = self._encoder.encode(text)
        return np.concatenate((before, ids, after)) if add_bos or add_eos else ids

    def encode_with_offsets(
        self,
        text: str,
        add_bos: bool = False,
        add_eos: bool = False,
        allowed_special: AllowedSpecial = None,
        *,
        trim_offsets: bool = False,
    ) -> Encoding:
        """The ids of a text, and the byte span of each.

        The spans tile the text, unless the tokenizer edits or drops text: then they still point
        into the text as it was given.

        Parameters
        ----------
        trim_offsets : bool
            Leave the spaces at the ends of a token out of its span, as Hugging Face does where a
            file says so; of a model that a library runs, spans are as the library gives them.
        """
        before, after = self._around(add_bos, add_eos)
        tokens = self._looked_for(allowed_special)
        if self.outside is not None:
            encoded(text)
            ids, spans = self.outside.encode(text)
            found = Encoding(ids, byte_places(text)[spans])
        elif tokens or not self._is_plain:
            found = self._ruled.encode_with_offsets(text, tokens)
        else:
            found = Encoding.of_bounds(*self._encoder.encode_bounds(text))
        if trim_offsets and self.outside is None:
            found = self._trimmer.trimmed(found, text)
        if not (add_bos or add_eos):
            return found
        end = len(text.encode())
        ends = np.repeat([0, end], [len(before), len(after)]).repeat(2).reshape(-1, 2)
        return Encoding(
            np.concatenate((before, found.ids, after)),
            np.concatenate((ends[: len(before)], found.offsets, ends[len(before) :])),
        )

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
        tokens = self._looked_for(allowed_special)
        if tokens or not self._is_plain or self.outside is not None:
            return [
                told(number, self.encode_array, text, add_bos, add_eos, allowed_special)
                for number, text in group
            ]
        before, after = self._around(add_bos, add_eos)
        parts = self._encoder.encode_many([text for _, text in group], first=group[0][0])
        if add_bos or add_eos:
            return [np.concatenate((before, part, after)) for part in parts]
        return parts

    def _around(self, add_bos: bool, add_eos: bool) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """What is put before and after a text."""
        before = [self._role_id("bos")] if add_bos else []
        after = [self._role_id("eos")] if add_eos else []
        return np.array(before, dtype=np.int32), np.array(after, dtype=np.int32)

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

    def trace_pieces(self, pieces: Sequence[bytes]) -> Trace:
        """Every merge of some pieces, in order of time, and what they are at every size.

        Raises
        ------
        MissingByteError
            The table lacks a byte.
        """
        ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
        return result_of(self.tracer.trace(b"".join(pieces), ends))

    def segments(
        self, text: str, allowed_special: AllowedSpecial
    ) -> Iterator[tuple[str, int | None]]:
        """Plain parts (with None) and specials (with their id), in order."""
        finder = self._ruled.preparer.raw_finder(self._looked_for(allowed_special))
        for begin, end, token in finder.split(text):
            yield text[begin:end], None if token is None else token.id

    def prepared(self, text: str, allowed_special: AllowedSpecial) -> Iterator[Found | Cut]:
        """The added tokens of a text and what is merged of it, which knows where it came from."""
        return self._ruled.preparer.parts(text, self._looked_for(allowed_special), tracked=True)

    def piece_spans(self, cut: Cut) -> list[Span]:
        """The pieces of what is merged, in characters of it."""
        return self._ruled.preparer.cut_all(cut)

    def _looked_for(self, allowed_special: AllowedSpecial) -> tuple[AddedToken, ...]:
        """The added tokens that are recognised in a text.

        Raises
        ------
        ValueError
            The tokenizer lacks a special, or can only be viewed.
        """
        if self.view_only:
            raise ValueError(self.view_only)
        return self._specials.looked_for(allowed_special)

    @cached_property
    def _specials(self) -> Specials:
        return Specials(self.special_ids, self.rules.added)

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
        if self.outside is not None:
            numbers = decoder.numbers_of(ids)
            decoder.check_ids(numbers, self._bytes_of_id)
            return self.outside.decode(numbers, skip_specials)
        return self.decode_bytes(ids, skip_specials).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int], skip_specials: bool = False) -> bytes:
        """The bytes of ids, as they are."""
        numbers = decoder.numbers_of(ids)
        if self.outside is not None:
            return self.decode(numbers, skip_specials).encode()
        if skip_specials:
            numbers = [i for i in numbers if i not in self._specials.skipped]
        if self.rules.word_prefix or self.rules.word_end:
            prefix, end = self.rules.word_prefix.encode(), self.rules.word_end.encode()
            return decoder.decode_words(
                numbers, self._bytes_of_id, self._special_names, prefix=prefix, end=end
            )
        data = decoder.decode_bytes(numbers, self._bytes_of_id)
        strip = self.rules.strip_left
        return data[:strip].lstrip(b" ") + data[strip:] if strip else data

    def prefix(self, merges: int) -> Tokenizer:
        """The tokenizer of the first `merges` merges: as a training to that size would make it."""
        table = self.table.prefix(merges)
        training = None
        if self.training is not None and len(table.merges) == merges:
            training = self.training.prefix(merges, vocab_size=len(table) + len(self.special_ids))
        # Some tables find tokens that their merges make in a text before anything else.
        known = set(self.special_ids.values())
        added = tuple(t for t in self.rules.added if t.id in known or t.id in table)
        rules = self.rules if added == self.rules.added else replace(self.rules, added=added)
        return replace(self, table=table, training=training, rules=rules)

    # What is computed once

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.table, self.pattern, self.engine)

    @property
    def encoder(self) -> Encoder:
        """The engine itself, in dense token numbers: for analysis."""
        return self._encoder

    @cached_property
    def _ruled(self) -> RuledEncoder:
        return RuledEncoder(self._encoder, self.rules)

    @cached_property
    def tracer(self) -> Tracer:
        """What traces pieces: for analysis."""
        return Tracer(self._encoder, self._ruled.plain)

    @cached_property
    def _trimmer(self) -> Trimmer:
        prefixed = any(
            isinstance(step, Prepend) and step.text == " " for step in self.rules.pre_tokenizer
        )
        return Trimmer(self.table, prefixed=prefixed)

    @cached_property
    def _is_plain(self) -> bool:
        """Whether text is only cut by the pattern and merged."""
        return replace(self.rules, added=(), strip_left=0) == PLAIN_TEXT

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
