"""`pitwatch house`: house rules, explained in words before they are put in force."""

from pathlib import Path

from audit.cli.output import print_line
from audit.cli.places import house_in
from rules.edge import all_warnings
from rules.house import default_house_text, describe_house


def check_house(file: Path) -> int:
    """Print what a house rules file comes to, and what the house should know about it."""
    house = house_in(file)
    for sentence in describe_house(house):
        print_line(sentence)
    for warning in all_warnings(house):
        print_line(f"Warning: {warning}")
    return 0


def print_default() -> int:
    """Print the shipped house rules, every option with a comment, to start an own file from."""
    for line in default_house_text().splitlines():
        print_line(line)
    return 0
