"""What is said above the plot of under-trained tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_studio.analysis.indicators import TITLES
from bpe_studio.analysis.undertrained_words import reference_words
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.analysis.undertrained import UnderTrained
    from bpe_studio.bpe.tokenizer import Tokenizer

HINTS = {
    "input-norm": "The length of a token's row in the input embedding; what is never trained "
    "stays or becomes short",
    "output-cosine": "1 − cosine of a token's output row and the mean of the reference rows",
    "output-cosine-centred": "The same once the mean of all rows is taken away",
    "output-cosine-without-pc": "The same once the first principal component is taken away",
    "output-distance": "The length of the difference of a token's output row and the mean of the "
    "reference rows",
}
AXES = {name: title[:1].upper() + title[1:] for name, title in TITLES.items()}


def matrices_words(found: UnderTrained) -> str:
    """``wte.weight, tied · BF16 · 50,257 × 768 · compared with 13 reference rows: 13 bytes …``"""
    names = found.input_name
    names += ", tied" if found.tied else f" and {found.output_name}, untied"
    size = f"{grouped(found.rows)} × {grouped(found.columns)}"
    return f"{names} · {found.dtype} · {size} · {reference_words(found)}"


def point_words(tokenizer: Tokenizer, found: UnderTrained, place: int, x: str, y: str) -> str:
    """``␠low · id 264 · input norm 0.31 · cosine distance 0.02``"""
    token = int(found.ids[place])
    values = [
        f"{TITLES[name]} {found.indicator(name).values[place]:.4g}"
        for name in dict.fromkeys((x, y))
    ]
    shown = shorten(readable(tokenizer.token_bytes(token)), 40)
    return " · ".join([shown, f"id {grouped(token)}", *values])
