"""One measurement in a process of its own: `python -m tests.bench.child SUBJECT JOB ANSWER`."""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.bench.blocks import head, text_blocks
from tests.bench.machine import available, peak_mb, use_cores
from tests.bench.rules import Rules, write_merges

Answer = dict[str, Any]


class Clock:
    """Wall and processor seconds between two moments."""

    def __init__(self) -> None:
        gc.collect()
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def figures(self) -> dict[str, float]:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return {"seconds": wall, "cpu": cpu}


def training(job: Answer) -> Answer:
    """Trains a little first: imports are done and code is loaded when the clock starts."""
    from tests.bench.figures import OURS
    from tests.bench.trainers import TRAINERS, train_ours

    competitor, rules = TRAINERS[job["who"]], Rules(**job["rules"])

    def train(path: Path, size: int) -> Any:
        if job["who"] == OURS:
            return train_ours(path, size, rules)
        return competitor.train(path, size)

    train(Path(job["warm"]), 512)
    clock = Clock()
    result = train(Path(job["corpus"]), job["size"])
    figures = {**clock.figures(), "peak_mb": peak_mb()}
    if job["merges"]:
        write_merges(competitor.learned(result), Path(job["merges"]))
    return {"figures": figures}


def counting(job: Answer) -> Answer:
    """Counts a little first, then the file."""
    from bpe_studio.bpe.corpus import find_files, read_blocks
    from bpe_studio.bpe.counting import count_words
    from bpe_studio.bpe.patterns import PRESETS

    def count(path: Path) -> Any:
        blocks = read_blocks(find_files([path]))
        *_, last = count_words(blocks, PRESETS["gpt2"], threads=job["threads"])
        return last.words

    path = Path(job["corpus"])
    with tempfile.TemporaryDirectory() as folder:
        little = Path(folder) / "little.txt"
        little.write_bytes(head(path, 100_000))
        count(little)
    clock = Clock()
    words = count(path)
    figures = {**clock.figures(), "peak_mb": peak_mb(), "distinct": len(words)}
    return {"figures": {**figures, "mb_s": path.stat().st_size / 1e6 / figures["seconds"]}}


def growth(job: Answer) -> Answer:
    """A training, with the time until everything is counted apart."""
    from bpe_studio.api import Settings, TrainingSession

    settings = Settings(
        vocab_size=job["size"],
        pattern="gpt2",
        ties="smallest-ids",
        byte_order="gpt2",
        specials=(),
    )
    small = Settings(vocab_size=400, pattern="gpt2", ties="smallest-ids", byte_order="gpt2")
    for _ in TrainingSession.of_texts(["low low lower lowest"], small).run():
        pass
    clock = Clock()
    session = TrainingSession([job["corpus"]], settings)
    for _ in session.run(max_merges=0):
        pass
    counted = clock.figures()["seconds"]
    for _ in session.run():
        pass
    session.tokenizer()
    figures = clock.figures()
    figures |= {"counting": counted, "merging": figures["seconds"] - counted}
    return {"figures": {**figures, "peak_mb": peak_mb()}}


def encoding(job: Answer) -> Answer:
    """One text, cold and warm on one core, then in short documents on all."""
    import numpy as np

    from tests.bench.encoders import ENCODERS, as_array

    competitor, text = ENCODERS[job["who"]], Path(job["text"]).read_text("utf-8")
    megabytes = Path(job["text"]).stat().st_size / 1e6
    everything = available()
    use_cores({max(everything)})
    encoder = competitor.load(Path(job["ranks"]))
    competitor.encode(encoder, "low low lower lowest, é 日本\n")
    clock = Clock()
    ids = competitor.encode(encoder, text)
    figures = clock.figures()
    figures["mb_s"] = megabytes / figures["seconds"]
    if job["ids"]:
        np.save(job["ids"], as_array(ids) if competitor.ids else np.asarray(ids))
    del ids
    warm = min(_seconds(lambda: competitor.encode(encoder, text)) for _ in range(2))
    figures |= {"warm_mb_s": megabytes / warm, "peak_mb": peak_mb()}
    if hasattr(encoder, "encode_with_offsets"):
        took = min(_seconds(lambda: encoder.encode_with_offsets(text)) for _ in range(2))
        figures["offsets"] = took / warm
    if job["batch"] and competitor.batch is not None:
        use_cores(everything)
        texts = list(text_blocks(text, 10_000))
        competitor.batch(encoder, texts[:50])
        took = min(_seconds(lambda: competitor.batch(encoder, texts)) for _ in range(2))
        figures["batch_mb_s"] = megabytes / took
    return {"figures": figures}


def _seconds(work: Callable[[], Any]) -> float:
    clock = Clock()
    work()
    return clock.figures()["seconds"]


SUBJECTS: Final[dict[str, Callable[[Answer], Answer]]] = {
    "training": training,
    "counting": counting,
    "growth": growth,
    "encoding": encoding,
}


def main() -> int:
    subject, job, answer = sys.argv[1:4]
    told = SUBJECTS[subject](json.loads(job))
    Path(answer).write_text(json.dumps(told), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
