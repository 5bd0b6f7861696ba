"""Training a partner, in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio import formats
from bpe_studio.bpe.corpus import Corpus, find_files
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.apart import process
from bpe_studio.partners import Partner, PartnerKind, train_partner, training
from bpe_studio.probe import probe_corpus

KINDS: tuple[PartnerKind, ...] = ("wordpiece", "unigram")
PROBE = [file.path.read_bytes().decode() for file in probe_corpus().files]
ODD = [
    "",
    " ",
    "\r\n\x00\t",
    "\u200d\ufeff",
    "日本" * 70,
    "x" * 250,
    "ń" * 99 + "\U0001f9ff",
    "Ġ Ċ",
]


@pytest.fixture(scope="module", params=KINDS)
def partner(request: pytest.FixtureRequest) -> Partner:
    return result_of(train_partner(probe_corpus(), request.param, 900))


def test_it_is_as_large_as_was_asked_for(partner: Partner) -> None:
    assert partner.tokenizer.vocab_size == partner.tokenizer.id_bound == 900
    assert not partner.shortfall
    assert partner.report.documents == partner.words.documents == 15


def test_it_has_the_specials_first(partner: Partner) -> None:
    names = ("<pad>", "<bos>", "<eos>", "<tool_call>", "</tool_call>", "<tool_result>")
    assert partner.tokenizer.special_ids == {name: place for place, name in enumerate(names)}
    assert partner.tokenizer.encode("<eos>") == [2]


def test_every_byte_has_a_token(partner: Partner) -> None:
    tokens = {partner.tokenizer.token_bytes(number) for number in range(6, 900)}
    assert {bytes([byte]) for byte in range(256)} <= tokens
    assert len(tokens) == 894


@pytest.mark.parametrize("text", [*PROBE, *ODD])
def test_decoding_gives_the_text(partner: Partner, text: str) -> None:
    assert partner.tokenizer.decode(partner.tokenizer.encode(text)) == text


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(" \n<>ab1é字")))
def test_decoding_gives_any_text(partner: Partner, text: str) -> None:
    assert partner.tokenizer.decode(partner.tokenizer.encode(text)) == text


@pytest.mark.parametrize("text", PROBE)
def test_no_token_crosses_the_border_of_a_piece(partner: Partner, text: str) -> None:
    _check_borders(partner.tokenizer, text, "classic")


def _check_borders(tokenizer: Tokenizer, text: str, pattern: str) -> None:
    encoding = tokenizer.encode_with_offsets(text)
    begins = {begin for begin, _ in encoding.offsets.tolist()}
    pieces = resolve_pattern(pattern).compiled.finditer(text)
    places = {len(text[: piece.start()].encode()) for piece in pieces}
    assert places <= begins
    data = b"".join(tokenizer.token_bytes(number) for number in encoding.ids.tolist())
    assert data == text.encode()


def test_it_opens_as_a_file(partner: Partner, tmp_path: Path) -> None:
    path = tmp_path / "partner.json"
    formats.save(partner.tokenizer, path, "huggingface")
    assert path.read_bytes() == partner.data
    opened = formats.load(path)
    assert opened.vocab_size == 900
    assert opened.encode(PROBE[0]) == partner.tokenizer.encode(PROBE[0])


def test_it_is_the_same_every_time(partner: Partner) -> None:
    again = result_of(train_partner(probe_corpus(), partner.kind, 900))
    assert again.data == partner.data


@pytest.mark.parametrize("pattern", [*PRESETS, r"[^\n]+|\n", r"\w+|\W"])
def test_pieces_are_those_of_the_pattern(pattern: str) -> None:
    made = result_of(train_partner(probe_corpus(), "wordpiece", 600, pattern=pattern))
    for text in PROBE:
        _check_borders(made.tokenizer, text, pattern)


def test_wordpiece_learns_what_bpe_learns(tmp_path: Path) -> None:
    """Its trainer is that of BPE, so that the tokens of a small text are known."""
    (tmp_path / "a.txt").write_text("low low lower lowest")
    corpus = find_files([tmp_path / "a.txt"])
    made = result_of(train_partner(corpus, "wordpiece", 266, min_freq=1)).tokenizer
    learned = [made.token_bytes(number) for number in range(262, 266)]
    assert learned == [b"lo", b"low", b" low", b" lowe"]


def test_a_piece_counts_as_often_as_it_is_there(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("ab " * 1000 + "cd cd cd cd ef ef")
    corpus = find_files([tmp_path / "a.txt"])
    made = result_of(train_partner(corpus, "wordpiece", 256, specials=(), min_freq=1))
    assert made.tokenizer.vocab_size == 256
    few = result_of(train_partner(corpus, "wordpiece", 300, specials=(), min_freq=3))
    found = [few.tokenizer.token_bytes(n) for n in range(256, few.tokenizer.vocab_size)]
    assert sorted(found) == [b" ab", b" cd", b"ab", b"cd"]


def test_it_says_where_the_text_has_no_more(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("low low lower lowest")
    for kind in KINDS:
        made = result_of(train_partner(find_files([tmp_path]), kind, 5000))
        size = made.tokenizer.vocab_size
        assert size < 5000
        assert f"no more than {size} ids, of the 5,000 asked for" in made.shortfall


def test_documents_are_those_of_a_table(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"{name * 4} " * 20)
    made = result_of(train_partner(find_files([tmp_path]), "unigram", 300, without=["b.txt"]))
    assert made.report.left_out_files == 1
    assert made.words.documents == 2
    assert b"bbb" not in made.words.data.tobytes()


def test_what_is_left_out_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("low low lower lowest")
    corpus = find_files([tmp_path])
    with pytest.raises(ValueError, match=r"b\.txt"):
        result_of(train_partner(corpus, "wordpiece", 262, without=["b.txt"]))
    made = train_partner(corpus, "wordpiece", 262, without=["b.txt"], may_lack=["b.txt"])
    assert result_of(made).words.documents == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"vocab_size": 200}, "the smallest is 262"),
        ({"specials": ("x",)}, "'x' is spelled as one of the 256 bytes"),
        ({"specials": ("<a>", "<a>")}, "named twice"),
        ({"pattern": "\\X|."}, "cannot be said in a tokenizer.json"),
        ({"kind": "bpe"}, "wordpiece or unigram, not 'bpe'"),
        ({"corpus": Corpus(())}, "holds no text"),
    ],
)
def test_what_is_refused(arguments: dict[str, object], says: str) -> None:
    given = {"corpus": probe_corpus(), "kind": "unigram", "vocab_size": 900, **arguments}
    with pytest.raises(ValueError, match=says):
        result_of(train_partner(**given))  # type: ignore[arg-type]


def test_what_is_too_much_for_unigram(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "_UNIGRAM_MOST_BYTES", 1000)
    with pytest.raises(ValueError, match=r"bytes of distinct pieces.* at most 1,000; use fewer"):
        result_of(train_partner(probe_corpus(), "unigram", 900))
    assert result_of(train_partner(probe_corpus(), "wordpiece", 900)).tokenizer.vocab_size == 900


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ValueError, match=r"pip install 'bpe-studio\[huggingface\]'"):
        result_of(train_partner(probe_corpus(), "unigram", 900))


def test_closing_ends_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    _play(monkeypatch, "import time; time.sleep(60)")
    steps = train_partner(probe_corpus(), "unigram", 900)
    assert any(step.phase == "training" for step in steps)
    began = time.monotonic()
    steps.close()
    assert time.monotonic() - began < 10  # not the 60 s that it sleeps
    assert not any("asking" in thread.name for thread in threading.enumerate())


def _play(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Another child, which does as it likes."""
    monkeypatch.setattr(process, "_command", lambda module, flag: [sys.executable, "-c", program])


