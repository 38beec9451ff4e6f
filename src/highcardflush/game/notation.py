"""A round as text: what each line says, and the line that says it.

A file is split into rounds at each `hcf 1`. A line is one statement: a part of the table (`Use...`), an
action of the engine, or an expected result (`Expect...`). `parse` and `print_rounds` are inverse: printing
what was parsed gives the canonical text, and parsing that gives the same again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from msgspec import Struct

from highcardflush.cards import HIDDEN, NO_CARDS, SUIT_NAMES, Hand, parse_suit
from highcardflush.errors import HcfError, NotationError
from highcardflush.game.actions import (
    PLACEABLE,
    Action,
    DealHand,
    DrawDynamic,
    Fold,
    Lock,
    PlaceWagers,
    Raise,
    RollDice,
    Void,
    VoidHand,
    Wagers,
)
from highcardflush.game.state import DEALER
from highcardflush.jackpot import Meter
from highcardflush.money import (
    format_cents,
    format_micros,
    format_net,
    parse_cents,
    parse_micros,
)
from highcardflush.rulebook.load import parse_offer
from highcardflush.rulebook.model import WAGERS, Offer

BEGIN = "hcf 1"
_HASH = re.compile(r"@[0-9a-fA-F]{12,64}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,2}", re.ASCII)


class UseRulebook(Struct, frozen=True):
    name: str
    hash: str = ""


class UseOffer(Struct, frozen=True):
    offer: Offer


class UseSetting(Struct, frozen=True):
    key: str
    value: str


class UseMeter(Struct, frozen=True):
    name: str
    meter: Meter
    reserve_given: bool


class DealHidden(Struct, frozen=True):
    """A hand of which the writer may not see every card."""

    seat: int
    hand: Hand
    hidden: int


class Expect(Struct, frozen=True):
    """What a seat gained or lost on each wager, in cents."""

    seat: int
    nets: tuple[tuple[str, int], ...]


class ExpectMeter(Struct, frozen=True):
    name: str
    meter: Meter
    reserve_given: bool


Use = UseRulebook | UseOffer | UseSetting | UseMeter
Statement = Use | Action | DealHidden | Expect | ExpectMeter


class Line(Struct, frozen=True):
    """A statement, and the line of the file it stands on (0 if it was never in one)."""

    statement: Statement
    number: int = 0


class Round(Struct, frozen=True):
    """The statements of a round, in order. `errors` are its lines that could not be read."""

    lines: tuple[Line, ...]
    number: int = 0
    errors: tuple[NotationError, ...] = ()


def parse(text: str, file: str | None = None) -> list[Round]:
    """The rounds of a text. The first bad line raises; `parse_all` gives the good rounds beside the bad."""
    rounds = parse_all(text, file)
    for found in rounds:
        for error in found.errors:
            raise error
    return rounds


def parse_all(text: str, file: str | None = None) -> list[Round]:
    """Every round of a text, each with its own errors."""
    found: list[tuple[int, list[Line], list[NotationError]]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.partition("#")[0].split()
        if not words:
            continue
        if words[0] == "hcf":
            found.append((number, [], []))
        elif not found:
            found.append((number, [], [_error("statement", raw, f"'{BEGIN}' before it").at(file, number)]))
        _, lines, errors = found[-1]
        try:
            if words[0] == "hcf":
                _require(words == ["hcf", "1"], "version", " ".join(words), f"'{BEGIN}'")
            elif not errors:
                lines.append(Line(_statement(words, lines), number))
        except HcfError as error:
            errors.append(NotationError(error.message, read=error.read, expected=error.expected).at(file, number))
    if not found:
        raise _error("rounds", "no round", f"'{BEGIN}' and its lines").at(file, 1)
    return [Round(tuple(lines), number, tuple(errors)) for number, lines, errors in found]


def print_round(found: Round) -> str:
    """The canonical text of a round."""
    return "\n".join([BEGIN, *(statement_text(line.statement) for line in found.lines)]) + "\n"


def print_rounds(rounds: Iterable[Round]) -> str:
    return "\n".join(map(print_round, rounds))


def _error(what: str, read: str, expected: str) -> NotationError:
    return NotationError(what, read=f"'{read.strip()}'", expected=expected)


def _require(holds: bool, what: str, read: str, expected: str) -> None:
    if not holds:
        raise _error(what, read, expected)


def _statement(words: list[str], before: list[Line]) -> Statement:
    """The statement of a line's words; `before` are the lines of the round so far."""
    first = words[0]
    if _NUMBER.fullmatch(first):
        return _decision(words)
    expected = f"one of {', '.join(_PARSERS)}, or a seat's number"
    _require(first in _PARSERS, "statement", " ".join(words), expected)
    statement = _PARSERS[first](words)
    once = _once(statement)
    if once and any(_once(line.statement) == once for line in before):
        raise _error("statement", " ".join(words), f"{' '.join(once)} only once in a round")
    return statement


