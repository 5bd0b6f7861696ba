from __future__ import annotations

import random
import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe import engine as engine_module
from bpe_studio.bpe.encoder import EngineName, TextError
from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle, texts
from tests.bpe.merge_tables import BYTES, any_piece, any_table, are_ordered
from tests.bpe.test_trainer import trained

ENGINES: st.SearchStrategy[EngineName] = st.sampled_from(["merges", "whole-piece-first"])


@given(table=any_table(), piece=any_piece())
def test_a_piece_is_encoded_as_the_oracle_does(table: MergeTable, piece: str) -> None:
    tokenizer = Tokenizer(table, PRESETS["classic"])
    expected = oracle.encode_piece(piece, tokenizer.merges, BYTES, {})
    assert tokenizer.encode_piece(piece.encode()) == expected
    assert tokenizer.encode(piece) == expected
    assert tokenizer.encode(piece) == expected  # from the cache
    assert list(tokenizer.table.symbols(piece.encode())) == list(piece.encode())
    steps = list(tokenizer.trace(piece.encode()))
    assert list(steps[-1].after if steps else piece.encode()) == expected


@given(table=any_table(), pieces=st.lists(any_piece(), max_size=60), engine=ENGINES)
def test_many_pieces_of_one_text(table: MergeTable, pieces: list[str], engine: EngineName) -> None:
    tokenizer = Tokenizer(table, resolve_pattern("[a-c]+|."), engine=engine)
    expected: list[int] = []
    for piece in filter(None, pieces):
        whole = table.find(piece.encode()) if engine == "whole-piece-first" else None
        by_merges = oracle.encode_piece(piece, tokenizer.merges, BYTES, {})
        ids = by_merges if whole is None else [whole]
        assert tokenizer.encode_piece(piece.encode()) == ids
        expected += [46, *ids]
    text = "".join("." + piece for piece in pieces if piece)
    encoding = tokenizer.encode_with_offsets(text)
    assert encoding.ids.tolist() == expected
    assert tokenizer.encode(text) == expected
    assert [a.tolist() for a in tokenizer.encoder.encode_many([text, "", text])] == [
        expected,
        [],
        expected,
    ]
    assert tokenizer.decode(expected) == text


@given(table=any_table(), pieces=st.lists(st.text("abc", max_size=90), max_size=5))
def test_counts_on_the_way(table: MergeTable, pieces: list[str]) -> None:
    tokenizer = Tokenizer(table, PRESETS["classic"])
    data = [piece.encode() for piece in pieces]
    starts = np.concatenate(([0], np.cumsum([len(d) for d in data]))).astype(np.int64)
    weights = np.arange(1, len(data) + 1, dtype=np.int64)
    created = np.zeros(len(table), dtype=np.int64)
    counted = np.zeros(len(table.merges), dtype=np.int64)
    applied = np.zeros(len(table.merges), dtype=np.int64)
    tokenizer.encoder.encode_arena(
        np.frombuffer(b"".join(data), dtype=np.uint8), starts,
        weights=weights, created=created, counted=counted, applied=applied,
    )  # fmt: skip
    judged_created = np.zeros(len(table), dtype=np.int64)
    judged_counted = np.zeros(len(table.merges), dtype=np.int64)
    judged_applied = np.zeros(len(table.merges), dtype=np.int64)
    for piece, weight in zip(data, weights.tolist(), strict=True):
        for symbol in piece:
            judged_created[table.index_of(symbol)] += weight
        for step in tokenizer.trace(piece):
            pairs = list(zip(step.before, step.before[1:], strict=False))
            present = pairs.count((step.left, step.right))
            ordered = are_ordered(tokenizer.merges)
            judged_counted[step.rank] += weight * (present if ordered else len(step.positions))
            judged_applied[step.rank] += weight * len(step.positions)
            judged_created[table.index_of(step.id)] += weight * len(step.positions)
    assert created.tolist() == judged_created.tolist()
    assert counted.tolist() == judged_counted.tolist()
    assert applied.tolist() == judged_applied.tolist()


SAMPLE = "low lower lowest é日本 'twas 12345\r\n\r\n  x\u00a0y " * 5


@given(text=texts.any_text, pattern=st.sampled_from(list(PRESETS)))
def test_round_trip_and_offsets(text: str, pattern: str) -> None:
    for base in ("bytes", "chars"):
        tokenizer = trained([SAMPLE], vocab_size=330, pattern=pattern, base=base)
        encoding = tokenizer.encode_with_offsets(text)
        data = text.encode()
        assert tokenizer.decode(encoding.ids) == text
        spans = encoding.offsets.tolist()
        assert [a for a, _ in spans] == [0, *(b for _, b in spans[:-1])][: len(spans)]
        assert (spans[-1][1] if spans else 0) == len(data)
        for token, (start, end) in zip(encoding.ids.tolist(), spans, strict=True):
            assert tokenizer.token_bytes(token) == data[start:end]
        assert encoding.ids.dtype == np.int32
        assert tokenizer.encode_array(text).tolist() == tokenizer.encode(text)


