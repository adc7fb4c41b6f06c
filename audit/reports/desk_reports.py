"""What people did: the surveillance log, incident and dispute files, the access review."""

from audit.reports.draw import TABLE, count, rules_in_force
from audit.reports.kinds import ReportKind
from audit.reports.shape import (
    Bar,
    Chart,
    Column,
    ColumnKind,
    Fact,
    Report,
    Request,
    Said,
    Section,
    fixed,
)
from audit.store.reporting import Snapshot, Window
from audit.store.reporting_desk import (
    access_counts,
    access_rows,
    account_rows,
    case_act_count,
    case_acts,
    case_rows,
    key_rows,
    log_count,
    log_rows,
)
from audit.web.language import N_

_LOG = (
    count("number", N_("No."), 5),
    Column("occurred", N_("Date and time"), ColumnKind.MOMENT, width=17),
    Column("employee", N_("Employee"), width=11),
    Column("summary", N_("Summary"), width=36),
    Column("location", N_("Location"), width=13),
    Column("recording", N_("Location of the recording"), width=20),
    Column("disposition", N_("Disposition"), width=18),
    Column("at", N_("Entered"), ColumnKind.MOMENT, width=17),
    Column("user", N_("Entered by"), width=10),
    count("corrects", N_("Corrects"), 7),
    count("corrected_by", N_("Put right by"), 8),
)
"""The fields of Kansas 112-106-6: date and time, employee, summary, location, location of the
recording, disposition; and when, by whom and in place of what it was entered."""

_STATES = {"open": N_("Open"), "closed": N_("Closed")}
_TOPICS = {
    "play": N_("Play"),
    "payout": N_("Payout"),
    "wager": N_("Wager"),
    "cards": N_("Cards"),
    "procedure": N_("Procedure"),
    "other": N_("Other"),
}
_OUTCOMES = {
    "for-patron": N_("For the patron"),
    "for-house": N_("For the house"),
    "settled": N_("Settled by agreement"),
    "withdrawn": N_("Withdrawn"),
    "confirmed": N_("Confirmed"),
    "not-confirmed": N_("Not confirmed"),
    "unreadable": N_("Unreadable"),
}
_ACTS = {
    "opened": N_("Opened"),
    "noted": N_("Note"),
    "linked": N_("Linked"),
    "assigned": N_("Assigned"),
    "closed": N_("Closed"),
    "reopened": N_("Opened again"),
}

_CASES = (
    count("number", N_("No."), 5),
    Column("title", N_("Title"), width=24),
    Column("topic", N_("Topic"), ColumnKind.LABEL, _TOPICS, width=10),
    TABLE,
    Column("occurred", N_("Occurred"), ColumnKind.MOMENT, width=17),
    Column("patron", N_("Patron"), width=11),
    Column("opened", N_("Opened"), ColumnKind.MOMENT, width=17),
    Column("opened_by", N_("By"), width=9),
    Column("assignee", N_("Assigned to"), width=10),
    Column("state", N_("State"), ColumnKind.LABEL, _STATES, width=8),
    Column("closed", N_("Closed"), ColumnKind.MOMENT, width=17),
    Column("outcome", N_("Outcome"), ColumnKind.LABEL, _OUTCOMES, width=12),
)

_CASE_ACTS = (
    count("case", N_("No."), 5),
    Column("at", N_("Time"), ColumnKind.MOMENT, width=17),
    Column("user", N_("By"), width=10),
    Column("act", N_("Act"), ColumnKind.LABEL, _ACTS, width=10),
    Column("detail", N_("Detail"), width=18),
    Column("note", N_("Note"), width=60),
)