def _once(statement: Statement) -> tuple[str, ...]:
    """What a round can say only once."""
    match statement:
        case UseRulebook():
            return ("rulebook",)
        case UseSetting(key=key):
            return ("set", key)
        case UseMeter(name=name):
            return ("meter", name)
        case PlaceWagers(seat=seat):
            return ("seat", str(seat))
        case _:
            return ()


def _usage(words: list[str], usage: str, holds: bool) -> None:
    _require(holds, words[0], " ".join(words), usage)


def _rulebook(words: list[str]) -> Statement:
    usage = "rulebook NAME [@HASH], the hash with 12 to 64 hex digits"
    _usage(words, usage, len(words) in (2, 3) and all(_HASH.fullmatch(word) for word in words[2:]))
    return UseRulebook(words[1], words[2][1:].lower() if len(words) == 3 else "")


def _offer(words: list[str]) -> Statement:
    usage = "offer WAGER PAYTABLE [base=AMOUNT]"
    _usage(words, usage, len(words) in (3, 4) and all(word.startswith("base=") for word in words[3:]))
    return UseOffer(parse_offer(words[1], words[2], *(word[5:] for word in words[3:])))


def _set(words: list[str]) -> Statement:
    _usage(words, "set KEY VALUE", len(words) == 3)
    return UseSetting(words[1], words[2])


def _meter_words(words: list[str], usage: str) -> tuple[str, Meter, bool]:
    _usage(words, usage, len(words) in (3, 4) and all(word.startswith("reserve=") for word in words[3:]))
    reserve = parse_micros(words[3][8:], signed=True) if len(words) == 4 else 0
    return words[1], Meter(parse_micros(words[2]), reserve), len(words) == 4


def _meter(words: list[str]) -> Statement:
    return UseMeter(*_meter_words(words, "meter NAME AMOUNT [reserve=AMOUNT]"))


def _pairs(words: list[str], what: str, names: Iterable[str], usage: str) -> list[tuple[str, str]]:
    """`WAGER AMOUNT ...` as pairs, each wager once."""
    _usage(words, usage, len(words) >= 4 and len(words) % 2 == 0)
    pairs = list(zip(words[2::2], words[3::2], strict=True))
    for i, (name, _) in enumerate(pairs):
        _require(name in names, what, name, "one of " + ", ".join(names))
        _require(name not in dict(pairs[:i]), what, f"{name} twice", "each wager once")
    return pairs


def _seat_number(word: str, words: list[str], usage: str) -> int:
    _usage(words, usage, bool(_NUMBER.fullmatch(word)))
    return int(word)


def _seat(words: list[str]) -> Statement:
    usage = "seat N WAGER AMOUNT ..."
    pairs = _pairs(words, "wager", PLACEABLE, usage)
    amounts = {name.replace("-", "_"): parse_cents(amount) for name, amount in pairs}
    for name, amount in pairs:
        _require(parse_cents(amount) > 0, name, amount, "an amount above zero")
    return PlaceWagers(_seat_number(words[1], words, usage), Wagers(**amounts))


def _dice(words: list[str]) -> Statement:
    usage = "dice A B C [clockwise], each 1 to 6"
    dice = words[1:4]
    _usage(words, usage, len(dice) == 3 and words[4:] in ([], ["clockwise"]) and all(map(_NUMBER.fullmatch, dice)))
    return RollDice((int(dice[0]), int(dice[1]), int(dice[2])), len(words) == 5)


def _lock(words: list[str]) -> Statement:
    _usage(words, "lock", len(words) == 1)
    return Lock()


def _dynamic(words: list[str]) -> Statement:
    pairs = [word.split("=") for word in words[1:]]
    usage = "dynamic LINE=PAY ..., such as dynamic 5-card=200 3-card=8"
    _usage(words, usage, bool(pairs) and all(len(pair) == 2 and re.fullmatch("[0-9]{1,9}", pair[1]) for pair in pairs))
    return DrawDynamic(tuple((name, int(pay)) for name, pay in pairs))


def _deal(words: list[str]) -> Statement:
    usage = "deal N CARDS, or deal dealer CARDS"
    _usage(words, usage, len(words) >= 3)
    seat = DEALER if words[1] == "dealer" else _seat_number(words[1], words, usage)
    _usage(words, usage, words[1] == "dealer" or seat != DEALER)
    cards = [word[i : i + 2] for word in words[2:] for i in range(0, len(word), 2)]
    hand = Hand.parse(" ".join(card for card in cards if card != HIDDEN))
    hidden = cards.count(HIDDEN)
    return DealHidden(seat, hand, hidden) if hidden else DealHand(seat, hand)


