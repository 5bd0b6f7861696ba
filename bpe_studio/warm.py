"""Compiles every kernel into the user's cache, once for each installation.

Run as ``python -m bpe_studio.warm``, in a process of its own, so that neither the window nor a
training meets the compiler at a bad moment.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np

from bpe_studio.api import Settings, TrainingSession
from bpe_studio.bpe.corpus import Block, find_files, read_blocks
from bpe_studio.bpe.counting import count_words
from bpe_studio.bpe.crew import Crew
from bpe_studio.bpe.cut_comparing import Sized, compare_cuts
from bpe_studio.bpe.edits import Unicode
from bpe_studio.bpe.patterns import PRESETS, Pattern, resolve_pattern
from bpe_studio.bpe.runs import Run, padded
from bpe_studio.bpe.scanner import rules_of
from bpe_studio.bpe.table import Base, MergeTable
from bpe_studio.bpe.text_rules import TextRules
from bpe_studio.bpe.token_counting import count_tokens
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.word_join import Counted, Span, join_words
from bpe_studio.bpe.word_table import WordTable
from bpe_studio.kernels import are_compiled, mark_compiled

ENCODING = "encoding"  # the word that asks for this half only
TEXTS = ("low low lower lowest", "é é 日本 日本 " + "ab" * 40)


def warm() -> None:
    """Trains, continues and encodes a few words: every kernel, for the types that are in use.

    Compiling takes one processor, so half of it is done by a second process. What that has not
    done is done here, at last.
    """
    # Not in the folder of the user, where `-m` would look for modules first.
    command = [sys.executable, "-m", "bpe_studio.warm", ENCODING]
    other = subprocess.Popen(command, cwd=Path(__file__).parents[1])
    try:
        tokenizers = warm_training()
        other.wait()
    finally:
        other.kill()
    for tokenizer in tokenizers:
        warm_encoding(tokenizer)
    mark_compiled()


def warm_training() -> list[Tokenizer]:
    """Scanning, counting and merging; what was trained."""
    letters = [chr(code) for code in range(0x41, 0x180) if chr(code).isalpha()]
    # More pairs than the first table of pairs holds, so that it grows.
    many_pairs = "".join(a + b for a in letters[:80] for b in letters[:80])
    texts = [*TEXTS, many_pairs]
    tokenizers = []
    for base in ("bytes", "chars"):
        session = TrainingSession.of_texts(texts, Settings(vocab_size=400, base=base))
        for _ in session.run():
            pass
        tokenizers.append(session.tokenizer())
    # A training that runs out of pairs, and one whose rules leave none.
    list(TrainingSession.of_texts(["ab ab"], Settings(vocab_size=300)).run())
    ruled = Settings(vocab_size=300, whole_characters=True, max_token_bytes=3, min_documents=2)
    list(TrainingSession.of_texts(["abc é", "abc", "bcd bcd"], ruled).run())
    # Files; and more distinct pieces than the first table holds, so that it grows.
    _count_file(" ".join([*texts, *map(str, range(20_000))]))
    _join(PRESETS["classic"], [text.encode() for text in texts])
    return tokenizers


def warm_encoding(tokenizer: Tokenizer) -> None:
    """Encoding by both engines, with the compiled scanner and without."""
    tokenizer.encode_piece(TEXTS[1].encode())
    # More pieces than the first cache of pieces holds.
    tokenizer.encode_with_offsets(" ".join(map(str, range(4000))))
    tokenizer.trace_pieces([TEXTS[1].encode()])
    whole = replace(tokenizer, engine="whole-piece-first")
    whole.encode(TEXTS[1])
    whole.trace_pieces([TEXTS[1].encode()])
    replace(tokenizer, pattern=resolve_pattern("(?s:.)")).encode(TEXTS[1])
    _count_tokens(tokenizer)


def untrained(base: Base) -> Tokenizer:
    """A table as training makes it, without a training."""
    table = MergeTable.build(
        base=base,
        byte_ids=range(256),
        char_ids={"é": 256} if base == "chars" else {},
        merges=[(108, 111, 257), (257, 119, 258)],
    )
    return Tokenizer(table, PRESETS["classic"])


def _count_file(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text")
        path.write_text(text, encoding="utf-8")
        for pattern in (PRESETS["classic"], resolve_pattern("(?s).")):
            # Small blocks, so that there is something to cut.
            blocks = read_blocks(find_files([path]), block_bytes=1 << 12)
            for _ in count_words(blocks, pattern, document_floor=3, run_bytes=1 << 13):
                pass


def _count_tokens(tokenizer: Tokenizer) -> None:
    """In whole documents and in parts of one, by the kernels alone and otherwise."""
    edited = replace(tokenizer, rules=TextRules(normalizer=(Unicode("NFD"),)))
    for each in (tokenizer, edited):
        text = " ".join(TEXTS).encode()
        blocks = [Block(n // 2, n // 2, text, n % 2 == 1, n) for n in range(6)]
        for _ in count_tokens(blocks, each, run_bytes=len(text)):
            pass
    # Tables that do not agree, and so many pieces that both kinds of table grow.
    other = replace(tokenizer, table=tokenizer.table.prefix(1), pattern=PRESETS["gpt2"])
    words = Block(0, 0, " ".join([*TEXTS, *map(str, range(20_000))]).encode(), True, 0)
    pair = (tokenizer, other)
    for _ in compare_cuts([words], pair, 1, sized=Sized.of(pair, 0, 1), threads=2):
        pass


def _join(pattern: Pattern, texts: list[bytes]) -> None:
    """Joins tables, which `count_words` does only where a second thread found work."""
    rules = rules_of(pattern)
    assert rules is not None
    counted = [Counted(WordTable(document_floor=3)) for _ in range(2)]
    for number, one in enumerate(counted):
        text = bytearray(b" ".join(texts))
        ends = np.array([len(text)])
        one.words.count_run(Run(number, padded(text), ends, 0, True, True), rules, lambda: True)
        one.spans.append(Span(number, 0, len(one.words)))
    with Crew(1) as crew:
        for _ in join_words(counted, crew, document_floor=3):
            pass


if __name__ == "__main__":
    # Ctrl-C in a terminal reaches this process too: it ends at once, without a word from numba.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.argv[1:] == [ENCODING]:
        for base in get_args(Base):
            warm_encoding(untrained(base))
    elif not are_compiled():
        warm()
