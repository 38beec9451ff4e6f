"""Empty books for the tests: `url` runs a test on both databases, `sqlite_url` and `postgres_url` on one.

A database is migrated once and then copied. Where PostgreSQL is not installed its tests are skipped, but not in CI.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from highcardflush.house.store.admin import upgrade
from support.places import postgres

TEMPLATE = "template_books"


@contextmanager
def running_server(*settings: str) -> Iterator[postgres.Server]:
    """A running cluster with a template of empty books."""
    with postgres.running(*settings) as server:
        server.admin(f"CREATE DATABASE {TEMPLATE}")
        upgrade(server.url(TEMPLATE))
        yield server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    with running_server() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: postgres.Server) -> Iterator[str]:
    url = postgres.fresh_database(postgres_server, TEMPLATE)
    yield url
    postgres_server.admin(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("books") / "template.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    path = tmp_path / "house.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of empty books."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    found: str = request.getfixturevalue(name)
    return found
