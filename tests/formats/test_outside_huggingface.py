"""Models without merges: `tokenizers` runs them, and their tokens are shown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from bpe_studio.formats import huggingface
from tests.formats.hf_files import added, data_of, file, library, read, spans_in_characters, texts

WORD_PIECE = {
    "type": "WordPiece",
    "unk_token": "[UNK]",
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100,
    "vocab": {"[UNK]": 0, "low": 1, "##er": 2, "[CLS]": 3, "[SEP]": 4},
}
UNIGRAM = {
    "type": "Unigram",
    "unk_id": 0,
    "byte_fallback": False,
    "vocab": [["<unk>", 0.0], ["▁low", -1.0], ["er", -2.5], ["▁", -3.0]],
}
OTHER_MODELS = {
    "WordPiece": file(
        WORD_PIECE,
        pre_tokenizer={"type": "BertPreTokenizer"},
        added_tokens=[added("[UNK]", 0), added("[CLS]", 3), added("[SEP]", 4)],
        post_processor={"type": "BertProcessing", "sep": ["[SEP]", 4], "cls": ["[CLS]", 3]},
    ),
    "Unigram": file(
        UNIGRAM,
        pre_tokenizer={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
        added_tokens=[added("<unk>", 0)],
    ),
    "WordLevel": file(
        {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "low": 1}},
        pre_tokenizer={"type": "Whitespace"},
    ),
}


@pytest.mark.parametrize("kind", OTHER_MODELS)
@settings(max_examples=25)
@given(text=texts("low", " low", "lower", "[CLS]"))
def test_other_models_run_in_the_library(kind: str, text: str) -> None:
    content = OTHER_MODELS[kind]
    tokenizer = read(content)
    theirs = library(content).encode(text, add_special_tokens=False)
    found = tokenizer.encode_with_offsets(text)
    assert found.ids.tolist() == theirs.ids == tokenizer.encode(text)
    spans = [(a, max(a, b)) for a, b in spans_in_characters(text, found.offsets.tolist())]
    assert [span for span in spans if span[0] < span[1]] == [
        o for o in theirs.offsets if o[0] < o[1]
    ]
    assert tokenizer.outside is not None and tokenizer.outside.kind == kind
    assert not len(tokenizer.table.merges) and "no merges" in tokenizer.notes[0]


def test_other_models_are_saved_as_they_are_and_have_roles() -> None:
    tokenizer = read(OTHER_MODELS["WordPiece"])
    assert tokenizer.roles == {"bos": "[CLS]", "eos": "[SEP]"}
    assert huggingface.write(tokenizer).files[""] == data_of(OTHER_MODELS["WordPiece"])
    assert read(OTHER_MODELS["Unigram"]).token_bytes(1) == b" low"
    assert tokenizer.decode(tokenizer.encode("lower")).replace(" ", "") == "low##er"
    with pytest.raises(ValueError, match="no token with the id 99"):
        tokenizer.decode([99])


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"vocab": {}}, "must be a list of tokens with their scores"),
        ({"vocab": [["a"]]}, "vocab[0] must be a token and its score"),
        ({"vocab": [["a", 0], ["a", 1]]}, 'vocab[1] is "a", which is there before'),
    ],
)
def test_wrong_unigram_files(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        read(file(UNIGRAM | parts))
    assert message.replace("vocab[", "model.vocab[") in str(raised.value)


def test_what_the_library_refuses_is_told_when_it_encodes() -> None:
    with pytest.raises(ValueError, match="tokenizers package refuses it"):
        read(file(UNIGRAM | {"unk_id": 99})).encode("low")


def test_added_tokens_are_numbered_as_the_library_does() -> None:
    content = OTHER_MODELS["WordLevel"] | {"added_tokens": [added("<s>", 70), added("<e>", 60)]}
    tokenizer = read(content)
    assert tokenizer.special_ids == {"<s>": 2, "<e>": 3}
    assert tokenizer.encode("<e> low<s>") == [3, 1, 2]
