"""Several tables on one corpus, against a count in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.bpe.corpus import Block
from bpe_studio.bpe.cut_comparing import MOST_COSTS, Sized, compare_cuts
from bpe_studio.bpe.cut_counts import CutCounts
from bpe_studio.bpe.cut_sums import NO_SPACES
from bpe_studio.bpe.edits import Unicode
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from bpe_studio.bpe.scripts import script_table
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.session import TrainingSession
from bpe_studio.settings import Settings

TEXTS = [
    "low lower lowest, the lowest of 2026!\n\n  the end; don't — 12,345,678 or 1234567890123",
    "नमस्ते दुनिया 日本語のテキスト été e\u0301te\u0301 ١٢٣٤ ₂\r\n\tif x_1 == y_22:\n\n\n",
    "",
    "the <|end|> of the<|end|>",
    "a" * 40 + " " * 20 + "\u00a0\u2003x\u200d👩‍👩‍👧 𝟘𝟙",
]
letters = st.text(st.sampled_from("ab thé日12 \n\t.,_<|>é\u0301١x"), max_size=60)


def train(texts: list[str], vocab_size: int, **more: str) -> Tokenizer:
    session = TrainingSession.of_texts(texts, Settings(vocab_size=vocab_size, **more))
    for _ in session.run():
        pass
    return session.tokenizer()


def tables() -> list[Tokenizer]:
    """Of several patterns, bases and engines; with tokens that are cut, and edits."""
    corpus = [*TEXTS, "the lower the better " * 3]
    made = [
        train(corpus, 330, pattern="classic"),
        train(corpus, 300, pattern="gpt2", base="chars"),
        train(corpus, 340, pattern="llama3"),
        replace(train(corpus, 320, pattern="o200k"), engine="whole-piece-first"),
    ]
    end = AddedToken("<|end|>", 1)
    made.append(replace(made[0], rules=TextRules(added=(end,))))
    made.append(replace(made[2], rules=TextRules(normalizer=(Unicode("NFC"),))))
    made.append(replace(made[1], rules=TextRules(normalizer=(Unicode("NFD"),))))
    made.append(replace(made[0], pattern=resolve_pattern(r"\S+|\s")))
    return made


TABLES = tables()


def blocks_of(texts: Sequence[str], size: int) -> list[Block]:
    """Two documents a file, in blocks of so many characters."""
    blocks = []
    for number, text in enumerate(texts):
        parts = [text[i : i + size].encode() for i in range(0, len(text), size)] or [b""]
        for i, part in enumerate(parts):
            blocks.append(Block(number, number // 2, part, i == len(parts) - 1, 0))
    return blocks


def compared(pair: Sequence[Tokenizer], texts: Sequence[str], **more: Any) -> CutCounts:
    blocks = blocks_of(texts, more.pop("block", 7))
    files = (len(texts) + 1) // 2
    return result_of(compare_cuts(blocks, pair, files, **more))


def ends_of(tokenizer: Tokenizer, text: str) -> list[int]:
    """Where tokens end, in bytes; what has no text ends with what is before it."""
    return [max(end, 1) for _, end in tokenizer.encode_with_offsets(text).offsets.tolist()]


def chunks_of(text: str) -> list[tuple[str, str]]:
    """White space and what follows it, of one kind."""
    runs = r"(?P<letters>[\p{L}\p{M}]+)|(?P<numbers>\p{N}+)|(?P<others>[^\s\p{L}\p{M}\p{N}]+)"
    found = regex.finditer(rf"\s*\n|\s*(?:{runs}|$)", text)
    return [
        (match.group(), match.lastgroup or "space", match.group(match.lastgroup or 0))
        for match in found
        if match.group()
    ]


def script_of(text: str) -> int:
    _, table = script_table()
    return next((int(table[ord(char)]) for char in text if table[ord(char)]), 0)


class Plain:
    """The same figures, one text and one table after another."""

    def __init__(self, pair: Sequence[Tokenizer], texts: Sequence[str]) -> None:
        names, _ = script_table()
        self.file_tokens = np.zeros((len(pair), (len(texts) + 1) // 2), np.int64)
        self.final = [Counter() for _ in pair]
        self.script_characters = np.zeros(len(names), np.int64)
        self.script_tokens = np.zeros((len(pair), len(names)), np.int64)
        self.words = 0
        self.whole = np.zeros(len(pair), np.int64)
        self.word_tokens = np.zeros(len(pair), np.int64)
        self.numbers = [Counter() for _ in pair]
        self.spans = np.zeros(4, np.int64)
        self.costs: dict[bytes, list[int]] = {}
        for number, text in enumerate(texts):
            ends = [ends_of(each, text) for each in pair]
            for table, each in enumerate(pair):
                ids = each.encode(text)
                self.file_tokens[table, number // 2] += len(ids)
                self.final[table].update(ids)
            self._chunks(text, ends)
            self._spans(len(text.encode()), set(ends[0]), set(ends[1]))

    def _chunks(self, text: str, ends: list[list[int]]) -> None:
        names, _ = script_table()
        begin = 0
        stretch, tokens_in = 0, [0, 0]
        data = text.encode()
        for chunk, kind, core in chunks_of(text):
            end = begin + len(chunk.encode())
            first = end - len(core.encode())
            script = script_of(chunk)
            self.script_characters[script] += len(chunk)
            is_word = kind == "letters" and script and names[script] not in NO_SPACES
            self.words += bool(is_word)
            for table, all_ends in enumerate(ends):
                tokens = sum(begin < at <= end for at in all_ends)
                self.script_tokens[table, script] += tokens
                if table < 2:
                    tokens_in[table] += tokens
                if is_word:
                    touched = sum(first < at <= end for at in all_ends) + (end not in all_ends)
                    self.word_tokens[table] += touched
                    self.whole[table] += touched == 1
                if kind == "numbers" and len(core) <= 12:
                    borders = [first]
                    for digit in core:
                        borders.append(borders[-1] + len(digit.encode()))
                    cuts = [i for i, at in enumerate(borders[1:-1], 1) if at in all_ends]
                    inner = any(first < at < end and at not in borders for at in all_ends)
                    lengths = tuple(b - a for a, b in pairwise([0, *cuts, len(core)]))
                    self.numbers[table]["inside" if inner else lengths] += 1
                elif kind == "numbers":
                    self.numbers[table]["long"] += 1
            if end == len(data) or (end in ends[0] and end in ends[1]):
                if tokens_in[0] != tokens_in[1]:
                    cost = self.costs.setdefault(data[stretch:end], [0, 0, 0])
                    for i, more in enumerate((1, *tokens_in)):
                        cost[i] += more
                stretch, tokens_in = end, [0, 0]
            begin = end
        assert begin == len(data)

    def _spans(self, size: int, a: set[int], b: set[int]) -> None:
        edges = sorted({0, size} | (a & b))
        for begin, end in pairwise(edges):
            only_a = any(begin < at < end for at in a)
            only_b = any(begin < at < end for at in b)
            self.spans[only_a + 2 * only_b] += 1


def check(pair: Sequence[Tokenizer], texts: Sequence[str], **more: Any) -> None:
    found = compared(pair, texts, **more)
    sized = more.get("sized")
    pair = pair if sized is None else [*pair, sized.tokenizer]
    wanted = Plain(pair, texts)
    assert found.file_characters.sum() == sum(map(len, texts))
    assert found.file_bytes.sum() == sum(len(text.encode()) for text in texts)
    assert found.file_documents.sum() == len(texts)
    assert found.script_characters.tolist() == wanted.script_characters.tolist()
    assert found.words == wanted.words
    assert found.spans.tolist() == wanted.spans.tolist()
    for table, (mine, each) in enumerate(zip(found.tables, pair, strict=True)):
        assert mine.file_tokens.tolist() == wanted.file_tokens[table].tolist()
        assert mine.final.tolist() == [wanted.final[table][i] for i in each.table.ids.tolist()]
        assert mine.script_tokens.tolist() == wanted.script_tokens[table].tolist()
        assert mine.whole_words == wanted.whole[table]
        assert mine.word_tokens == wanted.word_tokens[table]
        assert numbers_of(mine.number_cuts) == wanted.numbers[table]
        if mine.at_sizes is not None:
            check_sizes(each, texts, mine.at_sizes)
    for dearer, sign in ((found.dearer_a, 1), (found.dearer_b, -1)):
        rows = [(data, *cost) for data, cost in wanted.costs.items()]
        rows = [row for row in rows if sign * (row[2] - row[3]) > 0]
        rows.sort(key=lambda row: (-sign * (row[2] - row[3]), row[0]))
        assert list(dearer) == rows[:MOST_COSTS]


def numbers_of(rows: np.ndarray) -> Counter:
    found: Counter = Counter()
    for bits in np.flatnonzero(rows).tolist():
        if bits < 2:
            key = ("long", "inside")[bits]
        else:
            word = f"{bits:b}"[:0:-1]  # the first digit first, without the 1 above all
            ends = [i + 1 for i, bit in enumerate(word[:-1]) if bit == "1"] + [len(word)]
            key = tuple(b - a for a, b in pairwise([0, *ends]))
        found[key] += int(rows[bits])
    return found


def check_sizes(tokenizer: Tokenizer, texts: Sequence[str], at_sizes: np.ndarray) -> None:
    merges = len(tokenizer.table.merges)
    for size in {0, 1, merges // 2, merges}:
        smaller = tokenizer.prefix(size)
        assert at_sizes[size] == sum(len(smaller.encode(text)) for text in texts)


@pytest.mark.parametrize("a", range(len(TABLES)))
def test_figures_equal_plain_ones(a: int) -> None:
    check([TABLES[a], TABLES[(a + 1) % len(TABLES)], TABLES[(a + 3) % len(TABLES)]], TEXTS)


@given(
    texts=st.lists(letters, max_size=6),
    pair=st.lists(st.sampled_from(range(len(TABLES))), min_size=2, max_size=3),
    block=st.integers(1, 40),
    threads=st.integers(1, 3),
    run_bytes=st.integers(1, 200),
    cut=st.none() | st.tuples(st.integers(0, 1), st.integers(0, 80)),
)
@settings(deadline=None)
def test_nothing_depends_on_blocks_threads_and_runs(
    texts: list[str],
    pair: list[int],
    block: int,
    threads: int,
    run_bytes: int,
    cut: tuple[int, int] | None,
) -> None:
    tables = [TABLES[i] for i in pair]
    sized = None
    if cut is not None:
        sized = Sized.of(tables, cut[0], min(cut[1], len(tables[cut[0]].table.merges)))
    check(tables, texts, sized=sized, block=block, threads=threads, run_bytes=run_bytes)


def test_curves_are_of_tables_that_read_pieces() -> None:
    found = compared(TABLES, TEXTS)
    known = [table.at_sizes is not None for table in found.tables]
    assert known == [True, True, True, True, True, True, False, False]


def test_a_tokenizer_that_is_only_viewed_is_refused() -> None:
    viewed = replace(TABLES[0], view_only="It is only for looking at.")
    with pytest.raises(ValueError, match="only for looking"):
        compared([TABLES[0], viewed], TEXTS)


def test_it_can_be_stopped() -> None:
    steps = compare_cuts(blocks_of(TEXTS * 50, 7), TABLES[:2], 125, run_bytes=50)
    next(steps)
    steps.close()


def test_presets_are_all_cut_at_places_that_suit_all() -> None:
    text = "".join(TEXTS) * 3
    pair = [replace(TABLES[0], pattern=pattern) for pattern in PRESETS.values()]
    check(pair, [text], run_bytes=30, threads=2)
