"""What else is known of a candidate."""

from __future__ import annotations

from bpe_studio.analysis.candidate_sorts import candidate_sorts
from bpe_studio.analysis.flags import KINDS, flag
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer

TOKENS = {256: b"low", 257: b"\xe2\x82", 258: b"<eos>", 259: b"=" * 40}
TOKENIZER = Tokenizer(
    table=MergeTable.build(byte_ids=range(256), tokens=TOKENS),
    pattern=resolve_pattern("gpt2"),
    special_ids={"<eos>": 300},
)


def test_bytes_of_a_token_tell_something_without_a_check() -> None:
    assert candidate_sorts(TOKENIZER, [97, 256, 257, 258, 300]) == [
        "Byte", "–", KINDS["partial-utf8"].title, KINDS["special-look-alike"].title, "–",
    ]  # fmt: skip
    run, long = KINDS["run"].title, KINDS["over-long"].title
    assert set(candidate_sorts(TOKENIZER, [259])[0].split(", ")) == {run, long}


def test_a_check_tells_the_most_serious_first_and_each_once() -> None:
    flags = [
        flag(256, "scaffold", ""),
        flag(256, "under-trained", ""),
        flag(256, "unreachable", ""),
        flag(256, "scaffold", ""),
        flag(97, "unused-base", ""),
        flag(1, "rare", ""),
    ]
    assert candidate_sorts(TOKENIZER, [256, 97, 257], flags) == [
        f"{KINDS['unreachable'].title}, {KINDS['scaffold'].title}",
        f"Byte, {KINDS['unused-base'].title}",
        "–",
    ]
