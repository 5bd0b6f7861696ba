"""What tokenizers are besides their tokens and merges, side by side, in words of no file format.

What is not compared: what a file says of itself (its format, notes) and the training record, of
which a line tells the corpus: most formats cannot hold it, and the table is the same without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bpe_studio.analysis.rule_words import NOTHING, prefix_space, steps_words
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["ID_RULES", "Rule", "rules_beside"]

ID_RULES: Final = ("id bound", "ids of specials")
"""The names of the rules that say which ids there are, and nothing else."""
_ENGINES: Final = {"merges": "merges", "whole-piece-first": "whole piece first"}
_BASES: Final = {"bytes": "bytes", "chars": "characters"}
_WORDPIECE_MARK: Final = b"##"
_ENOUGH_MARKED: Final = 100
"""Where one token in so many begins with it, it is no text."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that every tokenizer has.

    Attributes
    ----------
    name : str
        "vocabulary size", "pattern", …
    values : tuple of str
        What it is in each, in words; some are long.
    same : bool
        Whether it is the same in all. What is told in short, such as a character map by its size,
        is compared whole.
    tells : bool
        False where a difference is none of the tokenizer's ways: of the training.
    """

    name: str
    values: tuple[str, ...]
    same: bool
    tells: bool = True


def rules_beside(tables: Sequence[Tokenizer]) -> tuple[Rule, ...]:
    """What each tokenizer is; what is rare is told where at least one has it."""
    return tuple(rule for kind in _KINDS if (rule := kind.of(tables)) is not None)


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a rule is told: its words, and what is compared where words are shortened."""

    name: str
    words: Callable[[Tokenizer], str]
    key: Callable[[Tokenizer], Any] | None = None
    rare: bool = False
    tells: bool = True

    def of(self, tables: Sequence[Tokenizer]) -> Rule | None:
        values = tuple(self.words(table) for table in tables)
        if self.rare and set(values) <= {NOTHING}:
            return None
        keys = [*values] if self.key is None else [self.key(table) for table in tables]
        return Rule(self.name, values, all(key == keys[0] for key in keys), self.tells)


def _bytes_known(tokenizer: Tokenizer) -> str:
    known = int((tokenizer.table.byte_ids >= 0).sum())
    return "all 256" if known == 256 else f"{known:,} of 256" if known else NOTHING


def _base_characters(tokenizer: Tokenizer) -> str:
    characters = len(tokenizer.table.char_ids)
    return f"{characters:,}" if characters else NOTHING


def _special_ids(tokenizer: Tokenizer) -> str:
    return ", ".join(f"{name} = {number}" for name, number in tokenizer.special_ids.items())


def _roles(tokenizer: Tokenizer) -> str:
    return ", ".join(f"{role} = {name}" for role, name in sorted(tokenizer.roles.items()))


def _added(tokenizer: Tokenizer) -> str:
    return ", ".join(token.content for token in tokenizer.rules.added)


def _fixed(tokenizer: Tokenizer) -> str:
    return ", ".join(text for text, _ in tokenizer.rules.fixed)


def _added_key(tokenizer: Tokenizer) -> Any:
    """With their rules, and without ids, which are those of the specials."""
    return sorted((replace(token, id=0) for token in tokenizer.rules.added), key=repr)


def _unknown(tokenizer: Tokenizer) -> str:
    unknown = tokenizer.rules.unknown
    if unknown is None:
        return NOTHING
    name = tokenizer.token_bytes(unknown.id).decode("utf-8", "replace")
    return f"{name}, neighbours as one" if unknown.fuse else name


def _word_marks(tokenizer: Tokenizer) -> str:
    rules = tokenizer.rules
    marks = [f"{rules.word_prefix} before all but the first part"] if rules.word_prefix else []
    marks += [f"{rules.word_end} after the last part"] if rules.word_end else []
    if tokenizer.outside is not None and tokenizer.outside.kind == "WordPiece":
        # The library knows its mark, and the tokens show whether it is the usual one.
        marked = sum(token.startswith(_WORDPIECE_MARK) for token in tokenizer.table.token_list)
        if marked * _ENOUGH_MARKED > len(tokenizer.table):
            marks.append(f"{_WORDPIECE_MARK.decode()} before all but the first part")
    return f"{', '.join(marks)}; they are a part of the token" if marks else NOTHING


