"""What two tables come to in a sentence: nothing differs, only ids do, or what does."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_studio.analysis.table_comparison import TableComparison
from bpe_studio.analysis.table_rules import ID_RULES, Rule

__all__ = ["outcome"]


def outcome(found: TableComparison, rules: Sequence[Rule]) -> str:
    """The comparison in words.

    "Nothing differs" means: the same tokens by their bytes, on the same ids; the same merges in the
    same order; the same specials, roles, pattern, engine and text rules. Of the training record
    nothing is asked: most file formats cannot hold it.

    Parameters
    ----------
    rules : what `rules_beside` says of the two
    """
    around = [rule.name for rule in rules if rule.tells and not rule.same]
    if found.same and not around:
        return "Nothing differs."
    if not found.same_but_ids:
        return _unlike(found)
    others = [name for name in around if name not in ID_RULES]
    ids = _ids(found, around)
    if not others:
        return f"Only ids differ: {ids}."
    same = "Tokens and merges are the same" if ids else "Tokens, merges and ids are the same"
    told = [*([ids] if ids else []), f"{_listed(others)} {'is' if len(others) == 1 else 'are'} not"]
    return f"{same}; {', and '.join(told)}."


def _ids(found: TableComparison, around: Sequence[str]) -> str:
    """How many ids are others; empty for none."""
    if found.ids_moved:
        have = "token has another one" if found.ids_moved == 1 else "tokens have others"
        return f"{found.ids_moved:,} of {found.shared:,} {have} in B"
    if not found.ids_same:
        return "those of tokens with the same bytes are others in B"
    return "those of specials are others in B" if set(around) & set(ID_RULES) else ""


def _unlike(found: TableComparison) -> str:
    if found.shared < len(found):
        return (
            f"{found.shared:,} of {len(found):,} tokens are in both, {found.only_a:,} only in A "
            f"and {found.only_b:,} only in B."
        )
    if found.first_difference is None:
        return "The merges are the same, and the tokens but for copies on several ids."
    return f"The tokens are the same; the merges differ from rank {found.first_difference.rank:,}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
