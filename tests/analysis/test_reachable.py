"""Reachability by brute force over all short texts, and the witnesses."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.alone import Alone
from bpe_studio.analysis.flags import Flag
from bpe_studio.analysis.health import check_all
from bpe_studio.analysis.reachable import Prober
from tests import oracle_analysis as oracle
from tests.analysis.tables import Pair, make_pair, pairs


def _flags(pair: Pair) -> dict[int, dict[str, Flag]]:
    found: dict[int, dict[str, Flag]] = {}
    for flag in check_all(pair.tokenizer).flags:
        found.setdefault(flag.id, {})[flag.kind] = flag
    return found


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_brute_force_over_short_texts(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    flags = _flags(pair)
    produced = oracle.produced(pair.plain, pair.alphabet + "=", 4)
    for token in produced:
        assert "unreachable" not in flags.get(token, {}), (pair, token, produced[token])


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_what_is_not_flagged_has_a_witness(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    flags = _flags(pair)
    for token, raw in pair.plain.tokens().items():
        kinds = flags.get(token, {})
        if token in pair.plain.base or "unreachable" in kinds or "duplicate" in kinds:
            continue
        if "always-merged" in kinds:
            text = kinds["always-merged"].witness or ""
            pieces = [p.text.encode() for p in oracle.parts(pair.plain, text)]
            assert token in {t for p in pieces for _, _, t in oracle.ever(pair.plain, p)}
            continue
        text = raw.decode("utf-8", "ignore") if "partial-utf8" not in kinds else None
        if "not-alone" in kinds:
            alone = oracle.encode(pair.plain, raw.decode())
            assert [t for _, _, t in alone] != [token]
            text = kinds["not-alone"].witness
        if text is None:
            merged = [t for _, _, t in oracle.merged(pair.plain, raw)] == [token]
            text = Prober(pair.tokenizer).search(Alone(token, raw, None, merged, False)).witness
        assert text is not None
        assert token in {t for _, _, t in oracle.encode(pair.plain, text)}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_merges_decide_on_the_tokens_own_bytes(data: st.DataObject) -> None:
    """The theorem: in no piece at all, if not alone."""
    pair = data.draw(pairs(alphabets=("ab", "abc", "aé")))
    alone = {
        token
        for token, raw in pair.plain.tokens().items()
        if [t for _, _, t in oracle.merged(pair.plain, raw)] == [token]
    }
    letters = pair.alphabet
    for length in range(1, 6):
        for number in range(len(letters) ** length):
            piece = "".join(
                letters[number // len(letters) ** n % len(letters)] for n in range(length)
            )
            assert {t for _, _, t in oracle.merged(pair.plain, piece.encode())} <= alone


def test_the_pattern_cuts_alone_but_not_between_neighbours() -> None:
    merges = [(10, 47, 256), (256, 47, 257)]
    pair = make_pair(merges, pattern="o200k")
    flag = _flags(pair)[257]["not-alone"]
    assert pair.tokenizer.encode("\n//") != [257]
    assert flag.witness is not None and 257 in pair.tokenizer.encode(flag.witness)
    assert "The pattern cuts “⏎//” at character 1" in flag.evidence


def test_the_pattern_never_leaves_it_together() -> None:
    flags = _flags(make_pair([(97, 32, 256)]))[256]
    flag = flags["unreachable"]
    assert flags["cut-by-pattern"].evidence == (
        "The pattern cuts “a·” at character 1 into “a” (alternative 8) and “␠” (alternative 11)."
    )
    assert flag.evidence.startswith(
        "The pattern cuts “a·” at character 1 into “a” (alternative 8) and “␠” (alternative 11), "
        "and none of"
    )


def test_the_reasons_of_merges() -> None:
    lost = make_pair([(256, 99, 257)], extra={256: b"ab"}, pattern=r"[\s\S]+")
    assert _flags(lost)[257]["unreachable"].evidence == (
        "“abc” (id 257) is made by the merge of rank 0 (“ab” + “c”), but on the way to it no merge "
        "makes “ab” (id 256). An engine that takes whole pieces first would produce it."
    )
    won = make_pair([(98, 99, 256), (97, 98, 257), (257, 99, 258)])
    assert _flags(won)[258]["unreachable"].evidence == (
        "On its own bytes the merge of rank 0 (“b” + “c”) wins and makes “bc” (id 256), "
        "so “ab” and "
        "“c” never meet for the merge of rank 2 (“ab” + “c”). An engine that takes whole "
        "pieces first "
        "would produce it."
    )
    whole = make_pair(list(won.plain.merges), engine="whole-piece-first")
    assert set(_flags(whole)[258]) == {"whole-piece-only"}


def test_a_half_character_is_completed() -> None:
    pair = make_pair([(0xE2, 0x82, 256), (32, 256, 257), (0x82, 0xAC, 258)], pattern="gpt2")
    flags = _flags(pair)
    assert set(flags[256]) == set(flags[257]) == {"partial-utf8"}
    reach = Prober(pair.tokenizer).search(Alone(257, b" \xe2\x82", None, True, False))
    assert reach.witness is not None and reach.witness.startswith(" ")
    # The lead of € is always merged with its next byte first.
    assert set(flags[258]) == {"partial-utf8"}


def test_made_only_on_the_way() -> None:
    pair = make_pair([(39, 108, 256), (256, 108, 257)], pattern="gpt2")
    flag = _flags(pair)[256]["always-merged"]
    assert flag.witness == "'ll"
    assert flag.evidence.startswith("In “'ll” merges make “'l” and go on; none of ")


def test_bytes_that_no_text_has() -> None:
    flags = _flags(make_pair([(0xC0, 97, 256)]))
    assert set(flags[256]) == {"unreachable", "never-valid"}
    assert flags[256]["unreachable"].evidence == "It holds bytes that no UTF-8 text has."
