"""Stories of short pieces that come again and again in a text: told once, and moved."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bpe_studio.analysis.parts import Part
from bpe_studio.analysis.story import PieceStory

__all__ = ["RepeatedStories"]

_LONGEST: Final = 32  # characters; a longer piece hardly comes twice
_MOST: Final = 20_000


class RepeatedStories:
    """What was told of the short pieces of one text that the tokenizer has not changed."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, int | None], PieceStory] = {}

    def find(self, part: Part) -> PieceStory | None:
        """The story of a piece with the same text, at the place of this one."""
        known = self._told.get((part.text, part.alternative)) if _is_plain(part) else None
        return None if known is None else _moved(known, part)

    def keep(self, part: Part, story: PieceStory) -> None:
        if _is_plain(part) and len(self._told) < _MOST:
            self._told[part.text, part.alternative] = story


def _is_plain(part: Part) -> bool:
    plain = part.special is None and part.edited is None and part.raw is None
    return plain and len(part.text) <= _LONGEST


def _moved(story: PieceStory, part: Part) -> PieceStory:
    """The same story of an equal piece that is elsewhere in the text."""
    characters = part.start - story.start
    data = part.byte_start - story.tokens[0].start
    return replace(
        story,
        start=part.start,
        end=part.end,
        window_start=story.window_start + characters,
        window_end=story.window_end + characters,
        tokens=tuple(
            replace(
                token,
                start=token.start + data,
                end=token.end + data,
                text_start=token.text_start + characters,
                text_end=token.text_end + characters,
            )
            for token in story.tokens
        ),
    )
