"""Values of JSON that several reports share."""

from __future__ import annotations

import math
from typing import Any

from bpe_studio.bpe.decoder import readable

__all__ = ["Plain", "number", "plain_token"]

Plain = dict[str, Any]


def number(value: float) -> float | None:
    """None for what is no number, which JSON does not have."""
    return value if math.isfinite(value) else None


def plain_token(data: bytes) -> Plain:
    """For people, and for programs: a token need not be text."""
    return {"token": readable(data), "bytes": data.hex()}
