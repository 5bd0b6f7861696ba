"""Subjects of reports, made by hand and at random, with tokens and names that are hostile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from bpe_studio.analysis.contexts import Context
from bpe_studio.analysis.corpus_use import CorpusUse, DocumentPlace, ScriptUse, SpelledSpecial
from bpe_studio.analysis.flags import KINDS, Flag, Thresholds, flag
from bpe_studio.analysis.health import OF_CORPUS, HealthReport
from bpe_studio.analysis.health_change import compare_health
from bpe_studio.analysis.integrity import integrity
from bpe_studio.analysis.looks import Partial
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.reports.corpus_facts import CorpusFacts
from bpe_studio.reports.health_subject import HealthSubject
from tests.analysis.tables import make_pair

SPECIAL = 90_000
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'><a href='http://example.org/'>",
    "]]><!--",
    "-->",
    "&lt;b&gt;",
    "&amp",
    "javascript:alert(1)",
    "=1+1",
    "@SUM(A1)",
    "|a|b\\|",
    "``x`",
    "**b** _i_ ~~s~~",
    "[x](http://example.org)",
    "![x](http://example.org/x.png)",
    "www.example.org",
    "#1 @user $x$",
    "a\u202eb\u202c",
    "\u200f\u2066x",
    "\u200b\ufeff\u00ad",
    "a\nb\r\nc\td",
    "\x1b[31mred\x07",
    "\u2028\u2029\x85",
    "ﷺ العربية",
    "e\u0301\u0301\u0301",
    "long " * 60,
    "%s {0} {x}",
)
FILES = (*HOSTILE[:8], "a/b.txt", "b|c.md", "\udcff\udc80.txt", "x\n.md", "`.md", "=x.csv")


def made_tokenizer(texts: list[bytes], *, specials: dict[str, int] | None = None) -> Tokenizer:
    """A table whose tokens, from id 300 on, are these bytes."""
    extra = {300 + number: data for number, data in enumerate(dict.fromkeys(texts))}
    known = {bytes([b]) for b in range(256)}
    return make_pair(
        [(97, 98, 256), (256, 99, 257)],
        extra={token: data for token, data in extra.items() if data and data not in known},
        specials=specials,
    ).tokenizer


def made_use(
    tokenizer: Tokenizer, numbers: Any, files: tuple[str, ...], *, rows: bool = False
) -> CorpusUse:
    """Uses that are consistent: at least as often made as used, no document with more than all."""
    n, each = len(tokenizer.table.ids), 3 if rows else 1
    final = numbers.choice([0, 0, 1, 3, 25, 4_000], n)
    documents = np.minimum(final, numbers.integers(1, 4, n))
    largest = np.where(documents == 1, final, final - documents + 1)
    largest[final == 0] = 0
    places = np.where(final > 0, numbers.integers(0, each * len(files), n), -1)
    return CorpusUse(
        ids=tokenizer.table.ids,
        final=final,
        created=final + numbers.choice([0, 1, 1_000], n),
        documents=documents,
        largest=largest,
        largest_document=places,
        offsets=np.zeros(n, dtype=np.int64),
        tokens=int(final.sum()),
        characters=int(2 * final.sum()),
        bytes=int(3 * final.sum()),
        document_count=each * len(files),
        files=files,
        first_documents=each * np.arange(len(files)),
        has_rows=np.full(len(files), rows),
        specials=(
            SpelledSpecial("<a>", SPECIAL, 12, 3, tuple((file, 4) for file in files[:3])),
            SpelledSpecial("<|im_start|>", None, 1, 1, ((files[0], 1),)),
        ),
        scripts=(ScriptUse("Latin", 40, 90), ScriptUse("Common", 2, 7)),
        failure_count=120,
        failures=(0,),
    )


def made_report(
    tokenizer: Tokenizer, use: CorpusUse | None, texts: list[bytes], numbers: Any
) -> HealthReport:
    """Flags of any kinds on the tokens beyond the bytes, whatever is true of them: check_all takes
    its time, and its evidence is never as hostile as this."""
    flags: list[Flag] = []
    kinds = [kind for kind in KINDS if use is not None or kind not in OF_CORPUS]
    tokens = [token for token in tokenizer.table.ids.tolist() if token >= 256]
    for kind in kinds:
        for token in tokens:
            if kind == "run" or numbers.random() < 0.1:
                text = texts[token % len(texts)].decode("utf-8", "replace")
                witness = text if token % 2 else None
                flags.append(flag(token, kind, f"It has {text}.", witness))
    return HealthReport(
        flags=tuple(flags),
        counts={kind: sum(one.kind == kind for one in flags) for kind in kinds},
        tokens=len(tokenizer.table),
        partial=Partial(begins=3, ends=2, both=1),
        trained_here=bool(numbers.integers(0, 2)),
        use=use,
        integrity=integrity(tokenizer),
        thresholds=Thresholds(rare_uses=4),
    )


def made_subject(
    texts: list[bytes],
    *,
    files: tuple[str, ...] = ("a.txt", "b.txt"),
    seed: int = 0,
    name: str = "mine.json",
    with_change: bool = True,
) -> HealthSubject:
    """A table with these tokens, its use in a corpus, contexts, and another table before it."""
    tokenizer = made_tokenizer(texts, specials={"<a>": SPECIAL})
    numbers = np.random.default_rng(seed)
    use = made_use(tokenizer, numbers, files, rows=bool(seed % 2))
    report = made_report(tokenizer, use, texts, numbers)
    change = None
    if with_change:
        before = made_tokenizer([*texts[1:], b"gone      "], specials={"<a>": SPECIAL})
        earlier = made_report(before, made_use(before, numbers, files), texts, numbers)
        change = compare_health(earlier, report, (before, tokenizer))
    contexts = {
        flag.id: Context(
            place=DocumentPlace(files[0], 1),
            path=Path(),
            offset=1_234,
            line=12,
            column=3,
            before=texts[0].decode("utf-8", "replace"),
            text=tokenizer.token_bytes(flag.id).decode("utf-8", "replace"),
            after=" after",
        )
        for flag in report.flags[::3]
    }
    return HealthSubject(
        name=name,
        tokenizer=tokenizer,
        report=report,
        corpus=CorpusFacts(", ".join(files), "0123abcd", (f"{files[0]}: left out.",)),
        contexts=contexts,
        change=change,
        before_name=files[-1],
        program="1.2.3",
    )


def plain_subject(*texts: bytes) -> HealthSubject:
    """A table by itself: no corpus, no embeddings, nothing before it."""
    tokenizer = made_tokenizer(list(texts))
    numbers = np.random.default_rng(0)
    return HealthSubject("mine.json", tokenizer, made_report(tokenizer, None, [b"x"], numbers))


token_texts = st.one_of(
    st.sampled_from(HOSTILE).map(str.encode),
    st.text(min_size=1, max_size=12).map(lambda text: text.encode("utf-8", "replace")),
    st.binary(min_size=1, max_size=6),
    st.text("<>&\"'`|\\*_[]()!#-+=\n\t ", min_size=1, max_size=8).map(str.encode),
)
file_names = st.one_of(
    st.sampled_from(FILES), st.text(st.characters(exclude_categories=()), min_size=1, max_size=12)
)


# Any report with a corpus and a table before it.
subjects = st.builds(
    made_subject,
    st.lists(token_texts, min_size=1, max_size=12),
    files=st.lists(file_names, min_size=1, max_size=4, unique=True).map(tuple),
    seed=st.integers(0, 99),
    name=file_names,
)
