"""How evenly a table uses its vocabulary: the Rényi efficiency of token frequencies."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["ALPHA", "renyi_efficiency"]

ALPHA: Final = 2.5
"""The order that predicted translation quality best in the paper."""


def renyi_efficiency(uses: NDArray[np.int64], vocab_size: int, alpha: float = ALPHA) -> float:
    """H(alpha) of the tokens' shares over the largest it could be, log(vocab_size); 0 to 1.

    ``H(a) = log(sum p^a) / (1 - a)``. Zouhar et al. 2023, arXiv 2306.16842. NaN without tokens, and
    for a vocabulary of one.
    """
    total = int(uses.sum())
    if not total or vocab_size < 2:
        return math.nan
    shares = uses[uses > 0] / total
    entropy = math.log(float(np.sum(shares**alpha))) / (1 - alpha)
    return max(entropy, 0.0) / math.log(vocab_size)
