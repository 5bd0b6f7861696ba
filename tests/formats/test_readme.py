"""The example of a file in the README is a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bpe_studio import formats, load
from bpe_studio.bpe.lesson import Lesson
from bpe_studio.bpe.traced_text import TracedText

README = Path(__file__).parents[2] / "README.md"


def test_the_example_loads_as_it_stands() -> None:
    (example,) = re.findall("```json\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    tokenizer = formats.read(example.encode(), "README.md")
    assert [tokenizer.token_bytes(token) for token in (259, 260)] == [b"lo", b"low"]
    assert tokenizer.encode("low", add_bos=True) == [1, 260]


def test_the_code_of_explain_sizes_and_lesson_runs() -> None:
    blocks = re.findall("```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (code,) = [block for block in blocks if "why_not_one_token" in block]
    names: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), names)
    lesson, traced = names["lesson"], names["traced"]
    assert isinstance(lesson, Lesson) and lesson.state.next is None
    assert isinstance(traced, TracedText) and traced.counts()[-1] == len(
        load("stdlib-8k").encode("the lowest strawberry 12345")
    )


@pytest.mark.parametrize(
    "option", ["--token", "--token-text", "--corpus", "--letters", "--pieces", "--allow-special"]
)
def test_explain_has_an_example_of_each_option(option: str) -> None:
    text = README.read_text(encoding="utf-8")
    assert re.search(rf"^bpe-studio explain .*{option}(?![-\w])", text, re.MULTILINE)


def test_every_format_is_in_its_table() -> None:
    rows = re.findall(
        r"^\| `(\w+)`: .*\| (yes|no)", README.read_text(encoding="utf-8"), re.MULTILINE
    )
    saved = {name: "yes" if name in formats.WRITERS else "no" for name in formats.FORMATS}
    assert dict(rows) == saved
