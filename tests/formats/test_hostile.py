"""Whatever a file holds: a tokenizer or one sentence that begins with its name, within a second."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bpe_studio import formats
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.source import Source
from tests.formats.hostile import FLIPS, SAMPLES, Sample, flipped, spoiled

_NAMES = ("t.json", "t.model", "t.tiktoken", "merges.txt", "tokenizer.json", "t.gguf", "t", "t.pkl")
_LONGEST_SENTENCE = 600
_MEMORY = 256 << 20  # the largest of the files has 3 MB
_EVERY = 25  # of those that are read, one in so many encodes too


def every_sample() -> Iterator[pytest.param]:  # type: ignore[valid-type]
    for name in formats.FORMATS:
        if name not in SAMPLES:
            skip = pytest.mark.skip(reason="has no sample yet")
            yield pytest.param(None, name, id=name, marks=skip)
        for number, build in enumerate(SAMPLES.get(name, ())):
            yield pytest.param(build, name, id=f"{name}-{number}" if number else name)


@pytest.fixture
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Sample:
    build, _ = request.param
    made: Sample = build()
    for name, data in made.beside.items():
        (tmp_path / name).write_bytes(data)
    return made


def each_format(function):  # type: ignore[no-untyped-def]
    samples = [
        pytest.param((param.values[0], param.values[1]), id=param.id, marks=param.marks)
        for param in every_sample()
    ]
    return pytest.mark.parametrize("sample", samples, indirect=True)(function)


class Judge:
    """Reads one after another, and asserts that each ends as it should."""

    def __init__(self, sample: Sample, folder: Path) -> None:
        self.sample = sample
        self.folder = folder
        self.read = self.refused = 0

    def judge(self, what: str, data: bytes) -> None:
        path = self.folder / self.sample.name
        source = Source(data=data, name=str(path), path=path, pattern=self.sample.pattern)
        # The time of this process alone: a busy machine is no fault of the file.
        start = time.process_time()
        found = self._read(source)
        took = time.process_time() - start
        assert took < 1, f"{what}: {took:.1f} s"
        if isinstance(found, Exception):
            self.refused += 1
            self._check_sentence(what, str(found))
        else:
            self.read += 1
            self._check_read(what, found)

    def _read(self, source: Source) -> object:
        try:
            return formats.read_source(source)
        except (ValueError, OSError) as error:
            return error

    def _check_sentence(self, what: str, sentence: str) -> None:
        assert sentence.startswith(str(self.folder)), f"{what}: {sentence}"
        assert sentence.endswith("."), f"{what}: {sentence}"
        assert "\n" not in sentence, f"{what}: {sentence}"
        assert len(sentence) - len(str(self.folder)) < _LONGEST_SENTENCE, f"{what}: {sentence}"
        sentence.encode()  # nothing that cannot be shown

    def _check_read(self, what: str, tok: object) -> None:
        assert isinstance(tok, Tokenizer), what
        if self.read % _EVERY == 1 and not tok.view_only and tok.outside is None:
            try:
                ids = tok.encode("low lower lowest é\n")
            except ValueError:  # a byte that is lacking, text that the pattern drops
                return
            tok.decode(ids)


@each_format
def test_a_good_file(sample: Sample, tmp_path: Path) -> None:
    judge = Judge(sample, tmp_path)
    judge.judge("as it is", sample.data)
    assert judge.read == 1


@each_format
def test_spoiled_files(sample: Sample, tmp_path: Path) -> None:
    judge = Judge(sample, tmp_path)
    before = _most_memory()
    for what, data in spoiled(sample):
        judge.judge(what, data)
    assert judge.refused > 20
    assert _most_memory() - before < _MEMORY


@each_format
def test_flipped_bits(sample: Sample, tmp_path: Path) -> None:
    judge = Judge(sample, tmp_path)
    for what, data in flipped(sample.data):
        judge.judge(what, data)
    assert judge.refused and judge.read + judge.refused >= FLIPS // 10


@each_format
def test_another_name(sample: Sample, tmp_path: Path) -> None:
    expected = formats.read_source(
        Source(
            data=sample.data,
            name=sample.name,
            path=tmp_path / sample.name,
            pattern=sample.pattern,
        )
    )
    for name in _NAMES:
        folder = tmp_path / f"in-{name}"
        folder.mkdir()
        for other, data in sample.beside.items():
            (folder / other).write_bytes(data)
        (folder / name).write_bytes(sample.data)
        try:
            found = formats.load(folder / name, pattern=sample.pattern)
        except ValueError as error:
            # Of a pair only a name that tells leads to the other file.
            assert sample.beside and str(error).startswith(str(folder))
        else:
            assert found.merges == expected.merges


def _most_memory() -> int:
    """The most bytes that this process has had so far; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _refused(path: Path) -> str:
    start = time.monotonic()
    with pytest.raises((OSError, ValueError)) as caught:
        formats.load(path)
    assert time.monotonic() - start < 5
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="files of POSIX")
@pytest.mark.parametrize("name", _NAMES)
def test_what_is_no_regular_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.symlink_to(name)
    _refused(path)
    path.unlink()
    os.mkfifo(path)
    _refused(path)
    path.unlink()
    path.symlink_to("/dev/zero")
    _refused(path)
    path.unlink()
    path.write_bytes(b"{}")
    path.chmod(0)
    if os.geteuid() != 0:  # root may read everything
        _refused(path)
    path.unlink()
    _refused(path)
    path.mkdir()
    _refused(path)
