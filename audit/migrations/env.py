"""Runs the migrations in the transaction that `audit.store.opening` hands over."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
