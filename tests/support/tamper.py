"""Changing the books behind the house's back: past its triggers, in a transaction that is rolled back afterwards.

An auditor reads through the same connection, so it sees the change and nobody else ever does. `rechain` is what a
thorough forger does: it writes every hash of a stream anew, to its end.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import psycopg

from highcardflush.house.store.address import parse_url
from highcardflush.house.store.sqlite import library

COLUMNS = ("stream", "seq", "at", "office", "actor", "role", "kind", "key", "request", "body", "sealed", "hash")
Row = dict[str, Any]


class Forger:
    """A connection that may write anything."""

    def __init__(self, url: str) -> None:
        address = parse_url(url)
        self._sqlite = address.dialect == "sqlite"
        self._connection: Any = (
            library().connect(address.target, isolation_level=None, timeout=30)
            if self._sqlite
            else psycopg.connect(address.target, autocommit=True)
        )
        self.touched: set[str] = set()
        """Streams whose events or transfers were changed."""

    def read(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._run(sql, *params).fetchall()
        return rows

    def write(self, sql: str, *params: Any) -> int:
        count: int = self._run(sql, *params).rowcount
        return count

    def _run(self, sql: str, *params: Any) -> Any:
        return self._connection.execute(sql if self._sqlite else sql.replace("?", "%s"), params)

    @contextlib.contextmanager
    def at_night(self) -> Iterator[Forger]:
        """Nobody watches: no trigger and no foreign key holds, and in the morning it never was."""
        self.touched = set()
        if self._sqlite:
            self.write("PRAGMA foreign_keys = OFF")
            self.write("PRAGMA ignore_check_constraints = ON")
        self.write("BEGIN")
        try:
            if self._sqlite:
                for (name,) in self.read("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
                    self.write(f"DROP TRIGGER {name}")
            else:
                self.write("SET LOCAL session_replication_role = replica")
            yield self
        finally:
            self.write("ROLLBACK")

    def close(self) -> None:
        self._connection.close()

    # --- rows ------------------------------------------------------------------------------------

    def event(self, stream: str, kind: str, number: int = 1) -> Row:
        """The first, second, ... event of a kind in a stream; the last with 0."""
        order = "DESC" if number == 0 else "ASC"
        rows = self.read(
            f"SELECT {', '.join(COLUMNS)} FROM events WHERE stream = ? AND kind = ? ORDER BY seq {order}", stream, kind
        )
        return dict(zip(COLUMNS, rows[max(0, number - 1)], strict=True))

    def change(self, event: Row, **values: Any) -> None:
        self.touched.add(event["stream"])
        for column, value in values.items():
            self.write(
                f"UPDATE events SET {column} = ? WHERE stream = ? AND seq = ?", value, event["stream"], event["seq"]
            )

    def change_body(self, event: Row, path: str, value: Any) -> None:
        """Another value at a place such as `told.0.result.net_cents`; `+ 5` adds to what is there."""
        body = json.loads(event["body"])
        *way, last = path.split(".")
        place = body
        for step in way:
            place = place[int(step) if isinstance(place, list) else step]
        last = int(last) if isinstance(place, list) else last  # type: ignore[assignment]
        added = isinstance(value, str) and value.startswith("+ ")
        place[last] = place[last] + int(value[2:]) if added else value
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        assert text != event["body"], "nothing was changed"
        self.change(event, body=text)

    def transfers(self, event: Row) -> list[tuple[int, str, str, int]]:
        where = event["stream"], event["seq"]
        sql = "SELECT n, source, target, micros FROM transfers WHERE stream = ? AND seq = ? ORDER BY n"
        return [(n, source, target, micros) for n, source, target, micros in self.read(sql, *where)]

    def insert_transfer(self, event: Row, source: str, target: str, micros: int) -> None:
        self.touched.add(event["stream"])
        n = len(self.transfers(event)) + 1
        sql = "INSERT INTO transfers (stream, seq, n, source, target, micros) VALUES (?, ?, ?, ?, ?, ?)"
        self.write(sql, event["stream"], event["seq"], n, source, target, micros)

    def insert_event(self, event: Row) -> None:
        self.touched.add(event["stream"])
        marks = ", ".join("?" * len(COLUMNS))
        self.write(f"INSERT INTO events ({', '.join(COLUMNS)}) VALUES ({marks})", *(event[name] for name in COLUMNS))

    def delete_event(self, event: Row) -> None:
        self.touched.add(event["stream"])
        for table in ("events", "transfers"):
            self.write(f"DELETE FROM {table} WHERE stream = ? AND seq = ?", event["stream"], event["seq"])

    def move_event(self, stream: str, seq: int, to: int) -> None:
        self.touched.add(stream)
        for table in ("events", "transfers"):
            self.write(f"UPDATE {table} SET seq = ? WHERE stream = ? AND seq = ?", to, stream, seq)

    def last(self, stream: str) -> int:
        return int(self.read("SELECT MAX(seq) FROM events WHERE stream = ?", stream)[0][0])

    def rechain(self) -> None:
        """Write the hashes of every stream that was touched anew."""
        for stream in self.touched:
            before = bytes(32)
            rows = self.read(f"SELECT {', '.join(COLUMNS)} FROM events WHERE stream = ? ORDER BY seq", stream)
            for row in rows:
                event = dict(zip(COLUMNS, row, strict=True))
                before = self._hash(before, event)
                self.write("UPDATE events SET hash = ? WHERE stream = ? AND seq = ?", before, stream, event["seq"])

    def _hash(self, before: bytes, event: Row) -> bytes:
        parts = [event[name] for name in COLUMNS[:8]]
        moves = [[source, target, micros] for _, source, target, micros in self.transfers(event)]
        parts += [_hex(event["request"]), event["body"], _hex(event["sealed"]), moves]
        text = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(before + text.encode()).digest()


def _hex(value: Any) -> str | None:
    return None if value is None else bytes(value).hex()


# --- at random -----------------------------------------------------------------------------------


def random_edit(forger: Forger, rng: Random) -> str:
    """One change of the books, of any kind; in words. What was refused is not there to be changed (docs/audit.md)."""
    return rng.choice(EDITS)(forger, rng)


def _some_event(forger: Forger, rng: Random) -> Row:
    rows = forger.read(f"SELECT {', '.join(COLUMNS)} FROM events ORDER BY stream, seq")
    return dict(zip(COLUMNS, rng.choice(rows), strict=True))


def _said(what: str, event: Row) -> str:
    return f"{what} {event['stream']} {event['seq']} ({event['kind']})"


def _change_column(forger: Forger, rng: Random) -> str:
    event = _some_event(forger, rng)
    column = rng.choice([name for name in COLUMNS if name not in ("stream", "seq", "body") and event[name] is not None])
    forger.change(event, **{column: _other(event[column], rng)})
    if column == "hash":
        forger.touched.clear()  # whoever writes the chain anew would only put it right
    return _said(f"{column} of", event)


def _other(value: Any, rng: Random) -> Any:
    """Something else of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 1000))
    if isinstance(value, str):
        return rng.choice([word for word in ("ann", "supervisor", "hit", "x", value + "x") if word != value])
    data = bytearray(value)
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def _change_body(forger: Forger, rng: Random) -> str:
    """Another leaf of a body."""
    event = _some_event(forger, rng)
    body = json.loads(event["body"])
    leaves = list(_leaves(body))
    path, value = rng.choice(leaves) if leaves else ("x", None)
    forger.change_body(event, path, _other(value, rng) if value is not None else 1)
    return _said(f"{path} in", event)


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        if "." not in str(key):
            yield from _leaves(part, f"{path}.{key}" if path else str(key))
    if path and not isinstance(value, (dict, list)):
        yield path, value