def test_a_child_that_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    _play(monkeypatch, "import os; os.abort()")
    with pytest.raises(ValueError, match="has ended in the middle, most likely for lack of memory"):
        result_of(train_partner(probe_corpus(), "unigram", 900))


def test_a_child_that_talks_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    _play(monkeypatch, "print('hello, here I am')")
    with pytest.raises(ValueError, match="has sent what makes no sense"):
        result_of(train_partner(probe_corpus(), "wordpiece", 900))


def test_a_panic_of_the_library_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    _play(
        monkeypatch,
        "import tokenizers\n"
        "class Panic(BaseException): pass\n"
        "def train(self, *args): raise Panic('index out of bounds')\n"
        "class Fake:\n"
        "    def __init__(self, model): pass\n"
        "    train_from_iterator = train\n"
        "tokenizers.Tokenizer = Fake\n"
        "from bpe_studio.partners.child import main; main()",
    )
    with pytest.raises(ValueError, match="The tokenizers package refuses it: index out of bounds"):
        result_of(train_partner(probe_corpus(), "wordpiece", 900))


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is of Unix")
def test_the_child_ends_with_its_parent(tmp_path: Path) -> None:
    """Killed, the parent can tell nobody; the child hears its pipe end, also while it trains."""
    text = " ".join(f"{n * 7919:x}" for n in range(400_000))
    (tmp_path / "a.txt").write_text(text)
    program = (
        "import sys\n"
        "from bpe_studio.bpe.corpus import find_files\n"
        "from bpe_studio.formats.apart import process\n"
        "from bpe_studio.partners import train_partner\n"
        "start = process._start\n"
        "def told(*args):\n"
        "    child = start(*args)\n"
        "    print(child.pid, flush=True)\n"
        "    return child\n"
        "process._start = told\n"
        "for step in train_partner(find_files(sys.argv[1:]), 'unigram', 8000):\n"
        "    if step.phase == 'training' and step.seconds > 1.5: print('on', flush=True)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert parent.stdout.readline() == "on\n"
        os.kill(child, 0)
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        parent.stdout.close()
    deadline = time.monotonic() + 20
    while _is_alive(child):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    # Nobody may be there to take note of its end.
    return not (status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] in "ZX")


def test_the_file_is_plain_json(partner: Partner) -> None:
    file = json.loads(partner.data)
    assert file["model"]["type"] == {"wordpiece": "WordPiece", "unigram": "Unigram"}[partner.kind]
    assert file["decoder"]["type"] == "ByteLevel"
    if partner.kind == "unigram":
        scores = [score for _, score in file["model"]["vocab"][6:]]
        assert all(left >= right for left, right in pairwise(scores))
