"""The law: a table that was watched before is watched also while the database is away."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit.chain import EntryKind
from audit.errors import StoreAway
from audit.settings import Settings
from audit.spool import spool_file
from audit.store import Step, open_store
from audit.store.delivery import Started, Stepped
from audit.tables import TableStart
from audit.verify import Outside, verify
from audit.watch.opening import names_for, open_courier
from tests.audit.record_builders import NOW, judged

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)

AWAY = "postgresql://pitwatch@127.0.0.1:9/record"


def test_an_address_that_leads_nowhere_is_told_where_nothing_was_watched(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, database=AWAY)
    for _ in range(2):
        with pytest.raises(StoreAway, match="check that the server runs"):
            open_courier(settings, "T1")
    assert not spool_file(tmp_path, "T1").exists()


def test_watching_begins_without_the_database_and_its_rounds_clash_with_none(
    tmp_path: Path,
) -> None:
    here = Settings(data_dir=tmp_path)
    with open_courier(here, "T1") as courier:
        naming = names_for("T1", courier, now=NOON, live=False)
        assert naming.round_id(1) == "T1-20261130-0001"
        courier.keep(Started(TableStart("three-card-whist", "camera"), NOW))
        courier.keep(Stepped(Step(rounds=(judged(naming.round_id(1)),)), NOW))
    with open_courier(Settings(data_dir=tmp_path, database=AWAY), "T1") as courier:
        assert courier.store is None
        naming = names_for("T1", courier, now=NOON, live=False)
        away = naming.round_id(1)
        assert away == f"T1-20261130-{courier.run[:8]}-0001"
        courier.keep(Stepped(Step(rounds=(judged(away),)), NOW))
    with open_courier(here, "T1") as courier:
        naming = names_for("T1", courier, now=NOON, live=False)
        assert naming.round_id(1) == "T1-20261130-0002"
    store = open_store(here.database_url, tmp_path)
    assert {known.round for known in store.rounds("T1")} == {"T1-20261130-0001", away}
    assert EntryKind.ROUND_CORRECTED not in {entry.kind for entry in store.entries_after()}
    assert verify(store, Outside(tmp_path)).holds
    store.close()
