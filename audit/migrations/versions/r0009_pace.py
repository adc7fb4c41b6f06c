"""How far a table's watcher has fallen behind the frames.

Both columns follow from the entries; after this change the store folds the entries again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns: every watcher so far said nothing, and so keeps up."""
    for name in ("late_s", "left_out"):
        op.add_column(
            "table_state", sa.Column(name, sa.Integer(), nullable=False, server_default="0")
        )
