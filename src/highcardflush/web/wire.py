"""The shapes of the wire: what a client is sent, from what the house and the engine say.

Every key is snake_case, money is an int with its unit in the key, cards are text, and what a person reads comes with
its code, its values and its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from highcardflush.cards import SUITS, Hand
from highcardflush.game.actions import Fold, Raise
from highcardflush.game.legal import ClearOption, FoldOption, Option, RaiseOption, WagerOption, wager_options
from highcardflush.game.state import Decision, Result
from highcardflush.game.view import HandView, SeatView, View
from highcardflush.house.events import Case
from highcardflush.house.meter.count import Reading
from highcardflush.house.meter.state import MeterState
from highcardflush.house.table.due import Due
from highcardflush.house.table.state import Table
from highcardflush.house.table.told import Told
from highcardflush.house.table.view import RoundFacts, You, round_facts
from highcardflush.money import MICROS_PER_CENT
from highcardflush.rulebook.amounts import Amounts
from highcardflush.words import Reason, reason_data, say

Data = dict[str, Any]
PROTOCOL = 1
API = "/api/v1"
CLOCKS = ("betting", "decision", "pause")
"""What a client is told of; the moment in which seeds are revealed is the house's."""


def _hook(value: Any) -> Any:
    return str(value) if isinstance(value, Hand) else int(value)


ENCODER = msgspec.json.Encoder(enc_hook=_hook)


def encode(value: Any) -> bytes:
    return ENCODER.encode(value)


def raw(value: Any) -> msgspec.Raw:
    """Encoded once, to be put into several messages."""
    return msgspec.Raw(ENCODER.encode(value))


# --- a table -------------------------------------------------------------------------------------


def table_data(table: Table, names: Mapping[str, str], *, is_open: bool) -> Data:
    """A table in the list."""
    rulebook = table.config.rulebook
    return {
        "name": table.name,
        "rulebook": rulebook.name,
        "title": rulebook.title,
        "physical": table.config.physical,
        "open": is_open,
        "phase": phase_of(table),
        "round": round_data(round_facts(table)),
        "seats": rulebook.settings.seats,
        "taken": taken_data(table, names),
        "limits": {option.wager: limit_data(option) for option in wager_options(rulebook)},
        "offers": {offer.wager: offer.paytable for offer in rulebook.offers if offer.paytable is not None},
        "meters": table.config.meters,
    }


def phase_of(table: Table) -> str | None:
    round_ = table.round or table.last
    return round_.state.phase if round_ is not None else None


def taken_data(table: Table, names: Mapping[str, str]) -> dict[str, str]:
    """Who sits where, by their names as they are shown."""
    return {str(seat): names.get(player, player) if player else "chips" for seat, player in table.seats.items()}


def limit_data(option: WagerOption) -> Data:
    return {**msgspec.to_builtins(option.amounts), "required": option.required}


def round_data(facts: RoundFacts | None) -> Data | None:
    if facts is None:
        return None
    shut = {"closed": _why("bet-closed", facts.closed), "stale": _why("stale", facts.stale)}
    return {"number": facts.number, "commitment": facts.commitment, **shut}


def _why(code: str, words: str | None) -> Data | None:
    """What a person may have written, in the shape of what is said by code."""
    return {"code": code, "values": {"why": words}, "text": words} if words is not None else None


def view_data(view: View | None) -> Data | None:
    return {**common_data(view), "seats": [seat_data(seat) for seat in view.seats]} if view is not None else None


def common_data(view: View) -> Data:
    """What is the same of a view for everybody: all but the seats."""
    return {
        "phase": view.phase,
        "dealer": _hand(view.dealer),
        "meters": view.meters,
        "dynamic": dict(view.dynamic) if view.dynamic is not None else None,
        "dice": view.dice,
        "results": results_data(view.results),
        "void": view.void,
        "notice": view.notice or None,
    }


def seat_data(seat: SeatView) -> Data:
    return {
        "number": seat.number,
        "wagers": seat.wagers,
        "hand": _hand(seat.hand),
        "decision": _decision(seat.decision),
        "void": seat.void,
    }


def _hand(hand: HandView | None) -> Data | None:
    return {"cards": hand.cards, "seen": hand.seen} if hand is not None else None


