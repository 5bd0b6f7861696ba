"""A corpus under several tables: figures against plain Python, at equal size, and edge cases."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import regex

import bpe_studio as bs
from bpe_studio.analysis.compare_corpus import compare_corpus, iter_compare_corpus
from bpe_studio.analysis.corpus_comparison import TableFigures
from bpe_studio.analysis.long_documents import cut_long
from bpe_studio.bpe.corpus import Block, Corpus, CorpusReport, find_files
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.analysis.test_corpus_use_real import library


class PlainTable:
    """A table that merges by the book, one pair after another."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.ranks = {(a, b): (rank, new) for rank, (a, b, new) in enumerate(tokenizer.merges)}
        self.byte_ids = tokenizer.table.byte_ids.tolist()
        self.size = {int(i): len(tokenizer.token_bytes(int(i))) for i in tokenizer.table.ids}
        self.pattern = regex.compile(tokenizer.pattern.expression)
        self.merged = cache(self._merged)
        self.tokens: list[int] = []
        self.final: Counter[int] = Counter()
        self.whole = self.touched = 0
        self.cuts: Counter[tuple[int, ...]] = Counter()

    def _merged(self, piece: str) -> list[int]:
        symbols = [self.byte_ids[byte] for byte in piece.encode()]
        while found := [self.ranks[pair] for pair in pairwise(symbols) if pair in self.ranks]:
            rank, new = min(found)
            joined: list[int] = []
            for symbol in symbols:
                if joined and self.ranks.get((joined[-1], symbol)) == (rank, new):
                    joined[-1] = new
                else:
                    joined.append(symbol)
            symbols = joined
        return symbols

    def read(self, text: str) -> None:
        """Counts one file; ASCII alone, so that bytes are characters."""
        at, ends = 0, set()
        for piece in self.pattern.findall(text):
            for token in self.merged(piece):
                at += self.size[token]
                ends.add(at)
                self.final[token] += 1
        self.tokens.append(len(ends))
        for word in regex.finditer("[A-Za-z]+", text):
            begin, end = word.span()
            touched = 1 + sum(border in ends for border in range(begin + 1, end))
            self.touched += touched
            self.whole += touched == 1
        for digits in regex.finditer("[0-9]+", text):
            begin, end = digits.span()
            if end - begin <= 12:
                borders = [begin, *(b for b in range(begin + 1, end) if b in ends), end]
                self.cuts[tuple(b - a for a, b in pairwise(borders))] += 1


def test_figures_of_5_mb_equal_plain_ones() -> None:
    pair = bs.load("stdlib-8k"), bs.load("stdlib-8k").prefix(1500)
    files = [(path, text) for path, text in library() if text.isascii()]
    plain = [PlainTable(each) for each in pair]
    for _, text in files:
        for each in plain:
            each.read(text)
    found = compare_corpus(pair, find_files([path for path, _ in files]))
    sizes = [len(text) for _, text in files]
    assert sum(sizes) > 3_000_000
    assert found.file_characters.tolist() == found.file_bytes.tolist() == sizes
    assert found.words == sum(len(regex.findall("[A-Za-z]+", text)) for _, text in files)
    for figures, wanted, tokenizer in zip(found.tables, plain, pair, strict=True):
        assert figures.file_tokens.tolist() == wanted.tokens
        assert dict(zip(figures.ids.tolist(), figures.final.tolist(), strict=True)) == {
            token: wanted.final[token] for token in tokenizer.table.ids.tolist()
        }
        assert (figures.whole_words, figures.word_tokens) == (wanted.whole, wanted.touched)
        assert {cut.digits: cut.count for cut in figures.number_cuts} == wanted.cuts
        assert figures.renyi_efficiency == pytest.approx(renyi(wanted.final, tokenizer))
    assert found.extra_percent == pytest.approx(
        100 * (sum(plain[1].tokens) - sum(plain[0].tokens)) / sum(plain[0].tokens)
    )
    assert [kind.tokens for kind in found.kinds()] == [(sum(plain[0].tokens), sum(plain[1].tokens))]


