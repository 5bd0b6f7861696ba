"""The documents that concentrated tokens and spelled control tokens come from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from bpe_studio.analysis.corpus_use import CorpusUse, DocumentPlace
from bpe_studio.analysis.health import HealthReport
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["PollutingDocument", "name_of", "polluting_documents"]


@dataclass(frozen=True, slots=True)
class PollutingDocument:
    """A document that one could leave out.

    Attributes
    ----------
    place : DocumentPlace
    tokens : tuple of int
        Concentrated tokens that have most of their uses in it, the most used first.
    uses : int
        How often they are used in it.
    taken : float or None
        The share of its bytes that these uses are; None where its size is not known.
    share : float or None
        Its share of the corpus, in bytes; None where that is not known.
    specials : tuple of (str, int)
        Control tokens that its file spells, and how often; told for a whole file only.
    """

    place: DocumentPlace
    tokens: tuple[int, ...] = ()
    uses: int = 0
    taken: float | None = None
    share: float | None = None
    specials: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """As `Settings.without` takes it."""
        return name_of(self.place)


def name_of(place: DocumentPlace) -> str:
    """How a document is named to leave it out: `a.txt`, or for a row `a.jsonl:7`."""
    return f"{place.file}:{place.row}" if place.row else place.file


def polluting_documents(
    report: HealthReport, tokenizer: Tokenizer
) -> tuple[PollutingDocument, ...]:
    """Documents with concentrated tokens, most uses first, then files that spell control tokens."""
    use = report.use
    if not isinstance(use, CorpusUse):
        return ()
    tokens: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for flag in report.of_kind("concentrated"):
        row = use.index(flag.id)
        if row is not None and use.largest_document[row] >= 0:
            tokens[int(use.largest_document[row])].append((int(use.largest[row]), flag.id))
    sizes = _Sizes(use, tokenizer)
    found = [
        _document(use, sizes, tokenizer, document, sorted(some, key=lambda one: (-one[0], one[1])))
        for document, some in tokens.items()
    ]
    found += _spelling(use, {document.place.file for document in found if not document.place.row})
    spelled = _spelled(use)
    found = [_with_specials(document, spelled) for document in found]
    found.sort(key=lambda document: (-document.uses, -_times(document.specials), document.name))
    return tuple(found)


def _document(
    use: CorpusUse,
    sizes: _Sizes,
    tokenizer: Tokenizer,
    document: int,
    tokens: list[tuple[int, int]],
) -> PollutingDocument:
    place = use.place(document)
    size = sizes.of(place)
    taken = sum(uses * len(tokenizer.token_bytes(token)) for uses, token in tokens)
    return PollutingDocument(
        place=place,
        tokens=tuple(token for _, token in tokens),
        uses=sum(uses for uses, _ in tokens),
        taken=min(1.0, taken / size) if size else None,
        share=min(1.0, size / use.bytes) if size and use.bytes else None,
    )


def _spelling(use: CorpusUse, known: Iterable[str]) -> list[PollutingDocument]:
    """Files that spell control tokens and are not listed yet."""
    files = {file: None for special in use.specials for file, _ in special.files}
    return [PollutingDocument(DocumentPlace(file)) for file in files if file not in set(known)]


def _spelled(use: CorpusUse) -> dict[str, list[tuple[str, int]]]:
    found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for special in use.specials:
        for file, count in special.files:
            found[file].append((special.name, count))
    return found


def _with_specials(
    document: PollutingDocument, spelled: dict[str, list[tuple[str, int]]]
) -> PollutingDocument:
    if document.place.row or document.place.file not in spelled:
        return document
    specials = sorted(spelled[document.place.file], key=lambda one: (-one[1], one[0]))
    return PollutingDocument(
        document.place,
        document.tokens,
        document.uses,
        document.taken,
        document.share,
        tuple(specials),
    )


def _times(specials: tuple[tuple[str, int], ...]) -> int:
    return sum(count for _, count in specials)


class _Sizes:
    """Bytes of documents, as far as the training record tells them: of a row, the mean of its
    file.
    """

    def __init__(self, use: CorpusUse, tokenizer: Tokenizer) -> None:
        record = tokenizer.training
        listed = record.corpus.get("files", []) if record is not None else []
        self._files: dict[str, int] = {file["path"]: int(file["size"]) for file in listed}
        ends = [*use.first_documents.tolist()[1:], use.document_count]
        firsts = use.first_documents.tolist()
        self._rows = {
            file: end - first for file, first, end in zip(use.files, firsts, ends, strict=True)
        }

    def of(self, place: DocumentPlace) -> float | None:
        size = self._files.get(place.file)
        if size is None or not place.row:
            return size
        return float(size / max(1, self._rows[place.file]))
