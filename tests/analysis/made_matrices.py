"""Embedding matrices made for tests: in memory, with planted rows that no training has touched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer


@dataclass(eq=False)
class Held:
    """A matrix in memory that counts how many rows were asked for at once."""

    values: NDArray[Any]
    name: str = "embed"
    dtype: str = "F64"
    most: int = field(default=0)

    @property
    def rows(self) -> int:
        return int(self.values.shape[0])

    @property
    def columns(self) -> int:
        return int(self.values.shape[1])

    def read(self, first: int, last: int) -> NDArray[Any]:
        self.most = max(self.most, last - first)
        return self.values[first:last].copy()


@dataclass(frozen=True, eq=False)
class Model:
    input: Held
    output: Held | None = None


def made_tokenizer(tokens: int = 600) -> Tokenizer:
    """256 bytes, further tokens up to an id of `tokens`, and two specials after them."""
    words = {i: f"w{i}".encode() for i in range(256, tokens)}
    return Tokenizer(
        table=MergeTable.build(byte_ids=range(256), tokens=words),
        pattern=resolve_pattern("gpt2"),
        special_ids={"<eos>": tokens, "<|reserved_special_token_0|>": tokens + 1},
    )


def made_rows(rows: int, columns: int, planted: list[int], seed: int = 0) -> NDArray[np.float64]:
    """Rows round a common offset, with a main direction; those of `planted` lie near one vector
    and are short, as rows that only ever were pushed away.
    """
    random = np.random.default_rng(seed)
    made = random.normal(size=(rows, columns)) + 0.4 * random.normal(size=columns)
    main = random.normal(size=columns)
    made += 2.0 * random.normal(size=(rows, 1)) * main / np.linalg.norm(main)
    common = random.normal(size=columns)
    common *= 0.3 * np.sqrt(columns) / np.linalg.norm(common)
    made[planted] = common + 0.01 * random.normal(size=(len(planted), columns))
    return made
