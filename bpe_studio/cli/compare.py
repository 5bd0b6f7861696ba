"""`bpe-studio compare`: two tables, and a text under both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bpe_studio.cli.arguments import TablePattern, TextKey

if TYPE_CHECKING:
    from bpe_studio.analysis.compare import FirstDifference, TableComparison
    from bpe_studio.bpe.tokenizer import Tokenizer

_MOST_SHOWN = 10
_MOST_SPECIALS = 12


def command(
    a: Annotated[str, typer.Argument(metavar="A", help="A tokenizer.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    text: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH...", help="Texts to cut with both; - is standard input."),
    ] = None,
    text_key: TextKey = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Every token and every difference, as JSON.")
    ] = False,
    pattern: TablePattern = None,
) -> None:
    """Set two tables side by side.

    What it finds does not change the exit status.
    """
    from bpe_studio.analysis.compare import compare_tables
    from bpe_studio.cli.tables import compile_kernels, open_table

    if text_key is not None and not text:
        raise typer.BadParameter("--text-key goes with --text")
    tokenizer_a, tokenizer_b = open_table(a, pattern), open_table(b, pattern)
    tables = compare_tables(tokenizer_a, tokenizer_b)
    texts = None
    if text:
        for name, tokenizer in ((a, tokenizer_a), (b, tokenizer_b)):
            if tokenizer.view_only:
                if not as_json:
                    _print_tables((a, b), (tokenizer_a, tokenizer_b), tables)
                raise ValueError(f"{name}: the text is not compared. {tokenizer.view_only}")
        compile_kernels()
        texts = _compare_texts(tokenizer_a, tokenizer_b, text, text_key)
    if as_json:
        _print_json((a, b), tables, texts)
    else:
        _print_tables((a, b), (tokenizer_a, tokenizer_b), tables)
        if texts is not None:
            _print_texts(texts)


@dataclass(slots=True)
class _Texts:
    """The documents under both tables, added up; `examples` are the first that differ."""

    documents: int = 0
    characters: int = 0
    bytes: int = 0
    tokens_a: int = 0
    tokens_b: int = 0
    differences: dict[str, int] = field(default_factory=dict)
    spans: list[dict[str, Any]] = field(default_factory=list)


def _compare_texts(
    a: Tokenizer, b: Tokenizer, names: Iterable[str], text_key: str | None
) -> _Texts:
    from bpe_studio.analysis.compare import compare_text
    from bpe_studio.cli.documents import read_documents

    texts = _Texts()
    for text in read_documents(names, text_key=text_key):
        found = compare_text(a, b, text)
        texts.characters += found.characters
        texts.bytes += found.bytes
        texts.tokens_a += found.tokens_a
        texts.tokens_b += found.tokens_b
        for kind, count in found.counts.items():
            texts.differences[kind] = texts.differences.get(kind, 0) + count
        for span in found.differences:
            shown = text[span.start : span.end]
            place = {"document": texts.documents, "start": span.start, "end": span.end}
            tokens = {"tokens_a": span.tokens_a, "tokens_b": span.tokens_b}
            texts.spans.append({**place, "kind": span.kind, "text": shown, **tokens})
        texts.documents += 1
    return texts


def _print_json(names: tuple[str, str], tables: TableComparison, texts: _Texts | None) -> None:
    from bpe_studio.cli.output import print_json

    first = tables.first_difference
    print_json(
        {
            "a": names[0],
            "b": names[1],
            **_counts(tables),
            "same": tables.same,
            "first_difference": first and {"rank": first.rank, "a": first.a, "b": first.b},
            "specials_shared": tables.specials_shared,
            "specials_only_a": tables.specials_only_a,
            "specials_only_b": tables.specials_only_b,
            "tokens": list(_token_objects(tables)),
            **({"text": texts} if texts is not None else {}),
        }
    )


def _counts(tables: TableComparison) -> dict[str, Any]:
    return {
        "shared": tables.shared,
        "only_a": tables.only_a,
        "only_b": tables.only_b,
        "jaccard": tables.jaccard,
        "ids_moved": tables.ids_moved,
        "ranks_moved": tables.ranks_moved,
    }


def _token_objects(tables: TableComparison) -> Iterator[dict[str, Any]]:
    """Null, not -1, for an id or a rank that is not there."""
    columns = (tables.id_a, tables.id_b, tables.rank_a, tables.rank_b)
    for data, *numbers in zip(tables.data, *(column.tolist() for column in columns), strict=True):
        values = (None if number < 0 else number for number in numbers)
        keys = ("id_a", "id_b", "rank_a", "rank_b")
        yield {"bytes": data, **dict(zip(keys, values, strict=True))}


def _print_tables(
    names: tuple[str, str], tokenizers: tuple[Tokenizer, Tokenizer], tables: TableComparison
) -> None:
    from bpe_studio.cli.output import counted, print_rows, shown, write_out

    rows = [("", "name", "ids", "merges", "pattern", "base")]
    for letter, name, tokenizer in zip("AB", names, tokenizers, strict=True):
        sizes = (f"{tokenizer.vocab_size:,}", f"{len(tokenizer.table.merges):,}")
        rows.append((letter, name, *sizes, tokenizer.pattern.name, tokenizer.base))
    print_rows(rows, right="  >>", indent=0)
    write_out(
        f"\n{counted(tables.shared, 'token')} shared ({100 * tables.jaccard:.1f} % of all), "
        f"{tables.only_a:,} only in A, {tables.only_b:,} only in B\n"
        f"{tables.ids_moved:,} of those shared with another id in B, "
        f"{tables.ranks_moved:,} with another rank\n"
    )
    for letter, names_only in (("A", tables.specials_only_a), ("B", tables.specials_only_b)):
        if names_only:
            more = len(names_only) - _MOST_SPECIALS
            rest = f", and {more:,} more (--json lists all)" if more > 0 else ""
            some = ", ".join(names_only[:_MOST_SPECIALS])
            write_out(f"specials only in {letter}: {shown(some)}{rest}\n")
    write_out(_difference_words(tables.first_difference) + "\n")
    for letter, ids, others in (
        ("A", tables.id_a, tables.id_b),
        ("B", tables.id_b, tables.id_a),
    ):
        _print_only(letter, tables, ids, others)


def _difference_words(first: FirstDifference | None) -> str:
    if first is None:
        return "the merges are the same"

    def words(parts: tuple[bytes, bytes] | None) -> str:
        return "has no more merges" if parts is None else f"merges {_merge(parts)}"

    return f"the merges part at rank {first.rank:,}: A {words(first.a)}, B {words(first.b)}"


def _print_only(letter: str, tables: TableComparison, ids: Any, others: Any) -> None:
    from bpe_studio.cli.output import counted, print_rows, write_out

    rows = ((others < 0) & (ids >= 0)).nonzero()[0]
    if not len(rows):
        return
    more = "; the first of them" if len(rows) > _MOST_SHOWN else ""
    write_out(f"\nonly in {letter}: {counted(len(rows), 'token')}{more}\n")
    print_rows([(ids[row], _token(tables.data[row])) for row in rows[:_MOST_SHOWN]], right=">")


def _print_texts(texts: _Texts) -> None:
    from bpe_studio.cli.output import counted, print_rows, write_out

    sizes = (counted(texts.documents, "document"), counted(texts.characters, "character"))
    write_out(f"\n{', '.join(sizes)}\n")
    rows = [("", "tokens", "characters per token")]
    for letter, tokens in (("A", texts.tokens_a), ("B", texts.tokens_b)):
        ratio = f"{texts.characters / tokens:.3f}" if tokens else "none"
        rows.append((letter, f"{tokens:,}", ratio))
    print_rows(rows, right=" >>")
    if not texts.spans:
        write_out("both cut it in the same places\n")
        return
    counts = ", ".join(f"{count:,} {kind}" for kind, count in texts.differences.items() if count)
    write_out(f"cut differently: {counts}; the first of them\n")
    print_rows(
        [
            (
                f"document {span['document'] + 1:,}, {span['start']:,}–{span['end']:,}",
                span["kind"],
                f"{span['tokens_a']} : {span['tokens_b']}",
                _token(span["text"][:60]),
            )
            for span in texts.spans[:_MOST_SHOWN]
        ]
    )


def _merge(parts: tuple[bytes, bytes]) -> str:
    return f"{_token(parts[0])} + {_token(parts[1])}"


def _token(data: bytes | str) -> str:
    from bpe_studio.bpe.decoder import readable

    return readable(data if isinstance(data, bytes) else data.encode())
