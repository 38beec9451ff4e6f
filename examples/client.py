"""A client of the table server: a guest who plays some rounds at a table of every rulebook, at all tables in parallel.

    python client.py http://127.0.0.1:8080 [--rounds 2] [--table NAME ...]

It needs only `websockets`. It contains no rules: the server lists what the player may do, and every message holds the
whole table. When the connection is lost, the client reconnects, sends the number of the last event it has seen of every
table, and repeats each unanswered command with the same key, so that it takes effect only once.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPCookieProcessor, Request, build_opener
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

API = "/api/v1"
AGAIN = {"busy", "store-busy", "store-failed", "outcome-unknown", "limited"}
"""Errors that leave the outcome of a command open: it is sent again with the same key."""
BUSY = 503
PATIENCE_S = 120
"""Time without any message after which the client gives up."""
Data = dict[str, Any]


class Server:
    """HTTP calls to the server. The session is a cookie."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.open = build_opener(HTTPCookieProcessor(CookieJar())).open

    def call(self, method: str, path: str) -> Any:
        headers = {"X-HCF": "1", "Content-Type": "application/json"}
        request = Request(self.address + API + path, b"{}" if method == "POST" else None, headers, method=method)
        try:
            with self.open(request, timeout=30) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code == BUSY:
                raise ConnectionError(error.reason) from None
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}") from None

    def live(self) -> str:
        """Return the address of the live socket. It can be used once, because its ticket is used up."""
        ticket = self.call("POST", "/ticket")["ticket"]
        return f"ws{self.address.removeprefix('http')}{API}/live?ticket={quote(ticket)}"


class Table:
    """A table as the last message described it, and the player's actions there."""

    def __init__(self, about: Data, rounds: int) -> None:
        self.name: str = about["name"]
        self.rulebook: str = about["rulebook"]
        self.seats: int = about["seats"]
        self.limits: dict[str, Data] = about["limits"]
        self.rounds = rounds
        self.seq: int | None = None
        self.now: Data = {}
        self.seat: int | None = None
        self.waits: Data | None = None
        """The command that is sent and not answered yet."""
        self.results: dict[int, list[Data]] = {}
        """The own results of each round that is over, by its number."""
        self.careful = False
        """After a wager that was refused: no more than must be."""

    def tell(self, message: Data) -> None:
        """A `table` or a `told`: the whole of it, and with `told` the very next event."""
        if message["type"] == "told" and message["seq"] != (self.seq or 0) + 1:
            raise SystemExit(f"{self.name}: event {message['seq']} after {self.seq}")
        self.seq, self.now = message["seq"], message
        if you := message.get("you"):
            self.seat = you["seat"]
        view = message.get("view") or {}
        if view.get("phase") in ("settled", "void"):
            mine = [result for result in view.get("results") or [] if result["seat"] == self.seat]
            if mine and self.bets(view):
                self.results[message["round"]["number"]] = mine

    def bets(self, view: Data) -> bool:
        """Return whether the player's own seat has wagers in the round."""
        return any(seat["number"] == self.seat for seat in view.get("seats") or [])

    def command(self) -> Data | None:
        """Choose the next command, if any, only from the legal actions and the phase."""
        view, you = self.now.get("view") or {}, self.now.get("you")
        if you is None:
            free = [seat for seat in range(1, self.seats + 1) if str(seat) not in (self.now.get("taken") or {})]
            return {"type": "Sit", "seat": free[0]} if free and not self.is_done else None
        seat, options = you["seat"], you.get("legal") or []
        if any(option["type"] == "Fold" for option in options):
            return self.decide(seat, view, options)
        if self.is_done:
            in_play = self.bets(view) and view.get("phase") not in ("settled", "void")
            return None if in_play else {"type": "Leave", "seat": seat}
        if view.get("phase") == "betting" and not self.bets(view):
            return {"type": "PlaceWagers", "seat": seat, "wagers": dict(self.wagers())}
        return None

    def wagers(self) -> Iterator[tuple[str, int]]:
        """The least of every wager that is open; after a refusal only of those that are required."""
        closed = (self.now.get("round") or {}).get("closed")
        for wager, limit in self.limits.items():
            if limit.get("required") or not (self.careful or (wager == "progressive" and closed)):
                yield wager, limit.get("minimum_cents") or limit.get("step_cents") or 100

    def decide(self, seat: int, view: Data, options: list[Data]) -> Data:
        """Raise the least with three cards of a suit or more, else fold."""
        hand = next(place["hand"]["seen"] for place in view["seats"] if place["number"] == seat).replace(" ", "")
        longest = max(hand[1::2].count(suit) for suit in "cdhs")
        raises = [option for option in options if option["type"] == "Raise"]
        if longest < 3 or not raises:
            return {"type": "Fold", "seat": seat}
        least = min(min(option.get("amounts_cents") or [option["minimum_cents"]]) for option in raises)
        return {"type": "Raise", "seat": seat, "amount_cents": least}

    @property
    def is_done(self) -> bool:
        return len(self.results) >= self.rounds

    @property
    def has_left(self) -> bool:
        return self.is_done and self.seq is not None and self.now.get("you") is None and self.waits is None

    @property
    def net_cents(self) -> int:
        return sum(result["net_cents"] for results in self.results.values() for result in results)