def _delete_event(forger: Forger, rng: Random) -> str:
    event = _some_event(forger, rng)
    forger.delete_event(event)
    if rng.random() < 0.5:
        forger.write("DELETE FROM answers WHERE actor = ? AND key = ?", event["actor"], event["key"])
    return _said("without", event)


def _insert_event(forger: Forger, rng: Random) -> str:
    event = _some_event(forger, rng)
    copy = {**event, "seq": forger.last(event["stream"]) + 1, "key": f"forged {rng.random()}"}
    forger.insert_event(copy)
    return _said("a copy of", event)


def _insert_before(forger: Forger, rng: Random) -> str:
    """An event in the middle; those after it move on."""
    event = _some_event(forger, rng)
    for seq in range(forger.last(event["stream"]), event["seq"] - 1, -1):
        forger.move_event(event["stream"], seq, seq + 1)
    forger.insert_event({**event, "key": f"forged {rng.random()}"})
    return _said("a copy before", event)


def _swap_events(forger: Forger, rng: Random) -> str:
    while (event := _some_event(forger, rng))["seq"] == 1:
        pass
    stream, seq = event["stream"], event["seq"]
    for source, target in ((seq, 1_000_000), (seq - 1, seq), (1_000_000, seq - 1)):
        forger.move_event(stream, source, target)
    return _said("swapped with the one before", event)


def _some_transfer(forger: Forger, rng: Random) -> tuple[Row, tuple[int, str, str, int]]:
    while True:
        event = _some_event(forger, rng)
        if moves := forger.transfers(event):
            return event, rng.choice(moves)


def _change_transfer(forger: Forger, rng: Random) -> str:
    event, (n, source, target, micros) = _some_transfer(forger, rng)
    forger.touched.add(event["stream"])
    columns: dict[str, Any] = {"source": source, "target": target, "micros": micros}
    column, value = rng.choice(list(columns.items()))
    # the database itself refuses a transfer from an account to itself
    others = [account for account in ("wallet/cyd", "reserve/mega", "cage") if account not in (source, target)]
    other = value + rng.choice((1, 10_000)) if column == "micros" else rng.choice(others)
    sql = f"UPDATE transfers SET {column} = ? WHERE stream = ? AND seq = ? AND n = ?"
    forger.write(sql, other, event["stream"], event["seq"], n)
    return _said(f"{column} of transfer {n} of", event)


