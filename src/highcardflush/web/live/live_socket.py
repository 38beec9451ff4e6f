"""The live socket: reads a client's messages and answers them. Table events are sent by `watchers.py`."""

import asyncio
import logging
import re
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromQuery
from msgspec import UNSET, UnsetType

from highcardflush import structs
from highcardflush.errors import HcfError, NotFound, TextError
from highcardflush.money import MICROS_PER_CENT
from highcardflush.structs import LONGEST_READ
from highcardflush.web.errors import NoSession, TooLarge, limited, send_refusal
from highcardflush.web.live.connections import Connection, cannot_write
from highcardflush.web.live.packets import EXTENSION, goodbye
from highcardflush.web.messages import live as messages
from highcardflush.web.messages.parts import PROTOCOL, Refusal
from highcardflush.web.server.access import NOBODY, Who, address_of, require_encrypted, require_origin
from highcardflush.web.server.commands import do
from highcardflush.web.server.services import Served, Services
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)
MOST_BYTES = 4096
MOST_UNREADABLE = 10
"""Number of unreadable messages after which the connection is closed."""
MOST_AT_ONCE = 32
"""Maximum number of unanswered commands per connection."""
KEY = re.compile(r'"key"\s*:\s*"(?P<key>[^"\\]*)"')
"""Pattern that finds the idempotency key in a message that cannot be parsed."""
MOST_WATCHED = 100
"""Maximum number of tables that one connection may watch."""


@websocket("/api/v1/live", opt={"access": "public"})
async def live(
    socket: WebSocket[Any, Any, Any], services: Served, ticket: FromQuery[str] = "", watch: FromQuery[bool] = False
) -> None:
    """Send events of watched tables and accept commands. With `watch` instead of a ticket, accept no commands."""
    try:
        require_encrypted(socket)
        require_origin(socket)
        services.context.limits.require_address("connect", address_of(socket), "connections")
        who = NOBODY if watch and not ticket else await services.sessions.take_ticket(ticket)
        if who is None:
            raise refuse("ticket-used", NoSession)
    except HcfError as error:
        await send_refusal(socket.scope, socket.receive, socket.send, error)
        return
    await socket.accept()
    extensions: dict[str, Any] = socket.scope.get("extensions") or {}
    connection = Connection(who, services.context.connections.gather, extensions.get(EXTENSION, cannot_write))
    before = await balance(services, who)
    services.context.connections.add(connection)
    connection.send_message(messages.Hello(PROTOCOL, who.name, who.role, before))  # must be the first message
    sender = asyncio.create_task(_send(socket, connection))
    try:
        if who is not NOBODY and await services.sessions.over([who]):  # it ended while the ticket was redeemed
            connection.end("signed-out", "signed out")
        now = await balance(services, who)
        if now is not UNSET and now != before:  # the balance changed before this connection was added
            connection.send_message(messages.BalanceMessage(now))
        await _read(socket, services, connection)
    except asyncio.CancelledError:
        if connection.bye is None:
            raise
    finally:
        services.watchers.remove_all(connection)
        services.context.connections.remove(connection)
        if connection.bye is not None:
            services.context.metrics.count("hcf_dropped_total", connection.bye[0])
        sender.cancel()
        await asyncio.gather(sender, return_exceptions=True)


async def balance(services: Services, who: Who) -> int | UnsetType:
    """Return the cents in a player's wallet, or UNSET for staff and for somebody without a session."""
    return await wallet_cents(services, who.person) if who.role == "player" and who is not NOBODY else UNSET


async def wallet_cents(services: Services, person: str) -> int:
    return await services.context.ask(services.context.house.wallet, person) // MICROS_PER_CENT


async def _send(socket: WebSocket[Any, Any, Any], connection: Connection) -> None:
    """Send the packets that could not be written directly and therefore wait in the outbox."""
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
        return  # the client has disconnected


async def _read(socket: WebSocket[Any, Any, Any], services: Services, connection: Connection) -> None:
    """Answer a client's messages in order. Only commands are answered later, when each of them is done."""
    unreadable, running = 0, set[asyncio.Task[None]]()
    try:
        while True:
            event: Any = await socket.receive()
            if event["type"] == "websocket.disconnect":
                return
            if connection.bye is not None:
                continue  # the sender task closes the connection
            data = event.get("text") or event.get("bytes") or ""
            try:
                message = _parse(data)
                if isinstance(message, messages.Do):
                    if connection.who is NOBODY:
                        raise refuse("no-session", NoSession)
                    if len(running) >= MOST_AT_ONCE:
                        raise limited("command", 1)
                    task = asyncio.create_task(_do(services, connection, message))
                    running.add(task)
                    task.add_done_callback(running.discard)
                else:
                    await _answer(services, connection, message)
            except HcfError as error:
                _refuse(services, connection, _key(data), error)
                unreadable += isinstance(error, (TextError, TooLarge))
                if unreadable >= MOST_UNREADABLE:
                    connection.end("unreadable", f"{MOST_UNREADABLE} messages could not be read")
    except WebSocketDisconnect:
        return


def _parse(data: str | bytes) -> messages.ClientMessage:
    if len(data) > MOST_BYTES or len(data.encode() if isinstance(data, str) else data) > MOST_BYTES:
        raise TooLarge("message", read=f"{len(data)} characters", expected=f"at most {MOST_BYTES} bytes")
    try:
        message: messages.ClientMessage = structs.decode(data, messages.ClientMessage)  # type: ignore[arg-type]
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise TextError("message", read=str(error)[:LONGEST_READ], expected="watch, unwatch, do or ping") from None
    return message


def _key(data: str | bytes) -> str | None:
    """Return the idempotency key of a message, which may be invalid, or None if no key is found."""
    if len(data) > 16 * MOST_BYTES:
        return None
    try:
        message = msgspec.json.decode(data)
        key = message.get("key") if isinstance(message, dict) else None
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        match = KEY.search(data if isinstance(data, str) else data.decode(errors="replace"))
        key = match["key"] if match is not None else None
    return key if isinstance(key, str) and len(key) <= MOST_BYTES else None


async def _answer(services: Services, connection: Connection, message: messages.ClientMessage) -> None:
    match message:
        case messages.Ping(n=n):
            connection.send_message(messages.PongMessage(n))
        case messages.Watch(table=name, after=after):
            if len(connection.seen) >= MOST_WATCHED and name not in connection.seen:
                raise limited("watch", 60)
            await services.hub.watch(connection, name, after)
            services.meter_displays.show(connection, name)
        case messages.Unwatch(table=name):
            if name not in connection.seen:
                raise refuse("not-watched", NotFound, table=name)
            services.watchers.remove(connection, name)


async def _do(services: Services, connection: Connection, message: messages.Do) -> None:
    try:
        answer = await do(services, connection.who, message.stream, bytes(message.command), message.key)
    except HcfError as error:
        _refuse(services, connection, message.key, error)
    except asyncio.CancelledError:
        raise
    except Exception:
        LOG.exception("a command has failed")
        _refuse(services, connection, message.key, refuse("internal-error", HcfError))
    else:
        connection.send_message(messages.DoneMessage(message.key, answer))


def _refuse(services: Services, connection: Connection, key: str | None, error: HcfError) -> None:
    services.context.metrics.count("hcf_refusals_total", error.code)
    connection.send_message(messages.RefusedMessage(key, Refusal.of(error)))
