"""What the reports have in common: columns of the same meaning, rules in force, hands to draw."""

from audit.chain import EntryKind
from audit.reports.shape import Column, ColumnKind
from audit.store.reporting import Snapshot, Window
from audit.web import labels
from audit.web.language import N_

HANDS = 24
"""How many hands are drawn on paper; the rest is in the record, by the round's name."""

TABLE = Column("table", N_("Table"), width=8)
GAME = Column("game", N_("Game"), ColumnKind.LABEL, labels.GAMES, width=18)
ROUND = Column("round", N_("Round"), width=21)
CODE = Column("code", N_("Finding"), ColumnKind.LABEL, labels.FINDINGS, width=18)
SEVERITY = Column("severity", N_("Severity"), ColumnKind.LABEL, labels.SEVERITIES, width=9)
RECORDED = Column("recorded", N_("Time"), ColumnKind.MOMENT, width=17)
OUTCOME = Column("outcome", N_("Outcome"), ColumnKind.LABEL, labels.STATUSES, width=11)
SEAT = Column("seat", N_("Seat"), ColumnKind.COUNT, width=5)
WAGER = Column("wager", N_("Wager"), ColumnKind.LABEL, labels.WAGERS, width=10)


def count(name: str, title: str, width: int = 8) -> Column:
    """Return a column of whole numbers."""
    return Column(name, title, ColumnKind.COUNT, width=width)


def money(name: str, title: str, width: int = 11) -> Column:
    """Return a column of amounts in minor units."""
    return Column(name, title, ColumnKind.MONEY, width=width)


def rules_in_force(snapshot: Snapshot, window: Window) -> tuple[str, ...]:
    """Return the versions of the house rules under which tables were watched, in order.

    They are those of the starts within the window, and of each table's last start before it.
    """
    before: dict[str, str] = {}
    within: dict[str, None] = {}
    for entry in snapshot.entries((EntryKind.TABLE_STARTED,), window):
        if entry.at < window.since:
            before[entry.chain] = str(entry.body["house"])
        else:
            within[str(entry.body["house"])] = None
    found = dict.fromkeys([*before.values(), *within])
    return tuple(version for version in found if version)