def _delete_transfer(forger: Forger, rng: Random) -> str:
    event, (n, *_) = _some_transfer(forger, rng)
    forger.touched.add(event["stream"])
    where = event["stream"], event["seq"], n
    forger.write("DELETE FROM transfers WHERE stream = ? AND seq = ? AND n = ?", *where)
    forger.write("UPDATE transfers SET n = n - 1 WHERE stream = ? AND seq = ? AND n > ?", *where)
    return _said(f"without transfer {n} of", event)


def _insert_transfer(forger: Forger, rng: Random) -> str:
    event = _some_event(forger, rng)
    source, target = rng.sample(("house", "wallet/ann", "meter/mega", "reserve/mega", "cage", "play/one", "nobody"), 2)
    forger.insert_transfer(event, source, target, rng.choice((1, 10_000)))
    return _said(f"{source} to {target} in", event)


def _answer(forger: Forger, rng: Random) -> tuple[Any, ...]:
    return rng.choice(forger.read("SELECT actor, key, request FROM answers WHERE seq IS NOT NULL ORDER BY actor, key"))


def _change_answer(forger: Forger, rng: Random) -> str:
    actor, key, request = _answer(forger, rng)
    column = rng.choice(("actor", "key", "request", "stream", "seq"))
    value: Any = {"actor": "nobody", "key": f"{key}x", "stream": "cage x", "seq": 999_999}.get(column)
    value = _other(bytes(request), rng) if column == "request" else value
    forger.write(f"UPDATE answers SET {column} = ? WHERE actor = ? AND key = ?", value, actor, key)
    return f"{column} of the answer {actor} {key!r}"


def _delete_answer(forger: Forger, rng: Random) -> str:
    actor, key, _ = _answer(forger, rng)
    forger.write("DELETE FROM answers WHERE actor = ? AND key = ?", actor, key)
    return f"without the answer {actor} {key!r}"


def _insert_answer(forger: Forger, rng: Random) -> str:
    event = _some_event(forger, rng)
    sql = "INSERT INTO answers (actor, key, request, stream, seq, refusal) VALUES (?, ?, ?, ?, ?, NULL)"
    forger.write(sql, event["actor"], f"forged {rng.random()}", bytes(32), event["stream"], event["seq"])
    return _said("a second answer with", event)


def _wallet(forger: Forger, rng: Random) -> str:
    player, micros = rng.choice(forger.read("SELECT player, micros FROM wallets ORDER BY player"))
    match rng.randrange(3):
        case 0:
            forger.write("UPDATE wallets SET micros = ? WHERE player = ?", micros + rng.choice((1, 10_000)), player)
        case 1:
            forger.write("DELETE FROM wallets WHERE player = ?", player)
        case _:
            forger.write("INSERT INTO wallets (player, micros) VALUES (?, ?)", f"{player}x", rng.choice((0, 10_000)))
    return f"wallet of {player}"


def _person(forger: Forger, rng: Random) -> str:
    name, role, active = rng.choice(forger.read("SELECT name, role, active FROM people ORDER BY name"))
    match rng.randrange(5):
        case 0:
            forger.write(
                "UPDATE people SET role = ? WHERE name = ?", "auditor" if role != "auditor" else "dealer", name
            )
        case 1:
            forger.write("UPDATE people SET active = ? WHERE name = ?", not active, name)
        case 2:
            forger.write("DELETE FROM people WHERE name = ?", name)
        case 3:
            forger.write("UPDATE people SET bot = NOT bot WHERE name = ?", name)
        case _:
            sql = "INSERT INTO people (name, role, active, bot) VALUES (?, ?, ?, ?)"
            forger.write(sql, f"{name}x", role, True, False)
    return f"person {name}"


def _stream(forger: Forger, rng: Random) -> str:
    (name,) = rng.choice(forger.read("SELECT name FROM streams ORDER BY name"))
    if rng.random() < 0.5:
        forger.write("DELETE FROM streams WHERE name = ?", name)
    else:
        forger.write("INSERT INTO streams (name) VALUES (?)", f"{name}x")
    return f"stream {name}"


EDITS: tuple[Callable[[Forger, Random], str], ...] = (
    _change_column, _change_column, _change_body, _change_body, _change_body, _delete_event, _insert_event,
    _insert_before, _swap_events, _change_transfer, _change_transfer, _delete_transfer, _insert_transfer,
    _change_answer, _delete_answer, _insert_answer, _wallet, _person, _stream,
)  # fmt: skip
"""Each a kind of edit; what there is more of comes more often."""
