"""Runs the migrations on the connection that `audit.store.opening` hands over, in its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
