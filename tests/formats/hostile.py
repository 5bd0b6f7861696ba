"""Files as nobody should write them: each format's small sample, spoiled in every way.

A format joins by adding a function to `SAMPLES` that builds a small file which is read without an
error; everything else follows from the kind of the file (JSON, lines of text, bytes).
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.formats import gpt2, studio, tiktoken
from tests.bpe.test_trainer import trained

FLIPS: Final = 2000
TEXT: Final = "low lower lowest, low newer 日本 é\n" * 3
_PLACE: Final = "HERE-STANDS-SOMETHING-HOSTILE"
# Instead of a value in JSON, as it is written.
VALUES: Final = (
    *("-1", "1.5", "true", "NaN", "-Infinity", "1e999", "null", "1000000000", "4294967296"),
    *('""', '"\\ud800"', '"a b c"', "[]", "{}", '{"a": 1, "a": 2}', "[[[1]]]", "9" * 5000),
    "[" * 100_000,
    "[" * 100 + "]" * 100,
    '"' + "A" * (2 << 20) + '"',
)
# Instead of a word of a line.
WORDS: Final = (
    *("-1", "1.5", "true", "NaN", "", "1000000000", "4294967296", "9" * 5000, "٣", "a", "\x00"),
    *("\ud800", "\u2028", "A" * (2 << 20)),
)


@dataclass(frozen=True)
class Sample:
    """A small file that is good.

    Attributes
    ----------
    name : str
        As it is usually called.
    data : bytes
    kind : "json", "lines" or "bytes"
    beside : dict from name to bytes
        The files that it needs.
    pattern : str or None
        What the user has to say.
    """

    name: str
    data: bytes
    kind: str
    beside: dict[str, bytes] = field(default_factory=dict)
    pattern: str | None = None


def _studio() -> Sample:
    tok = trained([TEXT], vocab_size=300, base="chars")
    return Sample("t.json", studio.data_of(tok), "json")


def _plain() -> Any:
    return trained([TEXT], vocab_size=280, pattern="gpt2")


def _tiktoken() -> Sample:
    return Sample("t.tiktoken", tiktoken.write(_plain()).files[""], "lines", pattern="gpt2")


def _tekken() -> Sample:
    from tests.formats.test_tekken import small

    listed = [{"rank": 0, "token_str": "<unk>"}, {"rank": 1, "token_str": "<s>"}]
    data = json.dumps(small(special_tokens=listed)).encode()
    return Sample("tekken.json", data, "json")


def _gpt2_vocab() -> Sample:
    files = gpt2.write(_plain()).files
    return Sample("vocab.json", files[""], "json", {"merges.txt": files["merges.txt"]})


def _gpt2_merges() -> Sample:
    files = gpt2.write(_plain()).files
    return Sample("merges.txt", files["merges.txt"], "lines", {"vocab.json": files[""]})


def _minbpe() -> Sample:
    merges = "108 111\n256 119\n32 257\n101 114\n258 259\n"
    head = f"minbpe v1\n{PRESETS['gpt2'].expression}\n2\n<|end of text|> 300\n<pad> 301\n"
    return Sample("t.model", (head + merges).encode(), "lines")


def _huggingface() -> Sample:
    from tests.formats.hf_files import added, byte_level, data_of, file

    content = file(
        byte_level("l o", "lo w", "Ġ low", "e r", "Ġlow er"),
        added_tokens=[added("<s>", 300), added("low  er", 301, lstrip=True, rstrip=True)],
        normalizer={
            "type": "Sequence",
            "normalizers": [
                {"type": "NFC"},
                {"type": "Replace", "pattern": {"Regex": " +"}, "content": " "},
            ],
        },
        pre_tokenizer={
            "type": "Sequence",
            "pretokenizers": [
                {
                    "type": "Split",
                    "pattern": {"Regex": PRESETS["llama3"].expression},
                    "behavior": "Isolated",
                    "invert": False,
                },
                {
                    "type": "ByteLevel",
                    "add_prefix_space": False,
                    "trim_offsets": True,
                    "use_regex": False,
                },
            ],
        },
        decoder={
            "type": "ByteLevel",
            "add_prefix_space": True,
            "trim_offsets": True,
            "use_regex": True,
        },
        post_processor={
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "<s>", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
            ],
            "pair": [
                {"Sequence": {"id": "A", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 1}},
            ],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [300], "tokens": ["<s>"]}},
        },
    )
    return Sample("tokenizer.json", data_of(content), "json")


def _huggingface_marked() -> Sample:
    """Characters with bytes to fall back to, ▁ for a space, and every kind of step."""
    from tests.formats.hf_files import added, data_of, file, model, pairs

    merges = pairs("▁ l", "▁l o", "l o")
    tokens = ["<unk>", *(f"<0x{b:02X}>" for b in range(256)), *"▁lower", *("▁l", "▁lo", "lo")]
    content = file(
        model(tokens, merges, byte_fallback=True, fuse_unk=True, unk_token="<unk>"),
        added_tokens=[added("<unk>", 0), added("▁lo", 264, special=False, normalized=True)],
        normalizer={
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
                {"type": "Strip", "strip_left": False, "strip_right": True},
            ],
        },
        pre_tokenizer={
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Digits", "individual_digits": True},
                {"type": "Punctuation", "behavior": "Isolated"},
                {"type": "CharDelimiterSplit", "delimiter": "_"},
                {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True},
            ],
        },
        decoder={
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        post_processor={"type": "RobertaProcessing", "sep": ["<unk>", 0], "cls": ["<unk>", 0]}
        | {"trim_offsets": True, "add_prefix_space": False},
    )
    return Sample("tokenizer.json", data_of(content), "json")


def _huggingface_outside() -> Sample:
    from tests.formats.hf_files import added, data_of, file

    unigram = {
        "type": "Unigram",
        "unk_id": 0,
        "byte_fallback": False,
        "vocab": [["<unk>", 0.0], ["▁low", -1.0], ["er", -2.5], ["▁", -3.0]],
    }
    content = file(
        unigram,
        pre_tokenizer={"type": "Metaspace", "replacement": "▁", "add_prefix_space": True},
        added_tokens=[added("<unk>", 0)],
    )
    return Sample("tokenizer.json", data_of(content), "json")


def _sentencepiece() -> Sample:
    from tests.formats.test_sentencepiece import model_data

    return Sample("tokenizer.model", model_data("bytes"), "bytes")


def _sentencepiece_with_map() -> Sample:
    from tests.formats.test_sentencepiece import model_data

    return Sample("tokenizer.model", model_data("symbols"), "bytes")


def _sentencepiece_outside() -> Sample:
    from tests.formats.test_sentencepiece import model_data

    return Sample("tokenizer.model", model_data("unigram"), "bytes")


def _gguf_bpe() -> Sample:
    from tests.formats.test_gguf import bpe_data

    return Sample("t.gguf", bpe_data(), "bytes")


def _gguf_scored() -> Sample:
    from tests.formats.test_gguf import scored_data

    return Sample("t.gguf", scored_data("bytes"), "bytes")


SAMPLES: dict[str, tuple[Callable[[], Sample], ...]] = {
    "studio": (_studio,),
    "tiktoken": (_tiktoken,),
    "tekken": (_tekken,),
    "gpt2": (_gpt2_vocab, _gpt2_merges),
    "minbpe": (_minbpe,),
    "huggingface": (_huggingface, _huggingface_marked, _huggingface_outside),
    "sentencepiece": (_sentencepiece, _sentencepiece_with_map, _sentencepiece_outside),
    "gguf": (_gguf_bpe, _gguf_scored),
}


# What is done to a sample: pairs of what it is called and the bytes.

Spoiled = Iterator[tuple[str, bytes]]


def spoiled(sample: Sample) -> Spoiled:
    """Everything but the bit flips."""
    yield from _any_bytes(sample.data)
    if sample.kind == "json":
        yield from _json_values(sample.data)
        yield from _json_members(sample.data)
        yield from _repeated_keys(sample.data)
    if sample.kind == "lines":
        yield from _lines(sample.data)
        yield from _words(sample.data)


def _any_bytes(data: bytes) -> Spoiled:
    chance = random.Random(1)
    yield "empty", b""
    yield "one zero", b"\0"
    yield "a BOM alone", b"\xef\xbb\xbf"
    yield "a BOM in front", b"\xef\xbb\xbf" + data
    yield "UTF-16", data.decode("utf-8", "replace").encode("utf-16", "replace")
    yield "twice", data + data
    yield "reversed", data[::-1]
    for part in range(1, 20):
        yield f"the first {part} of 20 parts", data[: len(data) * part // 20]
        yield f"without the first {part} of 20 parts", data[len(data) * part // 20 :]
    for size in (1, 10, 1000, 100_000):
        yield f"{size} random bytes", chance.randbytes(size)
        yield f"{size} random bytes at the end", data + chance.randbytes(size)
        middle = len(data) // 2
        yield f"{size} in the middle", data[:middle] + chance.randbytes(size) + data[middle:]


def flipped(data: bytes) -> Spoiled:
    """Single bits, and several at once; of a file that takes long to read a tenth as many."""
    chance = random.Random(2)
    count = FLIPS if len(data) < 1 << 16 else FLIPS // 10
    for number in range(count):
        changed = bytearray(data)
        for _ in range(1 if number % 4 else chance.randint(2, 20)):
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        yield f"flip {number}", bytes(changed)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for name, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(member, (*path, name))


def _chosen(value: Any) -> list[tuple[Any, ...]]:
    """Some places in a JSON value: all near the root, and a few of all others."""
    chance = random.Random(3)
    paths = list(_paths(value))
    near = [path for path in paths if len(path) <= 2][:40]
    return near + chance.sample(paths, min(len(paths), 24))


def _parent(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path[:-1]:
        value = value[name]
    return value


def _json_values(data: bytes) -> Spoiled:
    """Another value at a place."""
    root = json.loads(data)
    for number, path in enumerate(_chosen(root)):
        changed = copy.deepcopy(root)
        _parent(changed, path)[path[-1]] = _PLACE
        text = json.dumps(changed, ensure_ascii=False)
        for value in VALUES:
            # The very large ones not at every place.
            if len(value) < 10_000 or not number % 8:
                yield f"{path} is {value[:20]}", text.replace(f'"{_PLACE}"', value).encode()


def _json_members(data: bytes) -> Spoiled:
    """A member less, an entry twice, another name of a key."""
    root = json.loads(data)
    for path in _chosen(root):
        changed = copy.deepcopy(root)
        del _parent(changed, path)[path[-1]]
        yield f"without {path}", json.dumps(changed).encode()
        changed = copy.deepcopy(root)
        parent = _parent(changed, path)
        if isinstance(parent, list):
            parent.append(parent[path[-1]])
            yield f"{path} twice", json.dumps(changed).encode()
        else:
            for name in ("", "\ud800", "x y", "A" * (2 << 20)):
                parent[name] = parent[path[-1]]
                yield f"{path} as {name[:9]!a} too", json.dumps(changed).encode()
                del parent[name]


def _repeated_keys(data: bytes) -> Spoiled:
    text = data.decode()
    for place in [i for i, char in enumerate(text) if char == "{"][:20]:
        yield (
            f"a key twice at {place}",
            (text[: place + 1] + '"a": 1, "a": 1, ' + text[place + 1 :]).encode(),
        )


def _some_lines(lines: list[bytes]) -> list[int]:
    places = range(len(lines))
    return sorted({*places[:8], *places[-4:], *random.Random(4).sample(places, min(8, len(lines)))})


def _lines(data: bytes) -> Spoiled:
    """A line less, a line twice, lines exchanged."""
    lines = data.split(b"\n")
    for place in _some_lines(lines):
        yield f"without line {place}", b"\n".join(lines[:place] + lines[place + 1 :])
        yield f"line {place} twice", b"\n".join(lines[: place + 1] + lines[place:])
        yield f"line {place} again", b"\n".join([*lines, lines[place]])
        yield f"line {place} first", b"\n".join([lines[place], *lines])


def _words(data: bytes) -> Spoiled:
    """Another word in a line."""
    lines = data.split(b"\n")
    for place in _some_lines(lines):
        words = lines[place].split(b" ")
        for at in range(len(words)):
            for word in WORDS:
                if len(word) > 10_000 and place % 4:
                    continue
                other = [*words[:at], word.encode("utf-8", "surrogatepass"), *words[at + 1 :]]
                changed = [*lines[:place], b" ".join(other), *lines[place + 1 :]]
                yield f"line {place} has {word[:20]!a}", b"\n".join(changed)
