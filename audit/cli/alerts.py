"""`pitwatch alerts`: checks the alert policy and the webhook subscriptions."""

from pathlib import Path

from audit.alerts import Breach
from audit.cli.output import NOT_HELD, print_line, write_line
from audit.policy import SHIPPED, load_policy
from audit.webhooks import check_event, load_subscriptions, send
from rules.findings import FindingCode, Severity


def check_policy(file: Path) -> int:
    """Check a policy, and say how a finding of medium severity of each kind is treated.

    Raises:
        SettingsError: It cannot be used; the line names the file, the line and the key.
    """
    policy = load_policy(file)
    print_line(f"Alert policy {file}: {len(policy.rules)} rules")
    print_line(f"Version: {policy.version}")
    for code in ("camera-lost", "house-not-approved", *FindingCode):
        found = {"code": str(code), "severity": Severity.MEDIUM.value}
        handling = policy.handling(Breach.of("T1", None, found), found)
        tone = "no tone" if handling.tone is None else f"tone {handling.tone}"
        line = f"{code}: {handling.severity}, {tone}"
        if handling.escalate_after_s is not None:
            minutes = handling.escalate_after_s // 60
            line += f", after {minutes} min to {handling.escalate_to}"
        print_line(line)
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
