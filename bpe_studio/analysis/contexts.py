"""Where a corpus uses a token most: the file and the text around it, read again from the file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from bpe_studio.analysis.corpus_use import CorpusUse, DocumentPlace
from bpe_studio.bpe.corpus import Corpus, CorpusFile, CorpusReport, read_blocks
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.windows import Window, fill_windows

__all__ = ["CHARACTERS", "Context", "Contexts", "iter_context", "iter_contexts"]

CHARACTERS: Final = 60
"""How much text is shown on each side."""

_BYTES: Final = 4 * CHARACTERS + 16


@dataclass(frozen=True, slots=True)
class Context:
    """A use of a token, in the document that uses it most.

    Attributes
    ----------
    place : DocumentPlace
    path : Path
        Of the file.
    offset : int
        Where the token begins, in bytes of the document's text as UTF-8.
    line, column : int
        The same in lines and characters of the text, from 1.
    before, text, after : str
        The token, and what is around it in the document. Of a token that begins or ends inside a
        character the text has all of that character.
    """

    place: DocumentPlace
    path: Path
    offset: int
    line: int
    column: int
    before: str
    text: str
    after: str


@dataclass(frozen=True, slots=True)
class Contexts:
    """Uses of several tokens.

    Attributes
    ----------
    found : dict from id to Context
    missing : dict from id to str
        Why a use is not found any more, a sentence. A token that the corpus does not use is in
        neither.
    """

    found: dict[int, Context] = field(default_factory=dict)
    missing: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Wanted:
    token: int
    place: DocumentPlace
    window: Window


def iter_context(
    tokenizer: Tokenizer, corpus: Corpus, use: CorpusUse, token: int
) -> Generator[int, None, Context | None]:
    """The first use of a token in the document that uses it most.

    Reads that document, and of its file what is before it; yields the bytes read so far.

    Returns
    -------
    Context or None
        None for a token that the corpus does not use.

    Raises
    ------
    ValueError
        The file is gone, or has changed since the corpus was encoded.
    """
    contexts = yield from iter_contexts(tokenizer, corpus, use, [token])
    if token in contexts.missing:
        raise ValueError(contexts.missing[token])
    return contexts.found.get(token)


def iter_contexts(
    tokenizer: Tokenizer, corpus: Corpus, use: CorpusUse, tokens: Iterable[int]
) -> Generator[int, None, Contexts]:
    """As `iter_context` for many tokens; each file is read once, and not beyond what is wanted."""
    contexts = Contexts()
    files = _files_of(corpus, use)
    done = 0
    for number, wanted in sorted(_by_file(tokenizer, use, tokens).items()):
        file = files[number]
        if file is None:
            told = f"The corpus has no file {use.files[number]} any more."
            contexts.missing.update((one.token, told) for one in wanted)
            continue
        report = CorpusReport()
        alone = replace(corpus, files=(file,), problems=())
        problem = ""
        read = 0
        try:
            blocks = read_blocks(alone, report=report)
            for read in fill_windows(blocks, [one.window for one in wanted]):
                yield done + read
        except ValueError as error:
            problem = str(error)
        done += read
        problem = problem or _problem(file, report)
        for one in wanted:
            _conclude(tokenizer, file, one, problem, contexts)
    return contexts


def _files_of(corpus: Corpus, use: CorpusUse) -> list[CorpusFile | None]:
    """The file of each label; equal labels stand for the files with it in their order."""
    by_label: dict[str, list[CorpusFile]] = defaultdict(list)
    for file in reversed(corpus.files):
        by_label[file.label].append(file)
    return [by_label[label].pop() if by_label.get(label) else None for label in use.files]


def _by_file(
    tokenizer: Tokenizer, use: CorpusUse, tokens: Iterable[int]
) -> dict[int, list[_Wanted]]:
    """What to look for in each file, by its number among those of the use."""
    wanted: dict[int, list[_Wanted]] = defaultdict(list)
    for token in dict.fromkeys(tokens):
        index = use.index(token)
        document = -1 if index is None else int(use.largest_document[index])
        if index is None or document < 0:
            continue
        number = int(np.searchsorted(use.first_documents, document, side="right")) - 1
        place = int(use.offsets[index])
        length = len(tokenizer.token_bytes(token))
        window = Window(
            document=document - int(use.first_documents[number]),
            begin=max(0, place - _BYTES),
            place=place,
            end=place + length + _BYTES,
        )
        wanted[number].append(_Wanted(token, use.place(document), window))
    return wanted


def _problem(file: CorpusFile, report: CorpusReport) -> str:
    """Why a file could not be read, where it could not."""
    if report.read_files or not report.problems:
        return ""
    return f"{file.label}: {report.problems[0].message}"


def _conclude(
    tokenizer: Tokenizer, file: CorpusFile, one: _Wanted, problem: str, contexts: Contexts
) -> None:
    """The context of a token from its window, or why there is none."""
    window = one.window
    data, at = bytes(window.data), window.place - window.begin
    size = _size(tokenizer, one.token, data, at) if window.line else 0
    if not size:
        changed = f"{file.label} has changed since the corpus was encoded; encode it again."
        contexts.missing[one.token] = problem or changed
        return
    begin, end = _whole_characters(data, at, at + size)
    contexts.found[one.token] = Context(
        place=one.place,
        path=file.path,
        offset=window.place,
        line=window.line,
        column=window.column,
        before=data[:begin].decode("utf-8", "ignore")[-CHARACTERS:],
        text=data[begin:end].decode("utf-8", "ignore"),
        after=data[end:].decode("utf-8", "ignore")[:CHARACTERS],
    )


def _whole_characters(data: bytes, begin: int, end: int) -> tuple[int, int]:
    """A span widened to whole characters."""
    while 0 < begin < len(data) and data[begin] & 0xC0 == 0x80:
        begin -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return begin, end


def _size(tokenizer: Tokenizer, token: int, data: bytes, at: int) -> int:
    """How many bytes of the text are the token; 0 where the text is another."""
    own = tokenizer.token_bytes(token)
    if not tokenizer.edits_text:
        return len(own) if data[at : at + len(own)] == own else 0
    # What is around it is enough, as a rule, to encode to it again.
    text = data.decode("utf-8", "ignore")
    shift = _lost(data)
    encoding = tokenizer.encode_with_offsets(text)
    for here, (begin, end) in zip(encoding.ids.tolist(), encoding.offsets.tolist(), strict=True):
        if here == token and begin == at - shift and end > begin:
            return int(end - begin)
    return len(own) if data[at : at + len(own)] == own else 1


def _lost(data: bytes) -> int:
    """How many bytes in front belong to a character that begins before."""
    return next((n for n, byte in enumerate(data) if byte & 0xC0 != 0x80), len(data))
