"""A merge tree as a picture, to be put on the clipboard or into a file."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, QSize, Signal
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from bpe_studio.files import write_atomic
from bpe_studio.gui import theme
from bpe_studio.gui.job import Job
from bpe_studio.gui.widgets.merge_tree import MergeTreeView
from bpe_studio.gui.widgets.save_dialogs import choose_place

SCALE = 2.0
MOST_PIXELS = 16_000_000
LONGEST_SIDE = 32_000
MARGIN = theme.MARGIN
SUFFIXES = {"Picture (*.png)": ".png"}


def tree_image(tree: MergeTreeView) -> QImage:
    """All of a tree at twice its size, or as large as a picture of it can be."""
    size = tree.sizeHint() + QSize(2 * MARGIN, 2 * MARGIN)
    width, height = size.width(), size.height()
    scale = min(SCALE, (MOST_PIXELS / (width * height)) ** 0.5, LONGEST_SIDE / max(width, height))
    image = QImage(
        max(1, int(width * scale)), max(1, int(height * scale)), QImage.Format.Format_ARGB32
    )
    image.fill(QColor(theme.colours(tree).base))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale, scale)
    painter.translate(MARGIN, MARGIN)
    tree.draw(painter)
    painter.end()
    return image


def saving(image: QImage, path: Path) -> Generator[None, None, Path]:
    """Write an image as PNG, in a job: a large one takes a while. Returns the path."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    yield
    write_atomic(path, bytes(buffer.data()))
    return path


class TreePictures(QObject):
    """Copies and saves trees.

    Signals
    -------
    told(str)
        Something was done.
    failed(str)
        A picture could not be saved; why, in a sentence.
    """

    told = Signal(str)
    failed = Signal(str)

    def copy(self, tree: MergeTreeView) -> None:
        """Put a tree on the clipboard as a picture."""
        QGuiApplication.clipboard().setImage(tree_image(tree))
        self.told.emit("The merge tree is copied as a picture.")

    def ask_and_save(self, tree: MergeTreeView, stem: str) -> None:
        """Ask where to save a tree as a picture, and save it."""
        place = choose_place(tree, "Save the merge tree", Path(stem), SUFFIXES)
        if place is not None:
            self.save(tree, place[0].with_suffix(place[0].suffix or ".png"))

    def save(self, tree: MergeTreeView, path: Path) -> Job:
        """Save a tree as a picture."""
        job = Job(saving(tree_image(tree), path), self)
        job.finished.connect(self._on_saved)
        job.failed.connect(self.failed)
        job.ended.connect(job.deleteLater)
        return job

    def _on_saved(self, path: Path) -> None:
        self.told.emit(f"Saved {path.name}.")
