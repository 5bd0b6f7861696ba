"""What Health says above its table."""

from __future__ import annotations

from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.models.numbers import grouped

LEAST_USES = 100
"""Of a token on average; a corpus that has fewer is too small to call tokens absent or rare."""


def share(part: int, whole: int) -> str:
    """A share in percent, with so many digits that a few of many tokens are not nothing.

    >>> share(1, 4), share(3, 100_000), share(0, 10), share(7, 7)
    ('25 %', '0.003 %', '0 %', '100 %')
    """
    value = 100 * part / whole if whole else 0.0
    if value == int(value) or value >= 10:
        return f"{value:.0f} %"
    return f"{value:.1f} %" if value >= 0.1 else f"{value:.1g} %"


def figures(found: Checked) -> str:
    """Return the line of figures: flags, use, and whether the self-test holds."""
    report, count = found.report, found.rows.flagged
    flagged = f"{grouped(count)} of {grouped(report.tokens)} tokens flagged"
    parts = [f"{flagged} ({share(count, report.tokens)})"]
    if report.used is not None:
        used = share(report.used, report.tokens)
        parts.append(f"{grouped(report.used)} in use ({used})")
    if report.self_test is not None:
        parts.append("self-test holds" if report.self_test else "self-test fails")
    return "  ·  ".join(parts)


def remarks(found: Checked) -> str:
    """Return what the figures mean: the self-test, the corpus, what was not looked for."""
    report, parts = found.report, []
    if report.self_test is False:
        parts.append("A table trained here should have no unreachable and no duplicate token.")
    use = found.use
    if use is not None:
        documents = "document" if use.document_count == 1 else "documents"
        parts.append(
            f"Checked on {found.source.title}: {grouped(use.document_count)} {documents}, "
            f"{grouped(use.bytes)} bytes, {grouped(use.tokens)} tokens."
        )
        if 0 < use.tokens < LEAST_USES * report.tokens:
            parts.append(
                f"{grouped(use.tokens)} tokens of text are few for a table of "
                f"{grouped(report.tokens)}: absent and rare say little."
            )
    else:
        parts.append("Judged by the table alone.")
    parts += report.integrity.sentences
    if report.unchecked:
        parts.append(f"What no text produces was not looked for. {report.unchecked}")
    return " ".join(parts)
