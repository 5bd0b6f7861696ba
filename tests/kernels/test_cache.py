"""Kernels are compiled once, by the warm-up; what users do afterwards compiles nothing more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WORK = """
import tempfile
from pathlib import Path
from dataclasses import replace
from bpe_studio.api import Settings, TrainingSession, settings_for
from bpe_studio.analysis.health import check_all
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.analysis.usage import corpus_use
from bpe_studio.bpe.corpus import find_files

texts = ["the cat sat on the mat é 日本 " * 9, "".join(map(chr, range(300, 9000)))]
for base in ("bytes", "chars"):
    for ties in ("first-seen", "smallest-ids"):
        session = TrainingSession.of_texts(texts, Settings(vocab_size=9500, base=base, ties=ties))
        list(session.run())
tokenizer = session.tokenizer()
longer = TrainingSession.of_texts(texts[:1], settings_for(tokenizer, vocab_size=9600))
list(longer.run())
tokenizer.encode("a" * 5000 + " low é")
tokenizer.encode_with_offsets(" ".join(map(str, range(9000))))
tokenizer.encoder.encode_many(texts)
tokenizer.encode_pieces([b"low"])
replace(tokenizer, pattern=resolve_pattern(r"\\w+|\\W+")).encode(texts[0])
replace(tokenizer, engine="whole-piece-first").encode(texts[0])
# A table that is not ordered: a merge uses what a later rank makes.
table = MergeTable.build(byte_ids=range(256), merges=[(256, 97, 257), (97, 98, 256)])
shuffled = replace(tokenizer, table=table, special_ids={}, roles={}, training=None)
shuffled.encode("ab" * 5000 + " abab")
path = Path(tempfile.mkdtemp(), "text")
path.write_text(" ".join(f"{n} some words of a file, é, " for n in range(99999)), encoding="utf-8")
for one in (tokenizer, shuffled, replace(tokenizer, engine="whole-piece-first")):
    check_all(one, corpus_use(one, find_files([path])))
list(TrainingSession([path], Settings(vocab_size=300)).run())
list(TrainingSession([path], Settings(vocab_size=300, pattern=r"(?s)\\w+|.")).run())
"""


def compiled(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*.nb?")}


def test_the_warm_up_compiles_all_that_is_used(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    warm = [sys.executable, "-m", "bpe_studio.warm"]
    subprocess.run(warm, env=environment, check=True)
    after_warming = compiled(tmp_path)
    assert len(after_warming) > 40
    subprocess.run([sys.executable, "-c", WORK], env=environment, check=True)
    assert compiled(tmp_path) == after_warming


def test_the_cache_belongs_to_the_sources() -> None:
    code = "import bpe_studio.kernels, os; print(os.environ['NUMBA_CACHE_DIR'])"
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()).name.startswith("kernels-")
