"""A tokenizer that another library runs: ours shows its tokens and borders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class OutsideModel(Protocol):
    """What a tokenizer asks of it.

    Attributes
    ----------
    kind : str
        "WordPiece", "Unigram", "WordLevel", "Word", "Char", or "BPE" where ranks cannot say what
        the file does.
    library : str
        The package that runs it.
    """

    @property
    def kind(self) -> str: ...

    @property
    def library(self) -> str: ...

    def ids(self, text: str) -> NDArray[np.int32]:
        """The ids of a text, nothing added: quicker than with their places.

        Raises
        ------
        ValueError
            As `encode`.
        """
        ...

    def encode(self, text: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The ids of a text, nothing added, and the span of each in characters, shape (n, 2).

        Raises
        ------
        ValueError
            The library is not installed; with the line that installs it.
        """
        ...

    def decode(self, ids: Sequence[int], skip_specials: bool) -> str: ...