def _decision(words: list[str]) -> Statement:
    usage = "N fold [expose CARDS], or N raise AMOUNT [keep SUIT] [expose CARDS]"
    seat, kind, rest = int(words[0]), words[1] if len(words) > 1 else "", words[2:]
    _require(kind in ("fold", "raise"), "decision", " ".join(words), usage)
    amount = 0
    if kind == "raise":
        _require(bool(rest), "decision", " ".join(words), usage)
        amount, rest = parse_cents(rest[0]), rest[1:]
    keep, expose = None, NO_CARDS
    if rest and rest[0] == "keep" and kind == "raise":
        _require(len(rest) > 1, "decision", " ".join(words), usage)
        keep, rest = parse_suit(rest[1]), rest[2:]
    if rest and rest[0] == "expose":
        _require(len(rest) > 1 and "keep" not in rest, "decision", " ".join(words), usage)
        expose, rest = Hand.parse(" ".join(rest[1:])), []
    _require(not rest, "decision", " ".join(words), usage)
    return Raise(seat, amount, keep, expose) if kind == "raise" else Fold(seat, expose)


def _void(words: list[str]) -> Statement:
    usage = "void REASON, or void N return|forfeit REASON (other with a text)"
    _usage(words, usage, len(words) >= 2)
    if not _NUMBER.fullmatch(words[1]):
        return Void(words[1], " ".join(words[2:]))
    _usage(words, usage, len(words) >= 4 and words[2] in ("return", "forfeit"))
    return VoidHand(int(words[1]), words[2], words[3], " ".join(words[4:]))  # type: ignore[arg-type]


def _expect(words: list[str]) -> Statement:
    if words[1:2] == ["meter"]:
        return ExpectMeter(*_meter_words(words[1:], "= meter NAME AMOUNT [reserve=AMOUNT]"))
    usage = "= N WAGER +AMOUNT or -AMOUNT ..."
    pairs = _pairs(words, "wager", WAGERS, usage)
    for name, amount in pairs:
        _require(amount[0] in "+-" or not parse_cents(amount), name, amount, "a sign, + or -, before the amount")
    nets = tuple((name, parse_cents(amount, signed=True)) for name, amount in pairs)
    return Expect(_seat_number(words[1], words, usage), nets)


_PARSERS: dict[str, Callable[[list[str]], Statement]] = {
    "rulebook": _rulebook,
    "offer": _offer,
    "set": _set,
    "meter": _meter,
    "seat": _seat,
    "dice": _dice,
    "lock": _lock,
    "dynamic": _dynamic,
    "deal": _deal,
    "void": _void,
    "=": _expect,
}


def statement_text(statement: Statement) -> str:
    """The line that says this."""
    match statement:
        case UseRulebook(name=name, hash=digits):
            return f"rulebook {name}" + (f" @{digits}" if digits else "")
        case UseOffer(offer=offer):
            base = f" base={offer.base}" if offer.base != 100 else ""
            return f"offer {offer.wager} {offer.paytable}{base}"
        case UseSetting(key=key, value=value):
            return f"set {key} {value}"
        case UseMeter() | ExpectMeter():
            return _meter_text(statement)
        case Expect(seat=seat, nets=nets):
            return f"= {seat} " + " ".join(f"{name} {format_net(cents)}" for name, cents in nets)
        case DealHidden(seat=seat, hand=hand, hidden=hidden):
            return f"deal {seat or 'dealer'} {' '.join(filter(None, (str(hand), HIDDEN * hidden)))}"
        case _:
            return _action_text(statement)


def _meter_text(statement: UseMeter | ExpectMeter) -> str:
    sign = "= " if isinstance(statement, ExpectMeter) else ""
    reserve = f" reserve={format_micros(statement.meter.reserve_micros)}" if statement.reserve_given else ""
    return f"{sign}meter {statement.name} {format_micros(statement.meter.amount_micros)}{reserve}"


def _action_text(action: Action) -> str:
    match action:
        case PlaceWagers(seat=seat, wagers=wagers):
            return f"seat {seat} " + " ".join(f"{name} {format_cents(cents)}" for name, cents in wagers.items())
        case RollDice(dice=dice, clockwise=clockwise):
            return f"dice {' '.join(map(str, dice))}" + (" clockwise" if clockwise else "")
        case Lock():
            return "lock"
        case DrawDynamic(pays=pays):
            return "dynamic " + " ".join(f"{name}={pay}" for name, pay in pays)
        case DealHand(seat=seat, hand=hand):
            return f"deal {seat or 'dealer'} {hand}"
        case Fold(seat=seat, expose=expose):
            return f"{seat} fold" + (f" expose {expose}" if expose else "")
        case Raise(seat=seat, amount_cents=cents, keep=keep, expose=expose):
            kept = f" keep {SUIT_NAMES[keep]}" if keep is not None else ""
            return f"{seat} raise {format_cents(cents)}{kept}" + (f" expose {expose}" if expose else "")
        case Void(reason=reason, text=text):
            return f"void {reason} {text}".rstrip()
        case VoidHand(seat=seat, disposition=disposition, reason=reason, text=text):
            return f"void {seat} {disposition} {reason} {text}".rstrip()
        case _:
            raise ValueError(f"{action!r} has no line in the notation")
