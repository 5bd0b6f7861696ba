"""How tables compress a corpus at every vocabulary size, as a plot of a report."""

from __future__ import annotations

import numpy as np

from bpe_studio.analysis.naming import listed
from bpe_studio.reports.axes import Axis
from bpe_studio.reports.compare_colours import colour_of
from bpe_studio.reports.compare_subject import CompareSubject, letter
from bpe_studio.reports.page import Plot
from bpe_studio.reports.svg_lines import Line, line_chart, line_legend
from bpe_studio.reports.words import ratio, short

__all__ = ["curves_plot"]


def curves_plot(subject: CompareSubject) -> Plot | None:
    """A curve a table; None where no table has one."""
    lines = []
    for number in subject.encoding:
        figures = subject.figures(number)
        if figures is None or figures.curve is None or len(figures.curve) < 2:
            continue
        curve = figures.curve
        known = np.isfinite(curve.characters_per_token)
        known[: curve.exact_from] = False
        if known.any():
            name = f"{letter(number)}: {short(subject.names[number])}"
            sizes = curve.vocab_sizes[known].astype(np.float64)
            lines.append(Line(name, colour_of(number), sizes, curve.characters_per_token[known]))
    if not lines:
        return None
    axes = (
        Axis(
            "vocabulary size",
            float(min(line.x[0] for line in lines)),
            float(max(max(line.x[-1] for line in lines), 10 * min(line.x[0] for line in lines))),
            log=True,
        ),
        Axis("characters per token", 0.0, float(max(line.y.max() for line in lines)) or 1.0),
    )
    ends = [
        f"{line.title.partition(':')[0]} ends at {line.x[-1]:,.0f} ids with {ratio(line.y[-1])}"
        for line in lines
    ]
    title = "Characters per token at every vocabulary size"
    text = (
        f"{listed(ends)} characters per token. Where one line lies above another, that table packs "
        "more into a token at the same size."
    )
    picture = line_chart("plot-curves", title, text, axes, lines)
    return Plot(title, text, picture + line_legend(lines))
