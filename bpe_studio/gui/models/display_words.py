"""What is to be said of how a text is shown."""

from __future__ import annotations

from bpe_studio.gui.models.display_breaks import LONG_LINE, why_broken
from bpe_studio.gui.models.long_document import MOST_CHARACTERS, MOST_LINES

TO_BE_READ = (
    f"A text of more than {MOST_CHARACTERS:,} characters or {MOST_LINES:,} lines is here to be "
    "read, not typed into."
)
STAND_INS = (
    "This text holds noncharacters (U+FDD2 to U+FDED) that the pane needs for itself. "
    "It cannot be typed into; what you select can be replaced by pasting, or deleted."
)
BROKEN = {
    "line": f"A line of more than {LONG_LINE:,} characters is shown in many.",
    "marks": "A line with more than a thousand accents on its letters is shown in many.",
    "controls": "A line of many control characters is shown in many.",
    "": "A line is shown in many.",
}


def of_broken(text: str) -> str:
    """A text of which a line is shown in many."""
    return (
        f"{BROKEN[why_broken(text)]} The text is encoded as it is. It cannot be typed into; "
        "paste over a selection, or delete it."
    )


def of_replaced(surrogates: int) -> str:
    """A text of which some characters had to be replaced; nothing where none had."""
    if not surrogates:
        return ""
    return f"{surrogates:,} lone surrogates, which UTF-8 cannot hold, were replaced by U+FFFD."
