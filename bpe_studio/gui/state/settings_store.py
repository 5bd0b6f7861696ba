"""What the window remembers between two starts: one JSON file, the one before it kept."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

from platformdirs import user_config_path
from PySide6.QtCore import QObject, QTimer

from bpe_studio import files

FILE_NAME = "window.json"
RECENT_LIMIT = 10
SAVE_AFTER_MS = 500
LARGEST_BYTES = 1 << 20

log = logging.getLogger(__name__)


class SettingsStore(QObject):
    """Plain values under plain names, written half a second after the last change.

    A damaged file is never an error: the previous generation is read, or the settings start anew.
    """

    def __init__(self, folder: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = (folder or user_config_path("bpe-studio")) / FILE_NAME
        self._values = _read(self.path) or _read(_previous(self.path)) or {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_AFTER_MS)
        self._timer.timeout.connect(self.save)

    def get(self, name: str, default: Any) -> Any:
        """The value of a name, if it is there and of the type of the default."""
        value = self._values.get(name, default)
        return value if default is None or isinstance(value, type(default)) else default

    def set(self, name: str, value: Any) -> None:
        """Remember a value that JSON can hold."""
        if self._values.get(name) != value:
            self._values[name] = value
            self._timer.start()

    def recent(self) -> list[Path]:
        """The files that were opened or saved, latest first."""
        return [Path(name) for name in self.get("recent", []) if isinstance(name, str)]

    def add_recent(self, path: Path, *, pattern: str = "") -> None:
        """Put a file at the head of the recent ones, with what was said of how it cuts a text."""
        names = [str(path), *(str(other) for other in self.recent() if other != path)]
        names = names[:RECENT_LIMIT]
        patterns = {**self.get("recent_patterns", {}), str(path): pattern}
        self.set("recent", names)
        known = {name: patterns[name] for name in names if patterns.get(name)}
        self.set("recent_patterns", known)

    def pattern_of(self, path: Path) -> str:
        """The pattern with which a recent file was opened, or nothing."""
        found = self.get("recent_patterns", {}).get(str(path), "")
        return found if isinstance(found, str) else ""

    def folder(self) -> str:
        """Where a file dialog begins: where the last one ended, or beside a recent file."""
        recent = self.recent()
        known = (self.get("folder", ""), str(recent[0].parent) if recent else "")
        return next((name for name in known if name and Path(name).is_dir()), str(Path.home()))

    def save(self) -> None:
        """Write what has changed; a failure is no reason to disturb anyone."""
        self._timer.stop()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                os.replace(self.path, _previous(self.path))
            text = json.dumps(self._values, indent=1, ensure_ascii=False)
            files.write_atomic(self.path, text.encode("utf-8"))
        except OSError as error:
            log.warning("the settings could not be written to %s: %s", self.path, error)


def _previous(path: Path) -> Path:
    return path.with_suffix(".previous.json")


def _read(path: Path) -> dict[str, Any] | None:
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_BYTES:
            return None
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None
