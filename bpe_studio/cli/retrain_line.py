"""The `bpe-studio train` line that would do something about what `health` found."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from bpe_studio.analysis.health import HealthReport
    from bpe_studio.bpe.tokenizer import Tokenizer

_PROGRAM: Final = "bpe-studio train"
OTHER_CORPUS: Final = (
    "This is not the corpus that the table was trained on, so no other training is proposed."
)
_OPTIONS: Final = {
    "vocab_size": "--vocab-size",
    "min_freq": "--min-freq",
    "pattern": "--pattern",
    "base": "--base",
    "ties": "--ties",
    "byte_order": "--byte-order",
    "hold_out": "--hold-out",
    "max_token_bytes": "--max-token-bytes",
    "min_documents": "--min-documents",
}


def print_retraining(
    tokenizer: Tokenizer,
    report: HealthReport,
    name: str,
    paths: Sequence[str],
    *,
    text_key: str | None = None,
    its_corpus: bool = True,
) -> None:
    """Says what another training could do about it, and the line that does it; or nothing.

    Parameters
    ----------
    its_corpus : False where it was checked on other texts than it was trained on
    """
    from bpe_studio.analysis.retraining import suggest
    from bpe_studio.cli.output import shown, write_out

    suggestion = suggest(report, tokenizer)
    if tokenizer.training is None or not suggestion.sentences:
        return
    if not its_corpus:
        write_out(f"\n{OTHER_CORPUS}\n")
        return
    if suggestion.rules:
        write_out("\nTrained again, it could be without them:\n")
    else:
        write_out("\nAnother training has nothing more to leave out:\n")
    for sentence in suggestion.sentences:
        write_out(f"  {shown(sentence)}\n")
    if not suggestion.rules:
        return
    line = retrain_line(tokenizer, suggestion.rules, name, paths, text_key=text_key)
    write_out(f"\n  {shown(line)}\n")


def retrain_line(
    tokenizer: Tokenizer,
    rules: dict[str, Any],
    name: str,
    paths: Sequence[str],
    *,
    text_key: str | None = None,
) -> str:
    """The command, with the settings of the table's own training and these rules besides.

    Parameters
    ----------
    rules : settings that are not as usual, by name
    name : of the table, from which that of the new file is made
    paths : what it was trained on; none leaves the place open
    """
    from bpe_studio.analysis.retraining import recorded_settings, stricter
    from bpe_studio.cli.shell_words import shell_word
    from bpe_studio.settings import DEFAULT_SPECIALS, Settings

    settings = stricter(recorded_settings(tokenizer), rules)
    usual = Settings()
    stem = os.path.splitext(os.path.basename(name.rstrip("/\\")))[0] or "table"
    words = [*(map(shell_word, paths) if paths else ["PATH"])]
    words += ["-o", shell_word(f"{stem}-again.json")]
    for key, option in _OPTIONS.items():
        value = settings.get(key)
        if key == "vocab_size" or (value is not None and value != getattr(usual, key)):
            words += [option, shell_word(str(value))]
    if settings["specials"] != DEFAULT_SPECIALS:
        words += ["--specials", shell_word(",".join(settings["specials"]) or "none")]
    if text_key is not None:
        words += ["--text-key", shell_word(text_key)]
    if settings.get("whole_characters"):
        words.append("--whole-characters")
    for file in settings.get("without", ()):
        words += ["--without", shell_word(file)]
    return " ".join([_PROGRAM, *words])
