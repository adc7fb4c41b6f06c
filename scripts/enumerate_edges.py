"""Compute the exact house edges of every shipped pay table and write `rules/edges_stored.json`.

Run it with the project's own Python after a change to the rules or the shipped tables:
`.venv/bin/python scripts/enumerate_edges.py`. It takes some ten seconds on one core.
"""

from pathlib import Path

from rules.edge_shipped import SHIPPED, store_text
from rules.edge_store import STORE

if __name__ == "__main__":
    (Path(__file__).resolve().parents[1] / "rules" / STORE).write_text(
        store_text(SHIPPED), encoding="utf-8"
    )
