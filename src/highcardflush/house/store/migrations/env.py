"""The entry point of Alembic: run the migrations on the connection that `admin.upgrade` opened, in one transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