async def play(server: Server, tables: dict[str, Table]) -> None:
    """Until every table has had its rounds, over as many connections as it takes."""
    while not all(table.has_left for table in tables.values()):
        try:
            async with connect(await asyncio.to_thread(server.live), compression=None, max_size=None) as socket:
                await converse(socket, tables)
        except (WebSocketException, OSError) as error:
            print(f"connection lost, coming back: {error}", file=sys.stderr)
            await asyncio.sleep(1)


async def converse(socket: ClientConnection, tables: dict[str, Table]) -> None:
    async def say(message: Data) -> None:
        await socket.send(json.dumps(message))

    for table in tables.values():
        after = {} if table.seq is None else {"after": table.seq}
        await say({"type": "watch", "table": table.name, **after})
        if table.waits is not None:
            await say(table.waits)
    while not all(table.has_left for table in tables.values()):
        message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_S))
        match message["type"]:
            case "table" | "told":
                table = tables[message["table"]]
                table.tell(message)
            case "done" | "refused":
                waiting = (
                    table for table in tables.values() if table.waits and table.waits["key"] == message.get("key")
                )
                if (found := next(waiting, None)) is None:
                    print(f"refused: {message['error']['message']}", file=sys.stderr)  # a `watch`
                    continue
                table = found
                sent, table.waits = table.waits or {}, None
                if message["type"] == "done":
                    continue  # the event itself comes with a `told`
                error, bet = message["error"], sent["command"]["type"] == "PlaceWagers"
                print(f"{table.name}: {error['code']}: {error['message']}", file=sys.stderr)
                if error["code"] in AGAIN:
                    await asyncio.sleep(1)
                    table.waits = sent
                    await say(sent)
                    continue
                if not bet or table.careful:
                    continue  # what has changed meanwhile is told
                table.careful = True
            case "bye":
                print(f"bye: {message['message']}", file=sys.stderr)
                continue
            case _:
                continue
        if table.waits is None and (command := table.command()) is not None:
            stream = f"table/{table.name}"
            table.waits = {"type": "do", "key": uuid4().hex, "stream": stream, "command": command}
            await say(table.waits)


def chosen(server: Server, names: list[str], rounds: int) -> dict[str, Table]:
    """The tables that are named; else the first open one of each rulebook without real cards."""
    found = [about for about in server.call("GET", "/tables") if not about.get("physical") and about.get("open")]
    if names:
        found = [about for about in found if about["name"] in names]
        if absent := set(names) - {about["name"] for about in found}:
            raise SystemExit(f"no open table is called {', '.join(sorted(absent))}")
    else:
        found = list({about["rulebook"]: about for about in reversed(found)}.values())  # the first of each stays
    return {about["name"]: Table(about, rounds) for about in found}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("address", help="of the server, as `hcf serve` prints it")
    parser.add_argument("--rounds", type=int, default=2, help="at each table [default: 2]")
    parser.add_argument("--table", action="append", default=[], metavar="NAME", help="instead of one a rulebook")
    options = parser.parse_args()
    server = Server(options.address)
    guest = server.call("POST", "/guest")
    print(f"{guest['name']} has {guest['balance_cents']} cents")
    tables = chosen(server, options.table, options.rounds)
    asyncio.run(play(server, tables))
    for table in tables.values():
        print(f"{table.name} ({table.rulebook}): {len(table.results)} rounds, net {table.net_cents:+} cents")
        for number in table.results:
            record = server.call("GET", f"/rounds/{table.name}/{number}")
            assert (record["table"], record["number"]) == (table.name, number), record
    balance, expected = server.call("GET", "/me")["balance_cents"], guest["balance_cents"]
    expected += sum(table.net_cents for table in tables.values())
    print(f"balance {balance} cents, as the results say" if balance == expected else f"{balance}, not {expected}")
    return 0 if balance == expected else 1


if __name__ == "__main__":
    sys.exit(main())
