"""What `bpe-studio health` prints for people: a summary, then the first tokens of each kind."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bpe_studio.cli.output import (
    beginning,
    counted,
    ending,
    print_rows,
    shown,
    size_words,
    width,
    write_out,
)

if TYPE_CHECKING:
    from bpe_studio.analysis.contexts import Context
    from bpe_studio.analysis.corpus_use import CorpusUse
    from bpe_studio.analysis.health_change import HealthChange
    from bpe_studio.reports.health_subject import HealthSubject, TokenRow

__all__ = [
    "MOST_SHOWN",
    "print_change",
    "print_summary",
    "print_tokens",
    "print_where_tokens_are",
]

MOST_SHOWN: Final = 8
_MOST_SPECIALS: Final = 6
_MOST_SCRIPTS: Final = 5
_LONGEST_TOKEN: Final = 28
_AROUND: Final = 28


def print_summary(subject: HealthSubject) -> None:
    """How many tokens have a flag, the kinds, and what the corpus does."""
    from bpe_studio.analysis.flags import KINDS
    from bpe_studio.analysis.naming import listed
    from bpe_studio.reports.health_summary import (
        apart_words,
        self_test_words,
        unasked,
        vocabulary_share,
    )
    from bpe_studio.reports.words import percent

    report = subject.report
    part = percent(vocabulary_share(report, report.flagged))
    head = f"{counted(report.tokens, 'token')}; {report.flagged:,} flagged ({part})"
    write_out("".join((head, *(f", {words}" for words in apart_words(report)))) + "\n")
    rows = [
        (
            f"{count:,}",
            percent(vocabulary_share(report, count)),
            report.severity_of(kind),
            KINDS[kind].title,
        )
        for kind, count in report.counts.items()
        if count
    ]
    if rows:
        write_out("\n")
        print_rows(rows, right=">>")
    none = [KINDS[kind].title for kind, count in report.counts.items() if not count]
    sentences = [f"Not found: {listed([_small(title) for title in none])}." if none else ""]
    sentences += report.integrity.sentences
    sentences += [self_test_words(report), *_corpus_words(subject.use), *unasked(report)]
    write_out("\n")
    for sentence in filter(None, sentences):
        _write_wrapped(sentence)
    _print_specials(subject.use)


def _small(title: str) -> str:
    return title[:1].lower() + title[1:]


def _corpus_words(use: CorpusUse | None) -> Iterator[str]:
    if use is None:
        return
    from bpe_studio.reports.words import percent, ratio

    documents = counted(use.document_count, "document")
    per_token = ratio(use.characters / use.tokens if use.tokens else None)
    share = percent(use.used / len(use.ids) if len(use.ids) else 0.0)
    yield (
        f"Corpus: {documents} in {counted(len(use.files), 'file')}, {size_words(use.bytes)}, "
        f"{counted(use.tokens, 'token')}, {per_token} characters per token; "
        f"{use.used:,} different tokens in use, {share} of the vocabulary."
    )
    if use.failure_count:
        yield f"Decoding does not give back {counted(use.failure_count, 'document')}."
    if use.scripts:
        scripts = [
            f"{script.script} {percent(script.tokens / use.tokens if use.tokens else None)} "
            f"({script.characters_per_token:.2f})"
            for script in use.scripts[:_MOST_SCRIPTS]
        ]
        yield f"Tokens by script (characters per token): {', '.join(scripts)}."


def _print_specials(use: CorpusUse | None) -> None:
    if use is None or not use.specials:
        return
    write_out("\nControl tokens that the text spells\n")
    rows = []
    for special in use.specials[:_MOST_SPECIALS]:
        file, count = special.files[0]
        times = f"{special.count:,} time{'s'[: special.count != 1]}"
        documents = f"in {counted(special.documents, 'document')}"
        rows.append((special.name, times, documents, f"{count:,} in {shown(file)}"))
    print_rows(rows, right=" >>")
    more = len(use.specials) - len(rows)
    if more:
        write_out(f"  and {more:,} more (--json lists all)\n")


def print_change(subject: HealthSubject) -> None:
    """How the table differs from the one before it; nothing where there is none."""
    change = subject.change
    if change is None:
        return
    from bpe_studio.analysis.flags import KINDS
    from bpe_studio.reports.words import figure, signed, whole

    write_out(f"\nBefore and after: {shown(subject.before_name)} → {shown(subject.name)}\n")
    rows = [("", "before", "after", "", "went", "came")]
    for one in change.told_figures:
        before, after = figure(one.before, one.unit), figure(one.after, one.unit)
        rows.append((one.title, before, after, "", "", ""))
    for kind in change.kinds:
        if kind.before or kind.after:
            known = kind.difference is not None
            rows.append(
                (
                    KINDS[kind.kind].title,
                    whole(kind.before),
                    whole(kind.after),
                    signed(kind.difference),
                    whole(len(kind.gone)) if known else "",
                    whole(len(kind.come)) if known else "",
                )
            )
    print_rows(rows, right=" >>>>>")
    _print_named(change)


def _print_named(change: HealthChange) -> None:
    """Concentrated tokens that went and came, which are what a new training is for."""
    from bpe_studio.bpe.decoder import readable
    from bpe_studio.reports.words import cut

    kind = change.of("concentrated")
    if kind is None:
        return
    for what, tokens in (("no longer", kind.gone), ("newly", kind.come)):
        if tokens:
            names = "  ".join(cut(readable(data), _LONGEST_TOKEN) for data in tokens[:MOST_SHOWN])
            more = len(tokens) - MOST_SHOWN
            rest = f"  and {more:,} more" if more > 0 else ""
            _write_wrapped(f"{what} concentrated: {names}{rest}")


def print_tokens(subject: HealthSubject, kinds: tuple[str, ...] = ()) -> None:
    """The first tokens of each kind that was found, or of some kinds all of them."""
    from bpe_studio.analysis.flags import KINDS
    from bpe_studio.reports.health_subject import token_rows

    for kind, count in subject.report.counts.items():
        if not count or (kinds and kind not in kinds):
            continue
        words = KINDS[kind]
        write_out(f"\n{words.title}: {counted(count, 'flag')}\n")
        _write_wrapped(f"{words.meaning} {words.advice}")
        flags = subject.report.of_kind(kind)
        _print_rows(list(token_rows(subject, flags if kinds else flags[:MOST_SHOWN])))
        if not kinds and count > MOST_SHOWN:
            write_out(f"  and {count - MOST_SHOWN:,} more (--kind {kind} lists all)\n")


def print_where_tokens_are(subject: HealthSubject, reports: Iterable[Path]) -> None:
    """Says why no tokens are listed on the terminal: reports have them."""
    if subject.report.flags:
        names = " and ".join(path.name for path in reports)
        write_out("\n")
        _write_wrapped(f"The tokens are in {names}; --kind KIND lists those of a kind here.")


def _print_rows(rows: list[TokenRow]) -> None:
    from bpe_studio.bpe.decoder import readable
    from bpe_studio.reports.words import cut

    heads = [(str(row.flag.id), shown(cut(readable(row.data), _LONGEST_TOKEN))) for row in rows]
    widths = [max(map(width, column)) for column in zip(*heads, strict=True)]
    for row, (number, token) in zip(rows, heads, strict=True):
        head = f"  {number:>{widths[0]}}  {token}{' ' * (widths[1] - width(token))}  "
        _write_wrapped(shown(row.flag.evidence), head=head)
        if row.context is not None:
            indent = " " * (widths[0] + 4)
            for line in _context_lines(row.context, _terminal_width() - len(indent)):
                write_out(f"{indent}{line}\n")


def _context_lines(context: Context, wide: int) -> Iterator[str]:
    """``notes/a.txt:12:3  …before [token] after…``, on two lines where a path is long."""
    from bpe_studio.bpe.decoder import readable
    from bpe_studio.reports.words import cut

    before, text, after = (
        shown(readable(part.encode("utf-8", "surrogatepass"), spaces=False))
        for part in (context.before[-_AROUND:], context.text, context.after[:_AROUND])
    )
    row = f", row {context.place.row:,}" if context.place.row else ""
    place = shown(f"{context.place.file}{row}:{context.line}:{context.column}") + "  "
    token = f"[{beginning(cut(text, _LONGEST_TOKEN), _LONGEST_TOKEN + 3)}]"
    room = wide - width(place) - width(token)
    if room < _AROUND:
        yield place.rstrip()
        place, room = "", wide - width(token)
    side = max(room // 2, room - width(after))
    before = ending(before, side)
    yield f"{place}{before}{token}{beginning(after, room - width(before))}"


def _terminal_width() -> int:
    return max(80, min(shutil.get_terminal_size((100, 24)).columns, 120))


def _write_wrapped(words: str, *, head: str = "") -> None:
    """A paragraph in the width of the terminal; its other lines begin where the first one does."""
    wide = _terminal_width()
    indent = min(width(head), wide // 2)
    line, used, empty = head, width(head), True
    for word in shown(words).split(" "):
        if not empty and used + 1 + width(word) > wide:
            write_out(line.rstrip() + "\n")
            line, used, empty = " " * indent, indent, True
        line += word if empty else f" {word}"
        used += width(word) + (not empty)
        empty = False
    write_out(line.rstrip() + "\n")
