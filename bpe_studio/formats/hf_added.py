"""The added tokens of a Hugging Face file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bpe_studio.bpe.table import MAX_ID
from bpe_studio.bpe.text_rules import AddedToken
from bpe_studio.formats.hf_support import flag
from bpe_studio.formats.strict_json import Node, quoted
from bpe_studio.formats.token_bytes import MAX_TOKEN_BYTES, MAX_TOKENS

__all__ = ["Added", "read_added"]


@dataclass(frozen=True, slots=True)
class Added:
    """Tokens that are found in a text before anything else.

    Attributes
    ----------
    tokens : tuple of AddedToken
        In the order of the file.
    notes : tuple of str
    """

    tokens: tuple[AddedToken, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ids(self) -> dict[str, int]:
        return {token.content: token.id for token in self.tokens}


def read_added(root: Node, vocab: Mapping[str, int]) -> Added:
    """The added tokens; one that the vocabulary has too has the vocabulary's id.

    Raises
    ------
    ValueError
        With the place of what is wrong.
    """
    if "added_tokens" not in root or root.value["added_tokens"] is None:
        return Added()
    found: dict[str, AddedToken] = {}
    owners: dict[int, str] = {}
    moved: list[str] = []
    contents = _contents_by_id(vocab) if root.value["added_tokens"] else {}
    for node in root.member("added_tokens").items():
        token = _token(node)
        if not token.content:
            continue  # the library skips it too
        if (known := vocab.get(token.content, token.id)) != token.id:
            moved.append(f"{quoted(token.content)} has the id {known} there and {token.id} here")
            token = replace(token, id=known)
        owner = owners.setdefault(token.id, contents.get(token.id, token.content))
        if owner != token.content:
            node.member("id").fail(
                f"is {token.id}, the id of {quoted(owner)} too; every token needs an id of its own"
            )
        if found.setdefault(token.content, token).id != token.id:
            node.member("content").fail(f"is {quoted(token.content)} a second time")
        if len(found) > MAX_TOKENS:
            node.fail(f"is one token more than {MAX_TOKENS:,}, which is the limit")
    return Added(tuple(found.values()), _moved_note(moved))


def _contents_by_id(vocab: Mapping[str, int]) -> dict[int, str]:
    return {number: content for content, number in vocab.items()}


def _token(node: Node) -> AddedToken:
    if not isinstance(node.value, dict):
        node.fail_type("an object")
    for name in ("id", "content"):
        if name not in node:
            node.fail(f"has no key {name!r}")
    content = node.member("content").text()
    if len(content) > MAX_TOKEN_BYTES:
        node.member("content").fail(f"has {len(content):,} characters, and 1 MiB is the limit")
    return AddedToken(
        content,
        node.member("id").integer(largest=MAX_ID),
        special=flag(node, "special"),
        lstrip=flag(node, "lstrip"),
        rstrip=flag(node, "rstrip"),
        single_word=flag(node, "single_word"),
        normalized=flag(node, "normalized"),
    )


def _moved_note(moved: list[str]) -> tuple[str, ...]:
    if not moved:
        return ()
    return (
        f"{len(moved):,} added token(s) are in the vocabulary under another id ({moved[0]}); "
        "the vocabulary's id counts.",
    )
