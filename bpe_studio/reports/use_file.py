"""What a corpus does with the tokens of a table, saved beside it and read again.

One JSON file: a column a line, in the order of the table's ids, which are not repeated. It says of
which table it is, and is read for no other one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.corpus_use import CorpusUse, ScriptUse, SpelledSpecial
from bpe_studio.analysis.naming import listed
from bpe_studio.analysis.table_marks import PARTS, table_marks
from bpe_studio.analysis.thresholds import Thresholds
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.files import check_savable, open_regular, write_atomic
from bpe_studio.formats.strict.json import MAX_FILE_BYTES, Node, parse
from bpe_studio.reports.use_sums import check_sums

__all__ = ["SavedUse", "check_use_place", "read_use", "use_path", "write_use"]

_FORMAT: Final = "bpe-studio-use"
_HEAD: Final = f'{{ "format": "{_FORMAT}",'.encode()  # as `_lines` begins
_VERSION: Final = 1
_KIND: Final = "saved use of a corpus"
_KEYS: Final = (
    *("format", "version", "table", "corpus", "thresholds", "totals", "files", "row_jumps"),
    *("failures", "specials", "scripts", "uses"),
)
_TOTALS: Final = ("tokens", "characters", "bytes", "documents", "failures")
_COLUMNS: Final = ("final", "created", "documents", "largest", "largest_document", "offsets")
_MOST: Final = (1 << 63) - 1
_MOST_FILES: Final = 1 << 26


@dataclass(frozen=True, eq=False)
class SavedUse:
    """What is in such a file.

    Attributes
    ----------
    use : CorpusUse
    thresholds : Thresholds
        With which it was judged.
    table : str
        The name of the table.
    corpus : str
        The name of the corpus, as somebody gave it.
    fingerprint : str
        Of the corpus (`CorpusReport.fingerprint`); empty where it is not known.
    """

    use: CorpusUse
    thresholds: Thresholds = field(default_factory=Thresholds)
    table: str = ""
    corpus: str = ""
    fingerprint: str = ""


def use_path(table: Path) -> Path:
    """The place beside a table.

    >>> use_path(Path("models/mine.json")).name
    'mine.use.json'
    """
    return table.with_name(f"{table.name.removesuffix('.json')}.use.json")


def check_use_place(path: str | Path) -> None:
    """Say that a saved use cannot go there: only an empty file or an earlier one is replaced.

    Raises
    ------
    ValueError, OSError
        A place that cannot be written to, or a file that is something else; one sentence.
    """
    check_savable(path)
    if Path(path).exists():
        with open_regular(path, follow_links=True) as file:
            head = file.read(len(_HEAD))
        # An empty file, such as mktemp makes, holds nothing to lose.
        if head and head != _HEAD:
            raise ValueError(f"{path} is there and is no {_KIND}; name another file.")


def write_use(path: str | Path, saved: SavedUse, tokenizer: Tokenizer) -> None:
    """Saves it, whole or not at all.

    Raises
    ------
    OSError
        It cannot be saved; one sentence that names the path.
    """
    write_atomic(path, _lines(saved, tokenizer))


def _lines(saved: SavedUse, tokenizer: Tokenizer) -> Iterator[bytes]:
    use = saved.use
    values: dict[str, Any] = {
        "format": _FORMAT,
        "version": _VERSION,
        "table": {"name": saved.table, **table_marks(tokenizer)},
        "corpus": {"name": saved.corpus, "fingerprint": saved.fingerprint},
        "thresholds": saved.thresholds.as_dict(),
        "totals": dict(zip(_TOTALS, _totals(use), strict=True)),
        "files": [
            [label, first, int(rows)]
            for label, first, rows in zip(
                use.files, use.first_documents.tolist(), use.has_rows.tolist(), strict=True
            )
        ],
        "row_jumps": use.row_jumps.tolist(),
        "failures": list(use.failures),
        "specials": [
            [one.name, one.id, one.count, one.documents, [list(file) for file in one.files]]
            for one in use.specials
        ],
        "scripts": [[one.script, one.tokens, one.characters] for one in use.scripts],
    }
    yield b"{"
    for name, value in values.items():
        yield f" {_json(name)}: {_json(value)},\n".encode()
    yield b' "uses": {\n'
    for number, name in enumerate(_COLUMNS):
        comma = "," if number < len(_COLUMNS) - 1 else ""
        yield f"  {_json(name)}: {_json(getattr(use, name).tolist())}{comma}\n".encode()
    yield b" }\n}\n"


def _totals(use: CorpusUse) -> tuple[int, ...]:
    return (use.tokens, use.characters, use.bytes, use.document_count, use.failure_count)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def read_use(path: str | Path, tokenizer: Tokenizer) -> SavedUse:
    """Reads it for the table that it is of.

    Raises
    ------
    OSError
        It cannot be read.
    ValueError
        It is no such file, or damaged, or of another table (and what differs); one sentence.
    """
    name = Path(path).name
    with open_regular(path, follow_links=True) as file:
        data = file.read(MAX_FILE_BYTES + 1)
    root = parse(data, name, kind=_KIND)
    if not isinstance(root.value, dict) or root.value.get("format") != _FORMAT:
        root.fail(f"it is no {_KIND}, which “bpe-studio health --save-use” writes")
    if root.value.get("version") != _VERSION:
        root.fail("it was saved by another version of this program; encode the corpus again")
    root.check_keys(_KEYS)
    table = root.member("table")
    _check_table(table, tokenizer)
    corpus = root.member("corpus")
    corpus.check_keys(("name", "fingerprint"))
    use = _use(root, tokenizer)
    check_sums(root, use, tokenizer)
    return SavedUse(
        use=use,
        thresholds=_thresholds(root.member("thresholds")),
        table=table.member("name").text(),
        corpus=corpus.member("name").text(),
        fingerprint=corpus.member("fingerprint").text(),
    )


def _check_table(node: Node, tokenizer: Tokenizer) -> None:
    node.check_keys(("name", *PARTS))
    marks = table_marks(tokenizer)
    differing = [part for part in PARTS if node.member(part).text() != marks[part]]
    if differing:
        which = node.member("name").text()
        raise ValueError(
            f"{node.source}: it is of another table{f' ({which})' if which else ''}: "
            f"{listed(differing)} differ; encode the corpus again with this one."
        )


def _thresholds(node: Node) -> Thresholds:
    if not isinstance(node.value, dict):
        node.fail_type("an object")
    try:
        return Thresholds.from_dict(node.value)
    except ValueError as error:
        raise ValueError(f"{node.source}: {error}") from None


def _use(root: Node, tokenizer: Tokenizer) -> CorpusUse:
    totals = root.member("totals")
    totals.check_keys(_TOTALS)
    tokens, characters, size, documents, failed = (
        totals.member(name).integer(largest=_MOST) for name in _TOTALS
    )
    labels, firsts, rows = _files(root.member("files"), documents)
    uses = root.member("uses")
    uses.check_keys(_COLUMNS)
    columns = {name: _column(uses.member(name), len(tokenizer.table)) for name in _COLUMNS}
    _check_columns(uses, columns, documents)
    jumps = root.member("row_jumps").integer_rows((2,), largest=_MOST, most=_MOST_FILES)
    return CorpusUse(
        ids=tokenizer.table.ids,
        **columns,
        tokens=tokens,
        characters=characters,
        bytes=size,
        document_count=documents,
        files=labels,
        first_documents=firsts,
        has_rows=rows,
        specials=tuple(_special(node) for node in root.member("specials").items()),
        row_jumps=np.array(jumps, dtype=np.int64).reshape(-1, 2),
        scripts=tuple(_script(node) for node in root.member("scripts").items()),
        failure_count=failed,
        failures=tuple(n.integer(largest=_MOST) for n in root.member("failures").items()),
    )


def _files(
    node: Node, documents: int
) -> tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.bool_]]:
    rows = [_row(item, 3) for item in node.items()]
    labels = tuple(label.text() for label, _, _ in rows)
    firsts = np.array([first.integer(largest=_MOST) for _, first, _ in rows], dtype=np.int64)
    has_rows = np.array([bool(flag.integer(largest=1)) for _, _, flag in rows], dtype=np.bool_)
    rising = not len(firsts) or (firsts[0] == 0 and bool((np.diff(firsts) > 0).all()))
    if not rising or (len(firsts) and firsts[-1] >= documents) or (documents and not len(firsts)):
        node.fail(f"do not hold the {documents:,} documents that the totals have")
    return labels, firsts, has_rows


def _column(node: Node, tokens: int) -> NDArray[np.int64]:
    values = node.value
    if not isinstance(values, list) or set(map(type, values)) - {int}:
        node.fail("must be a list of integers")
    if len(values) != tokens:
        node.fail(f"has {len(values):,} numbers, and the table {tokens:,} tokens")
    if values and not -1 <= min(values) <= max(values) <= _MOST:
        node.fail(f"must have numbers from -1 to {_MOST}")
    return np.array(values, dtype=np.int64)


def _check_columns(node: Node, columns: dict[str, NDArray[np.int64]], documents: int) -> None:
    """Numbers that no corpus has."""
    final, largest, document = columns["final"], columns["largest"], columns["largest_document"]
    used = final > 0
    wrong = (document >= documents) | (columns["documents"] > documents) | (largest > final)
    wrong |= (
        (used != (document >= 0)) | (used != (largest > 0)) | (used != (columns["documents"] > 0))
    )
    for name in ("final", "created", "documents", "largest", "offsets"):
        wrong |= columns[name] < 0
    if wrong.any():
        node.fail(
            f"has numbers that no corpus gives for token {int(np.argmax(wrong)):,} of the table"
        )


def _special(node: Node) -> SpelledSpecial:
    name, number, count, documents, files = _row(node, 5)
    return SpelledSpecial(
        name.text(),
        None if number.value is None else number.integer(largest=_MOST),
        count.integer(largest=_MOST),
        documents.integer(largest=_MOST),
        tuple(_counted_file(file) for file in files.items()),
    )


def _counted_file(node: Node) -> tuple[str, int]:
    label, count = _row(node, 2)
    return label.text(), count.integer(largest=_MOST)


def _script(node: Node) -> ScriptUse:
    script, tokens, characters = _row(node, 3)
    return ScriptUse(
        script.text(), tokens.integer(largest=_MOST), characters.integer(largest=_MOST)
    )


def _row(node: Node, width: int) -> list[Node]:
    items = list(node.items())
    if len(items) != width:
        node.fail(f"must have {width} values, not {len(items)}")
    return items
