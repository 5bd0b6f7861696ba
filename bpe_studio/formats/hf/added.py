"""The added tokens of a Hugging Face file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.text_rules import AddedToken
from bpe_studio.formats.hf.support import flag
from bpe_studio.formats.strict.json import Node, quoted
from bpe_studio.formats.strict.token_bytes import MAX_TOKEN_BYTES, MAX_TOKENS

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


def read_added(root: Node, vocab: Mapping[str, int], *, as_library: bool = False) -> Added:
    """The added tokens; one that the vocabulary has too has the vocabulary's id.

    Parameters
    ----------
    as_library : bool
        Whether they are numbered as `tokenizers` does it, which goes on from the size of the
        vocabulary whatever the file says.

    Raises
    ------
    ValueError
        With the place of what is wrong.
    """
    if not root.value.get("added_tokens"):
        return Added()
    found: dict[str, AddedToken] = {}
    owners = {number: content for content, number in vocab.items()}
    numbers = _Numbers(vocab)
    for node in root.member("added_tokens").items():
        token = _token(node)
        if not token.content:
            continue  # the library skips it too
        told = numbers.of(token)
        if token.content in vocab or as_library:
            token = replace(token, id=told)
        if (owner := owners.setdefault(token.id, token.content)) != token.content:
            node.member("id").fail(
                f"is {token.id}, the id of {quoted(owner)} too; every token needs an id of its own"
            )
        if found.setdefault(token.content, token).id != token.id:
            node.member("content").fail(f"is {quoted(token.content)} a second time")
        if len(found) > MAX_TOKENS:
            node.fail(f"is one token more than {MAX_TOKENS:,}, which is the limit")
    return Added(tuple(found.values()), tuple(numbers.notes(as_library)))


class _Numbers:
    """The ids that `tokenizers` gives to added tokens."""

    def __init__(self, vocab: Mapping[str, int]) -> None:
        self._vocab = vocab
        self._given: dict[str, int] = {}
        self._largest = -1
        self._moved: list[str] = []
        self._counted_on: list[str] = []

    def of(self, token: AddedToken) -> int:
        known = self._vocab.get(token.content, self._given.get(token.content))
        number = max(self._largest + 1, len(self._vocab)) if known is None else known
        self._given[token.content] = number
        self._largest = max(self._largest, number)
        if number != token.id:
            words = f"{quoted(token.content)} has the id {number} there and {token.id} here"
            (self._moved if token.content in self._vocab else self._counted_on).append(words)
        return number

    def notes(self, as_library: bool) -> Iterator[str]:
        if self._moved:
            moved = len(self._moved)
            yield (
                f"{moved:,} added {'token is' if moved == 1 else 'tokens are'} in the vocabulary "
                f"under another id ({self._moved[0]}); the vocabulary's id counts."
            )
        if self._counted_on and not as_library:
            counted = len(self._counted_on)
            yield (
                f"tokenizers counts on from its vocabulary for {counted:,} added "
                f"token{'' if counted == 1 else 's'}, whatever the file says "
                f"({self._counted_on[0]}); here the file counts."
            )


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
