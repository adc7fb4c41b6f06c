"""The audit report: rounds watched, findings by kind and severity, what was decided on them."""

from dataclasses import fields

from audit.alerts import OPEN_STATES
from audit.reports.coverage import unseen_notices, watched
from audit.reports.draw import (
    CODE,
    GAME,
    HANDS,
    OUTCOME,
    RECORDED,
    ROUND,
    SEAT,
    SEVERITY,
    TABLE,
    count,
    rules_in_force,
)
from audit.reports.shape import (
    Bar,
    Chart,
    Column,
    ColumnKind,
    Fact,
    Report,
    Request,
    Section,
    fixed,
)
from audit.store.reporting import VOIDED, FindingCount, RoundCount, Snapshot, Window
from audit.web.labels import FINDINGS
from audit.web.language import N_

STATES = {
    "new": N_("Waiting"),
    "acknowledged": N_("Acknowledged"),
    "under-review": N_("Under review"),
    "confirmed": N_("Confirmed"),
    "not-confirmed": N_("Not confirmed"),
    "unreadable": N_("Unreadable"),
    "closed": N_("Closed"),
    VOIDED: N_("Made void"),
}

ROUND_COUNTS = (
    TABLE,
    GAME,
    count("rounds", N_("Rounds")),
    count("complete", N_("Complete")),
    count("void", N_("Void")),
    count("reconstruct", N_("Reconstruct"), 10),
    count("unsure", N_("Unsure")),
    count("incomplete", N_("Incomplete")),
    count("flagged", N_("With findings"), 9),
    count("corrected", N_("Corrected")),
)

FINDING_COUNTS = (
    CODE,
    SEVERITY,
    count("found", N_("Found")),
    count("waiting", N_("Waiting")),
    count("reviewing", N_("In review")),
    count("confirmed", N_("Confirmed")),
    count("not_confirmed", N_("Not confirmed"), 9),
    count("unreadable", N_("Unreadable")),
    count("closed", N_("Closed")),
    count("voided", N_("Made void")),
)

FINDING_LINES = (
    count("number", N_("No."), 5),
    Column("opened", N_("Time"), ColumnKind.MOMENT, width=17),
    TABLE,
    ROUND,
    SEAT,
    CODE,
    Column("rule", N_("Rule"), width=9),
    SEVERITY,
    Column("state", N_("Disposition"), ColumnKind.LABEL, STATES, width=15),
    Column("changed_by", N_("By"), width=9),
    Column("text", N_("Observed"), width=46),
)

ROUND_LINES = (
    RECORDED,
    ROUND,
    TABLE,
    GAME,
    OUTCOME,
    count("findings", N_("Findings")),
    Column("corrected", N_("Corrected"), ColumnKind.COUNT, width=8),
    count("entry", N_("Entry"), 9),
)


def audit_report(snapshot: Snapshot, request: Request) -> Report:
    """Draw the audit report."""
    window = Window(request.span.since, request.span.until, request.tables)
    rounds = snapshot.round_counts(window)
    findings = snapshot.finding_counts(window)
    flagged = sum(row.flagged for row in rounds)
    coverage = watched(snapshot, window)
    return Report(
        request=request,
        facts=_facts(rounds, findings),
        notices=unseen_notices(coverage),
        sections=(
            _round_counts(rounds),
            _finding_counts(findings),
            _open(snapshot, window, findings),
            _finding_lines(snapshot, window, findings),
            _round_lines(snapshot, window, rounds),
        ),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
        hands=tuple(snapshot.rounds(window, flagged=True, limit=HANDS)),
        hands_left_out=max(0, flagged - HANDS),
    )


def _facts(rounds: list[RoundCount], findings: list[FindingCount]) -> tuple[Fact, ...]:
    grave = sum(row.found for row in findings if row.severity in ("critical", "high"))
    return (
        Fact(N_("Rounds watched"), sum(row.rounds for row in rounds)),
        Fact(N_("Findings"), sum(row.found for row in findings)),
        Fact(N_("High or critical"), grave),
        Fact(N_("Confirmed"), sum(row.confirmed for row in findings)),
        Fact(N_("Still open"), sum(row.waiting + row.reviewing for row in findings)),
    )


def _round_counts(rounds: list[RoundCount]) -> Section:
    section = fixed("round-counts", N_("Rounds by table and game"), ROUND_COUNTS, rounds)
    return section.with_total(
        RoundCount("", "", *_sums(rounds, [field.name for field in fields(RoundCount)][2:]))
    )


def _finding_counts(findings: list[FindingCount]) -> Section:
    section = fixed("finding-counts", N_("Findings by kind and severity"), FINDING_COUNTS, findings)
    names = [field.name for field in fields(FindingCount)][2:]
    by_code: dict[str, int] = {}
    for row in findings:
        by_code[row.code] = by_code.get(row.code, 0) + row.found
    order = sorted(by_code.items(), key=lambda item: -item[1])
    bars = tuple(Bar(code, found, labels=FINDINGS) for code, found in order)
    chart = Chart(N_("Findings by kind"), "", bars) if bars else None
    return section.with_total(FindingCount("", "", *_sums(findings, names))).with_chart(chart)


def _open(snapshot: Snapshot, window: Window, findings: list[FindingCount]) -> Section:
    return Section(
        "open",
        N_("Open findings"),
        FINDING_LINES,
        lambda: snapshot.finding_lines(window, states=OPEN_STATES),
        sum(row.waiting + row.reviewing for row in findings),
        detail=True,
    )


def _finding_lines(snapshot: Snapshot, window: Window, findings: list[FindingCount]) -> Section:
    return Section(
        "findings",
        N_("All findings"),
        FINDING_LINES,
        lambda: snapshot.finding_lines(window),
        sum(row.found for row in findings),
        detail=True,
    )


def _round_lines(snapshot: Snapshot, window: Window, rounds: list[RoundCount]) -> Section:
    return Section(
        "rounds",
        N_("All rounds"),
        ROUND_LINES,
        lambda: snapshot.round_lines(window),
        sum(row.rounds for row in rounds),
        detail=True,
    )


def _sums(rows: list[RoundCount] | list[FindingCount], names: list[str]) -> list[int]:
    return [sum(getattr(row, name) for row in rows) for name in names]
