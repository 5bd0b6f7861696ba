"""Writing the head of a GGUF file."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

Value = str | bool | int | float | Sequence[Any]


def text(value: str | bytes) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(data)) + data


def kind_of(value: Any) -> int:
    if isinstance(value, bool):
        return 7
    if isinstance(value, int):
        return 4 if value >= 0 else 5
    if isinstance(value, float):
        return 6
    return 8 if isinstance(value, str | bytes) else 9


def packed(value: Any, kind: int) -> bytes:
    if kind == 8:
        return text(value)
    if kind == 9:
        # A list of numbers has one kind: that which can hold them all.
        inner = max(map(kind_of, value), default=4)
        return struct.pack("<IQ", inner, len(value)) + b"".join(packed(v, inner) for v in value)
    return struct.pack({4: "<I", 5: "<i", 6: "<f", 7: "<?"}[kind], value)


def gguf(values: Mapping[str, Any], *, version: int = 3) -> bytes:
    """A file with these keys and no tensors."""
    parts = [struct.pack("<4sIQQ", b"GGUF", version, 0, len(values))]
    for name, value in values.items():
        kind = kind_of(value)
        parts += [text(name), struct.pack("<I", kind), packed(value, kind)]
    return b"".join(parts)


def tokenizer_gguf(model: str, **values: Any) -> bytes:
    """Keys of the tokenizer, between others that nobody wants."""
    return gguf(
        {
            "general.architecture": "llama",
            "general.tags": ["a", "b"],
            "llama.rope": [1.5, 2.0],
            "tokenizer.ggml.model": model,
            **{f"tokenizer.ggml.{name}": value for name, value in values.items()},
            "tokenizer.chat_template": "{{ x }}",
        }
    )
