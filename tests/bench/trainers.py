"""The trainers: how each is called, what it is given, and the rules that its merges follow.

All get the pattern gpt2 and the number of ids to reach, bytes included and no specials. What a
package needs is imported by its own functions, so that a missing one is only a line in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bpe_studio.formats.ranks.byte_alphabet import to_bytes
from tests.bench.blocks import blocks
from tests.bench.figures import OURS
from tests.bench.rules import Learned, Rules

# The pattern gpt2 as its publishers write it; `bpe_studio.bpe.patterns` has the same.
GPT2: Final = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# Blocks that a peer holds at once where it can be told.
_BUFFERED: Final = 64


@dataclass(frozen=True)
class Trainer:
    """One competitor.

    Attributes
    ----------
    package : str
        Its name in the package index.
    given : str
        The form of its input, for the table.
    rules : Rules
    train : from a file and a number of ids to whatever the package returns
    learned : from that to the merges by rank, as pairs, or as tokens where pairs are not told
    """

    package: str
    given: str
    rules: Rules
    train: Callable[[Path, int], Any]
    learned: Callable[[Any], Learned]


def _train_ours(path: Path, size: int) -> Any:
    return train_ours(path, size, Rules())


def train_ours(path: Path, size: int, rules: Rules) -> Any:
    import bpe_studio

    return bpe_studio.train(
        path,
        vocab_size=size,
        pattern="gpt2",
        ties=rules.ties,
        byte_order=rules.byte_order,
        specials=(),
    )


def learned_by_ours(tokenizer: Any) -> Learned:
    return [
        (tokenizer.token_bytes(left), tokenizer.token_bytes(right))
        for left, right, _ in tokenizer.merges
    ]


def _train_gigabpe(path: Path, size: int) -> Any:
    import gigabpe

    return gigabpe.train_bpe(
        [str(path)], vocab_size=size, pretokenizer="bytelevel", min_frequency=2
    )


def _train_gigatoken(path: Path, size: int) -> Any:
    import gigatoken

    return gigatoken.train_bpe(str(path), size, [])


def _train_ffbpe(path: Path, size: int) -> Any:
    import ffbpe

    counter = ffbpe.PreTokenizer([]).word_counter()
    counter.add_source(blocks(path))
    trainer = ffbpe.BpeTrainer([], initial_alphabet="byte_level", tie_break="smallest_pair_id")
    trainer.add_word_counter(counter)
    trainer.train(size)
    return trainer.vocab


def _train_minibperust(path: Path, size: int) -> Any:
    from MiniBpeRust import rustminibpe

    return rustminibpe.train_on_files([str(path)], GPT2, size, False)


def _learned_by_minibperust(merges: Any) -> Learned:
    tokens = {byte: bytes([byte]) for byte in range(256)}
    learned = []
    for number, ((left, right), _) in enumerate(merges):
        learned.append((tokens[left], tokens[right]))
        tokens[256 + number] = tokens[left] + tokens[right]
    return learned


def _train_rustbpe(path: Path, size: int) -> Any:
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(
        blocks(path), vocab_size=size, buffer_size=_BUFFERED, pattern=GPT2
    )
    return tokenizer.get_mergeable_ranks()


def _train_bpeasy(path: Path, size: int) -> Any:
    import bpeasy

    longest = 1 << 20
    return bpeasy.train_bpe(blocks(path), GPT2, longest, size, _BUFFERED)


def _train_tokenizers(path: Path, size: int) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=size, min_frequency=2, show_progress=False, initial_alphabet=alphabet
    )
    tokenizer.train_from_iterator(blocks(path), trainer)
    return tokenizer


def _learned_by_tokenizers(tokenizer: Any) -> Learned:
    import json

    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [(to_bytes(left), to_bytes(right)) for left, right in merges]


def _tokens(ranks: Any) -> Learned:
    """Tokens by id, the 256 bytes left out."""
    by_id = sorted(dict(ranks).items(), key=lambda item: item[1]) if ranks else []
    return [(bytes(token),) for token, _ in by_id[256:]]


def _tokens_of_list(ranks: Any) -> Learned:
    return _tokens({bytes(token): rank for token, rank in ranks})


def _spelled_pairs(result: Any) -> Learned:
    return [(to_bytes(left), to_bytes(right)) for left, right in result[1]]


_BLOCKS, _FILE = "1 MiB blocks", "the file"

TRAINERS: Final[dict[str, Trainer]] = {
    OURS: Trainer("bpe-studio", _FILE, Rules(), _train_ours, learned_by_ours),
    "gigabpe": Trainer(
        "gigabpe",
        "the file, line by line",
        Rules(documents="lines"),
        _train_gigabpe,
        _spelled_pairs,
    ),
    "gigatoken": Trainer("gigatoken", _FILE, Rules(), _train_gigatoken, lambda result: result[1]),
    "ffbpe": Trainer("ffbpe", _BLOCKS, Rules(), _train_ffbpe, _tokens),
    "minibperust": Trainer(
        "MiniBpeRust",
        _FILE,
        Rules(ties="first-seen", byte_order="value"),
        _train_minibperust,
        _learned_by_minibperust,
    ),
    "rustbpe": Trainer(
        "rustbpe", _BLOCKS, Rules(byte_order="value"), _train_rustbpe, _tokens_of_list
    ),
    "bpeasy": Trainer("bpeasy", _BLOCKS, Rules(byte_order="value"), _train_bpeasy, _tokens),
    "tokenizers": Trainer(
        "tokenizers", _BLOCKS, Rules(), _train_tokenizers, _learned_by_tokenizers
    ),
}
