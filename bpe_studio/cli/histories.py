"""A token that was asked for by its id or its text → its history."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_studio.analysis.history import History
    from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["find_history"]


def find_history(
    tokenizer: Tokenizer, token: str | None, text: str | None, corpus: Sequence[str]
) -> History:
    """The history of a token that is named by its id or text, or by its text only.

    Raises
    ------
    ValueError, OSError
        In one sentence.
    """
    from bpe_studio.analysis.history import history

    number = _find_token(tokenizer, token) if token is not None else _named(tokenizer, text or "")
    if not corpus:
        return history(tokenizer, number)
    from bpe_studio.analysis.earned import check_askable, iter_earned
    from bpe_studio.bpe.corpus import CorpusReport
    from bpe_studio.cli.documents import open_corpus
    from bpe_studio.cli.progress import Progress
    from bpe_studio.cli.run import complain

    check_askable(tokenizer)
    report = CorpusReport()
    with open_corpus(corpus) as files, Progress() as progress:
        steps = iter_earned(tokenizer, number, files, report=report)
        while True:
            try:
                step = next(steps)
            except StopIteration as stop:
                found: History = stop.value
                break
            unit = "pieces" if step.phase == "merging" else "bytes"
            progress.phase(step.phase.capitalize(), total=step.total, unit=unit)
            progress.update(step.done)
    for problem in report.problems:
        complain(f"{problem.label}: {problem.message}")
    return found


def _find_token(tokenizer: Tokenizer, token: str) -> int:
    """The token of an id or of its text."""
    if not re.fullmatch("[0-9]{1,10}", token):
        return _named(tokenizer, token)
    from bpe_studio.cli.run import complain

    number, spelled = int(token), tokenizer.table.find(token.encode())
    if spelled is not None and spelled != number:
        complain(f"the token “{token}” is id {spelled}; --token-text {token} tells of it.")
    tokenizer.token_bytes(number)
    return number


def _named(tokenizer: Tokenizer, token: str) -> int:
    """The token of a text, where ␠ and ⟨E2 82⟩ may stand for what they show."""
    from bpe_studio.analysis.row_filter import plain

    special = tokenizer.special_ids.get(token)
    for data in (token.encode("utf-8", "surrogateescape"), plain(token)):
        found = tokenizer.table.find(data) if special is None else special
        if found is not None:
            return found
    raise ValueError(
        f"the table has no token {token!r}; --token takes an id or the whole text of a token, "
        "with its space in front."
    )
