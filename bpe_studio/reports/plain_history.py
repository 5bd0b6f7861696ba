"""The history of a token as plain values of JSON: what ``explain --token --json`` prints."""

from __future__ import annotations

from typing import Any

from bpe_studio.analysis.history import History, Making, PieceUse
from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.reports.plain import Plain, plain_token


def plain_history(tokenizer: Tokenizer, history: History) -> Plain:
    """What is known of a token; `earned` is null where no corpus was read."""
    found: dict[str, Any] = {
        **plain_token(tokenizer, history.token),
        "base": history.base,
        "special": history.special,
        "merges": [_making(tokenizer, making) for making in history.makings],
        "ancestry": [_making(tokenizer, making) for making in history.ancestry],
        "made_alone": history.made_alone,
        "used_by": [_making(tokenizer, making) for making in history.next_makings],
        "used_by_count": history.next_total,
        "longer": [plain_token(tokenizer, token) for token in history.longer],
        "longer_count": history.longer_total,
        "earned": None,
    }
    if history.earned is not None:
        found["earned"] = {
            "pieces": history.earned_pieces,
            "applied": history.earned_applied,
            "hold_out": history.earned_hold_out,
            "in_training": history.earned_in_training,
            "most": [_use(use) for use in history.earned],
        }
    return found


def _making(tokenizer: Tokenizer, making: Making) -> Plain:
    return {
        "rank": making.rank,
        "left": plain_token(tokenizer, making.left),
        "right": plain_token(tokenizer, making.right),
        "result": plain_token(tokenizer, making.id),
        "pair_count": making.count,
        "applied": making.applied,
    }


def _use(use: PieceUse) -> Plain:
    return {
        "piece": readable(use.piece),
        "bytes": use.piece.hex(),
        "count": use.count,
        "applied": use.applied,
        "files": [{"file": name, "count": count} for name, count in use.files],
    }
