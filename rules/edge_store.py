"""Exact edges computed beforehand: the shipped pay tables answer without being enumerated again.

`scripts/enumerate_edges.py` writes the file from `rules.edge_shipped`; a result is found by the
hash of all it depends on.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from rules.edge_report import Edges, EdgeTables

STORE = "edges_stored.json"
"""The file beside this module that holds the results, by the hash of their tables."""


def tables_hash(tables: EdgeTables) -> str:
    """Return `sha256:` and the hash of all that a game's edges depend on.

    >>> from rules.edge_rummy import RummyTables
    >>> tables_hash(RummyTables())[:7]
    'sha256:'
    """
    canonical = json.dumps(tables.basis(), sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"


def stored_edges(tables: EdgeTables) -> Edges | None:
    """Return the stored edges of pay tables, None when only an enumeration can tell.

    >>> from rules.edge_rummy import RummyTables
    >>> edges = stored_edges(RummyTables())
    >>> edges and edges.figure("main").gain
    Fraction(587241, 20358520)
    """
    found = _store().get(tables_hash(tables))
    return None if found is None else Edges.from_json(found["edges"])


def known_edges(tables: EdgeTables) -> Edges:
    """Return the edges of pay tables: stored ones, else by enumeration.

    >>> from rules.edge_rummy import RummyTables
    >>> known_edges(RummyTables()).strategy
    'raise 20 points or fewer, fold the rest'
    """
    return stored_edges(tables) or tables.edges()


@cache
def _store() -> Mapping[str, Any]:
    content: Mapping[str, Any] = json.loads(
        files("rules").joinpath(STORE).read_text(encoding="utf-8")
    )
    return content
