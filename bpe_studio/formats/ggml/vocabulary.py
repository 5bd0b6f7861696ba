"""The tokens in the metadata of a GGUF file: texts, kinds, scores, and which are bos and eos."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from bpe_studio.formats.ggml.metadata import Metadata
from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.token_bytes import MAX_TOKEN_BYTES, MAX_TOKENS

__all__ = ["BYTE", "CONTROL", "NORMAL", "UNKNOWN", "USER_DEFINED", "Vocabulary", "read_vocabulary"]

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, _UNUSED, BYTE = range(1, 7)
_PREFIX: Final = "tokenizer.ggml."
_ROLES: Final = {"bos": "bos_token_id", "eos": "eos_token_id", "pad": "padding_token_id"}
# What llama.cpp takes where a model of scores does not say it.
_ROLES_OF_SCORES: Final = {"bos": 1, "eos": 2}
# What llama.cpp takes for the end of something, whatever kind the file tells.
_ENDS: Final = (
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>",
    "<end_of_turn>", "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]",
    "<|end_of_text|>", "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>",
    "<｜end▁of▁sentence｜>", "[e~[",
)  # fmt: skip
# And what it always finds in a text; the last only beside others.
_ALWAYS_FOUND: Final = ("<|channel|>", "<|message|>", "<|start|>", "<|constrain|>")
_END: Final = "<|end|>"
_BESIDE_END: Final = (("<|return|>", "<|call|>"), ("<|call|>", "<|flush|>"))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """By id.

    Attributes
    ----------
    texts : list of str
        No text twice, none empty.
    types : list of int
    scores : list of float, or None where the file has none
    id_of : dict from text to id
    role_ids : dict from "bos", "eos" and "pad" to an id
    """

    texts: list[str]
    types: list[int]
    scores: list[float] | None
    id_of: dict[str, int]
    role_ids: dict[str, int]

    def is_special(self, number: int) -> bool:
        """Whether it is no text, but for the model."""
        if self.types[number] in (CONTROL, UNKNOWN):
            return True
        return number in self.role_ids.values() and len(self.texts[number]) > 1


def read_vocabulary(source: Source, found: Metadata, *, scored: bool) -> Vocabulary:
    """Raises a ValueError that names the key and the index."""
    texts = _texts(source, found)
    id_of: dict[str, int] = {}
    empty: list[int] = []
    for number, text in enumerate(texts):
        if not text:
            # As llama.cpp does, so that it has a name.
            texts[number] = text = f"[EMPTY_{number}]"
            empty.append(number)
        first = id_of.setdefault(text, number)
        if first != number:
            raise ValueError(
                f"{source.name}: {_PREFIX}tokens[{number}] is the text of token {first} again."
            )
    numbers = _numbers(source, found, "token_type", len(texts))
    types: list[int] = [NORMAL] * len(texts) if numbers is None else numbers.tolist()
    for number in empty:
        types[number] = CONTROL
    _correct(types, id_of)
    scores = _numbers(source, found, "scores", len(texts))
    if scores is not None and np.isnan(scores).any():
        place = int(np.flatnonzero(np.isnan(scores))[0])
        raise ValueError(f"{source.name}: {_PREFIX}scores[{place}] is no number.")
    return Vocabulary(
        texts=texts,
        types=types,
        scores=None if scores is None else scores.tolist(),
        id_of=id_of,
        role_ids=_role_ids(found, types, scored),
    )


def _correct(types: list[int], id_of: dict[str, int]) -> None:
    """The kinds that llama.cpp knows better than the file."""
    for name in _ENDS:
        if name in id_of:
            types[id_of[name]] = CONTROL
    found: list[str] = [name for name in _ALWAYS_FOUND if name in id_of]
    if _END in id_of and any(a in id_of and b in id_of for a, b in _BESIDE_END):
        found.append(_END)
    for name in found:
        types[id_of[name]] = USER_DEFINED


def _texts(source: Source, found: Metadata) -> list[str]:
    texts = found.get(f"{_PREFIX}tokens")
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise ValueError(f"{source.name}: {_PREFIX}tokens must be a list of texts.")
    if len(texts) > MAX_TOKENS:
        raise ValueError(
            f"{source.name}: {_PREFIX}tokens has {len(texts):,} tokens, and {MAX_TOKENS:,} is the "
            "limit."
        )
    for number, text in enumerate(texts):
        if len(text) > MAX_TOKEN_BYTES // 4 and len(text.encode()) > MAX_TOKEN_BYTES:
            raise ValueError(
                f"{source.name}: {_PREFIX}tokens[{number}] is longer than 1 MiB, the limit."
            )
    return list(texts)


def _numbers(source: Source, found: Metadata, name: str, count: int) -> Any:
    values = found.get(_PREFIX + name)
    if values is None:
        return None
    if not isinstance(values, np.ndarray) or len(values) < count:
        raise ValueError(
            f"{source.name}: {_PREFIX}{name} must be a list of {count:,} numbers, one a token."
        )
    return values[:count]


def _role_ids(found: Metadata, types: list[int], scored: bool) -> dict[str, int]:
    ids: dict[str, int] = {}
    if scored:
        ids = {r: i for r, i in _ROLES_OF_SCORES.items() if types[i : i + 1] == [CONTROL]}
    for role, key in _ROLES.items():
        value = found.get(_PREFIX + key)
        if isinstance(value, int) and not isinstance(value, bool):
            ids[role] = value
    # llama.cpp too passes over an id that there is not.
    return {role: number for role, number in ids.items() if 0 <= number < len(types)}
