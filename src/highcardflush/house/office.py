"""The office: who works and plays here, as what. And the cage: money that comes and goes.

Both streams are short and written under their lock. `people` and `wallets` are rows that follow from them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from highcardflush.errors import HouseError, NotFound, NotPermitted
from highcardflush.house import commands as c
from highcardflush.house.commands import Role
from highcardflush.house.entry import Entry, Head, Transfer
from highcardflush.house.posting import CAGE, wallet
from highcardflush.house.work import Work, lock_row, read_head
from highcardflush.money import MICROS_PER_CENT

OFFICE = "office"
BOTS: tuple[Role, ...] = ("player", "cashier")
"""What a bot can be."""
FOUNDERS: tuple[tuple[str, Role], ...] = (("admin", "administrator"), ("house", "dealer"))
"""Who is there from the first day: somebody to add the others, and the hand that deals at virtual tables."""


def found(work: Work, key_id: str) -> None:
    """The first day: the office opens with the id of the house key and its first people."""
    for stream in (CAGE, OFFICE):
        lock_row(work.tx, stream)
    head = work.append(Head(), OFFICE, "found", {"key_id": key_id}).head
    for name, role in FOUNDERS:
        head = _add(work, head, name, role).head


def new_key(work: Work, key_id: str, reason: str) -> Entry:
    """The old key is lost: from here on another one seals."""
    return work.append(read_head(work.tx, OFFICE), OFFICE, "new-key", {"key_id": key_id, "reason": reason})


def handle(work: Work, stream: str, command: Any) -> Entry:
    """The event that a command makes of a stream that is locked."""
    handlers = _CAGE if stream == CAGE else _OFFICE
    if type(command) not in handlers:
        raise HouseError(stream, read=type(command).__name__, expected=f"a command for the {stream}")
    return handlers[type(command)](work, read_head(work.tx, stream), command)


def _buy_in(work: Work, head: Head, command: c.BuyIn) -> Entry:
    _require_wallet(work, command.player)
    if not work.tx.read("SELECT 1 FROM people WHERE name = ? AND active", command.player):
        expected = "a player who is active: one who is not may cash out, and no more"
        raise NotPermitted("BuyIn", read=f"{command.player}, who is disabled", expected=expected)
    _require_same_kind(work, command.player)
    micros = command.cents * MICROS_PER_CENT
    body = {"player": command.player, "micros": micros}
    return work.append(head, CAGE, "buy-in", body, transfers=(Transfer(CAGE, wallet(command.player), micros),))


def _cash_out(work: Work, head: Head, command: c.CashOut) -> Entry:
    _require_wallet(work, command.player)
    _require_same_kind(work, command.player)
    micros = command.cents * MICROS_PER_CENT
    body = {"player": command.player, "micros": micros}
    return work.append(head, CAGE, "cash-out", body, transfers=(Transfer(wallet(command.player), CAGE, micros),))


def _require_same_kind(work: Work, player: str) -> None:
    """The money of bots is kept apart: their cashier serves nobody else, and nobody else serves them."""
    if _is_bot(work, player) != _is_bot(work, work.actor):
        kinds = ("a person", "a bot")
        read = f"{work.actor}, {kinds[_is_bot(work, work.actor)]}, for {player}, {kinds[_is_bot(work, player)]}"
        raise NotPermitted("cashier", read=read, expected="a bot for bots, a person for people")


def _is_bot(work: Work, name: str) -> bool:
    return bool(work.tx.read("SELECT 1 FROM people WHERE name = ? AND bot", name))


def _require_wallet(work: Work, player: str) -> None:
    if not work.tx.read("SELECT 1 FROM wallets WHERE player = ?", player):
        raise NotFound("player", read=player, expected="a player with a wallet")


def _add_person(work: Work, head: Head, command: c.AddPerson) -> Entry:
    if _role(work, command.name) is not None:
        raise HouseError("person", read=f"{command.name}, who is there", expected="a new name")
    if command.bot and command.role not in BOTS:
        raise HouseError("bot", read=command.role, expected=f"a bot only as {' or '.join(BOTS)}")
    return _add(work, head, command.name, command.role, bot=command.bot)


def _add(work: Work, head: Head, name: str, role: Role, *, bot: bool = False) -> Entry:
    entry = work.append(head, OFFICE, "person", {"name": name, "role": role, "bot": bot})
    work.tx.write("INSERT INTO people (name, role, active, bot) VALUES (?, ?, ?, ?)", name, role, True, bot)
    if role == "player":
        work.tx.write("INSERT INTO wallets (player, micros) VALUES (?, 0)", name)
    return entry


def _change_role(work: Work, head: Head, command: c.ChangeRole) -> Entry:
    before = _require_person(work, command.name)
    if command.name == work.actor:
        raise NotPermitted("ChangeRole", read=f"{command.name} for oneself", expected="another administrator")
    if "player" in (before, command.role):
        # A wallet belongs to a player and to nobody who could pay it.
        raise HouseError("role", read=f"{before} to {command.role}", expected="players stay players, staff stays staff")
    if _is_bot(work, command.name):
        raise HouseError("role", read=f"{command.name}, a bot", expected="a person: a bot stays what it is")
    body = {"name": command.name, "before": before, "after": command.role, "reason": command.reason}
    entry = work.append(head, OFFICE, "role", body)
    work.tx.write("UPDATE people SET role = ? WHERE name = ?", command.role, command.name)
    return entry


def _disable(work: Work, head: Head, command: c.Disable) -> Entry:
    return _switch(work, head, command.name, command.reason, active=False)


def _enable(work: Work, head: Head, command: c.Enable) -> Entry:
    return _switch(work, head, command.name, command.reason, active=True)


def _switch(work: Work, head: Head, name: str, reason: str, *, active: bool) -> Entry:
    _require_person(work, name)
    if name == work.actor:
        raise NotPermitted("Disable", read=f"{name} for oneself", expected="another administrator")
    entry = work.append(head, OFFICE, "enable" if active else "disable", {"name": name, "reason": reason})
    work.tx.write("UPDATE people SET active = ? WHERE name = ?", active, name)
    return entry


def _require_person(work: Work, name: str) -> Role:
    role = _role(work, name)
    if role is None:
        raise NotFound("person", read=name, expected="somebody who was added")
    return role


def _role(work: Work, name: str) -> Role | None:
    found = work.tx.read("SELECT role FROM people WHERE name = ?", name)
    return found[0][0] if found else None


_CAGE: dict[type, Callable[[Work, Head, Any], Entry]] = {c.BuyIn: _buy_in, c.CashOut: _cash_out}
_OFFICE: dict[type, Callable[[Work, Head, Any], Entry]] = {
    c.AddPerson: _add_person,
    c.ChangeRole: _change_role,
    c.Disable: _disable,
    c.Enable: _enable,
}
