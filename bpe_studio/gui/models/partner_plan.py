"""What a partner of a table is to be: WordPiece or Unigram, on the same corpus, as large."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bpe_studio.bpe.generators import retold
from bpe_studio.gui.models.pass_progress import PassStep

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus
    from bpe_studio.bpe.patterns import Pattern
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.partners import Partner, PartnerKind, PartnerProgress

Train = Callable[..., Generator[Any, None, Any]]
"""As `partners.train_partner`."""
KINDS: Final[dict[PartnerKind, tuple[str, str]]] = {
    "wordpiece": (
        "WordPiece",
        "Learns tokens as BPE does, but cuts a word into the longest that fit, from the left.",
    ),
    "unigram": (
        "Unigram",
        "Begins with very many tokens, drops those that the text misses least, and cuts a word "
        "the most probable way.",
    ),
}
"""The title of each kind, and how it works."""


@dataclass(frozen=True, slots=True)
class PartnerPlan:
    """The table that gets a partner, and the corpus to train it on.

    Attributes
    ----------
    table, corpus_name : str
        How they are called.
    vocab_size : int
        That of the table.
    settings : dict
        What `partners.train_partner` is told besides: pattern, specials, and what the training of
        the table has left out.
    """

    table: str
    corpus: Corpus
    corpus_name: str
    vocab_size: int
    settings: dict[str, Any]

    @property
    def smallest(self) -> int:
        """Ids that every partner has: the specials and the 256 bytes."""
        return len(self.settings["specials"]) + 256


def partner_plan(name: str, tokenizer: Tokenizer, corpus: Corpus, corpus_name: str) -> PartnerPlan:
    """A partner that differs from a table in nothing but its kind."""
    pattern: Pattern = tokenizer.pattern
    settings: dict[str, Any] = {"pattern": pattern, "specials": tokenizer.specials}
    record = tokenizer.training
    if record is not None:
        settings |= {
            "min_freq": record.settings.get("min_freq", 2),
            "hold_out": record.hold_out,
            "without": record.without,
            "may_lack": record.without,  # the corpus may be another one
        }
    return PartnerPlan(name, corpus, corpus_name, tokenizer.vocab_size, settings)


def iter_partner(
    plan: PartnerPlan, kind: PartnerKind, vocab_size: int, train: Train | None = None
) -> Generator[PassStep, None, Partner]:
    """Train a partner in a process of its own.

    Raises
    ------
    ValueError
        As `partners.train_partner`.
    """
    if train is None:
        from bpe_studio.partners import train_partner as train
    steps = train(plan.corpus, kind, vocab_size, **plan.settings)
    made: Partner = yield from retold(steps, lambda step: _step(step, KINDS[kind][0]))
    return made


def _step(step: PartnerProgress, title: str) -> PassStep:
    if step.phase == "reading":
        return PassStep("Reading the corpus", step.done, step.total, "bytes")
    return PassStep(f"Training {title} for {round(step.seconds)} s")
