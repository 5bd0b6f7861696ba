"""The example of a file in the README is a file."""

from __future__ import annotations

import re
from pathlib import Path

from bpe_studio import formats

README = Path(__file__).parents[2] / "README.md"


def test_the_example_loads_as_it_stands() -> None:
    (example,) = re.findall("```json\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    tokenizer = formats.read(example.encode(), "README.md")
    assert [tokenizer.token_bytes(token) for token in (259, 260)] == [b"lo", b"low"]
    assert tokenizer.encode("low", add_bos=True) == [1, 260]


def test_every_format_is_in_its_table() -> None:
    rows = re.findall(
        r"^\| `(\w+)`: .*\| (yes|no)", README.read_text(encoding="utf-8"), re.MULTILINE
    )
    saved = {name: "yes" if name in formats.WRITERS else "no" for name in formats.FORMATS}
    assert dict(rows) == saved
