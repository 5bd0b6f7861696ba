"""What Health says above its table."""

from __future__ import annotations

from bpe_studio.analysis.health import HealthReport
from bpe_studio.gui.models.numbers import grouped


def summary(report: HealthReport) -> str:
    """Return how many tokens have a flag."""
    one = report.flagged == 1
    return (
        f"{grouped(report.flagged)} {'token' if one else 'tokens'} of {grouped(report.tokens)} "
        f"{'has' if one else 'have'} a flag"
    )


def remarks(report: HealthReport) -> str:
    """Return whether the self-test holds, and what corpus the report knows."""
    parts = []
    if report.self_test is not None:
        parts.append(
            "The self-test holds: a table trained here has no unreachable and no duplicate token."
            if report.self_test
            else "The self-test fails: a table trained here should have no unreachable and no "
            "duplicate token."
        )
    if report.used is not None:
        parts.append(
            f"The training corpus uses {grouped(report.used)} of {grouped(report.tokens)} tokens "
            f"({100 * report.used / max(report.tokens, 1):.1f} %)."
        )
    else:
        parts.append("Judged by the table alone; the counted corpus of its training is not open.")
    if report.unchecked:
        parts.append(f"What no text produces was not looked for. {report.unchecked}")
    return " ".join(parts)
