"""Alembic's entry point. It runs the migrations in one transaction, on the connection that `admin.upgrade` opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
