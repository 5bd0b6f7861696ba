"""What a corpus does with the tokens: the vocabulary in use, specials in the data, scripts."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_studio.analysis.corpus_use import CorpusUse
from bpe_studio.analysis.naming import listed
from bpe_studio.reports.health_plots import uses_plot
from bpe_studio.reports.health_subject import HealthSubject
from bpe_studio.reports.health_summary import vocabulary_share
from bpe_studio.reports.page import Block, Column, Facts, Section, Table, Token, Words
from bpe_studio.reports.words import percent, plural, ratio, shown, whole

__all__ = ["corpus_facts", "corpus_section"]

_FEW_FILES = 5
_FEW_FAILURES = 10


def corpus_section(subject: HealthSubject) -> Iterator[Section]:
    """Nothing without a corpus."""
    use = subject.use
    if use is None:
        return
    share = percent(vocabulary_share(subject.report, use.used))
    blocks: list[Block] = [
        Words(f"{plural(use.used, 'token')} of {whole(len(use.ids))} are in use, {share}."),
        Facts(corpus_facts(subject)),
        *_failures(use),
        *_specials(use),
        *_scripts(use),
    ]
    plot = uses_plot(subject)
    yield Section("In the corpus", "corpus", (*blocks, *([plot] if plot else [])))


def corpus_facts(subject: HealthSubject) -> tuple[tuple[str, str | Token], ...]:
    """Files, documents, sizes and fingerprint of the corpus."""
    use, corpus = subject.use, subject.corpus
    facts: list[tuple[str, str | Token]] = []
    if corpus is not None:
        facts.append(("Corpus", Token(shown(corpus.name))))
    if use is not None:
        per_token = use.characters / use.tokens if use.tokens else None
        facts += [
            ("Files", whole(len(use.files))),
            ("Documents", whole(use.document_count)),
            ("Bytes", whole(use.bytes)),
            ("Characters", whole(use.characters)),
            ("Tokens", whole(use.tokens)),
            ("Characters per token", ratio(per_token)),
        ]
    if corpus is not None and corpus.fingerprint:
        facts.append(("Fingerprint", Token(corpus.fingerprint)))
    return tuple(facts)


def _failures(use: CorpusUse) -> Iterator[Block]:
    if not use.failure_count:
        yield Words("Every document is the same again when its tokens are decoded.")
        return
    places = [shown(str(use.place(document))) for document in use.failures[:_FEW_FAILURES]]
    more = use.failure_count - len(places)
    yield Words(
        f"Decoding does not give back {plural(use.failure_count, 'document')}: {listed(places)}"
        f"{f'; and {more:,} more' if more else ''}.",
        "warning",
    )


def _specials(use: CorpusUse) -> Iterator[Block]:
    if not use.specials:
        yield Words("The text spells no control token.")
        return
    rows = []
    for special in use.specials:
        files = [f"{shown(file)} ({count:,})" for file, count in special.files[:_FEW_FILES]]
        more = len(special.files) - len(files)
        rows.append(
            (
                Token(shown(special.name)),
                whole(special.id),
                whole(special.count),
                whole(special.documents),
                Token(", ".join(files) + (f" and {more:,} more" if more > 0 else "")),
            )
        )
    columns = (
        Column("Special", "name"),
        Column("Id", "number"),
        Column("Spelled", "number"),
        Column("Documents", "number"),
        Column("Files with most of it", "name"),
    )
    yield Words(
        "The text spells control tokens. Whoever encodes it with specials allowed puts them into "
        "the data: clean these files before training.",
        "warning",
    )
    yield Table("Control tokens that the text spells", columns, rows)


def _scripts(use: CorpusUse) -> Iterator[Block]:
    if not use.scripts:
        return
    rows = [
        (
            script.script.replace("_", " "),
            whole(script.tokens),
            percent(script.tokens / use.tokens if use.tokens else None),
            whole(script.characters),
            ratio(script.characters_per_token),
        )
        for script in use.scripts
    ]
    columns = (
        Column("Script"),
        Column("Tokens", "number"),
        Column("Of all tokens", "number"),
        Column("Characters", "number"),
        Column("Characters per token", "number"),
    )
    yield Table("Tokens by script", columns, rows)
