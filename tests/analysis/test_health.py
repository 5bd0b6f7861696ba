"""Flags of the table and of usage; what training gives is healthy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import bpe_studio as bs
from bpe_studio import api
from bpe_studio.analysis.flags import KINDS, SEVERITIES, Thresholds
from bpe_studio.analysis.health import HealthReport, check, check_all
from bpe_studio.analysis.looks import LookChecks
from bpe_studio.analysis.undertrained import Indicator, UnderTrained
from bpe_studio.bpe.patterns import PRESETS
from tests.analysis.corpus_uses import plain_use
from tests.analysis.tables import Pair, make_pair

CORPUS = (
    "low low lower lowest don't DON'T we'll we've 12345 12 123 x=1;\r\n\r\n\tif a:\n\n\n     b()\n"
    "नमस्ते नमस्ते दुनिया e\u0301e\u0301 日本語 日本 한국어 한국 😀😀 😀👍🏽 👩\u200d👩\u200d👧\n"
    "---- ---- ==== a\u00a0b\u2028c Привет привет Мир ÜBER über Straße straße كتاب كتاب \u200f\n"
    "x² ½ Ⅷ ٣٤٥ //\n//\n /// '' \"\" \n"
) * 4


def _evidence(report: HealthReport, kind: str) -> dict[int, str]:
    return {flag.id: flag.evidence for flag in report.of_kind(kind)}


@pytest.mark.parametrize("base", ["bytes", "chars"])
@pytest.mark.parametrize("pattern", list(PRESETS))
def test_what_is_trained_here_is_reachable_and_unique(
    tmp_path: Path, pattern: str, base: str
) -> None:
    file = tmp_path / "corpus.txt"
    file.write_bytes(CORPUS.encode())
    tokenizer = api.train([file], vocab_size=1_000, pattern=pattern, base=base)
    assert len(tokenizer.merges) > 100
    report = check_all(tokenizer)
    assert not report.of_kind("unreachable") and not report.of_kind("duplicate")
    assert report.self_test is True


def test_progress_ends_with_the_report() -> None:
    progress = list(check(make_pair([(97, 97, 256)]).tokenizer))
    assert progress[-1].report is not None and progress[-1].done == progress[-1].total == 257
    assert all(p.report is None for p in progress[:-1])
    assert progress[-1].report.self_test is None


def test_every_kind_has_words() -> None:
    assert set(SEVERITIES) <= set(KINDS)
    for kind in KINDS.values():
        assert kind.title[0].isupper() and not kind.title.endswith(".")
        assert kind.meaning.endswith(".") and kind.advice.endswith(".")


def test_half_characters_are_counted_by_side() -> None:
    pair = make_pair([(0xE2, 0x82, 256), (0x82, 0xAC, 257), (0xAC, 0xE2, 258), (32, 0xE2, 259)])
    partial = check_all(pair.tokenizer).partial
    assert (partial.ends, partial.begins, partial.both, partial.multi_byte) == (2, 1, 1, 4)
    assert (partial.single_never, partial.single_lead, partial.single_continuation) == (13, 51, 64)
    assert _evidence(check_all(pair.tokenizer), "partial-utf8")[256] == (
        "It ends inside a character: E2 82."
    )


def test_special_look_alikes() -> None:
    extra = {300: b"<a>", 301: b" <a> ", 302: b"<|im_start|>", 303: b"[INST]", 304: b"[0]",
             305: "＜｜pad｜＞".encode(), 306: b"a|b", 307: "＜a＞b".encode(), 308: b"[i]",
             309: b"[/INST]", 310: b"<</SYS>>", 311: b"<fim_prefix>", 312: b"<div>",
             313: b"<DIV>", 314: b"<start_of_turn>", 315: b"<think>"}  # fmt: skip
    pair = make_pair([], extra=extra, specials={"<a>": 900})
    found = _evidence(check_all(pair.tokenizer), "special-look-alike")
    assert set(found) == {300, 301, 302, 303, 305, 307, 309, 310, 311, 314, 315}
    assert found[300] == "It spells the special “<a>” (id 900)."
    assert found[301] == "It contains the special “<a>” (id 900)."
    assert found[307] == "Brought to NFKC, it contains the special “<a>” (id 900)."


def test_duplicates() -> None:
    extra = {300: b"ab", 301: b"ab", 302: "é".encode(), 303: "e\u0301".encode()}
    report = check_all(make_pair([], extra=extra).tokenizer)
    assert _evidence(report, "duplicate") == {301: "“ab” (id 300) has the same bytes."}
    assert set(_evidence(report, "duplicate-nfc")) == {303}
    # In any order it is the one that is not composed; of two such ones the second.
    turned = {300: "e\u0301".encode(), 301: "é".encode(), 302: "\u1e0b\u0323".encode(),
              303: "d\u0323\u0307".encode()}  # fmt: skip
    report = check_all(make_pair([], extra=turned).tokenizer)
    assert set(_evidence(report, "duplicate-nfc")) == {300, 303}


def test_invisible_characters() -> None:
    texts = ["a\u200bb", "\u202eb", "a\r\n", "\u0301a", "\ue000", "\n\n", "\t\t", "é", "\u3164"]
    extra = {300 + n: text.encode() for n, text in enumerate(texts)}
    found = _evidence(check_all(make_pair([], extra=extra).tokenizer), "invisible")
    assert set(found) == {300, 301, 302, 303, 304, 308}
    assert found[300] == "It holds U+200B ZERO WIDTH SPACE."
    assert found[303] == "It begins with the combining mark U+0301 COMBINING ACUTE ACCENT."


def test_long_tokens_and_runs() -> None:
    extra = {300: b"x" * 33, 301: b"abcdefgh" * 5, 302: b" ----", 303: b"---", 304: b"    "}
    report = check_all(make_pair([], extra=extra).tokenizer)
    assert set(_evidence(report, "over-long")) == {300, 301}
    assert _evidence(report, "run") == {
        300: "It is “x” 33 times.",
        302: "It is “-” 4 times.",
        304: "It is “␠” 4 times.",
    }
    strict = check_all(make_pair([], extra=extra).tokenizer, thresholds=Thresholds(long_bytes=50))
    assert not strict.of_kind("over-long")


def _used() -> tuple[Pair, HealthReport]:
    merges = [(97, 98, 256), (256, 99, 257), (120, 121, 258), (100, 101, 259), (122, 122, 260)]
    pair = make_pair(merges)
    documents = [*["abc"] * 100, "abcab", *["de"] * 3, *["zzz"] * 50]
    return pair, check_all(pair.tokenizer, plain_use(pair.tokenizer, documents))


def test_uses_in_a_corpus() -> None:
    _, report = _used()
    assert _evidence(report, "absent") == {
        258: "It never came up, not even on the way to a longer token."
    }
    assert _evidence(report, "scaffold") == {
        256: "Used 1 time of the 102 that it was made (R = 0.0098)."
    }
    assert _evidence(report, "rare") == {259: "Used 3 times in this corpus."}
    assert report.counts["unused-base"] == 255
    assert report.used == 5


def test_never_emitted_and_unreachable_tell_one_story() -> None:
    pair = make_pair([(97, 98, 256), (256, 99, 257), (97, 32, 258)])
    report = check_all(pair.tokenizer, plain_use(pair.tokenizer, ["abc"] * 9))
    assert _evidence(report, "never-emitted") == {
        256: "It was made 9 times and each time merged into a longer token (R = 0)."
    }
    assert [flag.kind for flag in report.flags if flag.id == 258] == [
        "unreachable",
        "cut-by-pattern",
    ]


def test_what_embeddings_say_keeps_its_order() -> None:
    tokenizer = make_pair([(97, 98, 256)]).tokenizer
    found = _under_trained(np.array([98, 97], np.int32))
    report = check_all(tokenizer, undertrained=found)
    assert list(_evidence(report, "under-trained")) == [98, 97]
    assert report.counts["under-trained"] == 2 and report.undertrained is found
    assert "under-trained" not in check_all(tokenizer).counts


def _under_trained(candidates: NDArray[np.int32]) -> UnderTrained:
    ids = np.arange(257, dtype=np.int32)
    values = np.where(np.isin(ids, candidates), 0.1, 1.0)
    return UnderTrained(
        ids=ids,
        judged=np.ones(257, np.bool_),
        indicators=(Indicator("input-norm", "input norm", values, values, 0.1, candidates),),
        candidates=candidates,
        votes=np.ones(len(candidates), np.int64),
        agreement=(),
        confidence="Only one indicator is known.",
        reference=(),
        tied=True,
        input_name="in",
        output_name="in",
        dtype="F32",
        rows=257,
        columns=4,
    )


def test_without_a_corpus_nothing_is_said_about_uses() -> None:
    report = check_all(make_pair([(97, 98, 256)]).tokenizer)
    assert "rare" not in report.counts and report.used is None and report.flagged == 0


def test_a_byte_to_fall_back_to_is_not_flagged() -> None:
    """SentencePiece has ``<0x01>`` beside characters, and merging does not begin with it."""
    chars, single = bs.load("sample-chars"), make_pair([]).tokenizer
    new = 10**6
    assert LookChecks(chars, Thresholds()).flags(new, b"\x01") == []
    assert [flag.kind for flag in LookChecks(single, Thresholds()).flags(new, b"\x01")] == [
        "invisible"
    ]
    assert LookChecks(chars, Thresholds()).flags(new, b"a\x01")[0].kind == "invisible"
