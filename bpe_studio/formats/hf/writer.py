"""Tokenizer → Hugging Face's `tokenizer.json`, which `tokenizers` loads and which gives the same
ids.

No post-processor is written: `tokenizers` would add its tokens to every text, and here they are
added when they are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from bpe_studio.bpe.edits import Prepend
from bpe_studio.bpe.specials import roles_of
from bpe_studio.bpe.text_rules import AddedToken
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.hf.outside import HuggingFaceModel
from bpe_studio.formats.hf.rules import may_cut_at_spaces
from bpe_studio.formats.hf.table import lacks_bytes
from bpe_studio.formats.hf.write_model import Spelled, spelled
from bpe_studio.formats.hf.write_rules import decoder_of, normalizer_of, pre_tokenizer_of
from bpe_studio.formats.written import Written, path_mark

__all__ = ["write"]

#: A string in JSON; a tenth of the time that `json.dumps` takes.
_quoted: Final = json.JSONEncoder(ensure_ascii=False).encode

_HINT: Final = (
    "from tokenizers import Tokenizer\n"
    f"tokenizer = Tokenizer.from_file({path_mark()})\n"
    'ids = tokenizer.encode("text").ids'
)


def write(tokenizer: Tokenizer) -> Written:
    """The file of a tokenizer.

    Raises
    ------
    ValueError
        It does something that such a file cannot say.
    """
    if isinstance(tokenizer.outside, HuggingFaceModel):
        return Written({"": tokenizer.outside.payload}, hint=_HINT)
    if tokenizer.view_only or tokenizer.outside is not None:
        reason = tokenizer.view_only or "Another library runs it."
        raise ValueError(
            "It cannot encode here, so a tokenizer.json of it cannot be checked "
            f"({reason.rstrip('.')})."
        )
    if tokenizer.rules.fixed:
        raise ValueError(
            "The tokenizer has pieces that are found in the edited text and never merged, which a "
            "tokenizer.json cannot say; save it as JSON of BPE Studio."
        )
    data = _file(tokenizer, spelled(tokenizer))
    return Written({"": data}, tuple(_losses(tokenizer)), _HINT)


def _file(tokenizer: Tokenizer, words: Spelled) -> bytes:
    rules, table = tokenizer.rules, tokenizer.table
    byte_level = table.base == "bytes"
    normalizer, moved = normalizer_of(rules)
    parts = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(token) for token in _all_added(tokenizer)],
        "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer_of(
            rules,
            tokenizer.pattern,
            done=moved,
            byte_level=byte_level,
            may_cut=may_cut_at_spaces(table, tokenizer.engine, rules),
        ),
        "post_processor": None,
        "decoder": decoder_of(rules, byte_level=byte_level, byte_fallback=words.byte_fallback),
    }
    unknown = rules.unknown
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None if unknown is None else words.names[unknown.id],
        "continuing_subword_prefix": rules.word_prefix or None,
        "end_of_word_suffix": rules.word_end or None,
        "fuse_unk": unknown is not None and unknown.fuse,
        "byte_fallback": words.byte_fallback,
        "ignore_merges": tokenizer.engine == "whole-piece-first",
    }
    return "".join(_lines(parts, model, words)).encode()


def _lines(parts: dict[str, Any], model: dict[str, Any], words: Spelled) -> Iterator[str]:
    """JSON with a token and a merge on every line."""
    yield "{\n"
    for name, value in parts.items():
        yield f"  {_json(name)}: {_json(value)},\n"
    yield '  "model": {\n'
    for name, value in model.items():
        yield f"    {_json(name)}: {_json(value)},\n"
    yield '    "vocab": {\n'
    yield _rows(f"{_quoted(token)}: {number}" for token, number in words.vocab.items())
    yield '    },\n    "merges": [\n'
    yield _rows(f"[{_quoted(left)}, {_quoted(right)}]" for left, right in words.merges)
    yield "    ]\n  }\n}\n"


def _rows(rows: Iterable[str]) -> str:
    text = ",\n".join(f"      {row}" for row in rows)
    return f"{text}\n" if text else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _all_added(tokenizer: Tokenizer) -> list[AddedToken]:
    """The added tokens of the rules, and the specials that text does not spell here."""
    added = list(tokenizer.rules.added)
    known = {token.id for token in added}
    added += [AddedToken(n, i) for n, i in tokenizer.special_ids.items() if i not in known]
    return sorted(added, key=lambda token: token.id)


def _added(token: AddedToken) -> dict[str, Any]:
    return {
        "id": token.id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    }


def _losses(tokenizer: Tokenizer) -> Iterator[str]:
    rules = tokenizer.rules
    if tokenizer.training is not None:
        yield "A tokenizer.json does not hold the record of the training."
    if len(tokenizer.special_ids.keys() - {token.content for token in rules.added}):
        yield "tokenizers takes text that spells a special always as one; here it is plain text."
    if any(isinstance(step, Prepend) and step.first_only for step in rules.normalizer):
        yield "tokenizers puts a space in front again after every special that it finds in a text."
    if tokenizer.roles and tokenizer.roles != roles_of(tokenizer.special_ids):
        named = ", ".join(f"{role} ({name})" for role, name in tokenizer.roles.items())
        yield f"A tokenizer.json does not say which special is {named}."
    if rules.unknown is None and lacks_bytes(tokenizer.table.byte_ids.tolist()):
        yield "tokenizers drops the bytes that the table lacks; here they are an error."
