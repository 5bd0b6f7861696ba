"""Tables that hypothesis makes: any ids, missing bytes, repeated merges, parts made later."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.patterns import PRESETS, Pattern, resolve_pattern
from bpe_studio.bpe.table import MergeTable, gpt2_byte_order
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from bpe_studio.formats.native.training import TOTALS

PATTERNS: list[Pattern] = [*PRESETS.values(), resolve_pattern(r"\S+|\s+")]

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
name = text.filter(bool)
count = st.integers(0, 2**62)


@st.composite
def tokenizers(draw: st.DrawFn) -> Tokenizer:
    chance = draw(st.randoms(use_true_random=False))
    first = draw(st.sampled_from([300, 1000, MAX_ID - 200]))
    numbers = list(range(first, first + 120))
    if draw(st.booleans()):
        chance.shuffle(numbers)
    fresh = iter(numbers)
    symbols = _byte_ids(draw)
    base = draw(st.sampled_from(["bytes", "chars"]))
    wide = draw(st.sets(st.characters(min_codepoint=128, exclude_categories=["Cs"]), max_size=4))
    chars = {char: next(fresh) for char in sorted(wide)} if base == "chars" else {}
    others = {next(fresh): data for data in draw(st.sets(st.binary(min_size=1), max_size=3))}
    known = [i for i in symbols if i >= 0] + list(chars.values()) + list(others)
    merges: list[tuple[int, int, int]] = []
    for _ in range(draw(st.integers(0, 20)) if known else 0):
        # Old merges again and new ones on the newest tokens, as real tables have them.
        left, right = chance.choice(known[-9:]), chance.choice(known)
        merges.append((left, right, next(fresh)))
        known.append(merges[-1][2])
    if draw(st.booleans()):
        merges += merges[:2]
    if draw(st.booleans()):
        chance.shuffle(merges)
    table = MergeTable.build(
        base=base, byte_ids=symbols, char_ids=chars, merges=merges, tokens=others
    )
    names = draw(st.lists(name, unique=True, max_size=4))
    specials = {special: next(fresh) for special in names}
    roles = {role: names[0] for role in ("bos", "pad") if names and draw(st.booleans())}
    pattern = draw(st.sampled_from(PATTERNS))
    facts = {
        "pattern": pattern.name,
        "base": base,
        "specials": sorted(specials, key=specials.__getitem__),
    }
    return Tokenizer(
        table=table,
        pattern=pattern,
        special_ids=specials,
        roles=roles,
        engine=draw(st.sampled_from(["merges", "whole-piece-first"])),
        training=draw(st.none() | _records(len(merges), facts)),
    )


def _byte_ids(draw: st.DrawFn) -> list[int]:
    kind = draw(st.sampled_from(["value", "gpt2", "mixed", "missing"]))
    first = draw(st.integers(0, 44))
    ids = list(range(first, first + 256))
    if kind == "gpt2":
        order = gpt2_byte_order()
        return [first + order.index(byte) for byte in range(256)]
    if kind == "mixed":
        return ids[::-1]
    if kind == "missing":
        return [-1 if byte % 7 == 0 else byte_id for byte, byte_id in enumerate(ids)]
    return ids


def _records(merges: int, facts: dict[str, Any]) -> st.SearchStrategy[TrainingRecord]:
    numbers = st.lists(count, min_size=merges, max_size=merges)
    files = st.lists(st.fixed_dictionaries({"path": text, "size": count}), max_size=3)
    settings = {
        "vocab_size": count,
        "min_freq": st.integers(1, 2**62),
        "ties": st.sampled_from(["first-seen", "smallest-ids"]),
        "byte_order": st.sampled_from(["value", "gpt2"]),
        **{key: st.just(value) for key, value in facts.items()},
    }
    totals = st.fixed_dictionaries(dict.fromkeys(TOTALS, count))
    return st.builds(
        _record,
        numbers,
        numbers,
        st.none() | st.tuples(st.floats(1e-9, 0.999), numbers, totals),
        settings=st.fixed_dictionaries(
            settings,
            optional={
                "continued_from": st.integers(0, merges),
                "whole_characters": st.just(True),
                "max_token_bytes": st.integers(2, 2**31 - 1),
                "min_documents": st.integers(2, 2**31 - 1),
                "without": st.lists(text.filter(bool), min_size=1, unique=True).map(sorted),
            },
        ),
        totals=totals,
        corpus=st.fixed_dictionaries(
            {"files": files, "fingerprint": text, "problems": count},
        ),
    )


def _record(
    counts: list[int],
    others: list[int],
    held_out: tuple[float, list[int], dict[str, int]] | None,
    settings: dict[str, Any],
    **parts: Any,
) -> TrainingRecord:
    if held_out is not None:
        settings = {**settings, "hold_out": held_out[0]}
        parts["held_out"] = np.array(held_out[1], dtype=np.int64)
        parts["held_out_totals"] = held_out[2]
    return TrainingRecord(
        np.maximum(np.array(counts, dtype=np.int64), np.array(others, dtype=np.int64)),
        np.array(others, dtype=np.int64),
        settings=settings,
        **parts,
    )
