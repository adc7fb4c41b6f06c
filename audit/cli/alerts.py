"""`pitwatch alerts`: checks the alert policy and the webhook subscriptions."""

from pathlib import Path

from audit.alerts import Breach
from audit.cli.output import NOT_HELD, print_line, write_line
from audit.policy import SHIPPED, load_policy
from audit.webhooks import check_event, load_subscriptions, send
from rules.findings import FindingCode, Severity

_NO_TABLE = "-"
"""Fits no rule for certain tables."""


def check_policy(file: Path) -> int:
    """Check a policy; say how each kind of finding is treated, and which rules ask for more.

    Raises:
        SettingsError: It cannot be used; the line names the file, the line and the key.
    """
    policy = load_policy(file)
    print_line(f"Alert policy {file}: {len(policy.rules)} rules")
    print_line(f"Version: {policy.version}")
    print_line("A finding of medium severity, where only its kind decides:")
    for code in ("camera-lost", "house-not-approved", *FindingCode):
        found = {"code": str(code), "severity": Severity.MEDIUM.value}
        handling = policy.handling(Breach.of(_NO_TABLE, None, found), found)
        tone = "no tone" if handling.tone is None else f"tone {handling.tone}"
        line = f"{code}: {handling.severity}, {tone}"
        if handling.escalate_after_s is not None:
            minutes = handling.escalate_after_s // 60
            line += f", after {minutes} min to {handling.escalate_to}"
        print_line(f"  {line}")
    conditional = [rule for rule in policy.rules if rule.conditional]
    if conditional:
        print_line("Rules that ask for more; of all rules the first one that fits decides:")
    for rule in conditional:
        print_line(f"  {rule.words()}")
    return 0


def print_default() -> int:
    """Print the shipped policy."""
    write_line(SHIPPED.read_text(encoding="utf-8").rstrip("\n"))
    return 0


def check_webhooks(file: Path, *, send_one: bool = False) -> int:
    """Check subscriptions; exit code 1 when a test event did not arrive.

    Raises:
        SettingsError: The file cannot be used; the line names the file, the line and the key.
    """
    code = 0
    for subscription in load_subscriptions(file):
        told = ", ".join(subscription.types) if subscription.types else "all events"
        print_line(f"{subscription.name}: {subscription.place}, {told}")
        if send_one:
            problem = send(subscription, check_event())
            print_line(f"  {problem or 'arrived'}")
            code = NOT_HELD if problem else code
    return code
