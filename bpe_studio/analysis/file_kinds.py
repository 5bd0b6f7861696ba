"""What kind of text a file holds, by its name."""

from __future__ import annotations

from typing import Final

__all__ = ["OTHER", "PLAIN", "kind_of"]

PLAIN: Final = "Plain text"
OTHER: Final = "Other"

_SUFFIXES: Final = {
    PLAIN: "txt text",
    "Markdown": "md markdown rst adoc",
    "LaTeX": "tex sty cls bib",
    "HTML and XML": "html htm xhtml xml svg xsl",
    "Python": "py pyi pyx ipynb",
    "C and C++": "c h cc cpp cxx hh hpp hxx",
    "Java and Kotlin": "java kt kts scala",
    "JavaScript": "js mjs cjs jsx ts tsx",
    "CSS": "css scss sass less",
    "Go": "go",
    "Rust": "rs",
    "C#": "cs",
    "PHP": "php",
    "Ruby": "rb",
    "Perl": "pl pm",
    "Shell": "sh bash zsh fish",
    "SQL": "sql",
    "Haskell and ML": "hs ml mli",
    "Lisp": "lisp el scm clj",
    "R and Julia": "r jl",
    "JSON": "json",
    "Rows": "jsonl ndjson parquet",
    "YAML and TOML": "yaml yml toml ini cfg conf",
    "CSV": "csv tsv",
}
_KINDS: Final = {
    suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()
}
_COMPRESSED: Final = (".gz", ".bz2", ".xz", ".zst")


def kind_of(label: str) -> str:
    """The kind of a file.

    >>> kind_of("src/main.py.gz"), kind_of("README")
    ('Python', 'Other')
    """
    name = label.lower()
    for suffix in _COMPRESSED:
        name = name.removesuffix(suffix)
    return _KINDS.get(name.rpartition(".")[2], OTHER) if "." in name else OTHER
