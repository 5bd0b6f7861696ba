"""The list of open tables and its signals."""

from __future__ import annotations

from pathlib import Path

from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from tests.gui.small_tables import small_tokenizer


def table(name: str = "a") -> OpenTable:
    return OpenTable(tokenizer=small_tokenizer(), name=name)


class Log:
    def __init__(self, tables: OpenTables) -> None:
        self.told: list[tuple[str, object]] = []
        tables.changed.connect(lambda: self.told.append(("changed", None)))
        tables.currentChanged.connect(lambda one: self.told.append(("current", one)))
        tables.tokenizerChanged.connect(lambda one: self.told.append(("tokenizer", one)))
        tables.growing.connect(lambda batch: self.told.append(("growing", batch)))


def test_the_added_table_is_current_and_names_differ() -> None:
    tables = OpenTables()
    one, other = tables.add(table()), tables.add(table())
    assert (one.name, other.name) == ("a", "a (2)")
    assert tables.current is other and tables.tables == [one, other]
    third = tables.add(table("b"), make_current=False)
    assert tables.current is other and tables.index(third) == 2


def test_closing_makes_a_neighbour_current() -> None:
    tables = OpenTables()
    one, other = tables.add(table("a")), tables.add(table("b"))
    log = Log(tables)
    tables.remove(other)
    assert tables.current is one
    tables.remove(one)
    assert tables.current is None and len(tables) == 0
    assert [entry for entry in log.told if entry[0] == "current"] == [
        ("current", one),
        ("current", None),
    ]


def test_next_goes_round() -> None:
    tables = OpenTables()
    tables.next()
    one, other = tables.add(table("a")), tables.add(table("b"))
    tables.next()
    assert tables.current is one
    tables.next()
    assert tables.current is other


def test_a_newer_tokenizer_is_told_with_its_table() -> None:
    tables = OpenTables()
    one = tables.add(table())
    log = Log(tables)
    tables.set_tokenizer(one, small_tokenizer(merges=3))
    assert one.dirty and log.told == [("tokenizer", one), ("changed", None)]


def test_only_the_current_table_grows_in_public() -> None:
    tables = OpenTables()
    one, other = tables.add(table("a")), tables.add(table("b"))
    log = Log(tables)
    tables.grow(one, "hidden")
    tables.grow(other, "seen")
    assert log.told == [("growing", "seen")]


def test_saving_gives_name_and_path(tmp_path: Path) -> None:
    tables = OpenTables()
    one = tables.add(table())
    one.dirty = True
    path = tmp_path / "mytok.json"
    tables.set_saved(one, path)
    assert (one.name, one.path, one.dirty) == ("mytok", path, False)
    assert tables.at_path(path) is one and tables.at_path(tmp_path) is None
