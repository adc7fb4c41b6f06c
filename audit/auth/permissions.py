"""The one table of permissions: which role may do what, and how a route says what it does.

A route without a declared action is refused to everybody; a test enumerates all routes. See
`docs/access.md`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any, TypeVar

from audit.approvals import SensitiveAct
from audit.errors import AuditError


@unique
class Role(StrEnum):
    """What a person (or a screen) is here for. An account has one or several."""

    DEALER_SCREEN = "dealer-screen"
    PIT = "pit"
    SURVEILLANCE = "surveillance"
    COMPLIANCE = "compliance"
    REGULATOR = "regulator"
    ADMINISTRATOR = "administrator"


@unique
class Scope(StrEnum):
    """What a machine's key may be used for."""

    WAGERS_WRITE = "wagers:write"
    PAYOUTS_WRITE = "payouts:write"
    READ = "read"


@unique
class Action(StrEnum):
    """What a route lets somebody do."""

    PUBLIC = "public"
    """Needs no sign-in: the sign-in itself, health, static files."""
    SELF = "self"
    """One's own account: sign out, change the password. Everybody who is signed in."""
    WALL_VIEW = "wall.view"
    """The pit wall: tiles, the feed."""
    PICTURE_VIEW = "picture.view"
    """The tables' live pictures."""
    LIVE_FOLLOW = "live.follow"
    """Entries as they come, without those of the access log; a bound screen's: its table's."""
    DEALER_VIEW = "dealer.view"
    """A dealer's screen."""
    WAGER_REPORT = "wager.report"
    PAYOUT_REPORT = "payout.report"
    PAYOUT_IMPORT = "payout.import"
    """Many payouts at once, from a file."""
    ROUND_VIEW = "round.view"
    """Rounds, their payouts, and searching them."""
    ALERT_VIEW = "alert.view"
    ALERT_ACT = "alert.act"
    """Acknowledge, assign, escalate, comment."""
    FINDING_JUDGE = "finding.judge"
    """Mark as confirmed, not confirmed or unreadable."""
    EVIDENCE_VIEW = "evidence.view"
    """Recorded video and the replay."""
    EVIDENCE_EXPORT = "evidence.export"
    """Clips and bundles that leave the house."""
    EVIDENCE_HOLD = "evidence.hold"
    """Keep recordings from being deleted."""
    CASE_VIEW = "case.view"
    """Cases, disputes and incidents."""
    CASE_WRITE = "case.write"
    REPORT_VIEW = "report.view"
    REPORT_EXPORT = "report.export"
    RECORD_VIEW = "record.view"
    """Entries, chains and checkpoints."""
    RECORD_VERIFY = "record.verify"
    APPROVAL_VIEW = "approval.view"
    """What waits for a second person."""
    APPROVAL_ASK = "approval.ask"
    APPROVAL_DECIDE = "approval.decide"
    POLICY_CHANGE = "policy.change"
    """House rules in force, severities, what is told to whom."""
    ACCESS_VIEW = "access.view"
    """The access log, and the review of accounts."""
    ACCESS_REVIEW = "access.review"
    """Mark the accounts as reviewed."""
    SCREEN_PAIR = "screen.pair"
    """Bind a dealer's screen to its table."""
    ACCOUNT_MANAGE = "account.manage"
    KEY_MANAGE = "key.manage"
    """Keys of machines."""
    SETTINGS_CHANGE = "settings.change"


_LOOKING = frozenset(
    {
        Action.WALL_VIEW,
        Action.PICTURE_VIEW,
        Action.LIVE_FOLLOW,
        Action.DEALER_VIEW,
        Action.ROUND_VIEW,
        Action.ALERT_VIEW,
    }
)
_INQUIRY = _LOOKING | {
    Action.EVIDENCE_VIEW,
    Action.CASE_VIEW,
    Action.REPORT_VIEW,
    Action.REPORT_EXPORT,
    Action.RECORD_VIEW,
    Action.RECORD_VERIFY,
    Action.APPROVAL_VIEW,
}

ALLOWED: Mapping[Role, frozenset[Action]] = {
    Role.DEALER_SCREEN: frozenset(
        {Action.LIVE_FOLLOW, Action.DEALER_VIEW, Action.WAGER_REPORT, Action.PAYOUT_REPORT}
    ),
    Role.PIT: _LOOKING
    | {
        Action.WAGER_REPORT,
        Action.PAYOUT_REPORT,
        Action.ALERT_ACT,
        Action.CASE_VIEW,
        Action.CASE_WRITE,
        Action.APPROVAL_VIEW,
        Action.APPROVAL_ASK,
        Action.APPROVAL_DECIDE,
        Action.SCREEN_PAIR,
    },
    Role.SURVEILLANCE: _INQUIRY
    | {
        Action.ALERT_ACT,
        Action.FINDING_JUDGE,
        Action.EVIDENCE_EXPORT,
        Action.EVIDENCE_HOLD,
        Action.CASE_WRITE,
        Action.APPROVAL_ASK,
        Action.APPROVAL_DECIDE,
    },
    Role.COMPLIANCE: _INQUIRY
    | {
        Action.FINDING_JUDGE,
        Action.EVIDENCE_EXPORT,
        Action.EVIDENCE_HOLD,
        Action.CASE_WRITE,
        Action.PAYOUT_IMPORT,
        Action.POLICY_CHANGE,
        Action.APPROVAL_ASK,
        Action.APPROVAL_DECIDE,
        Action.ACCESS_VIEW,
        Action.ACCESS_REVIEW,
    },
    Role.REGULATOR: _INQUIRY | {Action.EVIDENCE_EXPORT, Action.ACCESS_VIEW},
    Role.ADMINISTRATOR: frozenset(
        {
            Action.ACCOUNT_MANAGE,
            Action.KEY_MANAGE,
            Action.SCREEN_PAIR,
            Action.SETTINGS_CHANGE,
            Action.APPROVAL_VIEW,
            Action.APPROVAL_ASK,
            Action.APPROVAL_DECIDE,
        }
    ),
}
"""Which role may do what. `Action.PUBLIC` and `Action.SELF` are nobody's to grant."""

