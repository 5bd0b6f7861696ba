from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.specials import roles_of
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.bpe.test_trainer import trained

TEXT = "low low lower lowest"


@pytest.fixture(scope="module")
def worked() -> Tokenizer:
    return trained([TEXT], vocab_size=280)


def test_what_it_tells_of_itself(worked: Tokenizer) -> None:
    assert worked.vocab_size == worked.id_bound == 266
    assert worked.specials[:3] == ("<pad>", "<bos>", "<eos>")
    assert worked.roles == {"bos": "<bos>", "eos": "<eos>", "pad": "<pad>"}
    assert worked.token_bytes(265) == b" lowe"
    assert worked.token_bytes(1) == b"<bos>"
    assert (worked.is_special(1), worked.is_special(6)) == (True, False)
    assert worked.pattern.name == "classic"


def test_specials_are_plain_text_unless_allowed(worked: Tokenizer) -> None:
    plain = worked.encode("<bos>low")
    assert 1 not in plain
    assert worked.decode(plain) == "<bos>low"
    assert worked.encode("<bos>low<eos>", allowed_special="all") == [1, 263, 2]
    assert worked.encode("<bos>low<eos>", allowed_special={"<eos>"})[-1] == 2
    assert worked.encode("<bos>", allowed_special=()) == worked.encode("<bos>")
    with pytest.raises(ValueError, match="no special '<nope>'"):
        worked.encode("x", allowed_special={"<nope>"})


def test_the_leftmost_then_longest_special_wins() -> None:
    table = MergeTable.build(byte_ids=range(256))
    tokenizer = Tokenizer(table, PRESETS["classic"], {"<a>": 300, "<a><b>": 301, "b><": 302})
    assert tokenizer.encode("<a><b>", allowed_special="all") == [301]
    assert tokenizer.encode("<a><c", allowed_special="all") == [300, 60, 99]


@given(parts=st.lists(st.sampled_from(["<bos>", "<eos>", "low", " ", "<bo", "é"]), max_size=12))
def test_offsets_tile_with_specials(worked: Tokenizer, parts: list[str]) -> None:
    text = "".join(parts)
    encoding = worked.encode_with_offsets(text, True, True, "all")
    spans = encoding.offsets.tolist()
    assert spans[0] == [0, 0]
    assert spans[-1] == [len(text.encode())] * 2
    for token, (start, end) in zip(encoding.ids.tolist()[1:-1], spans[1:-1], strict=True):
        assert worked.token_bytes(token) == text.encode()[start:end]
    assert worked.decode(encoding.ids[1:-1]) == text


def test_a_role_that_is_missing_is_a_clear_error() -> None:
    tokenizer = trained([TEXT], vocab_size=270, specials=("<x>",))
    with pytest.raises(ValueError, match="no bos token"):
        tokenizer.encode("low", add_bos=True)
    with pytest.raises(ValueError, match="no eos token"):
        tokenizer.encode("low", add_eos=True)


def test_decoding(worked: Tokenizer) -> None:
    assert worked.decode([1, 263, 2]) == "<bos>low<eos>"
    assert worked.decode([1, 263, 2], skip_specials=True) == "low"
    assert worked.decode(np.array([263])) == "low"
    half = worked.encode("é")[:1]
    assert worked.decode(half) == "\ufffd"
    assert worked.decode_bytes(half) == b"\xc3"
    with pytest.raises(ValueError, match=r"id 999 \(position 1\)"):
        worked.decode([263, 999])
    assert worked.decode([]) == ""


def test_the_empty_text(worked: Tokenizer) -> None:
    assert worked.encode("") == []
    assert worked.encode_with_offsets("").offsets.shape == (0, 2)


def test_ids_that_collide_are_refused() -> None:
    table = MergeTable.build(byte_ids=range(256))
    with pytest.raises(ValueError, match="share the id 97"):
        Tokenizer(table, PRESETS["classic"], {"<x>": 97})
    with pytest.raises(ValueError, match="share one id"):
        Tokenizer(table, PRESETS["classic"], {"<x>": 300, "<y>": 300})


def test_sparse_and_permuted_ids() -> None:
    byte_ids = [1000 + 3 * (255 - b) for b in range(256)]
    a, b = byte_ids[97], byte_ids[98]
    table = MergeTable.build(byte_ids=byte_ids, merges=[(a, b, 2**31 - 1)])
    tokenizer = Tokenizer(table, PRESETS["classic"], {"<x>": 5})
    assert tokenizer.encode("abab<x>", allowed_special="all") == [2**31 - 1] * 2 + [5]
    assert tokenizer.decode([2**31 - 1, 5]) == "ab<x>"
    assert (tokenizer.vocab_size, tokenizer.id_bound) == (258, 2**31)


def test_prefix_cuts_the_training_record_too(worked: Tokenizer) -> None:
    prefix = worked.prefix(2)
    assert prefix.encode("low") == [263]
    assert prefix.encode(" low") == [38, 263]
    assert prefix.training is not None
    assert prefix.training.totals["tokens"] == len(prefix.encode(TEXT))


def test_roles_by_usual_names() -> None:
    assert roles_of(["<s>", "</s>", "x"]) == {"bos": "<s>", "eos": "</s>"}
    assert roles_of([]) == {}


def test_it_can_be_pickled_and_copied_at_any_time(worked: Tokenizer) -> None:
    text = TEXT + " <eos>"
    expected = worked.encode(text, allowed_special="all")
    for again in (pickle.loads(pickle.dumps(worked)), copy.deepcopy(worked)):
        assert again.encode(text, allowed_special="all") == expected
        assert again.decode(expected) == text
        assert again.training.totals == worked.training.totals
        with pytest.raises(ValueError, match="read-only"):
            again.table.merges[0] = 0


def test_nothing_of_it_can_be_changed(worked: Tokenizer) -> None:
    worked.merges.append((1, 2, 3))
    assert len(worked.merges) == 4
    with pytest.raises(ValueError, match="read-only"):
        worked.training.counts[0] = 5


def test_wrong_types_are_named(worked: Tokenizer) -> None:
    for text in (None, b"low"):
        with pytest.raises(TypeError, match=f"A text is a str, not {type(text).__name__}"):
            worked.encode(text)
    with pytest.raises(ValueError, match="a row of whole numbers"):
        worked.decode(np.array([1.0]))
    with pytest.raises(ValueError, match=r"shape \(1, 2\)"):
        worked.decode(np.array([[1, 2]]))


def test_one_special_by_its_name(worked: Tokenizer) -> None:
    assert worked.encode("<bos>low", allowed_special="<bos>") == [1, 263]
