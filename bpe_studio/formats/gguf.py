"""GGUF files: the tokenizer in the head of a model; byte-level BPE ("gpt2") and SPM ("llama")."""

from __future__ import annotations

import reprlib
from typing import Final

from bpe_studio.bpe.patterns import OTHERS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.ggml.bpe import read_bpe
from bpe_studio.formats.ggml.metadata import MAGIC, read_metadata
from bpe_studio.formats.ggml.scored import read_scored
from bpe_studio.formats.ggml.vocabulary import Vocabulary, read_vocabulary
from bpe_studio.formats.source import Source

__all__ = ["NAME", "SUFFIXES", "TITLE", "read", "sniff"]

NAME: Final = "gguf"
TITLE: Final = "GGUF model"
SUFFIXES: Final = (".gguf",)

_PREFIX: Final = "tokenizer.ggml."
_WANTED: Final = frozenset(
    _PREFIX + name
    for name in (
        "model", "pre", "tokens", "token_type", "scores", "merges", "bos_token_id", "eos_token_id",
        "padding_token_id", "add_space_prefix",
    )
)  # fmt: skip
_KINDS: Final = {
    "bert": "a WordPiece model",
    "t5": "a Unigram model",
    "rwkv": "an RWKV model",
    "plamo2": "a PLaMo model",
    "gemma4": "a model with rules of its own",
    "none": "no tokenizer",
    "no_vocab": "no tokenizer",
}


def sniff(data: bytes) -> bool:
    return data.startswith(MAGIC)


def read(source: Source) -> Tokenizer:
    """The tokenizer in the head of the file.

    Raises
    ------
    ValueError
        With the key, and the index or the byte.
    """
    found = read_metadata(source, _WANTED.__contains__)
    model = found.get(f"{_PREFIX}model")
    if not isinstance(model, str):
        raise ValueError(
            f"{source.name}: it has no key {_PREFIX}model, so there is no tokenizer in it."
        )
    vocabulary = read_vocabulary(source, found, scored=model == "llama")
    if model == "gpt2":
        return read_bpe(source, found, vocabulary)
    if model == "llama":
        return read_scored(source, found, vocabulary)
    what = _KINDS.get(model, "a model that is not known here")
    return _view(
        vocabulary, f"The file holds {what} ({reprlib.repr(model)}), so it can only be looked at."
    )


def _view(vocabulary: Vocabulary, reason: str) -> Tokenizer:
    specials = {t: i for i, t in enumerate(vocabulary.texts) if vocabulary.is_special(i)}
    tokens = {i: t.encode() for t, i in vocabulary.id_of.items() if t not in specials}
    return Tokenizer(
        table=MergeTable.build(byte_ids=[-1] * 256, tokens=tokens),
        pattern=OTHERS["whole"],
        special_ids=specials,
        roles={role: vocabulary.texts[number] for role, number in vocabulary.role_ids.items()},
        view_only=reason,
    )
