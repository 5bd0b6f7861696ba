"""Tables of every kind that is loaded, made from real text, each also as the oracle's table."""

from __future__ import annotations

import json.decoder
import random
import textwrap
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import regex

import bpe_studio as bs
from bpe_studio.bpe.edits import Lowercase, Prepend, Replace
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import find_table, load
from tests.analysis.tables import Pair
from tests.oracle_analysis import PlainTable

SAMPLE = Path(bs.__file__).parent / "resources" / "sample.txt"
SPECIALS = {" the": 90_000, "def ": 90_001, "self": 90_002}
MARK = "</w>"


@cache
def real_text() -> str:
    """Our own sample, in many scripts, and some Python."""
    code = [Path(module.__file__).read_text() for module in (json.decoder, textwrap)]
    return SAMPLE.read_text() + "\n".join(code)


def real_pairs(folder: Path) -> dict[str, Pair]:
    """By what is special about each."""
    trained = bs.train([SAMPLE], vocab_size=700, pattern="gpt2", specials=())
    chars = bs.train([SAMPLE], vocab_size=1_100, base="chars", specials=())
    unordered = _rebuilt(trained, shuffled=True)
    gaps = _rebuilt(trained, every=7)
    return {
        "shipped": _pair(load(find_table("stdlib-8k"))),
        "shipped, of characters": _pair(load(find_table("sample-chars"))),
        "worked": _pair(load(find_table("worked-example"))),
        "trained": _pair(trained),
        "trained on characters": _pair(chars),
        "unordered": _pair(unordered),
        "unordered, of characters": _pair(_rebuilt(chars, shuffled=True)),
        "without some merges": _pair(gaps),
        "whole pieces first": _pair(replace(gaps, engine="whole-piece-first")),
        "with specials": _pair(replace(trained, special_ids=SPECIALS)),
        "marks at words": _marked(),
        "edits": _edited(folder),
    }


def _pair(tokenizer: Tokenizer, **more: Any) -> Pair:
    table = tokenizer.table
    base = {number: bytes([byte]) for byte, number in enumerate(table.byte_ids.tolist())}
    base |= {number: char.encode() for char, number in table.char_ids.items()}
    made = {new for _, _, new in tokenizer.merges}
    tokens = zip(table.ids.tolist(), table.token_list, strict=True)
    plain = PlainTable(
        base,
        tokenizer.merges,
        tokenizer.pattern.expression,
        dict(tokenizer.special_ids),
        tokenizer.engine == "whole-piece-first",
        {number: data for number, data in tokens if number not in made and number not in base},
        **more,
    )
    return Pair(tokenizer, plain, "")


def _rebuilt(tokenizer: Tokenizer, *, shuffled: bool = False, every: int = 0) -> Tokenizer:
    """With its merges in another order, or without some of them whose tokens stay."""
    merges = tokenizer.merges
    lost = merges[every - 1 :: every] if every else []
    kept = [merge for merge in merges if merge not in lost]
    if shuffled:
        random.Random(1).shuffle(kept)
    table = MergeTable.build(
        base=tokenizer.base,
        byte_ids=tokenizer.table.byte_ids.tolist(),
        char_ids=tokenizer.table.char_ids,
        merges=np.array(kept, dtype=np.int32),
        tokens={new: tokenizer.token_bytes(new) for _, _, new in lost},
    )
    return replace(tokenizer, table=table, training=None)


def _marked() -> Pair:
    """A vocabulary that marks the ends of words, without symbols for most of Unicode."""
    symbols = {byte: bytes([byte]) for byte in range(128)}
    symbols |= {128 + byte: bytes([byte]) + MARK.encode() for byte in range(128)}
    merges = _learned(Counter(regex.findall(r"[a-zA-Z]+", real_text())), 150)
    table = MergeTable.build(byte_ids=[-1] * 256, merges=merges, tokens=symbols | {900: b"<unk>"})
    pattern = resolve_pattern(r"\w+|\s|[^\w\s]+")
    rules = TextRules(unknown=Unknown(900), word_end=MARK)
    tokenizer = Tokenizer(table=table, pattern=pattern, rules=rules)
    plain = PlainTable(
        symbols, merges, pattern.expression, extra={900: b"<unk>"}, word_end=MARK.encode(),
        unknown=900,
    )  # fmt: skip
    return Pair(tokenizer, plain, "")


def _learned(words: Counter[str], number: int) -> list[tuple[int, int, int]]:
    """Merges of the most frequent pairs, where the last symbol of a word is another one."""
    spelled = [([*w.encode()[:-1], 128 + w.encode()[-1]], count) for w, count in words.items()]
    merges = []
    for new in range(300, 300 + number):
        pairs: Counter[tuple[int, int]] = Counter()
        for word, count in spelled:
            for pair in pairwise(word):
                pairs[pair] += count
        (left, right), _ = pairs.most_common(1)[0]
        merges.append((left, right, new))
        for word, _ in spelled:
            for at in range(len(word) - 1):
                if word[at : at + 2] == [left, right]:
                    word[at : at + 2] = [new]
    return merges


def _edited(folder: Path) -> Pair:
    """Small letters only, and ▁ for spaces, one of which stands in front of every text."""
    made = real_text().lower().replace(" ", "▁")
    (folder / "edited.txt").write_text(made)
    pattern = resolve_pattern("▁*[^▁]+|▁+")
    trained = bs.train(
        [folder / "edited.txt"], vocab_size=900, base="chars", specials=(),
        pattern=pattern.expression,
    )  # fmt: skip
    rules = TextRules(normalizer=(Lowercase(), Prepend("▁"), Replace(" ", "▁")))
    edits = {char: char.lower() for char in set(real_text()) if char.lower() != char}
    return _pair(replace(trained, rules=rules), edits=edits | {" ": "▁"}, prefix="▁")
