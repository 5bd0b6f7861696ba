"""Compiles every kernel into the user's cache, once for each installation.

Run as ``python -m bpe_studio.warm``, in a process of its own, so that neither the window nor a
training meets the compiler at a bad moment.
"""

from __future__ import annotations

from dataclasses import replace

from bpe_studio.api import Settings, TrainingSession
from bpe_studio.kernels import are_compiled, mark_compiled


def warm() -> None:
    """Trains, continues and encodes a few words: every kernel, for the types that are in use."""
    letters = [chr(code) for code in range(0x41, 0x180) if chr(code).isalpha()]
    # More pairs than the first table of pairs holds, so that it grows.
    many_pairs = "".join(a + b for a in letters[:80] for b in letters[:80])
    texts = ["low low lower lowest", "é é 日本 日本 " + "ab" * 40, many_pairs]
    for base in ("bytes", "chars"):
        session = TrainingSession.of_texts(texts, Settings(vocab_size=400, base=base))
        for _ in session.run():
            pass
        tokenizer = session.tokenizer()
        tokenizer.encode(texts[0])
        replace(tokenizer, engine="whole-piece-first").encode(texts[1])
    # A training that runs out of pairs.
    list(TrainingSession.of_texts(["ab ab"], Settings(vocab_size=300)).run())
    mark_compiled()


if __name__ == "__main__":
    if not are_compiled():
        warm()
