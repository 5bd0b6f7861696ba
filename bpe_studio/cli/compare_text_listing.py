"""What `bpe-studio compare` prints for people about texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_studio.cli.compare_words import clipped, token_words
from bpe_studio.cli.output import beginning, counted, print_rows, shown, width, write_out

if TYPE_CHECKING:
    from bpe_studio.reports.compare_subject import ComparedTexts, CompareSubject

__all__ = ["print_differences", "print_texts"]

_MOST_SHOWN: Final = 10
_LONGEST_REASON: Final = 160


def print_texts(subject: CompareSubject) -> None:
    """The figures of the texts."""
    from bpe_studio.reports.compare_figures import share
    from bpe_studio.reports.compare_subject import letter
    from bpe_studio.reports.compare_words import extra_words
    from bpe_studio.reports.words import ratio

    texts = subject.text
    if texts is None:
        return
    sizes = (
        counted(len(texts.documents), "document"),
        counted(texts.characters, "character"),
    )
    write_out(f"\n{', '.join(sizes)}\n")
    rows = [("", "tokens", "against A", "characters per token")]
    first = texts.tokens(0)
    for number in range(len(subject.names)):
        tokens = texts.tokens(number)
        if tokens is None:
            rows.append((letter(number), "–", "", "–"))
            continue
        against = extra_words(first, tokens) if number and first is not None else ""
        rows.append(
            (letter(number), f"{tokens:,}", against, ratio(share(texts.characters, tokens)))
        )
    print_rows(rows, right=" >>>")
    if not texts.spans:
        write_out("both cut it in the same places\n")


def print_differences(subject: CompareSubject) -> None:
    """What differs in the texts most often, and the documents and lines that are worst."""
    if subject.text is not None and subject.text.spans:
        _print_spans(subject.text)
        _print_documents(subject.text)
        _print_lines(subject.text)


def _print_documents(texts: ComparedTexts) -> None:
    """Those for which B needs most tokens more."""
    from bpe_studio.reports.compare_words import extra_words

    pairs = [(one.name, one.tokens[0] or 0, one.tokens[1] or 0) for one in texts.documents]
    worst = sorted((pair for pair in pairs if pair[2] > pair[1]), key=lambda p: p[1] - p[2])
    if len(pairs) < 2 or not worst:
        return
    write_out("\ndocuments for which B needs most tokens more\n")
    rows = [(name, f"{a:,} : {b:,}", extra_words(a, b)) for name, a, b in worst[:_MOST_SHOWN]]
    print_rows(rows, right=" >>")


def _print_spans(texts: ComparedTexts) -> None:
    counts = ", ".join(f"{count:,} {kind}" for kind, count in texts.differences.items() if count)
    frequent = texts.frequent
    which = "; the most frequent of them" if len(frequent) > _MOST_SHOWN else ""
    write_out(f"\ncut differently: {counts}{which}\n")
    for group in frequent[:_MOST_SHOWN]:
        span = group.first.span
        name = texts.documents[group.first.document].name
        times = f"{group.times:,} times, first " if group.times > 1 else ""
        text = clipped(token_words(group.first.text))
        head = f"{text}  {span.kind}  {span.tokens_a} : {span.tokens_b}"
        write_out(shown(f"  {head}  {times}in {name}, {span.start:,}–{span.end:,}") + "\n")
        if group.first.sentence:
            write_out(f"      {_reason(group.first.sentence)}\n")


def _reason(sentence: str) -> str:
    text = shown(sentence)
    fits = width(text) <= _LONGEST_REASON
    return text if fits else f"{beginning(text, _LONGEST_REASON - 1)}…"


def _print_lines(texts: ComparedTexts) -> None:
    if not texts.lines:
        return
    write_out("\nlines for which B needs most tokens more\n")
    several = len(texts.documents) > 1
    print_rows(
        [
            (
                f"{texts.documents[line.document].name}:{line.number}"
                if several
                else f"{line.number:,}",
                f"{line.tokens_a:,} : {line.tokens_b:,}",
                _line(line.text),
            )
            for line in texts.lines[:_MOST_SHOWN]
        ],
        right=" >" if several else ">>",
    )


def _line(text: str) -> str:
    from bpe_studio.bpe.decoder import readable

    return clipped(readable(text[:200].encode("utf-8", "surrogatepass"), spaces=False))
