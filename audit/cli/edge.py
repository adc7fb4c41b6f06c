"""`pitwatch edge`: the exact house edge of the pay tables in force."""

from pathlib import Path

from audit.cli.output import print_json, print_line
from audit.cli.places import house_in
from rules.edge import edge


def print_edge(game: str, *, house: Path | None, json: bool) -> int:
    """Print a game's exact edges, with a warning where a table favours the player."""
    report = edge(game, house_in(house))
    if json:
        print_json(report.to_json())
    else:
        for line in report.text().splitlines():
            print_line(line)
    return 0
