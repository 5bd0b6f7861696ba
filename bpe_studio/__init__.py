"""BPE Studio: train, look into, explain and compare byte-pair-encoding tokenizers.

>>> import bpe_studio as bs
>>> tok = bs.train(["corpus/"], vocab_size=8000)
>>> tok.decode(tok.encode("lowest"))
'lowest'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpe_studio.api import DEFAULT_SPECIALS, load, save, train
    from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["DEFAULT_SPECIALS", "Tokenizer", "load", "save", "train"]
__version__ = "0.1.0"


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def __getattr__(name: str) -> Any:
    # Lazily, so that the command line's help and the window's opening import no engine.
    if name == "Tokenizer":
        from bpe_studio.bpe.tokenizer import Tokenizer

        return Tokenizer
    if name in __all__:
        from bpe_studio import api

        return getattr(api, name)
    raise AttributeError(f"module 'bpe_studio' has no attribute {name!r}")