def renyi(final: Counter[int], tokenizer: Tokenizer) -> float:
    total = final.total()
    power = sum((count / total) ** 2.5 for count in final.values())
    return math.log(power) / (1 - 2.5) / math.log(tokenizer.vocab_size)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    words = " ".join([*dir(str), *dir(math), "the lower the better; lowest 2026"])
    (tmp_path / "a.txt").write_text(words + "été 日本語 नमस्ते\n")
    (tmp_path / "b.py").write_text(f"x = '{words}'\n" * 3)
    (tmp_path / "c.bin").write_bytes(bytes(range(256)) * 50)
    return find_files([tmp_path])


def test_at_equal_size_a_table_is_what_training_to_it_makes(corpus: Corpus) -> None:
    paths = [file.path for file in corpus.files]
    large, small = (bs.train(paths, vocab_size=size) for size in (320, 290))
    other = bs.train(paths, vocab_size=290, pattern="gpt2")
    found = compare_corpus([large, other], corpus)
    trained = compare_corpus([small, other], corpus)
    assert trained.equal is None
    assert found.equal is not None
    assert found.equal.vocab_size == 290
    same(found.equal.a, trained.tables[0])
    same(found.equal.b, trained.tables[1])
    assert found.kinds([found.equal.a, found.equal.b]) == trained.kinds()
    curve = found.tables[0].curve
    assert curve is not None
    for size in (262, 275, 290, 320):
        tokens = compare_corpus([large.prefix(size - 262), other], corpus).tables[0].tokens
        assert curve.tokens[curve.vocab_sizes.tolist().index(size)] == tokens
    turned = compare_corpus([other, large], corpus).equal
    assert turned is not None
    same(turned.b, trained.tables[0])


def same(one: TableFigures, other: TableFigures) -> None:
    assert one.file_tokens.tolist() == other.file_tokens.tolist()
    assert one.script_tokens.tolist() == other.script_tokens.tolist()
    assert one.final.tolist() == other.final.tolist()
    assert (one.vocab_size, one.tokens, one.whole_words, one.word_tokens, one.number_cuts) == (
        other.vocab_size, other.tokens, other.whole_words, other.word_tokens, other.number_cuts
    )  # fmt: skip


def test_a_table_beside_itself_differs_nowhere(corpus: Corpus) -> None:
    table = bs.load("worked-example")
    found = compare_corpus([table, table], corpus)
    assert found.equal is None
    assert found.extra_percent == 0
    assert (found.dearer_a, found.dearer_b) == ((), ())
    assert {kind for kind, count in found.spans.items() if count} == {"same"}
    assert found.spans["same"] == found.tables[0].tokens


def test_files_that_hold_no_text_are_left_out(corpus: Corpus) -> None:
    report = CorpusReport()
    found = compare_corpus([bs.load("worked-example")] * 3, corpus, report=report)
    assert found.files == ("a.txt", "b.py")
    assert [kind.kind for kind in found.kinds()] == ["Python", "Plain text"]
    assert len(report.problems) == 1
    assert len(found.tables) == 3
    assert found.parity(0).tolist()[0] == 1.0


def test_what_cannot_be_compared_is_said() -> None:
    table = bs.load("worked-example")
    nothing = find_files([])
    with pytest.raises(ValueError, match="holds no text"):
        compare_corpus([table, table], nothing)
    with pytest.raises(ValueError, match="there is only one"):
        result_of(iter_compare_corpus([table], nothing))


def test_long_documents_are_cut_at_line_ends(corpus: Corpus) -> None:
    data = [b"one\ntwo", b" three\nfour\nfi", b"ve\n", b"six"]
    blocks = [Block(0, 0, part, i == 3, i) for i, part in enumerate(data)]
    blocks.append(Block(1, 1, b"seven", True, 9))
    cuts: Counter[int] = Counter()
    found = list(cut_long(blocks, 12, corpus, cuts))
    documents: dict[int, bytes] = {}
    for block in found:
        documents[block.document] = documents.get(block.document, b"") + block.data
    assert documents == {0: b"one\ntwo three\nfour\n", 1: b"five\nsix", 2: b"seven"}
    assert [block.document for block in found if block.last] == [0, 1, 2]
    assert cuts == {0: 1}
    assert list(cut_long(blocks, None, corpus, cuts)) == blocks
    with pytest.raises(ValueError, match="without a line end"):
        list(cut_long([Block(0, 0, b"x" * 30, True, 0)], 12, corpus, cuts))
