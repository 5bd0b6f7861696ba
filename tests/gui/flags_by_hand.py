"""Findings that a test makes, as if Health had looked."""

from __future__ import annotations

from bpe_studio.analysis.flags import flag
from bpe_studio.analysis.health import HealthReport
from bpe_studio.analysis.looks import Partial
from bpe_studio.gui.state.findings import Findings
from bpe_studio.gui.state.open_tables import OpenTable


def found_in(table: OpenTable, *kinds: str) -> Findings:
    """A finding of each kind: the first in the token of the merge 0, and so on."""
    ids = table.tokenizer.table.merges[:, 2].tolist()
    flags = tuple(flag(ids[place], kind, "So.") for place, kind in enumerate(kinds))
    return Findings(HealthReport(flags, {}, len(ids), Partial(), trained_here=False))
