"""Tide tables: read them, fill the gaps, and tell when a boat may leave the harbour."""

from __future__ import annotations

import csv
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

SPEED_OF_SOUND = 343.2  # metres per second, at 20 °C
MAX_GAP_MINUTES = 6 * 60
_HEADER = ("station", "time_utc", "height_m")


class TideError(ValueError):
    """A table that contradicts itself."""


@dataclass(frozen=True, order=True)
class Reading:
    time: datetime
    height: float
    station: str = field(compare=False, default="unknown")

    def is_above(self, draught: float, *, margin: float = 0.5) -> bool:
        return self.height >= draught + margin


def read_table(path: Path, encoding: str = "utf-8") -> dict[str, list[Reading]]:
    """Every station of a CSV file with its readings, the oldest first."""
    stations: defaultdict[str, list[Reading]] = defaultdict(list)
    with path.open(newline="", encoding=encoding) as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                name, time, height = (row[key] for key in _HEADER)
                reading = Reading(datetime.fromisoformat(time), float(height), name.strip())
            except (KeyError, ValueError) as error:
                raise TideError(f"{path.name}, line {number}: {error!r}") from error
            if not -20.0 <= reading.height <= 20.0:
                print(f"warning: {reading.height:+.2f} m looks wrong", file=sys.stderr)
                continue
            stations[reading.station].append(reading)
    return {name: sorted(readings) for name, readings in stations.items()}


def interpolate(before: Reading, after: Reading, time: datetime) -> float:
    """The height between high and low water follows half a cosine wave."""
    whole = (after.time - before.time).total_seconds()
    if whole <= 0:
        raise TideError("readings are out of order")
    x = (time - before.time).total_seconds() / whole
    middle = (before.height + after.height) / 2
    return middle + (before.height - after.height) / 2 * math.cos(math.pi * x)


def windows(readings: Iterable[Reading], draught: float) -> Iterator[tuple[datetime, datetime]]:
    begin = last = None
    for reading in readings:
        if reading.is_above(draught):
            begin = begin or reading.time
            last = reading.time
        elif begin is not None and last is not None:
            yield begin, last + timedelta(minutes=1)
            begin = last = None
    if begin and last:
        yield begin, last


def main(argv: list[str]) -> int:
    if len(argv) != 3:
        print("usage: tides.py TABLE.csv DRAUGHT", file=sys.stderr)
        return 2
    table, draught = read_table(Path(argv[1])), float(argv[2])
    for station, readings in table.items():
        print(f"{station:<20}{len(readings):>6} readings")
        for start, end in windows(readings, draught):
            print(f"    {start:%d %b %H:%M} – {end:%H:%M}\t{(end - start) / timedelta(hours=1):.1f} h")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv))
