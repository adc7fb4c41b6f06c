"""The commands that tell what the rules say: house rules, the house edge, the published formats."""

from pathlib import Path
from typing import Annotated

import typer

from audit.cli.options import HouseFile, Json

house = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Explain house rules, or print the shipped ones.",
)


def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Which one; without a name, all are listed."),
    ] = None,
) -> int:
    """Print the JSON Schema of a published format.

    \b
    Examples:
      pitwatch schema
      pitwatch schema round > round.schema.json
    """
    from audit.cli.schema import print_schema

    return print_schema(name)


def edge(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, see below.")],
    house: HouseFile = None,
    json: Json = False,
) -> int:
    """Tell the exact house edge of the pay tables in force.

    \b
    Games:
      three-card-whist
      vegas-three-card-rummy
      tri-card-poker

    \b
    Examples:
      pitwatch edge three-card-whist
      pitwatch edge tri-card-poker --house harbour.toml --json
    """
    from audit.cli.edge import print_edge

    return print_edge(game, house=house, json=json)


@house.command("check", short_help="Explain house rules in words, with warnings.")
def house_check(
    file: Annotated[Path, typer.Argument(metavar="HOUSE.toml", help="The house rules.")],
) -> int:
    """Explain house rules in words, and warn where a table favours the player.

    \b
    Example:
      pitwatch house check harbour.toml
    """
    from audit.cli.house import check_house

    return check_house(file)


@house.command("default")
def house_default() -> int:
    """Print the shipped house rules, every option with a comment.

    \b
    Example:
      pitwatch house default > harbour.toml
    """
    from audit.cli.house import print_default

    return print_default()
