"""Why a span is not one token: the reasons that hold before any merge is looked at.

Each question answers with a Reason, or None where that is not why.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Final

from bpe_studio.analysis.building import missing_part, no_merge_sentence
from bpe_studio.analysis.later import not_led_to, not_yet
from bpe_studio.analysis.merging import Merging
from bpe_studio.analysis.naming import listed, opened, quoted
from bpe_studio.analysis.parts import Part
from bpe_studio.analysis.reason import Reason, reason_of
from bpe_studio.analysis.span import Span
from bpe_studio.bpe.decoder import readable

_MOST_LISTED: Final = 4
_MOST_POINTS: Final = 8


def one_token(span: Span) -> Reason | None:
    """1. It is one token here."""
    if len(span.tokens) != 1 or len(span.parts) != 1:
        return None
    token = span.tokens[0]
    if (token.text_start, token.text_end) != (span.start, span.end):
        return None
    what = "special" if span.tokenizer.is_special(token.id) else "token"
    ranks = span.table.ranks_of(token.id)
    if span.parts[0].unknown:
        made = f", which stands for {quoted(span.text)}, because the table cannot spell it"
    else:
        made = f", made by {span.merge(ranks[0])}" if len(ranks) == 1 else ""
    sentence = f"It is one {what} here: {span.name(token.id)}{made}.{_by_merges(span)}"
    own = ranks[0] if ranks else None
    return reason_of(span, "one-token", sentence, ids=(token.id,), own_rank=own)


def special(span: Span) -> Reason | None:
    """2. It overlaps a special."""
    parts = (part for part in span.parts if not part.unknown)
    found = next((part for part in parts if part.special is not None), None)
    if found is None or found.special is None:
        return None
    sentence = (
        f"{quoted(span.text)} overlaps the special {span.name(found.special)} at characters "
        f"{found.start:,} to {found.end:,}, and specials are matched before anything else."
    )
    return reason_of(span, "special", sentence, ids=(found.special,), offset=found.start)


def plain_special(span: Span) -> str:
    """Says so where the span spells a special which is no special here; else ""."""
    named = span.tokenizer.special_ids.get(span.text)
    if named is None or any(part.special is not None for part in span.parts):
        return ""
    return f" The special {span.name(named)} is read as plain text here."


def normalized(span: Span, then: Reason | None) -> Reason | None:
    """3. The tokenizer changes these characters before it cuts and merges, or leaves them out.

    Parameters
    ----------
    then : the reason that holds for what they become
    """
    if not span.changed:
        return None
    before, after = quoted(span.text), quoted(span.data)
    if not span.data:
        sentence = f"The tokenizer leaves out {before} before it merges."
        return reason_of(span, "normalized", sentence)
    if looks_same(span.text, span.data.decode()):
        before += f" ({code_points(span.text, span.data.decode())})"
        after += f" ({code_points(span.data.decode(), span.text)})"
    sentence = f"Before it merges, the tokenizer changes {before} into {after}."
    if then is None:
        return reason_of(span, "normalized", f"{sentence} {_shares(span)}")
    return replace(then, kind="normalized", sentence=f"{sentence} Of that: {then.sentence}")


def shared(span: Span) -> Reason:
    """3, where the bytes of the span are one token, but of more characters than it has.

    Of several spaces that a tokenizer makes one of, say, only some are in the span.
    """
    return reason_of(span, "normalized", _shares(span))


def _shares(span: Span) -> str:
    first, last = span.tokens[0], span.tokens[-1]
    names = listed([span.name(token.id) for token in span.tokens[:_MOST_LISTED]])
    stands = "stands" if len(span.tokens) == 1 else "stand"
    return (
        f"{opened(names)} {stands} for characters {first.text_start:,} to {last.text_end:,} here, "
        "of which the tokenizer changes some together before it merges; so no token stands for "
        f"{quoted(span.text)} alone."
    )


def looks_same(one: str, other: str) -> bool:
    """Whether people cannot tell two texts apart that differ."""
    return any(
        unicodedata.normalize(form, one) == unicodedata.normalize(form, other)
        for form in ("NFC", "NFKC")
    )


def code_points(text: str, other: str) -> str:
    """The code points of a text, of a longer one those in which it differs from another.

    >>> code_points("é", "e\\u0301"), code_points("low coast é", "low coast e\\u0301")
    ('U+00E9', '… U+00E9')
    """
    if len(text) <= _MOST_POINTS:
        return " ".join(f"U+{ord(char):04X}" for char in text)
    shorter = min(len(text), len(other))
    same = next((n for n in range(shorter) if text[n] != other[n]), shorter)
    rest = text[same:]
    back = next(
        (n for n in range(min(len(rest), shorter - same)) if rest[-1 - n] != other[-1 - n]), 0
    )
    shown = rest[: len(rest) - back][:_MOST_POINTS]
    points = " ".join(f"U+{ord(char):04X}" for char in shown)
    return f"{'… ' if same else ''}{points}{' …' if same + len(shown) < len(text) else ''}"


def pattern_cut(span: Span) -> Reason | None:
    """4. The pattern cuts inside it."""
    if len(span.parts) < 2:
        return None
    cuts = tuple(part.start for part in span.parts[1:])
    shown = [f"{cut:,}" for cut in cuts[:_MOST_LISTED]]
    if len(cuts) > _MOST_LISTED:
        shown.append(f"{len(cuts) - _MOST_LISTED:,} more")
    pieces = [_made_by(span, part) for part in span.parts[:_MOST_LISTED]]
    if len(span.parts) > _MOST_LISTED:
        pieces.append(f"{len(span.parts) - _MOST_LISTED:,} more")
    by_pattern = all(part.alternative is not None for part in span.parts[:_MOST_LISTED])
    sentence = (
        f"The {'pattern' if by_pattern else 'tokenizer'} cuts {quoted(span.text)} at "
        f"character{'s'[: len(cuts) > 1]} {listed(shown)}, and merges never cross a cut; the "
        f"pieces are {listed(pieces)}."
    )
    return reason_of(span, "pattern-cut", sentence, offset=cuts[0], cuts=cuts)


def _made_by(span: Span, part: Part) -> str:
    if part.unknown and part.special is not None:
        return f"{quoted(part.text)} (unknown here, {span.name(part.special)})"
    if part.alternative is None:
        return quoted(part.text)
    expression = span.tokenizer.pattern.alternatives[part.alternative]
    return f"{quoted(part.text)} (alternative {part.alternative + 1}, “{expression}”)"


def no_such_token(span: Span) -> Reason | None:
    """5. No token has these bytes."""
    if span.token is not None and not span.parts[0].unknown:
        return None
    data = span.wanted
    later = None if span.parts[0].unknown else not_yet(span.tokenizer, data)
    if later is not None:
        rank, sentence = later
        return reason_of(span, "no-such-token", sentence, own_rank=rank)
    shown = f" ({data.hex(' ').upper()})" if len(data) <= 16 else ""
    sentence = f"No token of this table has the bytes of {quoted(data)}{shown}."
    unknown = span.tokenizer.rules.unknown
    if unknown is not None and any(token.id == unknown.id for token in span.tokens):
        sentence += f" What the table cannot spell is {span.name(unknown.id)}."
    return reason_of(span, "no-such-token", sentence)


def whole_piece(span: Span) -> Reason | None:
    """5, for an engine that takes whole pieces first: this is only a part of one."""
    assert span.token is not None and span.merging is not None
    whole = span.merging.whole
    if whole is not None:
        sentence = (
            f"The engine takes a whole piece first: {span.name(whole)} is one token, so nothing "
            f"inside it was merged.{_by_merges(span)}"
        )
        return reason_of(span, "whole-piece", sentence, ids=(whole,))
    if span.tokenizer.engine == "merges":
        return None
    if missing_part(span.table, span.token, span.base) is None:
        return None
    built = not_led_to(span.tokenizer, span.token)
    built = built or f"{span.name(span.token)} cannot be built by merges."
    sentence = (
        f"{built} The engine takes it only as a whole piece, and here it is a part of the piece "
        f"{quoted(span.piece.data)}."
    )
    return reason_of(span, "whole-piece", sentence, ids=(span.token,))


def _by_merges(span: Span) -> str:
    """What an engine that only merges would make of a piece that this one takes whole."""
    merging: Merging | None = span.merging
    if merging is None or merging.whole is None or merging.ids.tolist() == [merging.whole]:
        return ""
    made = [
        f"“{readable(span.tokenizer.token_bytes(token))}”" for token in merging.ids[:6].tolist()
    ]
    if len(merging.ids) > len(made):
        made.append(f"{len(merging.ids) - len(made):,} more")
    return f" An engine of merges alone would give {listed(made)}."


def by_whole_pieces(span: Span) -> str:
    """What an engine that takes whole pieces first would do, where this one only merges."""
    is_whole = (span.byte_start, span.byte_end) == (0, len(span.piece.data))
    if span.tokenizer.engine != "merges" or not is_whole:
        return ""
    return " An engine that takes whole pieces first would make it one token."


def no_merge(span: Span) -> Reason | None:
    """5, for merges. The token is there, but no chain of merges leads to it."""
    assert span.token is not None
    missing = missing_part(span.table, span.token, span.base)
    if missing is None:
        return None
    sentence = not_led_to(span.tokenizer, span.token)
    sentence = sentence or no_merge_sentence(span.tokenizer, span.token, missing)
    sentence += by_whole_pieces(span)
    ids = tuple(dict.fromkeys((span.token, missing)))
    return reason_of(span, "no-merge", sentence, ids=ids)
