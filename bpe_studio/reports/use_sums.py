"""Do the numbers of a saved use of a corpus agree with each other?

No corpus gives some combinations: fewer tokens than uses, a document with more uses than there are.
Such a file was damaged or edited, and figures made of it would be wrong without a sign of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from bpe_studio.analysis.corpus_use import CorpusUse
from bpe_studio.bpe.token_counting import MOST_FAILURES
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.strict.json import Node

__all__ = ["check_sums"]

_LONGEST_CHARACTER: Final = 4  # bytes of UTF-8


def check_sums(root: Node, use: CorpusUse, tokenizer: Tokenizer) -> None:
    """Refuses totals and columns of a file that no corpus gives together.

    Raises
    ------
    ValueError
        One sentence with the first pair of numbers that does not fit.
    """
    for sentence in _contradictions(use, tokenizer):
        root.fail(f"its numbers do not fit together: {sentence}; encode the corpus again")


def _contradictions(use: CorpusUse, tokenizer: Tokenizer) -> Iterator[str]:
    uses = sum(use.final.tolist())  # of Python: the numbers of a damaged file may be huge
    yield from _of_totals(use, uses, has_specials=bool(tokenizer.special_ids))
    yield from _of_tokens(use)
    scripts = sum(one.tokens for one in use.scripts)
    if scripts != uses:
        yield f"the scripts have {scripts:,} tokens, and the uses of all tokens are {uses:,}"
    for special in use.specials:
        files = sum(count for _, count in special.files)
        if not special.documents <= min(special.count, use.document_count):
            spelled = f"{special.count:,} times"
            yield f"a special is in {special.documents:,} documents, spelled {spelled}"
        if files > special.count:
            yield f"files have a special {files:,} times, and all of them {special.count:,} times"
    named = list(use.failures)
    if use.failure_count > use.document_count or len(named) != min(
        use.failure_count, MOST_FAILURES
    ):
        yield f"{len(named):,} of {use.failure_count:,} documents with a failure are named"
    if named != sorted(set(named)) or (named and named[-1] >= use.document_count):
        yield f"failures are in documents that the {use.document_count:,} have not"


def _of_totals(use: CorpusUse, uses: int, *, has_specials: bool) -> Iterator[str]:
    cut = use.tokens - uses  # specials, each of which takes a byte at least
    if cut < 0 or cut > (use.bytes if has_specials else 0):
        yield f"the corpus has {use.tokens:,} tokens, and the uses of all tokens are {uses:,}"
    if not use.characters <= use.bytes <= _LONGEST_CHARACTER * use.characters:
        yield f"{use.characters:,} characters cannot be {use.bytes:,} bytes"


def _of_tokens(use: CorpusUse) -> Iterator[str]:
    """Of each token: what it was made, used, and used in one document and in all of them."""
    final, largest, documents = use.final, use.largest, use.documents
    # The other documents that have it have one use at least, and no more than the largest.
    others = final - largest
    fewest = np.where(largest > 0, -(-others // np.maximum(largest, 1)), 0)
    for wrong, what, column in (
        (use.created < final, "times made", use.created),
        (documents - (documents > 0) > others, "documents", documents),
        (documents - (documents > 0) < fewest, "documents", documents),
        (use.offsets > use.bytes, "bytes before it", use.offsets),
    ):
        if wrong.any():
            place = int(np.argmax(wrong))
            yield (
                f"token {int(use.ids[place]):,} has {int(final[place]):,} uses "
                f"({int(largest[place]):,} in one document), and {int(column[place]):,} {what}"
            )
