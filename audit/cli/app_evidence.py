"""The commands about footage and evidence, and their options."""

from datetime import datetime
from typing import Annotated

import typer

from audit.cli.options import MOST_NUMBER, Data, Json

User = Annotated[
    str | None, typer.Option("--user", help="Who does it; the account of this machine otherwise.")
]
_MOMENTS = ["%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]
Since = Annotated[
    datetime | None, typer.Option("--since", formats=_MOMENTS, help="From when on, UTC.")
]
Until = Annotated[datetime | None, typer.Option("--until", formats=_MOMENTS, help="To when, UTC.")]

hold = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Place legal holds on footage, list them, release them (two people).",
)

retention = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="How long footage is kept: the rules, what would go, and making it go.",
)


@hold.command("place", short_help="Hold footage: nothing deletes it any more.")
def hold_place(
    reason: Annotated[str, typer.Option("--reason", help="Why, for the record.")],
    round_id: Annotated[
        str | None, typer.Option("--round", help="A round, with ten seconds around it.")
    ] = None,
    table: Annotated[str | None, typer.Option("--table", help="A table, with a time.")] = None,
    since: Since = None,
    until: Until = None,
    user: User = None,
    data: Data = None,
) -> int:
    """Hold the footage of a round, or of a time at a table: nothing deletes it any more.

    \b
    Examples:
      pitwatch hold place --round T1-20261130-0042 --reason "complaint 17" --user kim
      pitwatch hold place --table T1 --since "2026-11-30 05:00" --until "2026-11-30 06:00" \\
          --reason "order of the court" --user kim
    """
    from audit.cli.hold import Held, place_hold

    return place_hold(Held(round_id, table, since, until), reason=reason, user=user, data=data)


@hold.command("list")
def hold_list(
    every: Annotated[bool, typer.Option("--all", help="Released ones too.")] = False,
    data: Data = None,
    json: Json = False,
) -> int:
    """List legal holds.

    \b
    Example:
      pitwatch hold list --all
    """
    from audit.cli.hold import list_holds

    return list_holds(every=every, data=data, json=json)


@hold.command("release")
def hold_release(
    number: Annotated[
        int, typer.Argument(metavar="NUMBER", min=1, max=MOST_NUMBER, help="The hold's number.")
    ],
    user: User = None,
    note: Annotated[str, typer.Option("--note", help="Why, for the record.")] = "",
    data: Data = None,
) -> int:
    """Release a hold. The first person asks for it; a second, another one, ends it.

    \b
    Examples:
      pitwatch hold release 3 --user kim --note "case closed"
      pitwatch hold release 3 --user lee
    """
    from audit.cli.hold import release_hold

    return release_hold(number, user=user, note=note, data=data)


@retention.command("default", short_help="Print the shipped rules, with comments.")
def retention_default() -> int:
    """Print the shipped rules, every one with a comment, with the presets of jurisdictions.

    \b
    Example:
      pitwatch retention default > retention.toml
    """
    from audit.cli.retention import print_rules

    return print_rules()


@retention.command("plan", short_help="Say what would be deleted, and how long the disk will do.")
def retention_plan(data: Data = None, json: Json = False) -> int:
    """Say what would be deleted now and why, and how long the disk will do. Deletes nothing.

    \b
    Example:
      pitwatch retention plan --data /var/lib/pitwatch
    """
    from audit.cli.retention import plan

    return plan(data=data, json=json)


@retention.command("run")
def retention_run(
    data: Data = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete; without it, only say what.")] = False,
) -> int:
    """Delete what is older than promised. Watchers and the server do so by themselves.

    Every deletion is an entry of the record, which keeps the hash.

    \b
    Examples:
      pitwatch retention run
      pitwatch retention run --yes
    """
    from audit.cli.retention import run

    return run(data=data, yes=yes)
