"""The embeddings of a model in `bpe-studio health`: options, progress, and what is printed."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

if TYPE_CHECKING:
    from bpe_studio.analysis.embedding_passes import EmbeddingProgress
    from bpe_studio.analysis.health import HealthReport
    from bpe_studio.analysis.undertrained import UnderTrained
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.cli.progress import Progress

__all__ = [
    "Asked",
    "EmbeddingsFile",
    "InputName",
    "OutputName",
    "ReferenceRows",
    "print_embeddings",
]

_MOST_SHOWN: Final = 8
_LONGEST_TOKEN: Final = 28
_SHOWN: Final = ("input-norm", "output-cosine")  # of five indicators; a report holds all

EmbeddingsFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Judge tokens by the embeddings of a model: safetensors, or the index of its shards.",
    ),
]
InputName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The tensor of the input, where it has no usual name."),
]
OutputName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="That of the output; the same name says they are tied."),
]
ReferenceRows = Annotated[
    str | None,
    typer.Option(
        metavar="IDS",
        help="Rows of tokens that no text has, such as 5,128000-128255, instead of those found.",
    ),
]


class Asked(NamedTuple):
    """What the options say of embeddings."""

    embeddings: Path | None
    input_embeddings: str | None
    output_embeddings: str | None
    reference: str | None

    def check(self) -> None:
        """Refuses what says something of embeddings where there are none."""
        for name, value in self._asdict().items():
            if self.embeddings is None and value is not None:
                raise typer.BadParameter(f"--{name.replace('_', '-')} goes with --embeddings")

    def judge(self, tokenizer: Tokenizer, progress: Progress) -> UnderTrained | None:
        """What the embeddings say; None without a file. Raises as `judge_embeddings` does."""
        if self.embeddings is None:
            return None
        from bpe_studio.bpe.generators import result_of, retold
        from bpe_studio.embeddings import judge_embeddings

        steps = judge_embeddings(
            tokenizer,
            self.embeddings,
            input_name=self.input_embeddings,
            output_name=self.output_embeddings,
            reference=self.reference,
        )

        def tell(step: EmbeddingProgress) -> None:
            progress.phase(step.phase, total=step.total, unit=step.unit)
            progress.update(step.done)

        return result_of(retold(steps, tell))


def print_embeddings(tokenizer: Tokenizer, report: HealthReport) -> None:
    """Which matrices, compared with what, how far to believe them, and the first candidates."""
    from bpe_studio.analysis.candidate_sorts import candidate_sorts
    from bpe_studio.analysis.undertrained_words import reference_words
    from bpe_studio.bpe.decoder import readable
    from bpe_studio.cli.output import print_rows, shown, write_out
    from bpe_studio.reports.words import cut

    found = report.undertrained
    if found is None:
        return
    write_out("\nIn the embeddings\n")
    for sentence in (_matrices(found), reference_words(found), shown(found.confidence)):
        write_out(textwrap.fill(sentence, 100, initial_indent="  ", subsequent_indent="  ") + "\n")
    if not len(found.candidates):
        return
    write_out("\nCandidates for under-trained tokens\n")
    told = [indicator for indicator in found.indicators if indicator.name in _SHOWN]
    ids = found.candidates[:_MOST_SHOWN].tolist()
    sorts = candidate_sorts(tokenizer, ids, report.flags)
    rows: list[tuple[object, ...]] = [
        ("id", "token", "agree", *(indicator.title for indicator in told), "also")
    ]
    for token, votes, sort in zip(ids, found.votes.tolist(), sorts, strict=False):
        place = found.index(token)
        assert place is not None
        values = [f"{indicator.values[place]:.3g}" for indicator in told]
        name = cut(readable(tokenizer.token_bytes(token)), _LONGEST_TOKEN)
        rows.append((token, name, f"{votes} of {len(found.indicators)}", *values, sort))
    print_rows(rows, right="> >>>"[: 3 + len(told)])
    more = len(found.candidates) - len(ids)
    if more > 0:
        write_out(f"  and {more:,} more (a report, -o or --json, lists them with all indicators)\n")


def _matrices(found: UnderTrained) -> str:
    """``wte.weight, tied (one matrix is input and output), BF16, 50,257 × 768``"""
    from bpe_studio.cli.output import shown

    size = f"{found.dtype}, {found.rows:,} × {found.columns:,}"
    if found.tied:
        return f"{shown(found.input_name)}, tied (input and output are one), {size}"
    return f"{shown(found.input_name)} and {shown(found.output_name)}, untied, {size}"
