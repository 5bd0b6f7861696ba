"""explain: the same answers as the analysis, as text and as JSON."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.analysis.explain import variants_of, why_not_one_token
from bpe_studio.analysis.letters import grid
from bpe_studio.analysis.proof import find_proof
from bpe_studio.bpe.decoder import readable
from tests.analysis.tables import make_pair
from tests.cli.conftest import Run


def test_text(run: Run, low: Path) -> None:
    result = run("explain", "-t", low, "low lowest")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("low  characters 0–3, alternative 8:  ?[^\\W\\d]+\n")
    assert "\n  rank  merge         id   times  then  pairs that lost\n" in result.out
    assert "\n     3  ␠low + e → ␠lowe  265  1      ␠lowe|s|t\n" in result.out
    assert "\n  token  265  bytes 3–8   ␠lowe\n" in result.out


def test_why(run: Run, low: Path) -> None:
    tokenizer, text = bs.load(low), "low lowest"
    reason = why_not_one_token(tokenizer, text, 3, 7)
    result = run("explain", "-t", low, text, "--why", "3:7")
    assert result.out.startswith(
        reason.sentence + "\n"
        "The shortest text that shows it: characters 0–4 of ␠lowe  →  ␠lowe (265)\n"
        "Near to it:\n"
        "  ␠low  1 token   ␠low (264)                        at the start of the text\n"
        "  low   1 token   low (263)                         without the leading space\n"
    )
    told = json.loads(run("explain", "-t", low, text, "--why", "3:7", "--json").out)
    assert told["why"]["kind"] == reason.kind == "absorbed"
    assert told["why"]["rank"] == reason.rank
    proof = find_proof(tokenizer, text, reason)
    assert proof is not None and told["proof"]["text"] == proof.text == " lowe"
    near = [(v.label, list(v.ids)) for v in variants_of(tokenizer, reason)]
    told_near = [(v["label"], [t["id"] for t in v["tokens"]]) for v in told["variants"]]
    assert told_near == near
    letters = grid(tokenizer, text, 3, 7)
    assert [t["id"] for t in told["letters"]["tokens"]] == [t.id for t in letters.tokens]


def test_json_has_every_step(run: Run, low: Path) -> None:
    told = json.loads(run("explain", "-t", low, "low lowest", "--json").out)
    assert [piece["text"] for piece in told["pieces"]] == ["low", " lowest"]
    piece = told["pieces"][1]
    assert [step["rank"] for step in piece["steps"]] == [0, 1, 2, 3]
    assert piece["tokens"][0]["bytes"] == b" lowe".hex()
    assert piece["tree"]["columns"][:2] == ["id", "rank"]
    assert [piece["tree"]["nodes"][n][0] for n in piece["tree"]["roots"]] == [265, 121, 122]
    assert told["vocabulary"]["264"] == {"token": "␠low", "bytes": b" low".hex()}
    assert "why" not in told and told["told_to"] == 10


def test_letters(run: Run, low: Path) -> None:
    out = run("explain", "-t", low, "low lowest 1 日", "--letters").out
    assert out.startswith("   id  token  characters  letters\n  263  low    0–3         l o w\n")
    assert "  a part of 日\n" in out and "\nnumber 1: 1\n" in out
    assert "small letters counted together: l 2 times, o 2 times, w 2 times\n" in out


def test_a_token(run: Run, low: Path) -> None:
    out = run("explain", "-t", low, "--token", "264").out
    assert out == run("explain", "-t", low, "--token", " low").out
    assert out == run("explain", "-t", low, "--token", "␠low").out
    assert out.startswith("␠low  id 264, 4 bytes\nHow it came to be, merge by merge:\n")
    assert "\n     2  ␠ + low → ␠low  264           3        3\n1 merge uses it:\n" in out
    assert "\n1 longer token holds its bytes:\n  ␠lowe (265)\n" in out
    read = run("explain", "-t", low, "--token", "264", "--corpus", low.with_name("low.txt"))
    assert "Its merge fired 3 times, in 3 distinct pieces:\n" in read.out
    assert "\n      1            1  ␠lowest  low.txt (1)\n" in read.out
    told = json.loads(
        run("explain", "-t", low, "low", "--token", "264", "--corpus", low.parent, "--json").out
    )
    assert told["pieces"][0]["text"] == "low"
    assert told["history"]["merges"][0]["pair_count"] == 3
    assert told["history"]["earned"]["most"][0]["files"] == [{"file": "low.txt", "count": 1}]
    (low.parent / "more.txt").write_text("low")
    other = run("explain", "-t", low, "--token", "264", "--corpus", low.parent)
    assert "The corpus is not the one of the training.\n" in other.out
    assert "The corpus is not the one of the training.\n" not in read.out
    special = run("explain", "-t", low, "--token", "<bos>")
    assert special.out == "<bos>  id 1, a special\n"


def test_what_nothing_earned(run: Run, low: Path) -> None:
    corpus = ("--corpus", low.with_name("low.txt"))
    base = run("explain", "-t", low, "--token", "l", *corpus).out
    assert "No piece earned it: it is a base symbol, which is there before the first merge." in base
    special = run("explain", "-t", low, "--token", "<bos>", *corpus).out
    assert "No piece earned it: it is a special, which is given its id." in special
    assert "fired" not in base + special


def test_several_merges_are_counted_together(run: Run, tmp_path: Path) -> None:
    pair = make_pair([(97, 98, 256), (98, 99, 257), (256, 99, 258), (97, 257, 258)])
    bs.save(replace(pair.tokenizer, engine="whole-piece-first"), tmp_path / "t.json")
    (tmp_path / "a.txt").write_text("abc abc")
    words = ("explain", "-t", tmp_path / "t.json", "--token", "258")
    out = run(*words, "--corpus", tmp_path / "a.txt").out
    assert "\nIts 2 merges, counted together, fired 2 times, in 2 distinct pieces:\n" in out
    assert "\nMerges are followed as training does; this engine takes whole pieces first.\n" in out


def test_a_token_that_is_never_made_alone(run: Run, tmp_path: Path) -> None:
    pair = make_pair([(98, 99, 256), (97, 98, 257), (257, 99, 258)])
    bs.save(pair.tokenizer, tmp_path / "t.json")
    out = run("explain", "-t", tmp_path / "t.json", "--token", "258").out
    assert "Its own bytes, merged alone, do not become it; told is one possible way" in out
    assert "How it came to be" not in out
    told = json.loads(run("explain", "-t", tmp_path / "t.json", "--token", "258", "--json").out)
    assert told["history"]["made_alone"] is False


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (["--token", "zzz"], 1, "the table has no token 'zzz'; --token takes an id or the whole"),
        (["--token", "99999"], 1, "There is no token with the id 99999."),
        (["low", "--corpus", "x"], 2, "--corpus goes with --token"),
        (["--token", "264", "--letters"], 2, "--letters asks about a TEXT"),
        (["--token", "264", "--why", "0:1"], 2, "--why asks about a TEXT"),
        (["low", "--pieces", "-1"], 2, "it must be 0 or more"),
        (["--token", "264", "--corpus", "/no/such"], 1, "/no/such"),
    ],
)
def test_nonsense(run: Run, low: Path, words: list[str], status: int, error: str) -> None:
    result = run("explain", "-t", low, *words)
    assert result.status == status and error in result.err and result.err.count("\n") == 1


def test_many_pieces(run: Run, low: Path) -> None:
    text = "low " * 150
    out = run("explain", "-t", low, text).out
    assert out.endswith(
        "These are the first 100 pieces, up to character 399; --pieces 0 tells all.\n"
    )
    told = json.loads(run("explain", "-t", low, text, "--json").out)
    assert len(told["pieces"]) == 100 and told["told_to"] == 399
    every = json.loads(run("explain", "-t", low, text, "--json", "--pieces", "0").out)
    assert len(every["pieces"]) == 151 and every["told_to"] == 600


def test_the_text_of_the_json_is_what_is_told(run: Run, low: Path) -> None:
    text = "low " * 5_000
    told = json.loads(run("explain", "-t", low, text, "--json", "--pieces", "2").out)
    assert (told["text_start"], told["text"], told["characters"]) == (0, "low low", len(text))
    told = json.loads(run("explain", "-t", low, text, "--why", "8:11", "--json").out)
    assert (told["text_start"], told["text"]) == (7, " low")
    assert told["pieces"][0]["alternative_number"] == told["pieces"][0]["alternative"] + 1


def test_all_pieces_of_a_long_text_are_told_as_they_come(run: Run, low: Path) -> None:
    text = "low " * 6_000
    for how in ((), ("--json",)):
        result = run("explain", "-t", low, text, "--pieces", 0, *how)
        assert result.err.startswith("Explaining: 24,000 characters in ")
    assert len(json.loads(result.out)["pieces"]) == 6_001
    (piece,) = json.loads(run("explain", "-t", low, "low", "--pieces", 0, "--json").out)["pieces"]
    assert piece["text"] == "low"
    assert json.loads(run("explain", "-t", low, "", "--json").out)["pieces"] == []


def test_small_texts(run: Run, low: Path) -> None:
    assert run("explain", "-t", low, "").out == "The text is empty, so it has no tokens.\n"
    assert "\nThis is the first piece, up to character 3; --pieces 0 tells all.\n" in run(
        "explain", "-t", low, "low low", "--pieces", 1
    ).out  # fmt: skip


def test_specials_are_allowed(run: Run, low: Path) -> None:
    words = ("explain", "-t", low, "<bos>low", "--why")
    plain = "“<bos>” is the special 1; it is plain text here unless --allow-special names it.\n"
    exact = (
        " The special “<bos>” (id 1) is read as plain text here.\n"
        "It is the special where --allow-special names it.\n"
    )
    for span in ("0:4", "1:3", "4:6"):
        assert plain in run(*words, span).out
    out = run(*words, "0:5").out
    assert exact in out and plain not in out and out.startswith("The pattern cuts “<bos>” at ")
    assert plain not in run(*words, "5:8").out
    for allowed in ("all", "<bos>", "<eos>,<bos>"):
        out = run(*words, "0:5", "--allow-special", allowed).out
        assert out.startswith("It is one special here: “<bos>” (id 1).") and plain not in out
        told = json.loads(run(*words, "5:8", "--allow-special", allowed, "--json").out)
        assert told["pieces"][0]["text"] == "low" and told["why"]["kind"] == "one-token"
    assert exact in run(*words, "0:5", "--allow-special", "<eos>").out
    assert "<nope>" in run(*words, "0:5", "--allow-special", "<nope>").err


def test_a_token_that_is_spelled_with_digits(run: Run, low: Path) -> None:
    tokenizer = bs.load(low)
    number = tokenizer.encode("7")[0]
    result = run("explain", "-t", low, "--token", "7")
    assert result.out.startswith(f"{readable(tokenizer.token_bytes(7))}  id 7, ")
    assert f"the token “7” is id {number}; --token-text 7 tells of it.\n" in result.err
    result = run("explain", "-t", low, "--token-text", "7")
    assert result.out.startswith(f"7  id {number}, a base symbol\n") and result.err == ""
    both = run("explain", "-t", low, "--token-text", "7", "--token", "7")
    assert both.status == 2 and "give either --token or --token-text" in both.err


def test_letters_of_a_long_text(run: Run, low: Path) -> None:
    out = run("explain", "-t", low, "low " * 1_000, "--letters").out
    assert (
        "These are the first 400 characters, and so is what follows; 3,600 characters more" in out
    )
    assert "small letters counted together: l 100 times, o 100 times, w 100 times\n" in out


def test_what_is_told_grows_with_the_text(run: Run, low: Path) -> None:
    """Twice the text, twice the JSON; of a long piece no more than of its window."""
    sizes = [
        len(run("explain", "-t", low, "lowest " * n, "--json", "--pieces", "0").out)
        for n in (200, 400)
    ]
    assert sizes[1] < 2.1 * sizes[0]
    long = json.loads(run("explain", "-t", low, "lowest" * 1_000, "--why", "30:33", "--json").out)
    piece = long["pieces"][0]
    assert piece["shortened"] and piece["symbol_count"] == 6_000 and len(piece["symbols"]) <= 400
    assert piece["window_start"] <= 30 and len(piece["text"]) == len(piece["symbols"])
    shown = run("explain", "-t", low, "lowest" * 1_000, "--why", "30:33").out
    assert "  a window of the piece: characters " in shown


def test_spans(run: Run, low: Path) -> None:
    assert run("explain", "-t", low, "low", "--why", ":").out.startswith("It is one token here")
    for span, error in (
        ("2:2", "the span 2:2 is empty; the text has 3 characters."),
        ("3:1", "the span 3:1 ends before it begins; write 1:3."),
    ):
        result = run("explain", "-t", low, "low", "--why", span)
        assert result.status == 1 and error in result.err
    result = run("explain", "-t", low, "l", "--why", "0:9")
    assert result.status == 1
    assert "the span 0:9 is not inside the text: the text has 1 character." in result.err


def test_the_text_of_a_file(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run("explain", "-t", low, "low low lower lowest", "--why", "3:7").out
    words = ("explain", "-t", low, "--why", "3:7")
    assert run(*words, "--file", low.with_name("low.txt")).out == expected
    for there in (["-"], ["--file", "-"]):
        stdin = io.TextIOWrapper(io.BytesIO(b"low low lower lowest"))
        monkeypatch.setattr("sys.stdin", stdin)
        assert run(*words, *there).out == expected
    (tmp_path / "a.jsonl").write_text('{"text": "low"}\n' * 3)
    result = run("explain", "-t", low, "--file", tmp_path / "a.jsonl")
    assert result.status == 1
    assert "a.jsonl holds more than one document, and explain takes one." in result.err
    for both in ([], ["low", "--file", low]):
        error = run("explain", "-t", low, *both).err
        assert "give either TEXT or --file, or --token alone" in error


def test_control_characters_do_not_reach_the_terminal(run: Run, low: Path) -> None:
    assert "\x1b" not in run("explain", "-t", low, "a\x1b[31mb", "--why", "0:3").out
