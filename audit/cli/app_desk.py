"""The commands about payouts and alerts, and their options."""

from pathlib import Path
from typing import Annotated

import typer

from audit.cli.options import Data, Json

payouts = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Import wagers and payouts, and draw balances.",
)

alerts = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Check the files that say how alerts are treated and who is told of them.",
)


@payouts.command("import")
def payouts_import(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .csv or .jsonl file.")],
    table: Annotated[
        str | None, typer.Option("--table", metavar="T1", help="For lines that name no table.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be added, and add nothing.")
    ] = False,
    data: Data = None,
    json: Json = False,
) -> int:
    """Import wagers and payouts of another system, all or nothing.

    Every line that cannot be used is named, and then nothing is imported (exit code 2). The same
    file again adds nothing. docs/payouts.md says how a file is written.

    \b
    Examples:
      pitwatch payouts import night.csv --table T1 --dry-run
      pitwatch payouts import night.jsonl --data /var/lib/pitwatch
    """
    from audit.cli.payouts import ImportOptions, import_payouts

    return import_payouts(ImportOptions(file, table, dry_run, data, json))


@payouts.command("balance", short_help="Sum up what was staked, due and paid.")
def payouts_balance(
    by: Annotated[str, typer.Option("--by", metavar="WHAT", help="table, shift or dealer.")] = (
        "table"
    ),
    table: Annotated[
        str | None, typer.Option("--table", metavar="T1", help="Only of this table (default: all).")
    ] = None,
    days: Annotated[int, typer.Option("--days", min=1, max=366, help="The last so many days.")] = 1,
    data: Data = None,
    json: Json = False,
) -> int:
    """Say what was staked, due and paid, and the difference, a table, shift or dealer.

    \b
    Example:
      pitwatch payouts balance --by dealer --days 7
    """
    from audit.cli.payouts import BalanceOptions, print_balance

    return print_balance(BalanceOptions(by, table, days, data, json))


@alerts.command("check", short_help="Check an alert policy, and say what it does.")
def alerts_check(
    file: Annotated[Path, typer.Argument(metavar="POLICY.toml", help="The alert policy.")],
) -> int:
    """Check an alert policy, and say what it comes to for every kind of finding.

    \b
    Example:
      pitwatch alerts check harbour-alerts.toml
    """
    from audit.cli.alerts import check_policy

    return check_policy(file)


@alerts.command("default")
def alerts_default() -> int:
    """Print the shipped alert policy, with comments.

    \b
    Example:
      pitwatch alerts default > harbour-alerts.toml
    """
    from audit.cli.alerts import print_default

    return print_default()


@alerts.command("webhooks")
def alerts_webhooks(
    file: Annotated[Path, typer.Argument(metavar="WEBHOOKS.toml", help="The subscriptions.")],
    send: Annotated[bool, typer.Option("--send", help="Send a test event to each, once.")] = False,
) -> int:
    """Check webhook subscriptions; with --send, try each. Secrets are never printed.

    \b
    Example:
      pitwatch alerts webhooks webhooks.toml --send
    """
    from audit.cli.alerts import check_webhooks

    return check_webhooks(file, send_one=send)
