"""The live socket: what a client says and what it is answered. What it is told of tables comes from the hub."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromQuery
from msgspec import UNSET, UnsetType

from highcardflush import structs
from highcardflush.errors import HcfError, NotFound, TextError
from highcardflush.money import MICROS_PER_CENT
from highcardflush.structs import LONGEST_READ
from highcardflush.web.errors import NoSession, TooLarge, limited
from highcardflush.web.live.commands import do
from highcardflush.web.live.connections import Connection, cannot_write
from highcardflush.web.live.packets import EXTENSION, goodbye
from highcardflush.web.messages.encoding import PROTOCOL
from highcardflush.web.messages.live import (
    BalanceMessage,
    ClientMessage,
    Do,
    DoneMessage,
    Hello,
    Ping,
    PongMessage,
    RefusedMessage,
    Unwatch,
    Watch,
)
from highcardflush.web.messages.parts import Refusal
from highcardflush.web.refusal import send_refusal
from highcardflush.web.server.access import Who, require_encrypted, require_origin
from highcardflush.web.server.services import Services
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)
MOST_BYTES = 4096
MOST_MISREAD = 10
"""So many messages that cannot be read end the connection."""
MOST_AT_ONCE = 32
"""Commands of one connection that are not answered yet."""
KEY = re.compile(r'"key"\s*:\s*"(?P<key>[^"\\]*)"')
"""Where it stands in what cannot be read as a whole."""
MOST_WATCHED = 100
"""Tables that one connection looks at."""


@websocket("/api/v1/live", opt={"access": "public"})
async def live(
    socket: WebSocket[Any, Any, Any], services: NamedDependency[Services], ticket: FromQuery[str] = ""
) -> None:
    """Tell of tables, and take commands."""
    try:
        require_encrypted(socket)
        require_origin(socket)
        if wait := services.limits.allow_address("connect", socket.client.host if socket.client is not None else ""):
            raise limited("connections", wait)
        who = await services.accounts.take_ticket(ticket)
        if who is None:
            raise refuse("ticket-used", NoSession)
    except HcfError as error:
        await send_refusal(socket.scope, socket.receive, socket.send, error)
        return
    await socket.accept()
    extensions: dict[str, Any] = socket.scope.get("extensions") or {}
    connection = Connection(who, services.connections.gather, extensions.get(EXTENSION, cannot_write))
    held = await balance(services, who)
    services.connections.add(connection)
    connection.say(Hello(PROTOCOL, who.name, who.role, held))  # before anything that the hub may tell
    sender = asyncio.create_task(_send(socket, connection))
    try:
        if await services.accounts.over([who]):  # it ended while the ticket was taken
            connection.end("signed-out", "signed out")
        now = await balance(services, who)
        if now is not UNSET and now != held:  # it moved before the hub knew of this connection
            connection.say(BalanceMessage(now))
        await _read(socket, services, connection)
    except asyncio.CancelledError:
        if connection.bye is None:
            raise  # it was not the hub that ended it
    finally:
        services.watchers.remove_all(connection)
        services.connections.remove(connection)
        if connection.bye is not None:
            services.metrics.count("hcf_dropped_total", connection.bye[0])
        sender.cancel()
        await asyncio.gather(sender, return_exceptions=True)


async def balance(services: Services, who: Who) -> int | UnsetType:
    """Return the cents in a player's wallet, or UNSET for staff, who have none."""
    return await wallet_cents(services, who.person) if who.role == "player" else UNSET


async def wallet_cents(services: Services, person: str) -> int:
    return await services.ask(services.house.wallet, person) // MICROS_PER_CENT


async def _send(socket: WebSocket[Any, Any, Any], connection: Connection) -> None:
    """Empty the outbox whenever there is something in it."""
    try:
        while True:
            await connection.ready.wait()
            connection.ready.clear()
            while connection.outbox:
                waiting, connection.outbox, connection.busy = connection.outbox, [], True
                for packet in waiting:
                    await socket.send({"type": "websocket.send", "bytes": None, "text": packet.text.decode()})
                connection.busy = False
            if connection.bye is not None:
                last = goodbye(*connection.bye).text.decode()
                await socket.send({"type": "websocket.send", "bytes": None, "text": last})
                await socket.close()
                return
    except (WebSocketDisconnect, RuntimeError):
        return  # it has gone


async def _read(socket: WebSocket[Any, Any, Any], services: Services, connection: Connection) -> None:
    """What a client says, one after the other; commands are answered whenever they are done."""
    misread, doing = 0, set[asyncio.Task[None]]()
    try:
        while True:
            event: Any = await socket.receive()
            if event["type"] == "websocket.disconnect":
                return
            if connection.bye is not None:
                continue  # it ends: the sender closes it
            data = event.get("text") or event.get("bytes") or ""
            try:
                said = _parse(data)
                if isinstance(said, Do):
                    if len(doing) >= MOST_AT_ONCE:
                        raise limited("command", 1)
                    task = asyncio.create_task(_do(services, connection, said))
                    doing.add(task)
                    task.add_done_callback(doing.discard)
                else:
                    await _answer(services, connection, said)
            except HcfError as error:
                _refuse(services, connection, _key(data), error)
                misread += isinstance(error, (TextError, TooLarge))
                if misread >= MOST_MISREAD:
                    connection.end("unreadable", f"{MOST_MISREAD} messages that could not be read")
    except WebSocketDisconnect:
        return


def _parse(data: str | bytes) -> ClientMessage:
    if len(data) > MOST_BYTES or len(data.encode() if isinstance(data, str) else data) > MOST_BYTES:
        raise TooLarge("message", read=f"{len(data)} characters", expected=f"at most {MOST_BYTES} bytes")
    try:
        said: ClientMessage = structs.decode(data, ClientMessage)  # type: ignore[arg-type]
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise TextError("message", read=str(error)[:LONGEST_READ], expected="watch, unwatch, do or ping") from None
    return said


def _key(data: str | bytes) -> str | None:
    """The key of a message, whatever else is wrong with it."""
    if len(data) > 16 * MOST_BYTES:
        return None
    try:
        found = msgspec.json.decode(data)
        key = found.get("key") if isinstance(found, dict) else None
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        said = KEY.search(data if isinstance(data, str) else data.decode(errors="replace"))
        key = said["key"] if said is not None else None
    return key if isinstance(key, str) and len(key) <= MOST_BYTES else None


async def _answer(services: Services, connection: Connection, said: ClientMessage) -> None:
    match said:
        case Ping(n=n):
            connection.say(PongMessage(n))
        case Watch(table=name, after=after):
            if len(connection.seen) >= MOST_WATCHED and name not in connection.seen:
                raise limited("watch", 60)
            await services.hub.watch(connection, name, after)
        case Unwatch(table=name):
            if name not in connection.seen:
                raise refuse("not-watched", NotFound, table=name)
            services.watchers.remove(connection, name)


async def _do(services: Services, connection: Connection, said: Do) -> None:
    try:
        answer = await do(services, connection.who, said.stream, bytes(said.command), said.key)
    except HcfError as error:
        _refuse(services, connection, said.key, error)
    except asyncio.CancelledError:
        raise
    except Exception:
        LOG.exception("a command has failed")
        mistake = refuse("internal-error", HcfError)
        _refuse(services, connection, said.key, mistake)
    else:
        connection.say(DoneMessage(said.key, answer))


def _refuse(services: Services, connection: Connection, key: str | None, error: HcfError) -> None:
    services.metrics.count("hcf_refusals_total", error.code)
    connection.say(RefusedMessage(key, Refusal.of(error)))
