"""Hugging Face's `tokenizer.json` → Tokenizer.

Models of kind BPE become merge tables; of the others the library itself is asked. What a file asks
for and is not done here is named, and the table then opens for viewing only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeVar

from bpe_studio.bpe.edits import Edit
from bpe_studio.bpe.patterns import OTHERS, Pattern
from bpe_studio.bpe.preparing import Preparer
from bpe_studio.bpe.text_rules import TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.hf.added import read_added
from bpe_studio.formats.hf.model import Model, read_model
from bpe_studio.formats.hf.normalizer import (
    ends_in_byte_alphabet,
    mark_of_edits,
    read_normalizer,
)
from bpe_studio.formats.hf.other_models import WHY_NO_MERGES, read_tokens, table_of_tokens
from bpe_studio.formats.hf.outside import HuggingFaceModel
from bpe_studio.formats.hf.post import Decoding, read_decoder, read_roles
from bpe_studio.formats.hf.pre_tokenizer import Cutting, read_pre_tokenizer
from bpe_studio.formats.hf.rules import arrange, may_cut_at_spaces
from bpe_studio.formats.hf.spelling import Spelling
from bpe_studio.formats.hf.support import NotUnderstoodError
from bpe_studio.formats.hf.vocab import read_vocab
from bpe_studio.formats.hf.writer import write
from bpe_studio.formats.ranks.byte_alphabet import LETTERS
from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.json import Node, parse, quoted

__all__ = ["NAME", "SUFFIXES", "TITLE", "read", "sniff", "write"]

NAME: Final = "huggingface"
TITLE: Final = "Hugging Face (tokenizer.json)"
SUFFIXES: Final = (".json",)

_HEAD: Final = 1 << 16
_MARK: Final = re.compile(
    rb'"added_tokens"\s*:\s*\[|"model"\s*:\s*\{|"(?:truncation|padding)"\s*:\s*(?:null|\{)'
)
_KEYS: Final = (
    "version",
    "truncation",
    "padding",
    "added_tokens",
    "normalizer",
    "pre_tokenizer",
    "post_processor",
    "decoder",
    "model",
)
_T = TypeVar("_T")


def sniff(data: bytes) -> bool:
    """Whether this is a `tokenizer.json`, by its keys."""
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    return head.startswith(b"{") and _MARK.search(head) is not None


def read(source: Source) -> Tokenizer:
    """Read a file.

    Raises
    ------
    ValueError
        One sentence that names the file, the key and the index.
    """
    root = parse(source.data, source.name)
    source.report(0.4)
    _check_root(root)
    model = root.member("model")
    kind = _kind(model)
    if kind == "BPE":
        return _Reading(source, root).tokenizer()
    if kind in WHY_NO_MERGES:
        return _Reading(source, root).of_library(kind)
    model.fail(f"is of the kind {quoted(kind)}; known are BPE, {', '.join(WHY_NO_MERGES)}")


def _check_root(root: Node) -> None:
    if not isinstance(root.value, dict):
        root.fail("it is JSON, but no tokenizer: the outermost value must be an object")
    if "model" not in root or not isinstance(root.value["model"], dict):
        root.fail('it is no tokenizer of Hugging Face: it has no object "model"')


def _kind(model: Node) -> str:
    """The kind of a model; old files do not say it."""
    if "type" in model:
        return model.member("type").text()
    if "merges" in model:
        return "BPE"
    if isinstance(model.value.get("vocab"), list):
        return "Unigram"
    return "WordPiece" if "max_input_chars_per_word" in model else "WordLevel"


class _Reading:
    """One file; what is not understood is collected on the way."""

    def __init__(self, source: Source, root: Node) -> None:
        self._source = source
        self._root = root
        self._unclear: list[str] = []
        self._notes: list[str] = []

    def tokenizer(self) -> Tokenizer:
        root, model = self._root, self._root.member("model")
        no_edits: tuple[Edit, ...] = ()
        edits = self._understood(lambda: read_normalizer(self._part("normalizer")), no_edits)
        cutting = self._understood(
            lambda: read_pre_tokenizer(self._part("pre_tokenizer")), self._guessed_cutting()
        )
        if "vocab" not in model:
            model.fail("has no key 'vocab'")
        vocab = read_vocab(model.member("vocab"))
        spelling = self._spelling(edits, cutting, vocab)
        self._source.report(0.5)
        added = read_added(root, vocab)
        self._notes += added.notes
        made = read_model(model, vocab, spelling, added)
        self._source.report(0.9)
        self._unclear += made.unclear
        rules = TextRules(
            added=added.tokens,
            unknown=made.unknown,
            word_prefix=made.word_prefix,
            word_end=made.word_end,
        )
        arranged = arrange(
            edits,
            cutting,
            mark=spelling.mark,
            may_cut=may_cut_at_spaces(made.table, made.engine, rules),
            early=not any(t.normalized and (t.lstrip or t.rstrip) for t in added.tokens),
        )
        decoding = read_decoder(root, mark=spelling.mark, word_end=made.word_end)
        rules = replace(
            rules,
            normalizer=arranged.normalizer,
            pre_tokenizer=arranged.pre_tokenizer,
            strip_left=decoding.strip_left,
        )
        return self._put_together(made, rules, arranged.pattern, decoding)

    def of_library(self, kind: str) -> Tokenizer:
        """A tokenizer that the library runs: what it does to a text is its own affair."""
        root = self._root
        tokens = read_tokens(root.member("model"), kind)
        added = read_added(root, tokens, as_library=True)
        specials = added.ids
        roles, notes = read_roles(root, specials, self._source)
        why = f"{WHY_NO_MERGES[kind]}, so there are no merges; the package tokenizers encodes."
        return Tokenizer(
            table=table_of_tokens(tokens, self._told_spelling(), without=set(specials.values())),
            pattern=OTHERS["whole"],
            special_ids=specials,
            roles=roles,
            notes=(why, *added.notes, *notes),
            outside=HuggingFaceModel(kind, self._source.data),
        )

    def _told_spelling(self) -> Spelling:
        told = json.dumps(self._root.value.get("pre_tokenizer"))
        metaspace = '"Metaspace"' in told
        return Spelling('"ByteLevel"' in told and not metaspace, "▁" if metaspace else "")

    def _put_together(
        self, made: Model, rules: TextRules, pattern: Pattern, decoding: Decoding
    ) -> Tokenizer:
        table = made.table
        prepared = Preparer(rules, pattern, table)
        if any(t.normalized and not prepared.normalized(t.content) for t in rules.added):
            # The library then finds it between any two characters.
            self._unclear.append("the normalizer leaves nothing of an added token")
        specials = {t.content: t.id for t in rules.added if t.id not in table}
        roles, role_notes = read_roles(self._root, specials, self._source)
        return Tokenizer(
            table=table,
            pattern=pattern,
            special_ids={**made.apart, **specials},
            roles=roles,
            engine=made.engine,
            notes=(*self._notes, *made.notes, *role_notes, *self._other_notes(decoding)),
            rules=rules,
            view_only=self._view_only(),
        )

    def _part(self, name: str) -> Node:
        return Node(self._root.source, name, self._root.value.get(name))

    def _understood(self, read: Callable[[], _T], otherwise: _T) -> _T:
        try:
            return read()
        except NotUnderstoodError as error:
            self._unclear.append(str(error))
            return otherwise

    def _guessed_cutting(self) -> Cutting:
        """For a pre-tokenizer that is not understood: how tokens are spelled, at least."""
        text = str(self._root.value.get("pre_tokenizer"))
        mark = "▁" if "'Metaspace'" in text else ""
        return Cutting(byte_level="'ByteLevel'" in text, mark=mark)

    def _spelling(
        self, edits: tuple[Edit, ...], cutting: Cutting, vocab: Mapping[str, int]
    ) -> Spelling:
        normalizer = self._part("normalizer")
        in_alphabet = self._understood(lambda: ends_in_byte_alphabet(normalizer), False)
        if in_alphabet and (cutting.steps or cutting.pattern or cutting.byte_level):
            self._unclear.append("pre_tokenizer cuts what the normalizer has put into bytes")
        byte_level = in_alphabet or cutting.byte_level
        mark = cutting.mark or mark_of_edits(edits)
        if self._unclear and not mark:
            # What is not understood may be where it said so; something else does then.
            byte_level = byte_level or self._decodes_bytes() or all(c in vocab for c in LETTERS)
        if byte_level and mark:
            self._unclear.append(f"ByteLevel goes together with {mark} for a space")
        return Spelling(byte_level, "" if byte_level else mark)

    def _decodes_bytes(self) -> bool:
        return "'ByteLevel'" in str(self._root.value.get("decoder"))

    def _view_only(self) -> str:
        if not self._unclear:
            return ""
        reasons = "; ".join(dict.fromkeys(self._unclear))
        return f"It opens for viewing and cannot encode here: {reasons}."

    def _other_notes(self, decoding: Decoding) -> list[str]:
        root = self._root
        notes = list(decoding.notes)
        for name in ("truncation", "padding"):
            if root.value.get(name) is not None:
                notes.append(f"The file asks for {name}; texts are encoded whole here.")
        unknown = [n for n in root.value if n not in _KEYS and root.value[n] is not None]
        if unknown:
            names = ", ".join(map(quoted, unknown[:5]))
            notes.append(f"The file has keys that are not known here: {names}.")
        return notes
