"""All formats, in the order in which they are asked whether a file is theirs."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from bpe_studio.formats import (
    gguf,
    gpt2,
    huggingface,
    minbpe,
    sentencepiece,
    studio,
    tekken,
    tiktoken,
)

__all__ = ["FORMATS", "WRITERS"]

# Those with a mark of their own first.
FORMATS: Final[dict[str, ModuleType]] = {
    module.NAME: module
    for module in (
        studio,
        huggingface,
        minbpe,
        gguf,
        sentencepiece,
        tekken,
        tiktoken,
        gpt2,
    )
}
WRITERS: Final[dict[str, ModuleType]] = {
    name: module for name, module in FORMATS.items() if hasattr(module, "write")
}
