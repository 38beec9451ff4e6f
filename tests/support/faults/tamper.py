"""Change the books without the house, past its triggers, in a transaction that is rolled back afterwards.

An auditor reads through the same connection, so only the auditor ever sees the change. `rechain` does what a thorough
forger does: it rewrites every hash of a stream to its end.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Self, TypeVar

import psycopg

from highcardflush.house.store.address import parse_url
from highcardflush.house.store.libsqlite import library
from highcardflush.house.store.schema import differences, excess_rights

COLUMNS = (
    "stream", "seq", "at", "office", "actor", "role", "kind", "number", "key", "request", "body", "sealed", "hash",
)  # fmt: skip
HEX = ("request", "sealed")
T = TypeVar("T")
Row = dict[str, Any]


class Forger:
    def __init__(self, url: str) -> None:
        address = parse_url(url)
        self.dialect = address.dialect
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

    def snapshot(self, job: Callable[[Self], T]) -> T:
        return job(self)

    def write(self, sql: str, *params: Any) -> int:
        count: int = self._run(sql, *params).rowcount
        return count

    def _run(self, sql: str, *params: Any) -> Any:
        if not self._sqlite and params:
            sql = sql.replace("?", "%s")
        return self._connection.execute(sql, params or None if not self._sqlite else params)

    @contextlib.contextmanager
    def at_night(self, *, disarmed: bool = True) -> Iterator[Self]:
        """Switch off triggers, indexes and foreign keys, and undo everything at the end."""
        self.touched = set()
        if self._sqlite:
            self.write("PRAGMA foreign_keys = OFF")
            self.write("PRAGMA ignore_check_constraints = ON")
        self.write("BEGIN")
        try:
            for index in ("events_key", "events_number") if disarmed else ():
                self.write(f"DROP INDEX {index}")
            if disarmed and self._sqlite:
                for (name,) in self.read("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
                    self.write(f"DROP TRIGGER {name}")
            elif disarmed:
                self.write("SET LOCAL session_replication_role = replica")
            yield self
        finally:
            self.write("ROLLBACK")

    def close(self) -> None:
        self._connection.close()

    # --- rows ------------------------------------------------------------------------------------

    def event(self, stream: str, kind: str, number: int = 1) -> Row:
        """Return the n-th event of a kind in a stream, or the last one for 0."""
        return self.events("WHERE stream = ? AND kind = ? ORDER BY seq", stream, kind)[number - 1]

    def events(self, rest: str, *params: Any) -> list[Row]:
        rows = self.read(f"SELECT {', '.join(COLUMNS)} FROM events {rest}", *params)
        return [dict(zip(COLUMNS, row, strict=True)) for row in rows]

    def write_at(self, event: Row, sql: str, *params: Any) -> int:
        """Run a statement on the row of one event; `sql` ends where the condition follows (WHERE or AND)."""
        self.touched.add(event["stream"])
        return self.write(f"{sql} stream = ? AND seq = ?", *params, event["stream"], event["seq"])

    def change(self, event: Row, **values: Any) -> None:
        for column, value in values.items():
            self.write_at(event, f"UPDATE events SET {column} = ? WHERE", value)

    def change_body(self, event: Row, path: str, value: Any) -> None:
        """Change the value at a path such as `told.0.result.net_cents`; the value `+ 5` adds 5 to the present one."""
        body = json.loads(event["body"])
        *way, last = path.split(".")
        place = body
        for step in way:
            place = place[int(step) if isinstance(place, list) else step]
        last = int(last) if isinstance(place, list) else last  # type: ignore[assignment]
        is_addition = isinstance(value, str) and value.startswith("+ ")
        place[last] = place[last] + int(value[2:]) if is_addition else value
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        assert text != event["body"], "nothing was changed"
        self.change(event, body=text)

    def change_transfer(self, event: Row, n: int, column: str, value: Any) -> None:
        assert self.write_at(event, f"UPDATE transfers SET {column} = ? WHERE n = ? AND", value, n) == 1

    def transfers(self, event: Row) -> list[tuple[int, str, str, int]]:
        sql = "SELECT n, source, target, micros FROM transfers WHERE stream = ? AND seq = ? ORDER BY n"
        rows = self.read(sql, event["stream"], event["seq"])
        return [(n, source, target, micros) for n, source, target, micros in rows]

    def insert_event(self, event: Row) -> None:
        self.touched.add(event["stream"])
        marks = ", ".join("?" * len(COLUMNS))
        self.write(f"INSERT INTO events ({', '.join(COLUMNS)}) VALUES ({marks})", *(event[name] for name in COLUMNS))

    def move_event(self, stream: str, seq: int, to: int) -> None:
        self.touched.add(stream)
        for table in ("events", "transfers"):
            self.write(f"UPDATE {table} SET seq = ? WHERE stream = ? AND seq = ?", to, stream, seq)

    def last(self, stream: str) -> int:
        return int(self.read("SELECT COALESCE(MAX(seq), 0) FROM events WHERE stream = ?", stream)[0][0])

    def rechain(self) -> None:
        for stream in self.touched:
            before = bytes(32)
            for event in self.events("WHERE stream = ? ORDER BY seq", stream):
                request, seal_text = (event[name] if event[name] is None else bytes(event[name]).hex() for name in HEX)
                moves = [[source, target, micros] for _, source, target, micros in self.transfers(event)]
                parts = [*(event[name] for name in COLUMNS[:9]), request, event["body"], seal_text, moves]
                text = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
                before = hashlib.sha256(before + text.encode()).digest()
                self.write("UPDATE events SET hash = ? WHERE stream = ? AND seq = ?", before, stream, event["seq"])


# --- random edits --------------------------------------------------------------------------------


def random_edit(forger: Forger, rng: Random) -> str:
    """Make one random change and describe it."""
    if rng.random() < ROWS_EDITED:
        return _change_row(forger, rng)
    event = rng.choice(forger.events("ORDER BY stream, seq"))
    return f"{rng.choice(EDITS)(forger, rng, event)} {event['stream']} {event['seq']} ({event['kind']})"


def _change_column(forger: Forger, rng: Random, event: Row) -> str:
    column = rng.choice([name for name in COLUMNS if name not in ("stream", "seq", "body") and event[name] is not None])
    forger.change(event, **{column: _other(event[column], rng)})
    if column == "hash":
        forger.touched.clear()  # rewriting the chain would only repair the hash
    return f"{column} of"


def _other(value: Any, rng: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 1000))
    if isinstance(value, str):
        return rng.choice([word for word in ("ann", "supervisor", "hit", "x", value + "x") if word != value])
    data = bytearray(value)
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def _change_body(forger: Forger, rng: Random, event: Row) -> str:
    leaves = list(_leaves(json.loads(event["body"])))
    path, value = rng.choice(leaves) if leaves else ("x", None)
    forger.change_body(event, path, _other(value, rng) if value is not None else 1)
    return f"{path} in"


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        if "." not in str(key):
            yield from _leaves(part, f"{path}.{key}" if path else str(key))
    if path and not isinstance(value, (dict, list)):
        yield path, value


def _delete_event(forger: Forger, rng: Random, event: Row) -> str:
    for table in ("events", "transfers"):
        forger.write_at(event, f"DELETE FROM {table} WHERE")
    return "without"


def _insert_event(forger: Forger, rng: Random, event: Row) -> str:
    copy = {**event, "seq": forger.last(event["stream"]) + 1, "key": f"forged {rng.random()}"}
    forger.insert_event(copy)
    return "a copy of"


def _insert_before(forger: Forger, rng: Random, event: Row) -> str:
    for seq in range(forger.last(event["stream"]), event["seq"] - 1, -1):
        forger.move_event(event["stream"], seq, seq + 1)
    forger.insert_event({**event, "key": f"forged {rng.random()}"})
    return "a copy before"


def _swap_events(forger: Forger, rng: Random, event: Row) -> str:
    stream, seq = event["stream"], event["seq"] if event["seq"] > 1 else 2
    for source, target in ((seq, 1_000_000), (seq - 1, seq), (1_000_000, seq - 1)):
        forger.move_event(stream, source, target)
    return "swapped with the one before"


def _some_transfer(forger: Forger, rng: Random, event: Row) -> tuple[Row, tuple[int, str, str, int]]:
    """Return a transfer of the event, or of a random other event if it has none."""
    while not (moves := forger.transfers(event)):
        event = rng.choice(forger.events("ORDER BY stream, seq"))
    return event, rng.choice(moves)


def _change_transfer(forger: Forger, rng: Random, event: Row) -> str:
    event, (n, source, target, micros) = _some_transfer(forger, rng, event)
    columns: dict[str, Any] = {"source": source, "target": target, "micros": micros}
    column, value = rng.choice(list(columns.items()))
    # the database itself refuses a transfer from an account to itself
    others = [account for account in ("wallet/cyd", "reserve/mega", "cage") if account not in (source, target)]
    other = value + rng.choice((1, 10_000)) if column == "micros" else rng.choice(others)
    forger.change_transfer(event, n, column, other)
    return f"{column} of transfer {n} of"


def _delete_transfer(forger: Forger, rng: Random, event: Row) -> str:
    event, (n, *_) = _some_transfer(forger, rng, event)
    forger.write_at(event, "DELETE FROM transfers WHERE n = ? AND", n)
    forger.write_at(event, "UPDATE transfers SET n = n - 1 WHERE n > ? AND", n)
    return f"without transfer {n} of"


def _insert_transfer(forger: Forger, rng: Random, event: Row) -> str:
    source, target = rng.sample(("house", "wallet/ann", "meter/mega", "reserve/mega", "cage", "play/one", "nobody"), 2)
    forger.touched.add(event["stream"])
    row = event["stream"], event["seq"], len(forger.transfers(event)) + 1, source, target, rng.choice((1, 10_000))
    forger.write("INSERT INTO transfers (stream, seq, n, source, target, micros) VALUES (?, ?, ?, ?, ?, ?)", *row)
    return f"{source} to {target} in"


def _use_key_twice(forger: Forger, rng: Random, event: Row) -> str:
    others = forger.events("WHERE key IS NOT NULL AND hash <> ? ORDER BY stream, seq", event["hash"])
    first = rng.choice(others)
    forger.change(event, actor=first["actor"], key=first["key"])
    return f"the key of {first['stream']} {first['seq']} again in"


ROW_EDITS = {
    ("wallets", "player"): (
        "UPDATE wallets SET micros = micros + 1",
        "UPDATE wallets SET moves = moves - 1",
        "DELETE FROM wallets",
        "UPDATE wallets SET bought_cents = bought_cents + 1",
        "INSERT INTO wallets (player, micros) SELECT player || 'x', 0 FROM wallets",
    ),
    ("flows", "meter || ' ' || stream"): (
        "UPDATE flows SET meter_micros = meter_micros + 1",
        "UPDATE flows SET reserve_micros = reserve_micros - 1",
        "UPDATE flows SET seq = seq - 1",
        "DELETE FROM flows",
        "INSERT INTO flows SELECT meter, stream || 'x', 1, 0, 0 FROM flows",
    ),
    ("moves", "player || ' ' || n"): (
        "UPDATE moves SET micros = micros + 1",
        "UPDATE moves SET seq = seq + 1",
        "UPDATE moves SET stream = stream || 'x'",
        "UPDATE moves SET n = n + 100000",
        "UPDATE moves SET player = player || 'x'",
        "DELETE FROM moves",
        "INSERT INTO moves SELECT player, n + 100000, stream, seq, micros FROM moves",
    ),
    ("people", "name"): (
        "UPDATE people SET role = CASE role WHEN 'auditor' THEN 'dealer' ELSE 'auditor' END",
        "UPDATE people SET active = NOT active",
        "UPDATE people SET kind = CASE kind WHEN 'bot' THEN 'person' ELSE 'bot' END",
        "UPDATE people SET shift = -1",
        "DELETE FROM people",
        "INSERT INTO people SELECT name || 'x', role, active, kind, NULL FROM people",
    ),
    ("streams", "name"): (
        "UPDATE streams SET house_micros = house_micros + 1",
        "DELETE FROM streams",
        "INSERT INTO streams (name) SELECT name || 'x' FROM streams",
    ),
    ("house", "epoch"): (
        "UPDATE house SET epoch = epoch - 1",
        "UPDATE house SET office = office + 1",
        "UPDATE house SET key_id = key_id || 'x'",
        "UPDATE house SET revision = revision || 'x'",
        "UPDATE house SET approval = NOT approval",
        "DELETE FROM house",
    ),
}
"""The edits of a row, keyed by the table and the column that identifies the row."""


def _change_row(forger: Forger, rng: Random) -> str:
    (table, column), edits = rng.choice(list(ROW_EDITS.items()))
    (name,) = rng.choice(forger.read(f"SELECT {column} FROM {table} ORDER BY {column}"))
    edit = rng.choice(edits)
    forger.write(f"{edit} WHERE {column} = ?", name)
    return f"{edit} of {name}"


EDITS: tuple[Callable[[Forger, Random, Row], str], ...] = (
    _change_column, _change_column, _change_body, _change_body, _change_body, _delete_event, _insert_event,
    _insert_before, _swap_events, _change_transfer, _change_transfer, _delete_transfer, _insert_transfer,
    _use_key_twice,
)  # fmt: skip
"""Edits of an event. A repeated edit is chosen more often."""
ROWS_EDITED = 0.3
"""Fraction of the edits that change a row of a table other than `events`."""


# --- the schema ----------------------------------------------------------------------------------

REFUSE = "SELECT RAISE(ABORT, 'events_no_update: never update events')"
PAY = "UPDATE wallets SET micros = micros + 1 WHERE player = 'ann'"
PAID = f"CREATE FUNCTION pay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {PAY}; RETURN NULL; END $$"
GUARD = "table events: trigger events_no_update"
GUARDS = "TRIGGER events_no_update ON events"
GUARDED = "TRIGGER events_no_update BEFORE UPDATE ON events FOR EACH STATEMENT"
MALLORY = "CREATE ROLE mallory"
REWRITE = "UPDATE sqlite_schema SET sql = replace(sql, "
SCHEMA_EDITS: dict[str, list[tuple[str, ...]]] = {
    "sqlite": [
        *(
            ("trigger events_no_update on events", "DROP TRIGGER events_no_update", *anew)
            for anew in (
                (),
                ("CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT 1; END",),
                (f"CREATE TRIGGER events_no_update BEFORE UPDATE OF at ON events BEGIN {REFUSE}; END",),
                (f"CREATE TRIGGER events_no_update BEFORE UPDATE ON events WHEN 0 BEGIN {REFUSE}; END",),
            )
        ),
        ("trigger pay on transfers", f"CREATE TRIGGER pay AFTER INSERT ON transfers BEGIN {PAY}; END"),
        ("table wallets", f"{REWRITE}'micros >= 0', 'true')"),
        ("table wallets", f"{REWRITE}'micros >= 0', 'micros >= 0 OR 1')"),
        ("table transfers", f"{REWRITE}'REFERENCES events', 'REFERENCES moves')"),
        ("table people", f"{REWRITE}'kind TEXT NOT NULL', 'kind TEXT') WHERE name = 'people'"),
        ("table people", "ALTER TABLE people ADD COLUMN note TEXT"),
        ("index events_key on events", "DROP INDEX events_key"),
        ("index events_key on events", f"{REWRITE}'UNIQUE INDEX events_key', 'INDEX events_key')"),
        ("index events_number on events", f"{REWRITE}'kind, number', 'number, kind')"),
        ("index mine on wallets", "CREATE INDEX mine ON wallets (micros)"),
        ("table mine", "CREATE TABLE mine (x)"),
        ("table sqlite_sequence", "CREATE TABLE mine (x INTEGER PRIMARY KEY AUTOINCREMENT)"),
        ("view mine", "CREATE VIEW mine AS SELECT * FROM wallets"),
        ("table wallets", "ALTER TABLE wallets RENAME TO purses", "CREATE TABLE wallets (player TEXT, micros INTEGER)"),
    ],
    "postgresql": [
        (GUARD, f"DROP {GUARDS}"),
        (GUARD, "ALTER TABLE events DISABLE TRIGGER events_no_update"),
        (GUARD, "ALTER TABLE events ENABLE REPLICA TRIGGER events_no_update"),
        (
            "table transfers: trigger transfers_event_fkey RI_FKey_check_ins",
            "ALTER TABLE transfers DISABLE TRIGGER ALL",
        ),
        (GUARD, f"DROP {GUARDS}", f"CREATE {GUARDED} WHEN (false) EXECUTE FUNCTION refuse_change()"),
        (
            *(GUARD, "CREATE SCHEMA mine", PAID.replace("pay()", "mine.refuse_change()"), f"DROP {GUARDS}"),
            f"CREATE {GUARDED} EXECUTE FUNCTION mine.refuse_change()",
        ),
        ("function refuse_change()", PAID.replace("CREATE", "CREATE OR REPLACE").replace("pay()", "refuse_change()")),
        ("function refuse_change()", "ALTER FUNCTION refuse_change() SECURITY DEFINER"),
        ("table transfers: trigger pay", PAID, "CREATE TRIGGER pay AFTER INSERT ON transfers EXECUTE FUNCTION pay()"),
        ("function pay()", PAID),
        *(
            (
                "table wallets: constraint wallets_micros_check",
                "ALTER TABLE wallets DROP CONSTRAINT wallets_micros_check",
                f"ALTER TABLE wallets ADD CONSTRAINT wallets_micros_check CHECK {loose}",
            )
            for loose in ("(true)", "(micros >= 0) NOT VALID")
        ),
        ("table people: column kind", "ALTER TABLE people ALTER kind DROP NOT NULL"),
        ("table people: column kind", "ALTER TABLE people ALTER kind SET DEFAULT 'bot'"),
        ("table people: column name", 'ALTER TABLE people ALTER name TYPE text COLLATE "POSIX"'),
        ("table people: column note", "ALTER TABLE people ADD note TEXT"),
        ("table people", "ALTER TABLE people ENABLE ROW LEVEL SECURITY"),
        ("table people: policy mine", "CREATE POLICY mine ON people USING (true)"),
        ("table moves", "ALTER TABLE moves SET UNLOGGED"),
        ("table events: rule mine", f"CREATE RULE mine AS ON INSERT TO events DO ALSO {PAY}"),
        ("table events: index events_number", "DROP INDEX events_number"),
        ("table wallets: index mine", "CREATE INDEX mine ON wallets (micros)"),
        ("table events: child mine.more", "CREATE SCHEMA mine", "CREATE TABLE mine.more () INHERITS (events)"),
        ("relation postgres.wallets", "CREATE SCHEMA postgres", "CREATE TABLE postgres.wallets (player text)"),
        ("table mine", "CREATE TABLE mine (x text)"),
        ("view mine", "CREATE VIEW mine AS SELECT * FROM wallets"),
        ("relation mine", "CREATE MATERIALIZED VIEW mine AS SELECT * FROM wallets"),
        ("sequence mine", "CREATE SEQUENCE mine"),
        ("type mine", "CREATE DOMAIN mine AS bigint"),
        ("operator <+>(bigint,bigint)", "CREATE OPERATOR <+> (FUNCTION = int8pl, LEFTARG = bigint, RIGHTARG = bigint)"),
        ("table streams", MALLORY, "ALTER TABLE streams OWNER TO mallory"),
        ("setting session_replication_role=replica", "ALTER ROLE postgres SET session_replication_role = replica"),
        ("rights of mallory", "CREATE ROLE mallory", "GRANT UPDATE ON events TO mallory"),
        ("rights of mallory", "CREATE ROLE mallory", "GRANT UPDATE (body) ON events TO mallory"),
        ("rights of mallory", "CREATE ROLE mallory", "GRANT SELECT ON events TO mallory WITH GRANT OPTION"),
        ("rights of mallory", "CREATE ROLE mallory", "GRANT CREATE ON SCHEMA public TO mallory"),
        ("rights of mallory", "CREATE ROLE mallory", "GRANT EXECUTE ON FUNCTION refuse_change TO mallory"),
        ("rights of PUBLIC", "GRANT INSERT ON events TO PUBLIC"),
    ],
}
"""Pairs of the name that the schema check must report and the statement that causes it."""


def edit_schema(forger: Forger, statements: Sequence[str]) -> None:
    if forger.dialect == "sqlite":
        forger.write("PRAGMA writable_schema = ON")
    for statement in statements:
        forger.write(statement)


def schema_findings(forger: Forger) -> list[str]:
    rights_findings = excess_rights(forger.read) if forger.dialect == "postgresql" else ()
    return [finding.message for finding in (*differences(forger.dialect, forger.read), *rights_findings)]
