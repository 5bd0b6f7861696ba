"""What formats that hold only tokens and merges say about all the rest of a tokenizer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.text_rules import PLAIN_TEXT, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.strict.json import quoted

__all__ = ["check_only_tokens", "lost_beside_tokens", "readable_token"]


def check_only_tokens(tokenizer: Tokenizer, target: str) -> None:
    """Raise a ValueError where more than tokens, merges and a pattern decides about ids.

    Parameters
    ----------
    target : str
        How the format is called within a sentence: "a rank file".
    """
    if tokenizer.view_only:
        reason = tokenizer.view_only.rstrip(".")
        raise ValueError(f"It cannot encode here, so {target} of it cannot be checked ({reason}).")
    if tokenizer.outside is not None:
        raise ValueError(f"This tokenizer has no merges of its own, so {target} cannot hold it.")
    if tokenizer.base != "bytes":
        raise ValueError(
            f"The table has a character base, and {target} holds tables of bytes only; save it as "
            "JSON of BPE Studio."
        )
    own = [
        rule.name.replace("_", " ")
        for rule in fields(TextRules)
        if rule.name != "added"
        and getattr(tokenizer.rules, rule.name) != getattr(PLAIN_TEXT, rule.name)
    ]
    if own:
        raise ValueError(
            f"The tokenizer changes or cuts text by rules ({', '.join(own)}) that {target} cannot "
            "hold, so its ids would be others; save it as JSON of BPE Studio."
        )
    _check_distinct(tokenizer, target)


def _check_distinct(tokenizer: Tokenizer, target: str) -> None:
    tokens = tokenizer.table.token_list
    if len(set(tokens)) == len(tokens):
        return
    first: dict[bytes, int] = {}
    for token_id, token in zip(tokenizer.table.ids.tolist(), tokens, strict=True):
        if (other := first.setdefault(token, token_id)) != token_id:
            raise ValueError(
                f"The ids {other} and {token_id} have the same bytes, {readable_token(token)}, and "
                f"{target} can hold only one of them."
            )


def lost_beside_tokens(tokenizer: Tokenizer, target: str) -> Iterator[str]:
    """Sentences about what `target` has no place for, besides pattern and specials."""
    added = tokenizer.rules.added
    if added:
        yield (
            f"{target} does not say that text which spells a special is always taken as one; its "
            "reader decides."
        )
    if any(token.lstrip or token.rstrip or token.single_word for token in added):
        yield f"{target} does not hold that some specials take white space or whole words only."
    if tokenizer.training is not None:
        yield f"{target} does not hold the record of the training."


def readable_token(token: bytes) -> str:
    """A token within a sentence, cut where it is long."""
    try:
        return quoted(token.decode())
    except UnicodeDecodeError:
        return readable(token if len(token) <= 40 else token[:40]) + ("…" if token[40:] else "")
