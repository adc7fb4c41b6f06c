"""Which pay tables ship with stored edges, and the text of the store.

`scripts/enumerate_edges.py` writes the store with it.
"""

import json
from collections.abc import Mapping

from rules.edge_report import EdgeTables
from rules.edge_rummy import RummyTables
from rules.edge_store import tables_hash
from rules.edge_tri_card import TriCardTables
from rules.edge_whist import WhistTables
from rules.poker import ANTE_BONUS_TABLES, PAIR_PLUS_TABLES, TieBreak
from rules.totals import RAISE_TABLES

SHIPPED: Mapping[str, EdgeTables] = {
    "Three Card Whist": WhistTables(),
    **{
        f"Vegas Three Card Rummy, raise table {name}": RummyTables(table)
        for name, table in RAISE_TABLES.items()
    },
    **{
        f"Tri Card Poker, table {name}, {tie_break.value}": TriCardTables(
            PAIR_PLUS_TABLES[name], ANTE_BONUS_TABLES[name], tie_break
        )
        for name in PAIR_PLUS_TABLES
        for tie_break in TieBreak
    },
}
"""Every pay table that a house can choose by name, with a title for a reader of the store."""


def store_text(computed: Mapping[str, EdgeTables]) -> str:
    """Return the content of the store for pay tables, enumerating each.

    >>> store_text({}).strip()
    '{}'
    """
    content = {
        tables_hash(tables): {
            "title": title,
            "basis": tables.basis(),
            "edges": tables.edges().to_json(),
        }
        for title, tables in computed.items()
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
