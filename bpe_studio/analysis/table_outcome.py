"""What two tables come to in a sentence: nothing differs, only ids do, or what does."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_studio.analysis.table_comparison import TableComparison
from bpe_studio.analysis.table_rules import ID_RULES, Rule

__all__ = ["outcome"]


def outcome(found: TableComparison, rules: Sequence[Rule]) -> str:
    """The comparison in words.

    "Nothing differs" means: the same tokens by their bytes, on the same ids; the same merges in the
    same order; the same specials, roles, pattern, engine and text rules. "The tables do not differ"
    is said where only what is around them does, as when a file format cannot hold it. Of the
    training record nothing is asked: most formats lose it.

    Parameters
    ----------
    rules : what `rules_beside` says of the two
    """
    if not found.same_but_ids:
        return _unlike(found)
    around = [rule.name for rule in rules if rule.tells and not rule.same]
    if "specials" in around:  # their ids and their number follow from that
        around = [name for name in around if name not in (*ID_RULES, "vocabulary size")]
    ids = _ids(found, around)
    others = [name for name in around if name not in ID_RULES]
    if ids:
        rest = f"; around the tables, {_differ(others)}" if others else ""
        return f"Only ids differ: {ids}{rest}."
    if others:
        same = "tokens, merges and ids are the same"
        return f"The tables do not differ: {same}; around them, {_differ(others)}."
    return "Nothing differs."


def _ids(found: TableComparison, around: Sequence[str]) -> str:
    """How many ids are others; empty for none."""
    if found.ids_moved:
        have = "token has another" if found.ids_moved == 1 else "tokens have another"
        return f"{found.ids_moved:,} of {found.shared:,} {have} in B"
    if not found.ids_same:
        return "of tokens with the same bytes, others are used in B"
    return "those of specials are others in B" if set(around) & set(ID_RULES) else ""


def _differ(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"what differs is {names[0]}"
    return f"what differs is {', '.join(names[:-1])} and {names[-1]}"


def _unlike(found: TableComparison) -> str:
    if found.shared < len(found):
        return (
            f"{found.shared:,} of {len(found):,} tokens are in both, {found.only_a:,} only in A "
            f"and {found.only_b:,} only in B."
        )
    if found.first_difference is None:
        return "The merges are the same, and the tokens but for copies on several ids."
    return f"The tokens are the same; the merges differ from rank {found.first_difference.rank:,}."
