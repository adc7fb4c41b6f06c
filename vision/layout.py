"""The table layout: which part of the picture is which spot."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from rules.errors import SpotFormatError
from rules.events import Spot
from vision.errors import LayoutError
from vision.geometry import Floats, area, inside

_SMALLEST_PX2 = 64.0
"""A polygon under 8 by 8 pixels holds no card: it is a slip of the pen."""


@dataclass(frozen=True, slots=True)
class SpotPlace:
    """A spot and where it is in the picture."""

    spot: Spot
    polygon: Floats
    """Float32 (n, 2), x and y in pixels of the layout's frame."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A table as its camera sees it."""

    table: str
    game: str
    width: int
    """Pixels of the frame that the polygons refer to."""
    height: int
    places: tuple[SpotPlace, ...]

    def spot_at(self, point: tuple[float, float]) -> Spot | None:
        """Return the smallest spot that a point lies in: a bet's circle inside a seat wins."""
        holders = [place for place in self.places if inside(place.polygon, point)]
        return min(holders, key=lambda place: area(place.polygon)).spot if holders else None

    def scaled(self, width: int, height: int) -> "TableLayout":
        """Return the layout for frames of another size.

        Raises:
            LayoutError: The frame has another shape, so no scale fits both sides.
        """
        if (width, height) == (self.width, self.height):
            return self
        across, down = width / self.width, height / self.height
        if abs(across / down - 1) > 0.02:
            raise LayoutError(
                f"layout of table {self.table!r}: field 'frame': found "
                f"[{self.width}, {self.height}], "
                f"expected the shape of the source's frames, [{width}, {height}]"
            )
        places = tuple(
            SpotPlace(place.spot, (place.polygon * (across, down)).astype(np.float32))
            for place in self.places
        )
        return TableLayout(self.table, self.game, width, height, places)


def load_layout(path: Path) -> TableLayout:
    """Return the layout in a `.layout.toml` file.

    Raises:
        LayoutError: The file is missing, is no TOML, or says something impossible.
    """
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise LayoutError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise LayoutError(
            f"{path}: found bytes that are not UTF-8, expected a TOML file"
        ) from error
    except (ValueError, RecursionError) as error:  # Also numbers and nesting beyond all use.
        raise LayoutError(
            f"{path}: found broken TOML ({error}), expected a table layout"
        ) from error
    return _Reading(path).layout(told)


class _Reading:
    """One file being read; it knows the file's name for the messages."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def layout(self, told: dict[str, object]) -> TableLayout:
        self._known(told, "", ("table", "game", "frame", "spot"))
        width, height = self._frame(told)
        spots = told.get("spot")
        if not isinstance(spots, list) or not spots:
            self._refuse("spot", spots, "at least one [[spot]]")
        places: list[SpotPlace] = []
        for number, entry in enumerate(spots, start=1):
            place = self._place(f"spot {number}", entry, (width, height))
            if place.spot in [known.spot for known in places]:
                self._refuse(f"spot {number}.name", str(place.spot), "each spot only once")
            places.append(place)
        table, game = self._text(told, "table"), self._text(told, "game")
        return TableLayout(table, game, width, height, tuple(places))

    def _known(self, told: dict[str, object], where: str, keys: tuple[str, ...]) -> None:
        """Refuse a key that nobody asks for: it is a slip of the pen, and what it says is lost."""
        for key in told:
            if key not in keys:
                raise LayoutError(
                    f"{self._path}: field {where + key!r}: found an unknown field, "
                    f"expected one of {', '.join(keys)}"
                )

    def _refuse(self, field: str, found: object, expected: str) -> NoReturn:
        seen = "nothing" if found is None else repr(found)
        raise LayoutError(f"{self._path}: field {field!r}: found {seen}, expected {expected}")

    def _text(self, told: dict[str, object], field: str) -> str:
        found = told.get(field)
        if not isinstance(found, str) or not found.strip():
            self._refuse(field, found, "a text")
        return found

    def _frame(self, told: dict[str, object]) -> tuple[int, int]:
        match told.get("frame"):
            case [int(width), int(height)] if 16 <= width <= 20_000 and 16 <= height <= 20_000:
                pass
            case found:
                self._refuse("frame", found, "[width, height] in pixels")
        return width, height

    def _place(self, where: str, entry: object, frame: tuple[int, int]) -> SpotPlace:
        if not isinstance(entry, dict):
            self._refuse(where, entry, "a table with name and polygon")
        self._known(entry, f"{where}.", ("name", "polygon"))
        name = entry.get("name")
        if not isinstance(name, str):
            self._refuse(f"{where}.name", name, "a spot's name")
        try:
            spot = Spot.parse(name)
        except SpotFormatError as error:
            raise LayoutError(f"{self._path}: field '{where}.name': {error}") from error
        return SpotPlace(spot, self._polygon(f"{where}.polygon ({name})", entry, frame))

    def _polygon(self, where: str, entry: dict[str, object], frame: tuple[int, int]) -> Floats:
        found = entry.get("polygon")
        if not isinstance(found, list) or len(found) < 3:
            self._refuse(where, found, "at least three points [x, y]")
        points = [self._point(where, point, frame) for point in found]
        polygon = np.array(points, dtype=np.float32)
        if area(polygon) < _SMALLEST_PX2:
            self._refuse(where, found, f"an area of at least {_SMALLEST_PX2:.0f} square pixels")
        if _crosses_itself(points):
            self._refuse(where, found, "sides that do not cross each other")
        return polygon

    def _point(self, where: str, point: object, frame: tuple[int, int]) -> tuple[float, float]:
        match point:
            case [int() | float() as x, int() | float() as y] if bool not in {type(x), type(y)}:
                pass
            case _:
                self._refuse(where, point, "a point [x, y]")
        if not (0 <= x <= frame[0] and 0 <= y <= frame[1]):
            self._refuse(where, point, f"a point inside the frame [{frame[0]}, {frame[1]}]")
        return float(x), float(y)


Point = tuple[float, float]


def _crosses_itself(points: list[Point]) -> bool:
    """Say whether two sides that are not neighbours meet."""
    count = len(points)
    sides = [(points[i], points[(i + 1) % count]) for i in range(count)]
    return any(
        _cross(*sides[i], *sides[j])
        for i in range(count)
        for j in range(i + 2, count)
        if (j + 1) % count != i
    )


def _side_of(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    apart_cd = _side_of(a, b, c) * _side_of(a, b, d)
    apart_ab = _side_of(c, d, a) * _side_of(c, d, b)
    return apart_cd < 0 and apart_ab < 0
