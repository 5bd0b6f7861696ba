"""The parts of a corpus: kinds of files, scripts and files, with the tokens of each table."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_studio.analysis.corpus_comparison import CorpusComparison
from bpe_studio.analysis.parallel import Parallel

__all__ = ["CorpusPart", "file_parts", "kind_parts", "language_parts", "script_parts"]


@dataclass(frozen=True, slots=True)
class CorpusPart:
    """A part of a corpus; `tokens` has a number a table."""

    name: str
    characters: int
    tokens: tuple[int, ...]

    @property
    def lost(self) -> int:
        """How many tokens more B needs; negative where it needs fewer."""
        return self.tokens[1] - self.tokens[0]

    def per_token(self, table: int) -> float:
        """Characters per token; NaN without tokens."""
        tokens = self.tokens[table]
        return self.characters / tokens if tokens else float("nan")


def kind_parts(corpus: CorpusComparison) -> tuple[CorpusPart, ...]:
    """The kinds of files, that with most characters first."""
    return tuple(CorpusPart(kind.kind, kind.characters, kind.tokens) for kind in corpus.kinds())


def script_parts(corpus: CorpusComparison) -> tuple[CorpusPart, ...]:
    """The scripts, that with most characters first."""
    return tuple(
        CorpusPart(
            script.replace("_", " "),
            int(corpus.script_characters[place]),
            tuple(int(table.script_tokens[place]) for table in corpus.tables),
        )
        for place, script in enumerate(corpus.scripts)
        if corpus.script_characters[place]
    )


def file_parts(corpus: CorpusComparison) -> tuple[CorpusPart, ...]:
    """The files, that first for which B needs most tokens more."""
    parts = [
        CorpusPart(
            label,
            int(corpus.file_characters[place]),
            tuple(int(table.file_tokens[place]) for table in corpus.tables),
        )
        for place, label in enumerate(corpus.files)
    ]
    return tuple(sorted(parts, key=lambda part: -part.lost))


def language_parts(parallel: Parallel) -> tuple[CorpusPart, ...]:
    """The parallel files, the reference first."""
    return tuple(
        CorpusPart(label, characters, tuple(tokens))
        for label, characters, tokens in zip(
            parallel.files, parallel.characters.tolist(), parallel.tokens.T.tolist(), strict=True
        )
    )
