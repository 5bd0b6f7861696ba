"""The encoders: how each comes by the table cl100k_base, and how it is called.

Each gives ids in the form that costs it least. What a package needs is imported by its own
functions, so that a missing one is only a line in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tests.bench.blocks import text_blocks
from tests.bench.figures import OURS

# The pattern cl100k as its publishers write it; `bpe_studio.bpe.patterns` has the same.
CL100K: Final = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
# bpe-openai refuses texts of over 200,000 tokens, so it is given blocks that its pattern cuts too.
_SHORT: Final = 80_000


@dataclass(frozen=True)
class Encoder:
    """One competitor.

    Attributes
    ----------
    package : str
        Its name in the package index.
    given : str
        What it makes of a text.
    load : from the rank file to whatever encodes
    encode : from that and a text to ids, in the package's own form
    batch : the same for many texts on all cores, or None
    ids : whether `encode` gives ids, or only their number
    """

    package: str
    given: str
    load: Callable[[Path], Any]
    encode: Callable[[Any, str], Any]
    batch: Callable[[Any, Sequence[str]], Any] | None = None
    ids: bool = True


def as_array(ids: Any) -> NDArray[np.uint32]:
    """Ids in any of the forms that competitors give."""
    if isinstance(ids, bytes | bytearray):
        return np.frombuffer(ids, dtype=np.uint32)
    return np.asarray(ids, dtype=np.uint32)


def _load_ours(path: Path) -> Any:
    from bpe_studio.formats import load

    return load(path, pattern="cl100k")


def _tokens_and_ids(tokenizer: Any) -> tuple[list[bytes], list[int]]:
    return tokenizer.table.token_list, tokenizer.table.ids.tolist()


def _load_gigatoken(path: Path) -> Any:
    from gigatoken import Tokenizer

    return Tokenizer.from_tiktoken(path, pretokenizer="cl100k")


def _load_splintr(_: Path) -> Any:
    from splintr import Tokenizer

    return Tokenizer.from_pretrained("cl100k_base")


def _load_quicktok(_: Path) -> Any:
    from quicktok import get_encoding

    return get_encoding("cl100k_base")


def _load_toktok(_: Path) -> Any:
    import toktok

    return toktok


def _load_rs_bpe(_: Path) -> Any:
    from rs_bpe.bpe import openai

    return openai.cl100k_base()


def _batch_rs_bpe(encoding: Any, texts: Sequence[str]) -> Any:
    from rs_bpe.bpe import openai

    return encoding.encode_batch_parallel(list(texts), openai.ParallelOptions(2, 16, 0))


def _load_bpe_openai(_: Path) -> Any:
    from bpe_openai import get_encoding

    return get_encoding("cl100k_base")


def _encode_bpe_openai(encoding: Any, text: str) -> list[int]:
    ids: list[int] = []
    for block in text_blocks(text, _SHORT):
        ids += encoding.encode_ordinary(block)
    return ids


def _load_tiktoken(path: Path) -> Any:
    from tiktoken import Encoding

    ranks = dict(zip(*_tokens_and_ids(_load_ours(path)), strict=True))
    return Encoding("cl100k", pat_str=CL100K, mergeable_ranks=ranks, special_tokens={})


def _load_tokenizers(path: Path) -> Any:
    """The table as Hugging Face has it: merges recovered from ranks, and the whole piece first."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    from bpe_studio.formats.ranks.byte_alphabet import to_text

    ours = _load_ours(path)
    letters = {
        token_id: to_text(token) for token, token_id in zip(*_tokens_and_ids(ours), strict=True)
    }
    model = models.BPE(
        vocab={spelled: token_id for token_id, spelled in letters.items()},
        merges=[(letters[left], letters[right]) for left, right, _ in ours.merges],
        ignore_merges=True,
    )
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            # There a dollar is the end of any line.
            pre_tokenizers.Split(Regex(CL100K.replace("$", r"\z")), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return tokenizer


_LIST = "list"

ENCODERS: Final[dict[str, Encoder]] = {
    OURS: Encoder(
        "bpe-studio",
        "numpy",
        _load_ours,
        lambda tok, text: tok.encode_array(text),
        lambda tok, texts: tok.encode_batch(texts),
    ),
    "gigatoken": Encoder(
        "gigatoken",
        "numpy",
        _load_gigatoken,
        lambda tok, text: tok.encode(text),
        lambda tok, texts: tok.encode_batch(texts, parallel=True),
    ),
    "splintr": Encoder(
        "splintr-rs",
        "bytes",
        _load_splintr,
        lambda tok, text: tok.encode_flat(text),
        lambda tok, texts: tok.encode_batch_flat(texts),
    ),
    "quicktok": Encoder(
        "quicktok-v1",
        "numpy",
        _load_quicktok,
        lambda tok, text: tok.encode_batch([text], 1)[0],
        lambda tok, texts: tok.encode_batch(texts),
    ),
    "toktok": Encoder(
        "toktok-rs",
        "only their number",
        _load_toktok,
        lambda tok, text: tok.batch_count([text], "cl100k_base", 1)[0],
        lambda tok, texts: tok.batch_count(texts, "cl100k_base"),
        ids=False,
    ),
    "rs-bpe": Encoder(
        "rs-bpe",
        _LIST,
        _load_rs_bpe,
        lambda tok, text: tok.encode(text),
        _batch_rs_bpe,
    ),
    "bpe-openai": Encoder(
        "bpe-openai", "list, of short blocks", _load_bpe_openai, _encode_bpe_openai
    ),
    "tiktoken": Encoder(
        "tiktoken",
        _LIST,
        _load_tiktoken,
        lambda tok, text: tok.encode_ordinary(text),
        lambda tok, texts: tok.encode_ordinary_batch(texts, num_threads=8),
    ),
    "tokenizers": Encoder(
        "tokenizers",
        _LIST,
        _load_tokenizers,
        lambda tok, text: tok.encode(text).ids,
        lambda tok, texts: tok.encode_batch_fast(texts),
    ),
}
