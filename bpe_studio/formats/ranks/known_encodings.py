"""Rank files that are told by their content, with the pattern and the specials that go with them.

A rank file says neither. The hashes of OpenAI's are those that tiktoken expects of them; the others
are of the published files, which follow from the vocabularies of the models.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

__all__ = ["KNOWN", "KnownEncoding", "find_known", "rank_lines"]


@dataclass(frozen=True, kw_only=True)
class KnownEncoding:
    """A published rank file.

    Attributes
    ----------
    name : str
    sha256 : str
        Of the file.
    pattern : str
        The name of a preset.
    specials : dict from name to id
    """

    name: str
    sha256: str
    pattern: str
    specials: dict[str, int] = field(default_factory=dict)


def rank_lines(ranked: Iterable[tuple[int, bytes]]) -> bytes:
    """The usual form of a rank file: a line for each (rank, token), in the order of the ranks."""
    return b"".join(b"%s %d\n" % (b64encode(token), rank) for rank, token in ranked)


def find_known(data: bytes) -> KnownEncoding | None:
    """The published file that has these lines (in their usual form, `rank_lines`)."""
    return KNOWN.get(hashlib.sha256(data).hexdigest())


def _numbered(first: int, names: Iterable[str]) -> dict[str, int]:
    return {name: first + place for place, name in enumerate(names)}


def _llama3_specials() -> list[str]:
    """256: some with a meaning, and all others reserved."""
    reserved = (f"<|reserved_special_token_{number}|>" for number in range(251))
    named = {
        0: "<|begin_of_text|>",
        1: "<|end_of_text|>",
        6: "<|start_header_id|>",
        7: "<|end_header_id|>",
        9: "<|eot_id|>",
    }
    return [named.get(place) or next(reserved) for place in range(256)]


KNOWN: Final[dict[str, KnownEncoding]] = {
    known.sha256: known
    for known in (
        KnownEncoding(
            name="r50k_base",
            sha256="306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
            pattern="gpt2",
            specials={"<|endoftext|>": 50256},
        ),
        KnownEncoding(
            name="p50k_base",
            sha256="94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
            pattern="gpt2",
            specials={"<|endoftext|>": 50256},
        ),
        KnownEncoding(
            name="cl100k_base",
            sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
            pattern="cl100k",
            specials={
                "<|endoftext|>": 100257,
                "<|fim_prefix|>": 100258,
                "<|fim_middle|>": 100259,
                "<|fim_suffix|>": 100260,
                "<|endofprompt|>": 100276,
            },
        ),
        KnownEncoding(
            name="o200k_base",
            sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
            pattern="o200k",
            specials={"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
        ),
        KnownEncoding(
            name="Llama 3",
            sha256="82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
            pattern="llama3",
            specials=_numbered(128000, _llama3_specials()),
        ),
        KnownEncoding(
            name="Qwen",
            sha256="b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
            pattern="qwen2",
            specials=_numbered(
                151643,
                [
                    "<|endoftext|>",
                    "<|im_start|>",
                    "<|im_end|>",
                    *(f"<|extra_{number}|>" for number in range(205)),
                ],
            ),
        ),
    )
}
