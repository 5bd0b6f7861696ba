"""Counting tokens, whatever the blocks, runs and threads, is one plain count."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.bpe.edits import Lowercase, Unicode
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.scripts import script_table
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.token_counting import count_tokens
from bpe_studio.bpe.token_counts import TokenCounts
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle_analysis as oracle
from tests.analysis.tables import Pair, make_pair, marked_tokenizer, pairs
from tests.bpe.test_counting import blocks_of

LONG = "ab a ba aab b\n a1 é日 'a Ab "


def counted(tokenizer: Tokenizer, documents: list[str], **options: int) -> TokenCounts:
    size = options.pop("size", 7)
    return result_of(count_tokens(blocks_of(documents, size), tokenizer, **options))


def check(found: TokenCounts, tokenizer: Tokenizer, encoded: list[list[tuple[int, int]]]) -> None:
    """Against documents as lists of (id, place of the token in bytes)."""
    uses = [Counter(token for token, _ in document) for document in encoded]
    for number, token in enumerate(tokenizer.table.ids.tolist()):
        each = [count[token] for count in uses]
        most = max(each, default=0)
        where = each.index(most) if most else -1
        first = next((at for t, at in encoded[where] if t == token), 0) if most else 0
        assert found.final[number] == sum(each)
        assert found.documents[number] == sum(count > 0 for count in each)
        assert found.largest[number] == most
        assert found.largest_document[number] == where
        assert found.places[number] == first
    assert found.tokens == sum(map(len, encoded))


def plainly(pair: Pair, documents: list[str]) -> list[list[tuple[int, int]]]:
    return [[(t, a) for a, _, t in oracle.encode(pair.plain, text)] for text in documents]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_equals_a_plain_count(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    parts = st.lists(st.sampled_from([*pair.alphabet, LONG]), max_size=12).map("".join)
    documents = data.draw(st.lists(parts, max_size=6))
    found = counted(
        pair.tokenizer,
        documents,
        size=data.draw(st.sampled_from([1, 5, 1000])),
        run_bytes=data.draw(st.sampled_from([1, 20, 1 << 19])),
        threads=data.draw(st.sampled_from([1, 3])),
    )
    check(found, pair.tokenizer, plainly(pair, documents))
    assert found.characters == sum(map(len, documents))
    assert found.bytes == sum(len(text.encode()) for text in documents)
    assert found.document_count == len(documents)
    assert found.files.tolist() == found.first_documents.tolist() == list(range(len(documents)))
    assert (found.failure_count, found.failures) == (0, ())


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_scripts_are_those_of_the_characters(data: st.DataObject) -> None:
    """Also of halves of characters, of which only the text tells the script."""
    merges = [(0xE6, 0x97, 300), (300, 0xA5, 301), (0x20, 0xE6, 302), (0xC3, 0xA9, 303)]
    pair = make_pair(data.draw(st.permutations(merges)), alphabet="aé日ж ")
    documents = data.draw(st.lists(st.text(st.sampled_from("aé日ж1 \u0301😀"), max_size=12)))
    found = counted(pair.tokenizer, documents, run_bytes=data.draw(st.sampled_from([1, 1000])))
    names, _ = script_table()
    tokens: Counter[str] = Counter()
    characters: Counter[str] = Counter()
    for text in documents:
        places = [0, *np.cumsum([len(char.encode()) for char in text]).tolist()]
        for begin, end, _ in oracle.encode(pair.plain, text):
            touched = [c for c, a, b in zip(text, places, places[1:], strict=False)
                       if a < end and b > begin]  # fmt: skip
            script = next(filter(None, map(script_of, touched)), "Common")
            tokens[script] += 1
            characters[script] += sum(begin <= place < end for place in places[:-1])
    pair_of = zip(names, found.script_tokens.tolist(), strict=True)
    assert Counter(dict(pair_of)) == tokens
    pair_of = zip(names, found.script_characters.tolist(), strict=True)
    assert Counter(dict(pair_of)) == characters


def script_of(char: str) -> str:
    known = ("Latin", "Han", "Cyrillic")
    return next((name for name in known if regex.match(rf"\p{{Script={name}}}", char)), "")


def test_every_character_has_its_script() -> None:
    names, table = script_table()
    for number in range(0, 0x110000, 97):
        if not 0xD800 <= number < 0xE000 and table[number]:
            name = names[table[number]].replace(" ", "_")
            assert regex.match(rf"\p{{Script={name}}}", chr(number))
    rest = "".join(chr(n) for n in np.flatnonzero(table == 0) if not 0xD800 <= n < 0xE000)
    assert not regex.search(r"[^\p{Script=Common}\p{Script=Inherited}\p{Script=Unknown}]", rest)


ADDED = TextRules(added=(AddedToken("<a>", 901), AddedToken("<b>", 902, lstrip=True)))
COMPOSED = TextRules(added=(AddedToken("<a>", 901),), normalizer=(Unicode("NFC"),))


@pytest.mark.parametrize("rules", [ADDED, COMPOSED, TextRules(normalizer=(Lowercase(),))])
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_else_a_tokenizer_does_is_done(rules: TextRules, data: st.DataObject) -> None:
    plain = make_pair([(97, 98, 300), (32, 97, 301), (0xC3, 0xA9, 302)])
    specials = {token.content: token.id for token in rules.added}
    tokenizer = replace(plain.tokenizer, special_ids=specials, rules=rules)
    parts = st.sampled_from(
        ["ab", " a", "<a>", "  <b>", "A", "é", "e\u0301", "\n", "< a", "ab " * 9]
    )
    documents = data.draw(st.lists(st.lists(parts, max_size=8).map("".join), max_size=5))
    found = counted(tokenizer, documents, run_bytes=data.draw(st.sampled_from([1, 30, 1000])))
    encoded, failed = [], []
    for number, text in enumerate(documents):
        one = tokenizer.encode_with_offsets(text)
        encoded.append(list(zip(one.ids.tolist(), one.offsets[:, 0].tolist(), strict=True)))
        if tokenizer.decode(one.ids.tolist()) != text:
            failed.append(number)
    check(found, tokenizer, encoded)
    assert (found.failure_count, list(found.failures)) == (len(failed), failed)


def test_vocabularies_with_marks_are_counted_too() -> None:
    tokenizer = marked_tokenizer()
    documents = ["low lower", "x low"]
    found = counted(tokenizer, documents)
    ids = [tokenizer.encode(text) for text in documents]
    uses = Counter(token for one in ids for token in one)
    assert {t: int(n) for t, n in zip(tokenizer.table.ids, found.final, strict=True) if n} == uses


def test_a_large_document_is_one_document() -> None:
    pair = make_pair([(97, 98, 300), (32, 300, 301)])
    documents = ["b", "ab " * 5_000 + "x", "ab x", "x" * 30]
    found = counted(pair.tokenizer, documents, size=64, run_bytes=256, threads=4)
    check(found, pair.tokenizer, plainly(pair, documents))


def test_a_view_cannot_be_counted() -> None:
    tokenizer = replace(make_pair([]).tokenizer, view_only="It can only be viewed.")
    with pytest.raises(ValueError, match="It can only be viewed"):
        counted(tokenizer, ["a"])


def test_closing_ends_the_threads() -> None:
    pair = make_pair([(97, 98, 300)])
    counting = count_tokens(blocks_of(["ab " * 9_000] * 9, 1000), pair.tokenizer, run_bytes=999)
    next(counting)
    counting.close()
