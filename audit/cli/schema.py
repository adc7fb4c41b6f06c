"""`pitwatch schema`: the JSON Schemas of the published formats."""

import json

from audit.cli.output import print_line
from audit.errors import SettingsError
from rules.schema import round_schema

SCHEMAS = {"round": round_schema()}


def print_schema(name: str | None) -> int:
    """Print one schema; without a name, the names and what each is.

    Raises:
        SettingsError: There is none of that name.
    """
    if name is None:
        for known, schema in SCHEMAS.items():
            print_line(f"{known:10}{schema['title']}")
        return 0
    if name not in SCHEMAS:
        raise SettingsError(f"no schema {name!r} (expected one of {', '.join(SCHEMAS)})")
    for line in json.dumps(SCHEMAS[name], indent=2, ensure_ascii=False).splitlines():
        print_line(line)
    return 0