_ACCOUNTS = (
    Column("name", N_("Account"), width=14),
    Column("display", N_("Name"), width=18),
    Column("roles", N_("Roles"), width=24),
    count("enabled", N_("Enabled"), 7),
    Column("added", N_("Added"), ColumnKind.MOMENT, width=17),
    Column("changed", N_("Changed"), ColumnKind.MOMENT, width=17),
    Column("last_login", N_("Last sign-in"), ColumnKind.MOMENT, width=17),
    count("acts", N_("Acts in the range"), 9),
)
_KEYS = (
    Column("key", N_("Key"), width=14),
    Column("name", N_("Name"), width=20),
    Column("scopes", N_("Scopes"), width=26),
    Column("made", N_("Made"), ColumnKind.MOMENT, width=17),
    Column("made_by", N_("By"), width=12),
    Column("revoked", N_("Revoked"), ColumnKind.MOMENT, width=17),
)
_ACT_COUNTS = (Column("name", N_("Act"), width=30), count("count", N_("Times")))
_ACCESS = (
    Column("at", N_("Time"), ColumnKind.MOMENT, width=17),
    Column("user", N_("By"), width=12),
    Column("act", N_("Act"), width=20),
    Column("subject", N_("Subject"), width=26),
    Column("detail", N_("Detail"), width=26),
    Column("address", N_("Address"), width=14),
    count("entry", N_("Entry"), 9),
)


def log_report(snapshot: Snapshot, request: Request) -> Report:
    """Draw the surveillance log, in the order in which it was entered."""
    window = Window(request.span.since, request.span.until, request.tables)
    lines = log_count(snapshot, window)
    corrected = sum(row.corrected_by is not None for row in log_rows(snapshot, window))
    text = N_(
        "Lines are never changed. One that was put right stays, with the number of the line that "
        "puts it right."
    )
    section = Section(
        "log", N_("Surveillance log"), _LOG, lambda: log_rows(snapshot, window), lines, detail=True
    )
    return Report(
        request=request,
        facts=(
            Fact(N_("Lines"), lines),
            Fact(N_("Put right later"), corrected),
        ),
        notices=(Said(text),),
        sections=(section,),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
    )


def case_report(snapshot: Snapshot, request: Request) -> Report:
    """Draw the incident or dispute files that were open at any time of the range."""
    window = Window(request.span.since, request.span.until, request.tables)
    kind = "dispute" if request.kind is ReportKind.DISPUTES else "incident"
    cases = case_rows(snapshot, window, kind)
    numbers = tuple(case.number for case in cases)
    outcomes: dict[str, int] = {}
    for case in cases:
        if case.outcome is not None:
            outcomes[case.outcome] = outcomes.get(case.outcome, 0) + 1
    bars = tuple(Bar(name, float(found), labels=_OUTCOMES) for name, found in outcomes.items())
    chart = Chart(N_("Outcomes"), "", bars) if bars else None
    return Report(
        request=request,
        facts=(
            Fact(N_("Files"), len(cases)),
            Fact(N_("Still open"), sum(case.state == "open" for case in cases)),
            Fact(N_("Opened in the range"), sum(case.opened >= window.since for case in cases)),
        ),
        notices=(Said(N_("Files that were open at any time of the range, as they stand now.")),),
        sections=(
            fixed("cases", N_("Files"), _CASES, cases).with_chart(chart),
            Section(
                "acts",
                N_("What was done"),
                _CASE_ACTS,
                lambda: case_acts(snapshot, window, numbers),
                case_act_count(snapshot, window, numbers),
                detail=True,
            ),
        ),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
    )


def access_report(snapshot: Snapshot, request: Request) -> Report:
    """Draw the access review: accounts, keys, and what was looked at and done."""
    window = Window(request.span.since, request.span.until)
    accounts, keys = account_rows(snapshot, window), key_rows(snapshot)
    acts = access_counts(snapshot, window, "act")
    total = sum(one.count for one in acts)
    unused = sum(row.enabled and not row.acts for row in accounts)
    return Report(
        request=request,
        facts=(
            Fact(N_("Accounts"), len(accounts)),
            Fact(N_("Enabled"), sum(row.enabled for row in accounts)),
            Fact(N_("Enabled and not used"), unused),
            Fact(N_("Keys in use"), sum(row.revoked is None for row in keys)),
            Fact(N_("Lines of the access log"), total),
        ),
        notices=(Said(N_("Accounts and keys as they stand now; what was done, in the range.")),),
        sections=(
            fixed("accounts", N_("Accounts"), _ACCOUNTS, accounts),
            fixed("keys", N_("Keys of machines"), _KEYS, keys),
            fixed("acts", N_("Acts by kind"), _ACT_COUNTS, acts),
            Section(
                "access",
                N_("Access log"),
                _ACCESS,
                lambda: access_rows(snapshot, window),
                total,
                detail=True,
            ),
        ),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
    )