@pytest.mark.parametrize("kind", ["one letter", "random letters", "spaces", "random characters"])
def test_a_piece_of_one_megabyte_is_not_quadratic(kind: str) -> None:
    tokenizer = trained(["aaaa bbbb abab " + "a" * 300 + " " * 300 + "日本語日本"] * 2,
                        vocab_size=300)  # fmt: skip
    rng = random.Random(1)
    text = {
        "one letter": "a" * 1_000_000,
        "random letters": "".join(rng.choices("ab", k=1_000_000)),
        "spaces": " " * 1_000_000,
        "random characters": "".join(rng.choices("日本語", k=333_333)),
    }[kind]
    tokenizer.encode("warm")
    started = time.perf_counter()
    ids = tokenizer.encode_array(text)
    # No timing of the machine: a quadratic way would need 10^12 steps, hours.
    assert time.perf_counter() - started < 60
    assert tokenizer.decode(ids) == text


def test_whole_piece_first() -> None:
    table = MergeTable.build(
        byte_ids=BYTES, merges=[(98, 99, 256), (97, 98, 257)], tokens={300: b"abc", 301: b" abc"}
    )
    plain = Tokenizer(table, PRESETS["classic"])
    whole = Tokenizer(table, PRESETS["classic"], engine="whole-piece-first")
    assert plain.encode("abc abc abcd") == [97, 256, 32, 97, 256, 32, 97, 256, 100]
    assert whole.encode("abc abc abcd") == [300, 301, 32, 97, 256, 100]
    assert whole.encode_piece(b"abc") == [300]


def test_the_cache_is_bounded_and_forgets_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "CACHE_BITS", (11, 12))
    tokenizer = trained([SAMPLE], vocab_size=330)
    text = SAMPLE + "".join(f" word{n} {'low' * (n % 30)}" for n in range(9000)) + SAMPLE
    merges, ids = tokenizer.merges, tokenizer.table.byte_ids.tolist()
    expected = oracle.encode(text, PRESETS["classic"].expression, merges, ids, {})
    for _ in range(2):
        assert tokenizer.encode(text) == expected
    rooms = tokenizer.encoder.tables._rooms
    assert [len(room.cache.words) for room in rooms] == [4 << 12]
    assert all(room.cache.used[0] <= 1 << 11 for room in rooms)


def test_lone_surrogates_are_refused_with_their_position() -> None:
    tokenizer = trained([SAMPLE], vocab_size=330)
    with pytest.raises(ValueError, match=r"U\+D800\) at character 8"):
        tokenizer.encode("low low \ud800 low")
    assert tokenizer.decode(tokenizer.encode("low low")) == "low low"


def test_an_error_in_one_of_many_texts_names_it() -> None:
    tokenizer = trained([SAMPLE], vocab_size=330)
    with pytest.raises(TextError, match=r"^Text 2: .*U\+D800.* character 1") as caught:
        tokenizer.encoder.encode_many(["low", "low", "l\ud800"])
    assert caught.value.text == 2


def test_a_missing_byte_is_named() -> None:
    ids = [i if i != 0x7A else -1 for i in range(256)]
    tokenizer = Tokenizer(MergeTable.build(byte_ids=ids), PRESETS["classic"])
    assert tokenizer.encode("ab") == [97, 98]
    with pytest.raises(ValueError, match=r"no token for the byte 0x7A \(character 2 of the text\)"):
        tokenizer.encode("abz")
    with pytest.raises(TextError, match=r"^Text 1: .* 0x7A"):
        tokenizer.encoder.encode_many(["ab", "abz", "z"])
    custom = Tokenizer(tokenizer.table, resolve_pattern("(?s:.)"))
    with pytest.raises(TextError, match=r"^Text 1: .* 0x7A"):
        custom.encoder.encode_many(["ab", "abz", "z"])


def test_threads_share_a_tokenizer() -> None:
    tokenizer = trained([SAMPLE], vocab_size=330)
    texts_ = [f"{SAMPLE} {n} " * 20 for n in range(8)]
    expected = [trained([SAMPLE], vocab_size=330).encode(text) for text in texts_]
    got: dict[int, list[int]] = {}

    def work(number: int) -> None:
        got[number] = tokenizer.encode(texts_[number])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [got[n] for n in range(8)] == expected
