"""A night in the record, made once for all tests that only read it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from audit.reports.drawing import House
from audit.reports.issue import Issued, Order, issue
from audit.reports.kinds import Format, ReportKind
from audit.reports.shape import Request
from audit.reports.spans import Clock
from audit.settings import Settings
from audit.store import Store, open_store
from rules.house import default_house
from tests.prepared import lay_down
from tests.reports.night import EVENING, play_night

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it


@dataclass(frozen=True)
class Desk:
    """A record with what reports need of its house."""

    store: Store
    settings: Settings
    house: House

    def order(self, kind: ReportKind, form: Format = Format.CSV, language: str = "en") -> Order:
        span = self.house.clock.day(EVENING.date())
        return Order(Request(kind, span), form, "kim", language)

    def issue(
        self, kind: ReportKind, form: Format, language: str = "en", section: str | None = None
    ) -> Issued:
        order = replace(self.order(kind, form, language), section=section)
        return issue(self.store, self.house, order, self.settings.data_dir / "reports")


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)


def open_desk(folder: Path) -> Desk:
    settings = Settings(data_dir=folder, timezone="Asia/Seoul")
    lay_down(settings.database_url)
    store = open_store(settings.database_url, folder)
    return Desk(store, settings, House(Clock.of(settings), default_house()))


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    """A new, empty record."""
    opened = open_desk(folder)
    yield opened
    opened.store.close()


@pytest.fixture(scope="session")
def night() -> Iterator[Desk]:
    """A record with a night at two tables. Tests add reports to it and nothing else."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        opened = open_desk(Path(name))
        play_night(opened.store, 30)
        yield opened
        opened.store.close()
