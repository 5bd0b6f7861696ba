"""The rooms and who may import whom: import contracts, run as a test."""

from __future__ import annotations

import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONTRACTS = ROOT / ".importlinter"


def test_the_import_contracts_hold() -> None:
    command = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_contracts_have_no_holes() -> None:
    parser = ConfigParser()
    parser.read(CONTRACTS)
    contracts = [parser[name] for name in parser.sections() if ":" in name]
    assert not any("ignore_imports" in contract for contract in contracts)
    layers = [contract for contract in contracts if contract["type"] == "layers"]
    assert {contract["containers"] for contract in layers} >= {
        "bpe_studio",
        "bpe_studio.bpe",
        "bpe_studio.gui",
    }
    assert all(contract["exhaustive"] == "True" for contract in layers)


def test_every_room_and_file_is_in_the_forbidden_contracts() -> None:
    parser = ConfigParser()
    parser.read(CONTRACTS)
    rooms = {
        f"bpe_studio.{path.stem}"
        for path in (ROOT / "bpe_studio").iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").exists())
        and not path.name.startswith("__")
    }
    qt = set(parser["importlinter:contract:qt"]["source_modules"].split())
    numba = set(parser["importlinter:contract:numba"]["source_modules"].split())
    assert rooms - qt == {"bpe_studio.gui"}
    assert rooms - numba == {"bpe_studio.kernels"}
