"""Real tables against each other, and whether plain Python finds the same.

    python -m tests.bench.compare_reference FOLDER

FOLDER holds, at any depth, tokenizer files: GPT-2's vocab.json with merges.txt, rank files
(.tiktoken), tokenizer.json of byte-level BPE, tekken*.json; at least two. Every two are compared.
The plain side reads the raw files itself (JSON, base64, the byte alphabet) and works with dicts and
sets; it imports nothing of the program. Nothing is fetched. Exit status 1 where a figure differs.
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

Pair = tuple[bytes, bytes]
Figures = dict[str, object]
OVERLAPS = (100, 1_000, 10_000, 50_000)


@dataclass
class Plain:
    """Tokens by id without specials, and the parts of each merge by rank."""

    tokens: dict[int, bytes]
    merges: list[Pair]
    names: set[str]


def byte_alphabet() -> dict[str, int]:
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [byte for byte in range(256) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(256 + number): byte for number, byte in enumerate(rest)}


LETTERS = byte_alphabet()


def spelled(token: str) -> bytes:
    return bytes(LETTERS[char] for char in token)


def of_gpt2(path: Path) -> Plain:
    vocab = json.loads(path.read_text("utf-8"))
    lines = (path.parent / "merges.txt").read_text("utf-8").split("\n")
    merges = [line.split(" ") for line in lines if line and not line.startswith("#version")]
    names = {name for name in vocab if name.startswith("<|")}
    return Plain(
        {number: spelled(token) for token, number in vocab.items() if token not in names},
        [(spelled(left), spelled(right)) for left, right in merges],
        names,
    )


def of_huggingface(path: Path) -> Plain:
    whole = json.loads(path.read_text("utf-8"))
    model, added = whole["model"], {each["id"]: each["content"] for each in whole["added_tokens"]}
    tokens = {n: spelled(token) for token, n in model["vocab"].items() if n not in added}
    pairs = [each.split(" ") if isinstance(each, str) else each for each in model["merges"]]
    return Plain(tokens, [(spelled(a), spelled(b)) for a, b in pairs], set(added.values()))


def of_ranks(ranks: dict[bytes, int], offset: int) -> Plain:
    in_order = sorted(ranks, key=ranks.__getitem__)
    merges = [parts_of(token, ranks) for token in in_order if len(token) > 1]
    return Plain({n + offset: token for token, n in ranks.items()}, merges, set())


def parts_of(token: bytes, ranks: dict[bytes, int]) -> Pair:
    """What a token is made of: it, encoded with lower ranks only."""
    parts, most = [token[n : n + 1] for n in range(len(token))], ranks[token]
    while len(parts) > 2:
        joined = [left + right for left, right in zip(parts, parts[1:], strict=False)]
        known = [ranks.get(each, most) for each in joined]
        place = min(range(len(known)), key=known.__getitem__)
        assert known[place] < most, token
        parts[place : place + 2] = [joined[place]]
    return parts[0], parts[1]


def of_tiktoken(path: Path) -> Plain:
    lines = (line.split() for line in path.read_bytes().splitlines() if line)
    return of_ranks({base64.b64decode(token): int(rank) for token, rank in lines}, 0)


def of_tekken(path: Path) -> Plain:
    whole = json.loads(path.read_text("utf-8"))
    config: dict[str, Any] = whole["config"]
    specials = config["default_num_special_tokens"]
    rows = whole["vocab"][: config["default_vocab_size"] - specials]
    return of_ranks({base64.b64decode(row["token_bytes"]): row["rank"] for row in rows}, specials)


def readers(folder: Path) -> Iterator[tuple[Path, Any]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".tiktoken":
            yield path, of_tiktoken
        elif path.name == "vocab.json" and (path.parent / "merges.txt").exists():
            yield path, of_gpt2
        elif path.name == "tokenizer.json":
            yield path, of_huggingface
        elif path.name.startswith("tekken") and path.suffix == ".json":
            yield path, of_tekken


def plain_figures(a: Plain, b: Plain, sizes: Sequence[int] = OVERLAPS) -> Figures:
    """Everything that a comparison tells of tokens, ids and merges."""
    ids = [{token: n for n, token in sorted(each.tokens.items(), reverse=True)} for each in (a, b)]
    both = ids[0].keys() & ids[1].keys()
    ranks, parts = [], []
    for each in (a, b):
        ranks.append({})
        parts.append({})
        for rank, (left, right) in enumerate(each.merges):
            ranks[-1].setdefault(left + right, rank)
            parts[-1].setdefault(left + right, set()).add((left, right))
    made = sorted(ranks[0].keys() & ranks[1].keys(), key=ranks[0].__getitem__)
    place = {token: n for n, token in enumerate(sorted(made, key=ranks[1].__getitem__))}
    squares = sum((n - place[token]) ** 2 for n, token in enumerate(made))
    first = next(
        (rank for rank, (one, other) in enumerate(zip(a.merges, b.merges, strict=False))
         if one != other),
        min(len(a.merges), len(b.merges)),
    )  # fmt: skip
    at_first = [each.merges[first] if first < len(each.merges) else None for each in (a, b)]
    orders = [sorted(each, key=each.__getitem__) for each in ranks]
    overlaps = {
        f"overlap of the first {k:,}": len(set(orders[0][:k]) & set(orders[1][:k]))
        for k in sizes
        if k <= min(map(len, orders))
    }
    count = len(made)
    return {
        "shared": len(both),
        "only in A": len(ids[0].keys() - both),
        "only in B": len(ids[1].keys() - both),
        "ids moved": sum(ids[0][token] != ids[1][token] for token in both),
        "ranks moved": sum(ranks[0][token] != ranks[1][token] for token in made),
        "other merge": sum(not parts[0][token] & parts[1][token] for token in made),
        "rank correlation": (
            round(1 - 6 * squares / (count * (count**2 - 1)), 9) if count > 1 else None
        ),
        "first difference": None if at_first == [None, None] else (first, *at_first),
        **overlaps,
    }


def our_figures(a: Any, b: Any, sizes: Sequence[int] = OVERLAPS) -> Figures:
    from bpe_studio.analysis.compare import compare_tables

    found = compare_tables(a, b)
    first, curve = found.first_difference, found.overlap()
    correlation = found.rank_correlation
    return {
        "shared": found.shared,
        "only in A": found.only_a,
        "only in B": found.only_b,
        "ids moved": found.ids_moved,
        "ranks moved": found.ranks_moved,
        "other merge": int(found.other_merge.sum()),
        "rank correlation": None if math.isnan(correlation) else round(correlation, 9),
        "first difference": first and (first.rank, first.a, first.b),
        **{
            f"overlap of the first {k:,}": int(curve.shared[k - 1])
            for k in sizes
            if k <= len(curve)
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    import bpe_studio as bs

    tables: list[tuple[str, Plain, Any]] = []
    for path, read in readers(asked.folder):
        began = time.process_time()
        tables.append((str(path.relative_to(asked.folder)), read(path), bs.load(path)))
        print(f"{tables[-1][0]}: read in {time.process_time() - began:.1f} s", file=sys.stderr)
    if len(tables) < 2:
        print(f"{asked.folder}: it holds fewer than two tables to compare.", file=sys.stderr)
        return 1
    unlike = 0
    for (name_a, plain_a, ours_a), (name_b, plain_b, ours_b) in combinations(tables, 2):
        print(f"\nA {name_a}\nB {name_b}")
        expected, found = plain_figures(plain_a, plain_b), our_figures(ours_a, ours_b)
        for name, value in expected.items():
            same = found[name] == value
            unlike += not same
            print(f"  {name:28} {value!s:40} {'equal' if same else f'here {found[name]}'}")
    print(f"\n{unlike} figures differ" if unlike else "\nall figures are equal")
    return int(unlike > 0)


if __name__ == "__main__":
    sys.exit(main())
