"""The parts of the strict reader that the native format's tests do not reach."""

from __future__ import annotations

import pytest

from bpe_studio.formats.strict.json import Node, parse, quoted


def test_depth_up_to_the_limit_is_fine() -> None:
    assert parse(b"[" * 64 + b"]" * 64, "t").value == eval("[" * 64 + "]" * 64)
    with pytest.raises(ValueError, match="t: it is nested deeper than 64 levels"):
        parse(b"[" * 65 + b"]" * 65, "t")


def test_brackets_in_strings_are_no_depth() -> None:
    assert parse(b'"' + b"[" * 1000 + b'"', "t").value == "[" * 1000


def test_quoted_is_short_and_on_one_line() -> None:
    assert quoted("a\nb") == '"a\\nb"'
    assert len(quoted("x" * 1000)) == 60


def test_keys_of_free_objects_are_quoted() -> None:
    (member,) = Node("t", "a", {"x y": 1}).members()
    assert member.key == 'a["x y"]'


def test_plain_checks_every_leaf() -> None:
    value = {"a": [1, None, True, {"b": "c"}]}
    assert Node("t", "k", value).plain() == value
    with pytest.raises(ValueError, match=r't: k\["a"\]\[0\] holds a lone surrogate'):
        Node("t", "k", {"a": ["\ud800"]}).plain()