def _model(tokenizer: Tokenizer) -> str:
    outside = tokenizer.outside
    return "BPE, of ours" if outside is None else f"{outside.kind}, run by {outside.library}"


def _pattern_key(tokenizer: Tokenizer) -> Any:
    return tokenizer.outside, tokenizer.pattern.expression


def _model_key(tokenizer: Tokenizer) -> Any:
    return tokenizer.outside


def _trained_on(tokenizer: Tokenizer) -> str:
    record = tokenizer.training
    if record is None:
        return NOTHING
    files, size = len(record.corpus.get("files", ())), record.totals.get("bytes")
    told = "" if size is None else f", {size:,} bytes"
    return f"{files:,} file{'' if files == 1 else 's'}{told}"


def _fingerprint(tokenizer: Tokenizer) -> Any:
    record = tokenizer.training
    return None if record is None else (record.corpus.get("fingerprint"), record.totals)


def _settings(tokenizer: Tokenizer) -> str:
    settings = {} if tokenizer.training is None else tokenizer.training.settings
    told = ("ties", "byte_order", "min_freq", "hold_out", "whole_characters", "max_token_bytes",
            "min_documents", "continued_from")  # fmt: skip
    found = [f"{name} {settings[name]}" for name in told if name in settings]
    return ", ".join(found) or NOTHING


def _unless_outside(words: Callable[[Tokenizer], str]) -> Callable[[Tokenizer], str]:
    """Words of what a library does itself where it runs the model."""
    return lambda tokenizer: (
        words(tokenizer)
        if tokenizer.outside is None
        else f"as {tokenizer.outside.library} does it by the file"
    )


def _or_nothing(words: Callable[[Tokenizer], str]) -> Callable[[Tokenizer], str]:
    return lambda tokenizer: words(tokenizer) or NOTHING


_KINDS: Final = (
    _Kind("model", _model, _model_key),
    _Kind("vocabulary size", lambda t: f"{t.vocab_size:,}"),
    _Kind("id bound", lambda t: f"{t.id_bound:,}"),
    _Kind("merges", lambda t: f"{len(t.table.merges):,}"),
    _Kind("base", lambda t: _BASES[t.base]),
    _Kind("base characters", _base_characters, lambda t: set(t.table.char_ids),
          rare=True),
    _Kind("bytes", _bytes_known, lambda t: (t.table.byte_ids >= 0).tolist()),
    _Kind("engine", _unless_outside(lambda t: _ENGINES[t.engine])),
    _Kind("pattern", _unless_outside(lambda t: t.pattern.name), _pattern_key),
    _Kind("expression", _unless_outside(lambda t: t.pattern.expression), _pattern_key),
    _Kind("normalizer", _unless_outside(lambda t: steps_words(t.rules.normalizer)),
          lambda t: (t.outside, t.rules.normalizer)),
    _Kind("cuts before the pattern", lambda t: steps_words(t.rules.pre_tokenizer),
          lambda t: t.rules.pre_tokenizer, rare=True),
    _Kind("prefix space", _unless_outside(lambda t: prefix_space(t.rules))),
    _Kind("word marks", _word_marks, rare=True),
    _Kind("specials", _or_nothing(lambda t: ", ".join(t.specials)), lambda t: set(t.specials)),
    _Kind("ids of specials", _or_nothing(_special_ids), lambda t: dict(t.special_ids)),
    _Kind("roles", _or_nothing(_roles)),
    _Kind("added tokens", _or_nothing(_added), _added_key),
    _Kind("fixed pieces", _or_nothing(_fixed), lambda t: set(t.rules.fixed), rare=True),
    _Kind("unknown token", _unknown),
    _Kind("spaces taken off when decoding",
          lambda t: str(t.rules.strip_left) if t.rules.strip_left else NOTHING, rare=True),
    _Kind("only for view", lambda t: t.view_only or NOTHING, rare=True),
    _Kind("trained on", _trained_on, _fingerprint, rare=True, tells=False),
    _Kind("training settings", _settings, rare=True, tells=False),
)  # fmt: skip
