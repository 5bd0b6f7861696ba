"""A plain second opinion on analysis: slow, short, and obviously right.

It imports nothing of the program. A piece is a list of (start, end, id) intervals, a table is a
list of merges, and every question is answered by trying everything.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import regex


@dataclass(frozen=True)
class PlainTable:
    """Base symbols and merges as written down, and what follows from them.

    `edits` says what characters become before they are cut and merged, and `prefix` is put in
    front of a text. `word_end` is a mark that base symbols at the end of a piece have, and
    `unknown` the token of what has no symbol.
    """

    base: dict[int, bytes]
    merges: list[tuple[int, int, int]]
    expression: str = r"\s+|\S+"
    specials: dict[str, int] = field(default_factory=dict)
    whole_piece_first: bool = False
    extra: dict[int, bytes] = field(default_factory=dict)  # tokens that no merge makes
    edits: dict[str, str] = field(default_factory=dict)
    prefix: str = ""
    word_end: bytes = b""
    unknown: int | None = None

    @cached_property
    def known(self) -> dict[int, bytes]:
        """Every token by id."""
        known = {**self.base, **self.extra}
        while True:
            more = {
                new: known[left] + known[right]
                for left, right, new in self.merges
                if new not in known and left in known and right in known
            }
            if not more:
                return dict(sorted(known.items()))
            known |= more

    @cached_property
    def by_bytes(self) -> dict[bytes, int]:
        """Of equal tokens a base symbol, else the first."""
        found = {data: token for token, data in reversed(self.known.items())}
        return found | {data: token for token, data in self.base.items()}

    @cached_property
    def base_ids(self) -> dict[bytes, int]:
        return {data: token for token, data in reversed(self.base.items())}

    @cached_property
    def ranks(self) -> dict[tuple[int, int], int]:
        """Of equal merges the first."""
        return {(a, b): rank for rank, (a, b, _) in reversed(list(enumerate(self.merges)))}

    @cached_property
    def built(self) -> set[int]:
        """Every token to which some chain of merges leads from base symbols."""
        built = set(self.base)
        while more := {n for a, b, n in self.merges if a in built and b in built} - built:
            built |= more
        return built

    def bytes_of(self, token: int) -> bytes:
        return self.known[token]

    def tokens(self) -> dict[int, bytes]:
        return self.known

    def find(self, data: bytes) -> int | None:
        return self.by_bytes.get(data)

    def can_build(self, token: int) -> bool:
        return token in self.built


@dataclass(frozen=True)
class PlainStep:
    rank: int
    before: list[tuple[int, int, int]]  # (start, end, id) of every symbol
    joined: list[tuple[int, int, int]]  # (start, middle, end) of every place where it fired
    lost: list[int]  # ranks of the other pairs present


def first_symbols(table: PlainTable, data: bytes) -> list[tuple[int, int, int]]:
    """Characters where the base has them, bytes otherwise."""
    symbols = []
    position = 0
    base = table.base_ids
    while position < len(data):
        for width in (4, 3, 2, 1):
            part = data[position : position + width]
            mark = table.word_end if position + width == len(data) else b""
            token = base.get(part + mark)
            if len(part) == width and token is None and width == 1:
                token = table.unknown
            if len(part) == width and token is not None:
                symbols.append((position, position + width, token))
                position += width
                break
        else:
            raise AssertionError(f"no symbol for {data[position : position + 1]!r}")
    return symbols


def steps(table: PlainTable, data: bytes) -> Iterator[PlainStep]:
    """One pair at a time, the leftmost of lowest rank; what one merge joins in a row is a step."""
    yield from steps_of(table, first_symbols(table, data))


def steps_of(table: PlainTable, symbols: list[tuple[int, int, int]]) -> Iterator[PlainStep]:
    """As `steps`, of symbols that are there already."""
    step: PlainStep | None = None
    while present := _present(table, symbols):
        rank, at = min(present)
        if step is not None and step.rank != rank:
            yield step
            step = None
        if step is None:
            step = PlainStep(rank, symbols, [], sorted({r for r, _ in present} - {rank}))
        (start, middle, _), (_, end, _) = symbols[at : at + 2]
        step.joined.append((start, middle, end))
        symbols = [*symbols[:at], (start, end, table.merges[rank][2]), *symbols[at + 2 :]]
    if step is not None:
        yield step


def _present(table: PlainTable, symbols: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """(rank, place) of every pair that has a merge."""
    found = []
    for at, ((_, _, left), (_, _, right)) in enumerate(itertools.pairwise(symbols)):
        rank = table.ranks.get((left, right))
        found += [] if rank is None else [(rank, at)]
    return found


def encode_piece(table: PlainTable, data: bytes) -> list[tuple[int, int, int]]:
    if table.whole_piece_first and table.find(data) is not None:
        return [(0, len(data), table.find(data) or 0)]
    return merged(table, data)


def merged(table: PlainTable, data: bytes) -> list[tuple[int, int, int]]:
    """The symbols of a piece when all merges are done."""
    symbols = first_symbols(table, data)
    for step in steps(table, data):
        middles = {middle for _, middle, _ in step.joined}
        new = table.merges[step.rank][2]
        ends = {start: end for start, _, end in step.joined}
        symbols = [
            (start, ends.get(start, end), new if start in ends else token)
            for start, end, token in step.before
            if start not in middles
        ]
    return symbols


def ever(table: PlainTable, data: bytes) -> list[tuple[int, int, int]]:
    """Every symbol that comes to be on the way, each once."""
    symbols = first_symbols(table, data)
    for step in steps(table, data):
        symbols += [(start, end, table.merges[step.rank][2]) for start, _, end in step.joined]
    return symbols


@dataclass(frozen=True)
class PlainPart:
    start: int  # characters
    end: int
    text: str
    special: int | None = None
    alternative: int | None = None


def parts(
    table: PlainTable, text: str, allowed: tuple[str, ...] = (), alternatives: tuple[str, ...] = ()
) -> list[PlainPart]:
    """Specials leftmost and longest, then the matches of the pattern between them."""
    found: list[PlainPart] = []
    position = begin = 0
    while position <= len(text):
        names = [n for n in allowed if n and text.startswith(n, position)]
        if names or position == len(text):
            found += _pieces(table, text[begin:position], begin, alternatives)
        if names:
            name = max(names, key=len)
            end = position + len(name)
            found.append(PlainPart(position, end, name, table.specials[name]))
            position = begin = end
        else:
            position += 1
    return found


def _pieces(
    table: PlainTable, text: str, begin: int, alternatives: tuple[str, ...]
) -> list[PlainPart]:
    tried = alternatives or (table.expression,)
    expression = "|".join(f"(?P<alternative{n}>{a})" for n, a in enumerate(tried))
    found = []
    for match in regex.finditer(expression, text):
        which = next(n for n in range(len(tried)) if match[f"alternative{n}"] is not None)
        found.append(
            PlainPart(begin + match.start(), begin + match.end(), match.group(), None, which)
        )
    return found


def encode(
    table: PlainTable, text: str, allowed: tuple[str, ...] = ()
) -> list[tuple[int, int, int]]:
    """(start, end, id) of every token, in bytes of the text."""
    tokens = []
    for part in parts(table, text, allowed):
        begin = len(text[: part.start].encode())
        data = part.text.encode()
        if part.special is not None:
            tokens.append((begin, begin + len(data), part.special))
        else:
            tokens += [(begin + a, begin + b, t) for a, b, t in encode_piece(table, data)]
    return tokens


def used(table: PlainTable, pieces: dict[bytes, int]) -> tuple[Counter[int], Counter[int]]:
    """How often each token is in the result, and how often it came to be on the way."""
    final: Counter[int] = Counter()
    created: Counter[int] = Counter()
    for piece, count in pieces.items():
        whole = table.whole_piece_first and table.find(piece) is not None
        for _, _, token in encode_piece(table, piece):
            final[token] += count
        for _, _, token in encode_piece(table, piece) if whole else ever(table, piece):
            created[token] += count
    return final, created


@dataclass
class PlainUse:
    """What documents do with tokens; `largest` is (uses, -document, offset of the first use)."""

    final: Counter[int] = field(default_factory=Counter)
    created: Counter[int] = field(default_factory=Counter)
    documents: Counter[int] = field(default_factory=Counter)
    largest: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    tokens: int = 0


def corpus_use(table: PlainTable, documents: list[str], allowed: tuple[str, ...] = ()) -> PlainUse:
    """Encode one document after another and count; specials are only among all tokens."""
    use = PlainUse()
    special = set(table.specials.values())
    for document, text in enumerate(documents):
        encoded = encode(table, text, allowed)
        use.tokens += len(encoded)
        here = Counter(token for _, _, token in encoded if token not in special)
        firsts = {token: start for start, _, token in reversed(encoded)}
        for token, uses in here.items():
            use.final[token] += uses
            use.documents[token] += 1
            largest = (uses, -document, firsts[token])
            use.largest[token] = max(use.largest.get(token, largest), largest)
        for part in parts(table, text, allowed):
            if part.special is None:
                made = ever(table, part.text.encode())
                use.created.update(token for _, _, token in made)
    return use


def parts_taken(table: PlainTable, pieces: dict[bytes, int]) -> Iterator[tuple[int, int, int, int]]:
    """(rank, part, count of the pair, count of the part before) as each merge of a training finds
    them; merges are applied in order to all pieces.
    """
    words = {p: [token for _, _, token in first_symbols(table, p)] for p in pieces}
    for rank, (left, right, new) in enumerate(table.merges):
        before: Counter[int] = Counter()
        pairs = 0
        for piece, symbols in words.items():
            pairs += pieces[piece] * list(itertools.pairwise(symbols)).count((left, right))
            for symbol in symbols:
                before[symbol] += pieces[piece]
            at = 0
            while at < len(symbols) - 1:
                if symbols[at : at + 2] == [left, right]:
                    symbols[at : at + 2] = [new]
                at += 1
        for part in sorted({left, right}):
            yield rank, part, pairs, before[part]


def produced(
    table: PlainTable, alphabet: str, longest: int, allowed: tuple[str, ...] = ()
) -> dict[int, str]:
    """Every token that some text over an alphabet gives, with the first such text."""
    found: dict[int, str] = {}
    for length in range(1, longest + 1):
        for letters in itertools.product(alphabet, repeat=length):
            text = "".join(letters)
            for _, _, token in encode(table, text, allowed):
                found.setdefault(token, text)
    return found


def classes(text: str, ends_a: set[int], ends_b: set[int]) -> list[tuple[int, int, str]]:
    """The text cut where both tokenizers cut between characters, each part with its class.

    `ends_a` and `ends_b` are byte offsets at which a token ends.
    """
    offsets = [len(text[:n].encode()) for n in range(len(text) + 1)]
    both = [0, *(n for n in range(1, len(text) + 1) if offsets[n] in ends_a & ends_b)]
    found = []
    for start, end in itertools.pairwise(both):
        inner_a = {o for o in ends_a if offsets[start] < o < offsets[end]}
        inner_b = {o for o in ends_b if offsets[start] < o < offsets[end]}
        if inner_a == inner_b:
            kind = "same"
        elif inner_b < inner_a:
            kind = "a-splits"
        elif inner_a < inner_b:
            kind = "b-splits"
        else:
            kind = "different-cuts"
        found.append((start, end, kind))
    return found


def without_text(table: PlainTable, alphabet: str, longest: int) -> set[int]:
    """The tokens over an alphabet, no longer than that, that no text of such a length gives."""
    given = set(produced(table, alphabet, longest))
    asked = {
        token
        for token, data in table.tokens().items()
        if token not in table.base
        and len(text := data.decode("utf-8", "replace")) <= longest
        and set(text) <= set(alphabet)
    }
    return asked - given
