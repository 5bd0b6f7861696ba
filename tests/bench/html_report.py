"""Opens reports in a browser without a window, and looks whether all of each is there.

    python -m tests.bench.html_report [REPORT.html …] [--browser CHROMIUM] [--pictures FOLDER]

Without a REPORT two are made: of the health of stdlib-8k with the README as its corpus, and of a
comparison of it with two others on the probe texts. The browser has no network. A page must have
asked for nothing, nothing in it may have been refused (by its policy, say), and it must have the
tables and plots that the file has. A page that does ask for something is opened first, to see that
it would be noticed. PICTURES get the pages in light and dark, wide and narrow, to look at. Exit
status: 0 all holds, 1 something does not, 2 there is no browser.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
SIZES: Final = {"wide": "1280,4000", "narrow": "500,4000"}
_SECONDS: Final = 120
# What the browser asks for by itself has no page as its initiator.
_ASKED: Final = re.compile(r'"initiator":"(?!not an origin)[^"]*"[^\n]*?"url":"([^"]+)"')
_CONTROL: Final = """<!DOCTYPE html><html><head><title>Control</title></head>
<body><svg class="plot"></svg><img src="http://example.invalid/x.png"></body></html>
"""


MADE: Final = {
    "health.html": (
        *("health", "stdlib-8k", "--corpus", "README.md", "bpe_studio"),
        *("--before", "sample-chars"),
    ),
    "compare.html": (
        *("compare", "stdlib-8k", "sample-chars", "worked-example"),
        *("--text", "README.md", "--probe"),
    ),
}
"""Reports of tables that ship, on texts that ship."""


def make_report(path: Path) -> None:
    """The report of that name."""
    command = [sys.executable, "-m", "bpe_studio", *MADE[path.name], "-o", str(path)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def browse(browser: str, page: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """One start of the browser, with a profile of its own and every name unknown to it."""
    with tempfile.TemporaryDirectory() as profile:
        command = [
            *(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
            *("--no-first-run", "--disable-background-networking", "--disable-extensions"),
            *(f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND"),
            *(*options, page.resolve().as_uri()),
        ]
        return subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=True)


def complaints(browser: str, page: Path) -> list[str]:
    """What is wrong with the page, a line each."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "net.json"
        shown = browse(
            browser, page, "--enable-logging=stderr", f"--log-net-log={log}", "--dump-dom"
        )
        found = [line for line in shown.stderr.splitlines() if "CONSOLE" in line]
        asked = set(_ASKED.findall(log.read_text(errors="replace")))
    found += [f"asked for {url}" for url in sorted(asked)]
    source = page.read_text(encoding="utf-8")
    for part in ("<table", '<svg class="plot"', "<section", "<tr", "<path"):
        there, in_file = shown.stdout.count(part), source.count(part)
        if there != in_file:
            found.append(f"{part}: {in_file} in the file, {there} in the page")
    if '<svg class="plot"' not in source:
        found.append("no plot")
    return found


def take_pictures(browser: str, page: Path, folder: Path) -> None:
    """The page in each theme and width."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme, setting in (("light", 1), ("dark", 0)):
        for name, size in SIZES.items():
            picture = folder / f"{page.stem}-{theme}-{name}.png"
            browse(
                browser,
                page,
                f"--blink-settings=preferredColorScheme={setting}",
                f"--window-size={size}",
                f"--screenshot={picture.resolve()}",
            )
            print(picture)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", type=Path, nargs="*")
    parser.add_argument("--browser")
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    browser = given.browser or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("no Chromium is here; name one with --browser", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        pages = given.reports or [Path(folder) / name for name in MADE]
        for page in pages if not given.reports else ():
            make_report(page)
        control = Path(folder) / "control.html"
        control.write_text(_CONTROL)
        blind = not any("example.invalid" in line for line in complaints(browser, control))
        told = []
        for page in pages:
            found = complaints(browser, page)
            told.append({"report": page.name, "bytes": page.stat().st_size, "complaints": found})
            if given.pictures:
                take_pictures(browser, page, given.pictures)
    if blind:
        print("the browser does not tell what a page asks for", file=sys.stderr)
    print(json.dumps(told, indent=1))
    return 1 if blind or any(one["complaints"] for one in told) else 0


if __name__ == "__main__":
    raise SystemExit(main())
