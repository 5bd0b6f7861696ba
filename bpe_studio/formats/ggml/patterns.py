"""How a text is cut, by the name of the pre-tokenizer in a GGUF file.

The rules are those of the models themselves; llama.cpp, which gives the names, writes some of them
in another way, because its expressions know no Unicode classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bpe_studio.bpe.patterns import OTHERS, PRESETS, Pattern, resolve_pattern
from bpe_studio.bpe.text_rules import Split

__all__ = ["PreTokenizer", "pre_tokenizer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreTokenizer:
    """What cuts a text.

    Attributes
    ----------
    pattern : Pattern
        On every piece that the steps leave.
    steps : tuple of Split
    whole_first : bool
        Whether a whole piece that is a token is taken before any merge.
    note : str
        A sentence for the user, or nothing.
    """

    pattern: Pattern
    steps: tuple[Split, ...] = ()
    whole_first: bool = False
    note: str = ""


_CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_LINES: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_HAN: Final = r"[一-龥ࠀ-一가-퟿]+"
_HAN_KANA: Final = "[一-龥぀-ゟ゠-ヿ]+"
_PUNCTUATION: Final = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~]"


def _preset(name: str, *steps: str, whole_first: bool = False, note: str = "") -> PreTokenizer:
    return PreTokenizer(
        pattern=PRESETS[name],
        steps=tuple(map(Split, steps)),
        whole_first=whole_first,
        note=note,
    )


def _custom(expression: str, *steps: str, whole_first: bool = False) -> PreTokenizer:
    return PreTokenizer(
        pattern=resolve_pattern(expression),
        steps=tuple(map(Split, steps)),
        whole_first=whole_first,
    )


def _steps(*steps: str, note: str = "") -> PreTokenizer:
    return PreTokenizer(pattern=OTHERS["whole"], steps=tuple(map(Split, steps)), note=note)


def _capitals(name: str) -> str:
    return (
        f"The pre-tokenizer {name} is that of the model; llama.cpp tells capitals from small "
        "letters only in A–Z, so its ids for other alphabets may differ."
    )


_GPT2: Final = PRESETS["gpt2"].expression
_BLOOM: Final = r" ?[^(\s|.,!?…。，、।۔،)]+"

_BY_RULE: Final[tuple[tuple[PreTokenizer, tuple[str, ...]], ...]] = (
    (
        _preset("llama3", whole_first=True),
        (
            "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0",
            "lfm2", "jina-v5-nano",
        ),
    ),
    (_preset("llama3"), ("dbrx", "smaug-bpe", "glm4", "chatglm-bpe")),
    (
        _preset("qwen2"),
        (
            "qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez", "hunyuan", "solar-open",
            "stablelm2", "grok-2",
        ),
    ),
    (
        _preset("gpt2"),
        (
            "gpt-2", "phi-2", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de", "gigachat",
            "a.x-4.0", "mellum", "modern-bert", "jina-v1-en", "jina-v2-code", "roberta-bpe",
            "exaone4", "mpt", "olmo", "jais", "trillion", "granite-docling",
        ),
    ),
    (
        _preset("gpt2", r"\p{N}"),
        (
            "starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b",
            "mellum2",
        ),
    ),
    (_preset("tekken", whole_first=True, note=_capitals("tekken")), ("tekken",)),
    (
        _preset("o200k", note=_capitals("gpt-4o")),
        ("gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"),
    ),
    (
        _custom(
            rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
            rf"| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_LINES}"
        ),
        ("qwen35",),
    ),
    (
        _custom(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
        ),
        ("bailingmoe", "bailingmoe2", "llada-moe"),
    ),
    (
        _custom(
            rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}"
            rf"| ?[^\s\p{{L}}\p{{N}}\r\n]+|{_LINES}"
        ),
        ("seed-coder",),
    ),
    (
        _custom(
            rf"[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_LINES}"
        ),
        ("ufakzeka",),
    ),
    (_preset("qwen2", r"[^\n]+|\n+"), ("laguna",)),
    (
        _custom(
            rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}+"
            rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_LINES}",
            r"\p{N}{1,3}",
            whole_first=True,
        ),
        ("minicpm5",),
    ),
    (
        _steps(
            r"\p{N}{1,3}",
            _HAN_KANA,
            rf"{_PUNCTUATION}[A-Za-z]+|[^\r\n\p{{L}}\p{{P}}\p{{S}}]?[\p{{L}}\p{{M}}]+"
            rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_LINES}",
        ),
        ("deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"),
    ),
    (
        _steps(r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _HAN, r"\p{N}"),
        ("deepseek-coder",),
    ),
    (
        _steps(r"[\p{P}$+<=>^~|`]+", _GPT2, "[0-9][0-9][0-9]"),
        ("falcon",),
    ),
    (_steps(_BLOOM), ("poro-chat", "bloom", "gpt3-finnish")),
    (_steps(_BLOOM, r"\p{N}"), ("viking",)),
    (
        _steps(
            r"[\p{P}$+<=>^~|]+",
            _GPT2,
            r"\p{N}+",
            "[0-9][0-9][0-9]",
            note="The file names no pre-tokenizer, so that of llama.cpp for such files cuts the "
            "text; the model was hardly trained with it.",
        ),
        ("default", ""),
    ),
)  # fmt: skip

_BY_NAME: Final = {name: rule for rule, names in _BY_RULE for name in names}


def pre_tokenizer(name: str) -> PreTokenizer | None:
    """The rule of that name; None where it is not known for sure."""
    return _BY_NAME.get(name)
