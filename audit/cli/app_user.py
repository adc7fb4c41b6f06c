"""The commands of `pitwatch user` and their options."""

from typing import Annotated

import typer

from audit.cli.options import Data, Json

ROLES = "dealer-screen, pit, surveillance, compliance, regulator or administrator"
"""As `audit.auth.permissions.Role` has them, which is loaded when it is needed."""

user = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Manage accounts: add, list, disable, reset, roles, review.",
)

UserName = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]


@user.command("add", short_help="Add an account, and print a link for its password.")
def user_add(
    name: UserName,
    role: Annotated[list[str], typer.Option(help=f"What for, again for more: {ROLES}.")],
    table: Annotated[
        str | None, typer.Option(help="The table, for the role dealer-screen.")
    ] = None,
    person: Annotated[str, typer.Option(help="The person's name.")] = "",
    data: Data = None,
) -> int:
    """Add an account, and print the link with which its owner sets a password.

    \b
    Example:
      pitwatch user add min-ji --role surveillance --person "Kim Min-ji"
    """
    from audit.auth.permissions import check_roles
    from audit.auth.registry import Wanted
    from audit.cli.user import add_user

    return add_user(name, Wanted(check_roles(role), table, person), data=data)


@user.command("list")
def user_list(data: Data = None, json: Json = False) -> int:
    """List all accounts, with their roles and last use.

    \b
    Example:
      pitwatch user list --json | jq -r .name
    """
    from audit.cli.user import list_users

    return list_users(data=data, json=json)


@user.command("disable")
def user_disable(
    name: UserName,
    undo: Annotated[bool, typer.Option("--undo", help="Enable it again.")] = False,
    data: Data = None,
) -> int:
    """Disable an account: all its sessions end at once.

    \b
    Example:
      pitwatch user disable min-ji
    """
    from audit.cli.user import disable_user

    return disable_user(name, data=data, enable=undo)


@user.command("reset")
def user_reset(name: UserName, data: Data = None) -> int:
    """Take an account's password away, and print a link for a new one.

    \b
    Example:
      pitwatch user reset min-ji
    """
    from audit.cli.user import reset_user

    return reset_user(name, data=data)


@user.command("roles", short_help="Print or change who may do what.")
def user_roles(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="An account.")] = None,
    role: Annotated[
        list[str] | None, typer.Option(help=f"Give it these roles instead: {ROLES}.")
    ] = None,
    data: Data = None,
) -> int:
    """Print which role may do what; or an account's roles, or change them.

    \b
    Examples:
      pitwatch user roles
      pitwatch user roles min-ji --role surveillance --role compliance
    """
    from audit.cli.user import show_roles

    return show_roles(name, role, data=data)


@user.command("review", short_help="Look through all accounts.")
def user_review(
    done: Annotated[bool, typer.Option("--done", help="Mark the review as done.")] = False,
    note: Annotated[str, typer.Option(help="What to note with it.")] = "",
    data: Data = None,
) -> int:
    """Look through all accounts: leavers, accounts that nobody uses, the last review.

    \b
    Example:
      pitwatch user review --done --note "two leavers disabled"
    """
    from audit.cli.user import review_users

    return review_users(data=data, done=done, note=note)
