"""The law: a report that was issued can be told from every other file, and what it rests on can be
verified; one that was stopped leaves nothing."""

import json
import threading
from pathlib import Path

import pytest

from audit.chain import EntryKind
from audit.cli.main import main
from audit.errors import ReportCancelledError, ReportError
from audit.reports.issue import SIGNATURE_SUFFIX, issue
from audit.reports.jobs import Jobs, JobState
from audit.reports.kinds import Format, ReportKind
from audit.reports.proof import prove
from tests.audit.tampering import tamper
from tests.reports.conftest import Desk
from tests.reports.night import play_night


def test_every_changed_byte_makes_it_another_file(night: Desk) -> None:
    issued = night.issue(ReportKind.COVERAGE, Format.CSV)
    proof = prove(night.store, night.settings.data_dir, issued.file)
    assert proof.holds
    assert proof.signed
    assert proof.issued is not None
    assert proof.issued.report == issued.handover.report
    whole = issued.file.read_bytes()
    for place in (0, len(whole) // 2, len(whole) - 1):
        changed = bytearray(whole)
        changed[place] ^= 1
        issued.file.write_bytes(changed)
        assert not prove(night.store, night.settings.data_dir, issued.file).holds
    issued.file.write_bytes(whole)
    assert prove(night.store, night.settings.data_dir, issued.file).holds


def verified(
    capsys: pytest.CaptureFixture[str], file: Path, data: Path, *options: str
) -> tuple[int, str]:
    code = main(["report", "verify", str(file), "--data", str(data), *options])
    told = capsys.readouterr()
    return code, told.out + told.err


def test_the_answer_names_the_record_that_was_asked(
    night: Desk, desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    issued, own = night.issue(ReportKind.COVERAGE, Format.CSV), night.settings.data_dir
    code, told = verified(capsys, issued.file, own)
    assert code == 0
    assert f"Record asked: {own}/pitwatch.db" in told

    other = desk.settings.data_dir
    code, told = verified(capsys, issued.file, other)
    assert code == 1
    assert f"Record asked: {other}/pitwatch.db" in told
    assert "No record was found there" in told
    assert "--data DIR" in told
    assert "Not issued" not in told

    play_night(desk.store, 1, ("T1",))
    code, told = verified(capsys, issued.file, other)
    assert code == 1
    assert "Not issued: this record knows no report" in told
    assert "--data DIR" in told
    code, told = verified(capsys, issued.file, other, "--json")
    assert (code, json.loads(told)["database"]) == (1, f"{other}/pitwatch.db")

    code, told = verified(capsys, issued.file, tmp_path / "none")
    assert code == 2
    assert f"{tmp_path}/none/pitwatch.db: no record here" in told


@pytest.mark.parametrize("name", ["sha256", "user", "rows", "signature", "rests_on"])
def test_a_signature_with_anything_changed_does_not_hold(night: Desk, name: str) -> None:
    issued = night.issue(ReportKind.COVERAGE, Format.CSV)
    beside = issued.file.with_name(issued.file.name + SIGNATURE_SUFFIX)
    statement = json.loads(beside.read_text())
    statement[name] = f"{statement[name]}0" if isinstance(statement[name], str) else 7
    beside.write_text(json.dumps(statement))
    proof = prove(night.store, night.settings.data_dir, issued.file)
    assert proof.signed is False
    assert not proof.holds


def test_the_entry_says_what_was_handed_over_and_the_checkpoint_covers_it(desk: Desk) -> None:
    play_night(desk.store, 2, ("T1",))
    issued = desk.issue(ReportKind.AUDIT, Format.CSV)
    told = desk.store.entries_after(kinds=[EntryKind.REPORT_ISSUED])[-1]
    assert told.body["sha256"] == issued.handover.sha256
    assert told.body["user"] == "kim"
    text = issued.file.read_text(encoding="utf-8-sig")
    for carried in (told.body["report"], told.body["content"], *told.body["rules"], "Asia/Seoul"):
        assert carried in text
    last = int(next(row for row in text.splitlines() if row.startswith("Last entry")).split(",")[1])
    statement = json.loads(issued.signature.read_text())
    assert json.loads(statement["rests_on"])["size"] >= last
    assert json.loads(statement["rests_on"])["number"] == told.body["checkpoint"]


def test_a_report_of_a_record_that_was_changed_does_not_hold(desk: Desk) -> None:
    play_night(desk.store, 2, ("T1",))
    issued = desk.issue(ReportKind.AUDIT, Format.JSON_LINES)
    assert prove(desk.store, desk.settings.data_dir, issued.file).holds
    tamper(desk.store, "UPDATE payout_line SET paid = paid + 100 WHERE paid IS NOT NULL")
    proof = prove(desk.store, desk.settings.data_dir, issued.file)
    assert proof.issued is not None
    assert not proof.record.holds
    assert not proof.holds


def test_what_is_stopped_leaves_no_file_and_no_entry(night: Desk) -> None:
    folder = night.settings.data_dir / "stopped"
    before = len(night.store.entries_after(kinds=[EntryKind.REPORT_ISSUED], limit=1000))

    def stop(_done: int, _total: int) -> None:
        raise ReportCancelledError("stop")

    for form in Format:
        with pytest.raises(ReportCancelledError):
            issue(night.store, night.house, night.order(ReportKind.PAYOUTS, form), folder, stop)
    assert list(folder.iterdir()) == []
    after = len(night.store.entries_after(kinds=[EntryKind.REPORT_ISSUED], limit=1000))
    assert after == before


def test_a_job_that_waits_can_be_stopped_and_the_next_one_is_made(night: Desk) -> None:
    jobs = Jobs(night.store, night.settings.data_dir / "jobs")
    held = threading.Event()
    order = night.order(ReportKind.COVERAGE)
    with jobs._turn:
        first, second = jobs.ask(order, night.house), jobs.ask(order, night.house)
        assert jobs.cancel(first.id).state is JobState.WAITING
    for _ in range(400):
        if jobs.job(first.id).over and jobs.job(second.id).over:
            break
        held.wait(0.02)
    assert jobs.job(first.id).state is JobState.CANCELLED
    assert jobs.job(second.id).state is JobState.DONE
    assert len(list((night.settings.data_dir / "jobs").glob("*.csv"))) == 1


def test_one_table_alone_is_what_a_program_loads(night: Desk) -> None:
    issued = night.issue(ReportKind.PAYOUTS, Format.CSV, section="payouts")
    first, *rest = issued.file.read_text().splitlines()
    assert first.split(",")[:4] == ["at", "round", "table", "seat"]
    assert len(rest) == issued.handover.rows
    with pytest.raises(ReportError, match="expected, of CSV, one of tables, wagers"):
        night.issue(ReportKind.PAYOUTS, Format.CSV, section="nothing")


def test_a_range_that_has_not_begun_is_refused(desk: Desk, tmp_path: Path) -> None:
    order = desk.order(ReportKind.AUDIT)
    later = order.request.__class__(ReportKind.AUDIT, desk.house.clock.month(2090, 1))
    with pytest.raises(ReportError, match="has not begun"):
        issue(desk.store, desk.house, type(order)(later, Format.CSV, "kim"), tmp_path)
