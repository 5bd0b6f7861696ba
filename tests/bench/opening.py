"""How late the window is while it opens a tokenizer file, and how long that takes.

A timer of 10 ms in the GUI thread notes how late it is. Without FILE, a tokenizer.json of 33 MB is
made first: 340,000 tokens, each with one merge or several.

    python -m tests.bench.opening [FILE] [--xcb]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.gui_latency import LATEST_MS, Tick, wait

TOKENS = 340_000
BYTES = 33_000_000


def large_file(path: Path) -> None:
    """A byte-level tokenizer as Hugging Face writes it, with words of chance."""
    from bpe_studio.formats.ranks.byte_alphabet import LETTERS

    chance = random.Random(1)
    alphabet = list(LETTERS)
    vocab = {char: number for number, char in enumerate(alphabet)}
    names, merges = list(alphabet), []
    letters = [LETTERS[byte] for byte in b" etaoinshrdlucmfwypvbgkjqxz"]
    while len(vocab) < TOKENS:
        left, right = chance.choice(letters), chance.choice(letters)
        made = left + right
        if made in vocab:
            continue
        vocab[made] = len(vocab)
        names.append(made)
        merges.append([left, right])
        if len(made) < 8:
            letters.append(made)
    size = len(json.dumps(vocab, ensure_ascii=False, indent=2).encode())
    for name in chance.choices(names[400:], k=4 * TOKENS):
        cut = chance.randrange(1, len(name))
        if name[:cut] in vocab and name[cut:] in vocab:
            merges.append([name[:cut], name[cut:]])
            size += 60
        if size + 60 * TOKENS > BYTES:
            break
    written = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": True,
            "use_regex": True,
        },
        "post_processor": None,
        "decoder": {
            "type": "ByteLevel",
            "add_prefix_space": True,
            "trim_offsets": True,
            "use_regex": True,
        },
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocab,
            "merges": merges,
        },
    }
    path.write_text(json.dumps(written, ensure_ascii=False, indent=2), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--xcb", action="store_true", help="on the display, not offscreen")
    given = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "xcb" if given.xcb else "offscreen"
    with tempfile.TemporaryDirectory() as folder:
        path = given.file
        if path is None:
            path = Path(folder) / "large.json"
            large_file(path)
        return measure(path, Path(folder))


def measure(path: Path, folder: Path) -> int:
    from bpe_studio.gui import theme
    from bpe_studio.gui.app import make_application, make_window, prepare_plot
    from bpe_studio.gui.collector import IdleCollection
    from bpe_studio.gui.job import Job
    from bpe_studio.gui.state.settings_store import SettingsStore

    app = make_application()
    theme.apply(app, "light")
    window = make_window(SettingsStore(folder))
    window.resize(1280, 800)
    window.show()
    IdleCollection(window)
    window.kernels.start()
    prepare_plot(window)
    window.text_panel.show_sample()
    wait(app, lambda: window.curve.plot_is_made and window.kernels.ready.is_set())
    wait(app, lambda: False, seconds=4.0)  # as a user does who looks for a file
    tick = Tick()
    tick.phase = "idle"
    wait(app, lambda: False, seconds=0.5)
    tick.phase = "reading"
    began = time.perf_counter()
    errors: list[str] = []
    window.files.failed.connect(errors.append)
    window.files.open([path])
    wait(app, lambda: bool(window.tables.tables) or bool(errors))
    read = time.perf_counter() - began
    if errors:
        print(errors[0])
        return 1
    tick.phase = "showing"
    owners = (window, window.training, window.corpus)
    quiet = [time.perf_counter()]

    def settled() -> bool:
        if any(job.running for owner in owners for job in owner.findChildren(Job)):
            quiet[0] = time.perf_counter()
        return time.perf_counter() - quiet[0] > 0.3

    wait(app, settled)
    shown = quiet[0] - began
    print(f"{path.name}, {path.stat().st_size / 1e6:.1f} MB: read in {read:.2f} s, "
          f"shown after {shown:.2f} s, {window.tables.current.tokenizer}")  # fmt: skip
    for phase in tick.late:
        print(tick.line(phase))
    window.closing.end_all(window, window.training, window.corpus, window.kernels)
    return 0 if max(late for part in tick.late.values() for late in part) < LATEST_MS else 1


if __name__ == "__main__":
    sys.exit(main())
