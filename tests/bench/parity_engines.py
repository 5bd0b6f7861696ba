"""The programs that tokenizer files were made for, each asked for ids and spans in characters."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

Spans = NDArray[np.int64]


@dataclass(frozen=True)
class Engine:
    """One program with one file.

    Attributes
    ----------
    name : str
        Of the package, with its version.
    encode : from a text to ids and spans; spans are None where the program tells none
    allowed : what of ours makes text that spells a special count as the program does it
    unchanged : from a text to whether the program's normalizer leaves it as it is
    plain : the same as `encode` where text that spells a special is plain text, or None
    """

    name: str
    encode: Callable[[str], tuple[list[int], Spans | None]]
    allowed: AllowedSpecial
    unchanged: Callable[[str], bool] = lambda _: True
    plain: Callable[[str], list[int]] | None = None


def engine_of(path: Path, kind: str, ours: Tokenizer) -> Engine | None:
    """The program for a file of this format; None where there is none."""
    builders: dict[str, Callable[[Path, Tokenizer], Engine]] = {
        "huggingface": _huggingface,
        "gpt2": _gpt2,
        "tiktoken": _tiktoken,
        "tekken": _tekken,
        "sentencepiece": _sentencepiece,
    }
    return builders[kind](path, ours) if kind in builders else None


def _named(package: str) -> str:
    from importlib.metadata import version

    return f"{package} {version(package)}"


# tokenizers


def _huggingface(path: Path, ours: Tokenizer) -> Engine:
    from tokenizers import Tokenizer as Theirs

    content = json.loads(path.read_text("utf-8-sig"))
    # It adds what add_bos adds of ours, and may cut white space off the spans.
    content["post_processor"] = None
    return _of_library(Theirs.from_str(json.dumps(content)))


def _gpt2(path: Path, ours: Tokenizer) -> Engine:
    from tokenizers import Tokenizer as Theirs
    from tokenizers import decoders, models, pre_tokenizers

    vocab, merges = path, path
    for one, other in (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe")):
        if path.name.endswith(one):
            merges = path.with_name(path.name.removesuffix(one) + other)
        if path.name.endswith(other):
            vocab = path.with_name(path.name.removesuffix(other) + one)
    theirs = Theirs(models.BPE.from_file(str(vocab), str(merges)))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.decoder = decoders.ByteLevel()
    return _of_library(theirs, allowed=())


def _of_library(theirs: Any, allowed: AllowedSpecial = None) -> Engine:
    def encode(text: str) -> tuple[list[int], Spans]:
        found = theirs.encode(text, add_special_tokens=False)
        return found.ids, np.array(found.offsets, dtype=np.int64).reshape(-1, 2)

    def unchanged(text: str) -> bool:
        return theirs.normalizer is None or theirs.normalizer.normalize_str(text) == text

    return Engine(_named("tokenizers"), encode, allowed, unchanged)


# tiktoken


def _tiktoken(path: Path, ours: Tokenizer) -> Engine:
    lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
    ranks = {
        base64.b64decode(token): int(rank) for token, rank in map(bytes.split, filter(None, lines))
    }
    # The pattern and the specials are not in the file; the reader's tests judge those.
    theirs = _encoding(ranks, ours.pattern.expression, dict(ours.special_ids))

    def encode(text: str) -> tuple[list[int], None]:
        return theirs.encode(text, allowed_special="all"), None

    return Engine(_named("tiktoken"), encode, "all", plain=theirs.encode_ordinary)


def _tekken(path: Path, ours: Tokenizer) -> Engine:
    """As mistral-common does it: ranks from 0, and the number of the specials is added."""
    content = json.loads(path.read_text("utf-8-sig"))
    config = content["config"]
    first = config["default_num_special_tokens"]
    used = content["vocab"][: config["default_vocab_size"] - first]
    ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in used}
    theirs = _encoding(ranks, config["pattern"], {})

    def encode(text: str) -> tuple[list[int], None]:
        return [first + rank for rank in theirs.encode_ordinary(text)], None

    return Engine(_named("tiktoken"), encode, None)


def _encoding(ranks: dict[bytes, int], pattern: str, specials: dict[str, int]) -> Any:
    import tiktoken

    return tiktoken.Encoding(
        "judge", pat_str=pattern, mergeable_ranks=ranks, special_tokens=specials
    )


# sentencepiece


def _sentencepiece(path: Path, ours: Tokenizer) -> Engine:
    from sentencepiece import SentencePieceProcessor

    from bpe_studio.formats.spm.outside import SentencePieceModel

    data = path.read_bytes()
    theirs = SentencePieceModel("", data)
    processor = SentencePieceProcessor(model_proto=data)

    def encode(text: str) -> tuple[list[int], Spans]:
        ids, spans = theirs.encode(text)
        return ids.tolist(), spans

    def unchanged(text: str) -> bool:
        marked = text.replace(" ", "▁")
        return bool(processor.Normalize(text) in (marked, f"▁{marked}"))

    return Engine(_named("sentencepiece"), encode, None, unchanged)
