"""Models of Hugging Face that have no merges: the `tokenizers` package runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["HuggingFaceModel", "asked", "library"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class HuggingFaceModel:
    """A whole `tokenizer.json`.

    Attributes
    ----------
    kind : str
        "WordPiece", "Unigram" or "WordLevel".
    payload : bytes
        The file.
    """

    kind: str
    payload: bytes = field(repr=False)
    library: str = "tokenizers"

    def ids(self, text: str) -> NDArray[np.int32]:
        """The ids of a text, nothing added."""
        return _ids(self._cut(text))

    def encode(self, text: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The ids of a text, nothing added, and the span of each in characters."""
        made = self._cut(text)
        spans = np.array(made.offsets, dtype=np.int64).reshape(len(made.ids), 2)
        return _ids(made), spans

    def _cut(self, text: str) -> Any:
        """What the library makes of a text; as a batch of one, meanwhile other threads run."""
        model = _tokenizer(self.payload)
        return asked(lambda: model.encode_batch([text], add_special_tokens=False)[0])

    def decode(self, ids: Sequence[int], skip_specials: bool) -> str:
        model = _tokenizer(self.payload)
        for place, number in enumerate(ids):
            if asked(partial(model.id_to_token, number)) is None:
                raise ValueError(f"There is no token with the id {number} (position {place:,}).")
        text: str = asked(lambda: model.decode(list(ids), skip_special_tokens=skip_specials))
        return text


def _ids(made: Any) -> NDArray[np.int32]:
    return np.array(made.ids, dtype=np.int64).astype(np.int32)


@lru_cache(maxsize=4)
def _tokenizer(payload: bytes) -> Any:
    package = library()
    made = asked(lambda: package.Tokenizer.from_buffer(payload))
    made.no_truncation()
    made.no_padding()
    return made


def library() -> Any:
    """The package `tokenizers`; ValueError where it is not there."""
    try:
        import tokenizers
    except ImportError:
        raise ValueError(
            "A model of this kind needs the package tokenizers; install it with "
            "pip install 'bpe-studio[huggingface]'."
        ) from None
    return tokenizers


def asked(call: Callable[[], _T]) -> _T:
    """What the library answers; what it cannot do is a ValueError, its panics too."""
    try:
        return call()
    except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException as error:
        # A panic of the library is no Exception.
        reason = " ".join(str(error).split())[:200].rstrip(".")
        raise ValueError(f"The tokenizers package refuses it: {reason}.") from None
