"""The models that other libraries run, by the names under which they are sent and saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpe_studio.formats.hf.outside import HuggingFaceModel
from bpe_studio.formats.spm.outside import SentencePieceModel

__all__ = ["outside_kind"]

_KINDS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind for kind in (HuggingFaceModel, SentencePieceModel)
}


def outside_kind(name: object) -> Callable[..., Any]:
    """The class of that name: a frozen dataclass with `payload: bytes` and small fields.

    Raises
    ------
    ValueError
        There is none.
    """
    if not isinstance(name, str) or name not in _KINDS:
        raise ValueError("there is no such model")
    return _KINDS[name]
