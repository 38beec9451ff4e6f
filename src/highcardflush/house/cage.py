"""The cage: handlers for buy-ins and cash-outs. The cage's stream is written only while it is locked."""

from collections.abc import Callable
from typing import Any

from highcardflush.errors import NotFound, NotPermitted, TooMuch
from highcardflush.house import commands as c
from highcardflush.house.books.event import CAGE, WALLET, Event, Head, Transfer, wallet
from highcardflush.house.books.reader import read_head, read_wallet
from highcardflush.house.books.writer import Writer
from highcardflush.house.commands import Kind
from highcardflush.house.events import BoughtIn, CashedOut
from highcardflush.house.permissions import Person, find_person, require_player
from highcardflush.money import MICROS_PER_CENT, MOST_WALLET_MICROS, say_micros
from highcardflush.words import refuse


def handle(writer: Writer, command: Any) -> Event:
    """Append the event of a command, and return it. The caller must hold the lock on the cage's stream."""
    return c.find_handler(_HANDLERS, command, f"the {CAGE}")(writer, read_head(writer.tx, CAGE), command)


def _buy_in(writer: Writer, head: Head, command: c.BuyIn) -> Event:
    player = _require_wallet(writer, command.player)
    if not player.active:
        raise refuse("only-cash-out", NotPermitted, player=command.player)
    _require_counter(writer, command.player, player)
    micros = command.cents * MICROS_PER_CENT
    require_room(writer, wallet(command.player), micros)
    if player.kind == "guest":
        most = c.GUEST_CENTS * MICROS_PER_CENT
        if (read_wallet(writer.tx, command.player) or 0) + micros > most:
            raise refuse("guest-full", TooMuch, player=command.player, most=say_micros(most))
        writer.guard_room(command.player, most)  # A round may pay into the wallet in the meantime.
    transfers = (Transfer(CAGE, wallet(command.player), micros),)
    return writer.append(head, CAGE, BoughtIn(command.player, micros), transfers=transfers)


def _cash_out(writer: Writer, head: Head, command: c.CashOut) -> Event:
    _require_counter(writer, command.player, _require_wallet(writer, command.player))
    micros = command.cents * MICROS_PER_CENT
    transfers = (Transfer(wallet(command.player), CAGE, micros),)
    return writer.append(head, CAGE, CashedOut(command.player, micros), transfers=transfers)


def require_room(writer: Writer, account: str, micros: int) -> None:
    """Refuse to fill a wallet above its limit. Other accounts have no limit."""
    player = account.removeprefix(WALLET)
    balance = read_wallet(writer.tx, player) if player != account else None
    if balance is not None and balance + micros > MOST_WALLET_MICROS:
        raise refuse("wallet-full", TooMuch, player=player, most=say_micros(MOST_WALLET_MICROS))


def _require_wallet(writer: Writer, player: str) -> Person:
    person = require_player(writer.tx, player)
    if read_wallet(writer.tx, player) is None:
        raise refuse("no-player", NotFound, name=player)
    return person


def _require_counter(writer: Writer, name: str, player: Person) -> None:
    """Refuse a player whose kind the actor does not serve. Cashiers serve their own kind, and servers serve guests."""
    who = find_person(writer.tx, writer.actor)
    if who is None:
        return
    serves = "guest" if who.role == "server" else who.kind
    if serves != player.kind:
        raise refuse("other-counter", NotPermitted, served=SERVED[serves], player=name, kind=player.kind)


SERVED: dict[Kind, str] = {"person": "people", "bot": "bots", "guest": "guests"}
_HANDLERS: dict[type, Callable[[Writer, Head, Any], Event]] = {c.BuyIn: _buy_in, c.CashOut: _cash_out}
