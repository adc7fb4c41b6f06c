"""The versions of the database below the record, and the way from each to the next (Alembic)."""
