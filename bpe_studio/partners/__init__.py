"""Partners for a comparison: the same corpus trained as WordPiece or Unigram, by `tokenizers`.

A partner is a tokenizer of another school at the same size: same documents, same pieces, same
specials, trained by the library in a process of its own, so that it can be ended at any moment and
cannot take the window along.

1. `training` reads and counts as for a table of our own, and asks a child process;
2. `learning`, there, hands the pieces to the library as often as they were counted;
3. `file` makes a `tokenizer.json` of what was learned, which cuts a text as the table does.
"""

from __future__ import annotations

from bpe_studio.partners.file import PartnerKind
from bpe_studio.partners.training import TITLES, Partner, PartnerProgress, train_partner

__all__ = ["TITLES", "Partner", "PartnerKind", "PartnerProgress", "train_partner"]
