"""Colours, fonts and measures of the window.

Fusion with two palettes of our own and one small stylesheet. Nothing here remembers which theme is
on: a widget asks `colours(self)`, which looks at the palette, and asks again when the palette
changes (`QEvent.Type.PaletteChange`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

GRID = 4
GAP = 2 * GRID
MARGIN = 3 * GRID
SMALLEST_POINTS = 9.0
GENERIC_FAMILIES = frozenset({"", "sans", "sans serif", "sans-serif", "monospace", "helvetica"})
SANS_FAMILIES = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "DejaVu Sans")
MONO_FAMILIES = (
    "JetBrains Mono",
    "Noto Sans Mono",
    "Cascadia Mono",
    "Noto Mono",
    "DejaVu Sans Mono",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """One theme. `tokens` are the six token backgrounds in their fixed order."""

    name: str
    window: str  # the frame
    base: str  # tables and text
    alternate: str
    raised: str  # buttons
    text: str
    muted: str  # titles, units, empty states
    faint: str  # disabled
    border: str
    strong: str  # borders of what can be pressed or typed into
    accent: str  # what is selected or running
    on_accent: str
    accent_hover: str
    selection: str
    hover: str
    second: str  # more lines beside the accent's
    third: str
    fourth: str
    warning: str
    danger: str
    notice: str  # background of a quiet message
    tokens: tuple[str, str, str, str, str, str]
    token_text: str
    token_border: str


LIGHT = Colours(
    name="light",
    window="#f3f4f6",
    base="#ffffff",
    alternate="#f8f9fb",
    raised="#fdfdfe",
    text="#1d2127",
    muted="#5c6570",
    faint="#a3aab3",
    border="#dfe2e7",
    strong="#c6cbd3",
    accent="#2f5fd0",
    on_accent="#ffffff",
    accent_hover="#264fb0",
    selection="#d8e4ff",
    hover="#e9ecf1",
    second="#b45309",
    third="#0b7a5e",
    fourth="#a02c93",
    warning="#9a5b00",
    danger="#b3261e",
    notice="#fff4d6",
    tokens=("#c9dffb", "#c8ecd6", "#e6d3f5", "#ffdfa8", "#fbd0d6", "#f2ee9f"),
    token_text="#1b1f24",
    token_border="#8c96a3",
)

DARK = Colours(
    name="dark",
    window="#1f2226",
    base="#17191c",
    alternate="#1b1e21",
    raised="#2a2e33",
    text="#dfe3e8",
    muted="#98a1ac",
    faint="#5d6670",
    border="#31363c",
    strong="#454c54",
    accent="#7fa4ff",
    on_accent="#0f1726",
    accent_hover="#9dbaff",
    selection="#2b4172",
    hover="#2c3137",
    second="#f0a35c",
    third="#52c7a2",
    fourth="#e58fda",
    warning="#e9b44c",
    danger="#ff8a80",
    notice="#3a3220",
    tokens=("#1d4573", "#194c37", "#4f3370", "#634310", "#6e2c3c", "#4f4e14"),
    token_text="#f1f4f7",
    token_border="#7f8a97",
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
TOKEN_BACKGROUNDS = {theme.name: theme.tokens for theme in THEMES.values()}


def colours(source: QWidget | QPalette) -> Colours:
    """The theme that a widget, or a palette, is drawn in."""
    # A widget's own palette is no witness: a stylesheet writes "transparent" into it.
    palette = QApplication.palette() if isinstance(source, QWidget) else source
    return DARK if palette.color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def apply(app: QApplication, name: str) -> Colours:
    """Dress the application as "light", "dark" or what the "system" asks for.

    "system" follows later changes of the desktop; the other two do not.
    """
    hints = app.styleHints()
    if not app.property("followsDesktop"):
        app.setProperty("followsDesktop", True)
        hints.colorSchemeChanged.connect(
            lambda _: _dress(app, _system(app)) if app.property("themeName") == "system" else None
        )
    app.setProperty("themeName", name)
    theme = THEMES.get(name) or _system(app)
    _dress(app, theme)
    return theme


def ui_font() -> QFont:
    """The platform's face for the frame; a better one where the platform names only "sans"."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    return _sized(_preferred(font, SANS_FAMILIES))


def mono_font() -> QFont:
    """The one face for everything that is text or bytes."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font = _sized(_preferred(font, MONO_FAMILIES))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    return font


def reading_font() -> QFont:
    """The monospaced face one point larger, for a text that is read."""
    font = mono_font()
    font.setPointSizeF(font.pointSizeF() + 1)
    return font


def table_font() -> QFont:
    """The monospaced face one point smaller, for tables: more of a row fits in."""
    font = mono_font()
    font.setPointSizeF(max(SMALLEST_POINTS, font.pointSizeF() - 1))
    return font


def small_font() -> QFont:
    """For titles of groups: small, quiet, never below 9 pt."""
    font = ui_font()
    font.setPointSizeF(max(SMALLEST_POINTS, font.pointSizeF() - 1))
    return font


def title_font() -> QFont:
    """The small capitals of docks and group titles."""
    font = small_font()
    font.setWeight(QFont.Weight.DemiBold)
    font.setCapitalization(QFont.Capitalization.AllUppercase)
    font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.6)
    return font


def resource(name: str) -> Path:
    """The path of a file in `resources/`."""
    return Path(str(files("bpe_studio") / "resources" / name))


def contrast(one: str, other: str) -> float:
    """The WCAG contrast of two colours: 1 for equal ones, 21 for black on white."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in QColor(colour).getRgbF()[:3]
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _system(app: QApplication) -> Colours:
    return DARK if app.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT


def _preferred(font: QFont, families: tuple[str, ...]) -> QFont:
    if font.family().lower() not in GENERIC_FAMILIES:
        return font
    known = _known_families()
    found = [family for family in families if family in known]
    if found:
        font.setFamilies([found[0], *found[1:]])
    return font


@cache
def _known_families() -> frozenset[str]:
    """Asked once: widgets ask for their fonts whenever they are laid out."""
    return frozenset(QFontDatabase.families())


def _sized(font: QFont) -> QFont:
    points = font.pointSizeF()
    font.setPointSizeF(max(SMALLEST_POINTS + 1, points))
    return font


def _dress(app: QApplication, theme: Colours) -> None:
    if app.style().objectName().lower() != "fusion":
        app.setStyle("Fusion")
    app.setFont(ui_font())
    app.setPalette(palette(theme))
    app.setStyleSheet(stylesheet(theme))


def stylesheet(theme: Colours) -> str:
    """The stylesheet of `resources/theme.qss` in the colours of one theme."""
    icons = resource("icons").as_posix()
    text = resource("theme.qss").read_text(encoding="utf-8")
    values = {key: value for key, value in asdict(theme).items() if isinstance(value, str)}
    return Template(text).substitute(values, icons=icons)


def palette(theme: Colours) -> QPalette:
    """The Qt palette of one theme."""
    role = QPalette.ColorRole
    colours_of = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.base,
        role.AlternateBase: theme.alternate,
        role.Text: theme.text,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.danger,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Highlight: theme.selection,
        role.HighlightedText: theme.text,
        role.Accent: theme.accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Light: theme.base,
        role.Midlight: theme.hover,
        role.Mid: theme.border,
        role.Dark: theme.strong,
        role.Shadow: theme.strong,
    }
    made = QPalette()
    for key, value in colours_of.items():
        made.setColor(key, QColor(value))
    disabled = QPalette.ColorGroup.Disabled
    for key in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(disabled, key, QColor(theme.faint))
    made.setColor(disabled, role.Highlight, QColor(theme.hover))
    return made