def _decision(decision: Decision | None) -> Data | None:
    if decision is None:
        return None
    made: Data = {"raise_cents": decision.raise_cents} if decision.raise_cents else {}
    return made | {"keep": suit(decision.keep), "expose": decision.expose}


def suit(keep: int | None) -> str | None:
    return SUITS[keep] if keep is not None else None


def results_data(results: Iterable[Result]) -> list[Data]:
    return [result_data(result) for result in results]


def result_data(result: Result) -> Data:
    return {
        "seat": result.seat,
        "wager": result.wager,
        "stake_cents": result.stake_cents,
        "outcome": result.outcome,
        "paid_cents": result.paid_cents,
        "net_cents": result.net_cents,
        "reason": _reason(result.reason),
    }


def _reason(reason: Reason) -> Data:
    data: Data = reason_data(reason)
    if (own_text := say(reason, you=int(reason.values.get("seat", 0)))) != data["text"]:
        data["own_text"] = own_text
    if reason.more:
        data["more"] = [_reason(more) for more in reason.more]
    return data


# --- what was told -------------------------------------------------------------------------------


def told_data(told: Iterable[Told], names: Mapping[str, str]) -> list[Data]:
    return [_told(fact, names) for fact in told]


def _told(fact: Told, names: Mapping[str, str]) -> Data:
    data: Data = {"type": type(fact).__name__}
    for name in fact.__struct_fields__:
        value = getattr(fact, name)
        if isinstance(value, Reason):
            value = _reason(value)
        elif isinstance(value, Result):
            value = result_data(value)
        elif name == "keep":
            value = suit(value)
        elif name == "player":
            value = names.get(value, value)
        elif name == "closed":
            value = _why("bet-closed", value)
        data[name] = value
    return data


# --- what may be done ----------------------------------------------------------------------------


def you_data(you: You | None) -> Data | None:
    if you is None:
        return None
    return {"seat": you.seat, "legal": legal_data(you.legal), "default": _default(you.default)}


def legal_data(options: Iterable[Option]) -> list[Data]:
    """What may be done; of wagers all that are taken, for they are placed together."""
    options = list(options)
    wagers = {option.wager: limit_data(option) for option in options if isinstance(option, WagerOption)}
    found: list[Data] = [{"type": "PlaceWagers", "wagers": wagers}] if wagers else []
    found += [_raise(option) for option in options if isinstance(option, RaiseOption)]
    for option in options:
        match option:
            case ClearOption():
                found.append({"type": "ClearWagers"})
            case FoldOption():
                found.append({"type": "Fold", "exposable": option.exposable})
    return found


def _raise(option: RaiseOption) -> Data:
    return {"type": "Raise", "keep": suit(option.keep), **_amounts(option.amounts), "exposable": option.exposable}


def _amounts(amounts: Amounts) -> Data:
    if amounts.choices:
        return {"amounts_cents": amounts.choices}
    return {
        "minimum_cents": amounts.minimum_cents,
        "maximum_cents": amounts.maximum_cents,
        "step_cents": amounts.step_cents,
    }


def _default(decision: Fold | Raise | None) -> Data | None:
    match decision:
        case Raise():
            return {"type": "Raise", "amount_cents": decision.amount_cents, "keep": suit(decision.keep)}
        case Fold():
            return {"type": "Fold"}
    return None


def clock_data(due: Due | None) -> Data | None:
    if due is None or due.clock not in CLOCKS:
        return None
    return {"for": due.clock, "ends_in_ms": round(due.in_s * 1000)}


# --- a meter -------------------------------------------------------------------------------------


def meter_data(state: MeterState, reading: Reading, notice: str) -> Data:
    cases = sorted(state.cases.values(), key=lambda case: case.at, reverse=True)
    return {
        "name": state.name,
        "paytable": state.parameters.paytable,
        "kind": "bonus" if state.parameters.bonus else "progressive",
        "amount_micros": reading.display.amount_micros,
        "notice": notice or None,
        "tables": state.linked,
        "last_hits": [_hit(case) for case in cases],
    }


def _hit(case: Case) -> Data:
    return {
        "table": case.table,
        "seat": case.win.seat,
        "at_ms": case.at // 1000,
        "amount_cents": case.win.micros // MICROS_PER_CENT,
        "state": case.outcome,
    }


def win_data(meter: str, case: Case) -> Data:
    hit = _hit(case)
    del hit["at_ms"]
    return {"type": "win", "meter": meter, **hit}
