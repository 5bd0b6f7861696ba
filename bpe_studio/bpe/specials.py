"""The specials of a tokenizer: which of them a text is searched for, and what they are for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from bpe_studio.bpe.text_rules import AddedToken

__all__ = ["AllowedSpecial", "Specials", "roles_of"]

AllowedSpecial = Collection[str] | Literal["all"] | None

_ROLES: Final = {
    "bos": ("<bos>", "<s>", "<|begin_of_text|>", "<|startoftext|>"),
    "eos": ("<eos>", "</s>", "<|end_of_text|>", "<|endoftext|>"),
    "pad": ("<pad>", "<|pad|>"),
}

_MOST_NAMES: Final = 8


def roles_of(specials: Iterable[str]) -> dict[str, str]:
    """Which of these specials is bos, eos and pad, told by their usual names."""
    names = set(specials)
    found = {role: next((n for n in known if n in names), None) for role, known in _ROLES.items()}
    return {role: name for role, name in found.items() if name is not None}


@dataclass(frozen=True, eq=False)
class Specials:
    """What a tokenizer knows besides the tokens of its table.

    Attributes
    ----------
    ids : mapping from name to id
    added : tuple of AddedToken
        Those that are found in every text (see `TextRules`).
    """

    ids: Mapping[str, int]
    added: tuple[AddedToken, ...]

    def looked_for(self, allowed_special: AllowedSpecial) -> tuple[AddedToken, ...]:
        """Those that are recognised in a text.

        Raises
        ------
        ValueError
            There is none of a name that is asked for.
        """
        if allowed_special is None:
            return self.added
        if allowed_special == "all":
            return self._all
        names = {allowed_special} if isinstance(allowed_special, str) else set(allowed_special)
        for name in names:
            if name not in self._by_name:
                raise ValueError(
                    f"The tokenizer has no special {name!r}; it has {self._some_names()}."
                )
        return tuple(token for name, token in self._by_name.items() if name in names)

    @cached_property
    def skipped(self) -> frozenset[int]:
        """The ids that decoding leaves out when it skips specials."""
        added = {token.id: token.special for token in self.added}
        skipped = {token_id for token_id, special in added.items() if special}
        return frozenset(skipped | (set(self.ids.values()) - added.keys()))

    def _some_names(self) -> str:
        names = list(self._by_name)
        more = len(names) - _MOST_NAMES
        some = ", ".join(names[:_MOST_NAMES]) or "none"
        return f"{some} and {more:,} more" if more > 0 else some

    @cached_property
    def _all(self) -> tuple[AddedToken, ...]:
        return tuple(self._by_name.values())

    @cached_property
    def _by_name(self) -> dict[str, AddedToken]:
        plain = {name: AddedToken(name, number) for name, number in self.ids.items()}
        return plain | {token.content: token for token in self.added}
