"""`bpe-studio sizes`: what every vocabulary size of a table would give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from bpe_studio.cli.arguments import TablePattern, TextKey, whole_number

if TYPE_CHECKING:
    from bpe_studio.analysis.compression import Curve
    from bpe_studio.analysis.sizing import ModelShape
    from bpe_studio.analysis.token_uses import TokenUses
    from bpe_studio.bpe.patterns import Pattern
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.words import WordCounts
    from bpe_studio.cli.size_tables import FoundSizes


def command(
    table: Annotated[str, typer.Option("-t", "--table", metavar="TABLE", help="The tokenizer.")],
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT|-", help="A text to encode; - is standard input."),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            metavar="FILE|-",
            help="A file of documents to encode; what spells a special is plain text there.",
        ),
    ] = None,
    text_key: TextKey = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="N,N...", help="Vocabulary sizes; a dozen that are well spaced."),
    ] = None,
    width: Annotated[
        int, typer.Option(metavar="D", parser=whole_number, help="Width of the model.")
    ] = 4096,
    tied: Annotated[
        bool,
        typer.Option("--tied/--untied", help="Whether input and output share their embedding."),
    ] = False,
    context: Annotated[
        int, typer.Option(metavar="N", parser=whole_number, help="Tokens that the model reads.")
    ] = 8192,
    rare: Annotated[
        int,
        typer.Option(metavar="N", parser=whole_number, help="Count tokens used less often."),
    ] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
    pattern: TablePattern = None,
) -> None:
    """Compare the vocabulary sizes that the first merges of a table make.

    How a text is compressed at each, how what it was trained on, and what was held out; and what a
    model would have of it. Nothing is judged.
    """
    if text is not None and file is not None:
        raise typer.BadParameter("give either TEXT or --file")
    for option, number in (("--width", width), ("--context", context), ("--rare", rare)):
        if number < 1:
            raise typer.BadParameter(f"it must be 1 or more, not {number}", param_hint=option)
    wanted = _parse_sizes(at)
    from bpe_studio.analysis.sizing import ModelShape
    from bpe_studio.cli.output import print_json
    from bpe_studio.cli.tables import compile_kernels, open_table

    model = ModelShape(width=width, tied=tied, context=context)
    tokenizer = open_table(table, pattern)
    compile_kernels()
    encoded: _Encoded | None = None
    if file is not None or text == "-":
        encoded = _encode_file(tokenizer, file or "-", text_key)
    elif text is not None:
        encoded = _encode_text(tokenizer, text)
    if encoded is not None and not encoded.curve.tokens[0]:
        raise ValueError("the text is empty, so nothing can be measured on it.")
    found = _look(tokenizer, table, encoded, model, wanted, below=rare)
    if as_json:
        print_json({"table": table, **found.plain()})
    else:
        found.print()


def _look(
    tokenizer: Tokenizer,
    name: str,
    encoded: _Encoded | None,
    model: ModelShape,
    wanted: list[int] | None,
    *,
    below: int,
) -> FoundSizes:
    from bpe_studio.analysis.compression import curve, held_out_curve
    from bpe_studio.analysis.sizing import Measured, measured, sizing, spaced_sizes
    from bpe_studio.analysis.token_uses import rare_tokens, uses_in_training
    from bpe_studio.cli.size_tables import FoundSizes

    documents: Measured | None
    uses: TokenUses | None
    if encoded is not None:  # it was given on purpose
        documents, uses = Measured("text", encoded.curve, encoded.documents), encoded.uses
    else:
        documents, uses = measured(tokenizer), uses_in_training(tokenizer)
    if documents is None or uses is None:
        raise ValueError(
            f"{name} keeps no training record, so nothing is known of its sizes; give a TEXT or a "
            "--file to encode."
        )
    found = sizing(documents, model)
    curves = {
        "text": encoded and encoded.curve,
        "training": curve(tokenizer),
        "held-out": held_out_curve(tokenizer),
    }
    places = (
        spaced_sizes(found.vocab_sizes)
        if wanted is None
        else sorted({_merges_of(tokenizer, size, wanted) for size in wanted})
    )
    return FoundSizes(
        places=places,
        curves={name: known for name, known in curves.items() if known is not None},
        sizing=found,
        model=model,
        below=below,
        rare=rare_tokens(uses, below),
        rare_in="training" if encoded is None else "text",
        id_bound=tokenizer.id_bound,
    )


def _merges_of(tokenizer: Tokenizer, size: int, wanted: list[int]) -> int:
    from bpe_studio.analysis.compression import merges_of_size

    try:
        return merges_of_size(tokenizer, size)
    except ValueError as error:
        if len(wanted) == 1 or size >= 1000:
            raise
        raise ValueError(f"{error} Commas divide sizes: 8192 is one, 8,192 are two.") from None


class _Encoded(NamedTuple):
    """What was given to encode, at every size."""

    curve: Curve
    documents: int
    uses: TokenUses


def _encode_text(tokenizer: Tokenizer, text: str) -> _Encoded:
    from bpe_studio.analysis.compression import text_curve
    from bpe_studio.analysis.token_uses import uses_in_trace
    from bpe_studio.bpe.traced_text import trace_text

    traced = trace_text(tokenizer, text)
    return _Encoded(text_curve(traced, text), 1, uses_in_trace(traced.trace))


def _encode_file(tokenizer: Tokenizer, file: str, text_key: str | None) -> _Encoded:
    """Its distinct pieces, each once: a file may be larger than what can be traced as a text."""
    from bpe_studio.analysis.compression import words_curve
    from bpe_studio.analysis.token_uses import uses_in_trace
    from bpe_studio.analysis.usage import check_countable
    from bpe_studio.bpe.traced_text import check_traceable
    from bpe_studio.cli.documents import read_document

    check_traceable(tokenizer)
    if tokenizer.edits_text:
        # What is edited is edited as a whole.
        text = read_document(file, wanted="a tokenizer that edits texts", text_key=text_key)
        return _encode_text(tokenizer, text)
    check_countable(tokenizer)
    words = _count(file, tokenizer.pattern, text_key)
    trace = tokenizer.trace_pieces([words.piece(place) for place in range(len(words))])
    return _Encoded(
        words_curve(tokenizer, trace, words), words.documents, uses_in_trace(trace, words.counts)
    )


def _count(file: str, pattern: Pattern, text_key: str | None) -> WordCounts:
    from bpe_studio.bpe.counting import count_words
    from bpe_studio.cli.documents import open_strict_corpus, read_strictly
    from bpe_studio.cli.progress import Progress

    words = None
    with open_strict_corpus([file], text_key=text_key) as corpus, Progress() as progress:
        progress.phase("Counting", total=corpus.total_bytes, unit="bytes")
        for count in count_words(read_strictly(corpus), pattern):
            progress.update(count.bytes_read)
            words = count.words
    assert words is not None
    return words


def _parse_sizes(words: str | None) -> list[int] | None:
    if words is None:
        return None
    parts = [part.strip() for part in words.split(",")]
    try:
        if any(part[:1] == "0" and len(part) > 1 for part in parts):
            raise ValueError(
                f"{words[:40]!r}: write 1000 where 1,000 is meant; commas divide sizes"
            )
        return [whole_number(part) for part in parts]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--at") from None