SCOPED: Mapping[Scope, frozenset[Action]] = {
    Scope.WAGERS_WRITE: frozenset({Action.WAGER_REPORT}),
    Scope.PAYOUTS_WRITE: frozenset({Action.PAYOUT_REPORT, Action.PAYOUT_IMPORT}),
    Scope.READ: frozenset(
        {
            Action.WALL_VIEW,
            Action.LIVE_FOLLOW,
            Action.ROUND_VIEW,
            Action.ALERT_VIEW,
            Action.CASE_VIEW,
            Action.REPORT_VIEW,
            Action.RECORD_VIEW,
        }
    ),
}
"""What a key with a scope may do. No key views video, manages accounts or acts for a person."""

DECIDES: Mapping[SensitiveAct, Action] = {
    SensitiveAct.VOID_FINDING: Action.FINDING_JUDGE,
    SensitiveAct.CHANGE_HOUSE: Action.APPROVAL_DECIDE,
}
"""What the second person of a sensitive act must be permitted beside `approval.decide`. Who may not
judge a finding does not make it void either: not the pit, whose play it is about, nor the
administrator, who sees no evidence."""

VIEWS = frozenset(
    {
        Action.ROUND_VIEW,
        Action.ALERT_VIEW,
        Action.EVIDENCE_VIEW,
        Action.CASE_VIEW,
        Action.REPORT_VIEW,
        Action.RECORD_VIEW,
        Action.ACCESS_VIEW,
        Action.APPROVAL_VIEW,
    }
)
"""Reading these is itself an entry of the record, unless the route says that it is polled."""

EXPORTS = frozenset({Action.EVIDENCE_EXPORT, Action.REPORT_EXPORT})
"""Whatever comes out of these is an entry of the record."""

PROPER_ALONE = frozenset({Role.ADMINISTRATOR, Role.DEALER_SCREEN, Role.REGULATOR})
"""Roles that go with no other: who manages accounts sees no evidence, and who audits acts not."""


@dataclass(frozen=True, slots=True)
class Permit:
    """What a route declares about itself."""

    action: Action
    quiet: bool = False
    """A page asks for it again and again by itself: neither a view to be logged, nor a sign that
    somebody is there."""
    shares: bool = False
    """A session that is bound to one table may use it, although its path names no table: the route
    shows that session its own table only."""


F = TypeVar("F", bound=Callable[..., Any])

_ATTRIBUTE = "__pitwatch_permit__"


def permits(action: Action, *, quiet: bool = False, shares: bool = False) -> Callable[[F], F]:
    """Declare what a route's function lets somebody do; put it under the route's own decorator.

    Args:
        action: What it lets somebody do.
        quiet: It is polled; see `Permit.quiet`.
        shares: See `Permit.shares`.
    """

    def declare(endpoint: F) -> F:
        setattr(endpoint, _ATTRIBUTE, Permit(action, quiet, shares))
        return endpoint

    return declare


def permit_of(endpoint: object) -> Permit | None:
    """Return what a route's function declares; None when it declares nothing."""
    found = getattr(endpoint, _ATTRIBUTE, None)
    return found if isinstance(found, Permit) else None


def allowed(roles: Iterable[Role]) -> frozenset[Action]:
    """Return all that somebody with these roles may do.

    >>> Action.ROUND_VIEW in allowed([Role.ADMINISTRATOR])
    False
    """
    return frozenset({Action.SELF}).union(*(ALLOWED[role] for role in roles))


def scoped(scopes: Iterable[Scope]) -> frozenset[Action]:
    """Return all that a key with these scopes may do."""
    return frozenset[Action]().union(*(SCOPED[scope] for scope in scopes))


def check_roles(names: Iterable[str]) -> tuple[Role, ...]:
    """Return roles by their names, each once and in the order of `Role`.

    Raises:
        AuditError: One is unknown, there is none, or they don't go together.
    """
    wanted = set(names)
    unknown = sorted(wanted - set(Role))
    if unknown or not wanted:
        found = repr(unknown[0]) if unknown else "none"
        raise AuditError(f"role: found {found} (expected one or more of {', '.join(Role)})")
    roles = tuple(role for role in Role if role in wanted)
    alone = PROPER_ALONE.intersection(roles)
    if len(roles) > 1 and alone:
        raise AuditError(f"role: {sorted(alone)[0]} goes with no other role")
    return roles
