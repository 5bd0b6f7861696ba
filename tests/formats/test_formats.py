"""load, save and the tables that come with the program."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import pytest

from bpe_studio import formats
from bpe_studio.formats import naming
from bpe_studio.formats.ranks.plain_only import readable_token
from tests.bpe.test_trainer import trained
from tests.formats.test_studio import same
from tests.formats.test_studio_reader import DATA, small


def test_save_and_load(tmp_path: Path) -> None:
    for format in (None, "studio"):
        formats.save(small(), tmp_path / "t.json", format)
        assert (tmp_path / "t.json").read_bytes() == DATA
        assert same(formats.load(tmp_path / "t.json"), small())


def test_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="The format 'pickle' cannot be written; it must be st"):
        formats.save(small(), tmp_path / "t.json", "pickle")
    assert os.listdir(tmp_path) == []


def test_the_format_that_a_name_means(tmp_path: Path) -> None:
    assert not doctest.testmod(naming).failed
    for name in ("t.json", "tokenizer.json", "vocab.json", "t", "t.any", "merges.txt"):
        assert formats.format_for(name) == "studio"
    assert formats.format_for("t.tiktoken") == "tiktoken"
    for name in ("t.gguf", "t.MODEL"):
        with pytest.raises(ValueError, match=rf"^{name}: a .* cannot be written; name a file of"):
            formats.save(small(), name)
    with pytest.raises(ValueError, match="it is a folder; name a file in it"):
        formats.save(small(), tmp_path)
    assert os.listdir(tmp_path) == []


def test_what_is_refused_names_file_and_format(tmp_path: Path) -> None:
    tok = trained(["việc việc việc"], vocab_size=268, base="chars")
    path = tmp_path / "t.tiktoken"
    with pytest.raises(ValueError) as caught:
        formats.save(tok, path)
    assert str(caught.value) == (
        f"{path}: the tokenizer cannot be saved as tiktoken rank file: the table has a character "
        "base, and a rank file holds tables of bytes only; save it as JSON of BPE Studio."
    )
    assert os.listdir(tmp_path) == []


def test_tokens_in_messages_are_text() -> None:
    assert readable_token(" việc".encode()) == '" việc"'
    assert readable_token(b"\xe1\xbb") == "⟨E1 BB⟩"
    assert len(readable_token(b"\xe1" * 500)) < 200 and len(readable_token(b"a" * 500)) <= 60


def test_errors_name_the_path(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    with pytest.raises(FileNotFoundError, match=r"t\.json cannot be read: there is no such file"):
        formats.load(path)
    path.write_bytes(DATA[:-10])
    with pytest.raises(ValueError, match=rf"^{path}: line "):
        formats.load(path)


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="a file of Linux")
def test_a_file_that_cannot_be_read_is_named() -> None:
    with pytest.raises(OSError, match=r"^/proc/self/mem cannot be read: "):
        formats.load("/proc/self/mem")


def test_a_rank_file_of_bad_lines_is_told_as_one() -> None:
    with pytest.raises(ValueError, match="line 1 must be a token in base64, a space and a rank"):
        formats.read(b"IQ== -1\nIg== 1\n", "t.tiktoken", pattern="gpt2")


def test_too_large_a_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    with path.open("wb") as file:
        file.truncate((256 << 20) + 1)  # sparse: it takes no room
    with pytest.raises(ValueError, match="it has 268,435,457 bytes, and 256 MiB is the limit"):
        formats.load(path)


@pytest.mark.skipif(os.name == "nt", reason="links and named pipes of POSIX")
def test_links_are_followed_and_pipes_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_bytes(DATA)
    (tmp_path / "link.json").symlink_to("t.json")
    assert formats.load(tmp_path / "link.json").merges == small().merges
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(OSError, match="named pipe"):
        formats.load(tmp_path / "pipe.json")


def test_tables_of_our_own() -> None:
    for name in formats.table_names():
        assert formats.load(formats.find_table(name)).training is not None
    with pytest.raises(ValueError, match="nothing: there is no such file, and no table of that"):
        formats.find_table("nothing")
