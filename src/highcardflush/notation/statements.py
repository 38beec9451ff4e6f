"""The statements of the notation. Each kind has a class with its first word, usage, parser and formatter.

`Use...` sets up the table, `Do...` is an action of the engine, `Expect...` is an expected result.
"""

import re
from collections.abc import Iterable
from typing import Any, ClassVar, Self

from msgspec import Struct

from highcardflush.cards import HAND_SIZE, HIDDEN, NO_CARDS, SUIT_NAMES, Hand, format_card, parse_cards, parse_suit
from highcardflush.errors import NotationError
from highcardflush.game import actions as a
from highcardflush.game.state import DEALER
from highcardflush.jackpot import Meter
from highcardflush.money import format_cents, format_micros, format_net, parse_cents, parse_micros
from highcardflush.rulebook.load import parse_offer
from highcardflush.rulebook.paytable import Offer
from highcardflush.rulebook.wagers import placed_wagers, wagers

SEAT = "([0-9]{1,2})"
PAIRS = r"((?: \S+ \S+)+)"
SEAT_NUMBER = re.compile(SEAT)


def bad(subject: str, read: str, expected: str) -> NotationError:
    return NotationError(subject, read=f"'{read.strip()}'", expected=expected)


def require(holds: object, subject: str, read: str, expected: str) -> None:
    if not holds:
        raise bad(subject, read, expected)


class Statement(Struct, frozen=True, gc=False):
    """A line of a round."""

    word: ClassVar[str]
    usage: ClassVar[str]
    pattern: ClassVar[re.Pattern[str]]
    own: ClassVar[int] = 0
    """Number of words at the beginning of the line that no other line of the round may share; 0 if lines may repeat."""

    @classmethod
    def parse(cls, line: str) -> Self:
        """Parse a line whose words are separated by single spaces."""
        match = cls.pattern.fullmatch(line)
        if match is None:
            raise bad(cls.word, line, cls.usage)
        return cls.of(*match.groups())

    @classmethod
    def of(cls, *groups: Any, **_: Any) -> Self:
        """Build the statement from the pattern's groups. A missing group is `None`."""
        return cls(*groups)

    def text(self) -> str:
        raise AssertionError(self)

    @property
    def action(self) -> a.Action | None:
        return None

    @property
    def once(self) -> str:
        """Words at the beginning of this line that no other line of the round may share; empty if lines may repeat."""
        return " ".join(self.text().split()[: self.own]) if self.own else ""


class UseRulebook(Statement, frozen=True):
    word = "rulebook"
    usage = "rulebook NAME [@HASH], where HASH has 12 to 64 hex digits"
    pattern = re.compile(r"rulebook (\S+)(?: @([0-9a-fA-F]{12,64}))?")
    own = 1

    name: str
    hash: str = ""

    @classmethod
    def of(cls, name: str, digits: str | None) -> Self:
        return cls(name, (digits or "").lower())

    def text(self) -> str:
        return f"rulebook {self.name}" + (f" @{self.hash}" if self.hash else "")


class UseOffer(Statement, frozen=True):
    word = "offer"
    usage = "offer WAGER PAYTABLE [base=AMOUNT]"
    pattern = re.compile(r"offer (\S+) (\S+)(?: base=(\S*))?")

    offer: Offer

    @classmethod
    def of(cls, wager: str, paytable: str, base: str | None) -> Self:
        return cls(parse_offer(wager, paytable, "1" if base is None else base))

    def text(self) -> str:
        base = f" base={self.offer.base}" if self.offer.base != 100 else ""
        return f"offer {self.offer.wager} {self.offer.paytable}{base}"


class UseSetting(Statement, frozen=True):
    word = "set"
    usage = "set KEY VALUE"
    pattern = re.compile(r"set (\S+) (\S+)")
    own = 2

    key: str
    value: str

    def text(self) -> str:
        return f"set {self.key} {self.value}"


class MeterStatement(Statement, frozen=True):
    """The amount of a meter, and optionally its reserve."""

    word = "meter"
    usage = "meter NAME AMOUNT [reserve=AMOUNT]"
    pattern = re.compile(r"meter (\S+) (\S+)(?: reserve=(\S*))?")

    name: str
    meter: Meter
    reserve_given: bool

    @classmethod
    def of(cls, name: str, amount: str, reserve: str | None) -> Self:
        reserve_micros = parse_micros(reserve, signed=True) if reserve is not None else 0
        return cls(name, Meter(parse_micros(amount), reserve_micros), reserve is not None)

    def text(self) -> str:
        reserve = f" reserve={format_micros(self.meter.reserve_micros)}" if self.reserve_given else ""
        return f"meter {self.name} {format_micros(self.meter.amount_micros)}{reserve}"


class UseMeter(MeterStatement, frozen=True):
    """The amount of a meter before the wagers lock."""

    own = 2


def _pairs(text: str, names: Iterable[str]) -> list[tuple[str, str]]:
    """Parse `WAGER AMOUNT ...` into pairs. No wager may occur twice."""
    words = text.split()
    pairs = list(zip(words[::2], words[1::2], strict=True))
    for i, (name, _) in enumerate(pairs):
        if name not in names:
            raise bad("wager", name, "one of " + ", ".join(names))
        require(name not in dict(pairs[:i]), "wager", f"{name} twice", "each wager once")
    return pairs


class DoWagers(Statement, frozen=True):
    word = "seat"
    usage = "seat N WAGER AMOUNT ..."
    pattern = re.compile(f"seat {SEAT}{PAIRS}")
    own = 2

    action: a.PlaceWagers

    @classmethod
    def of(cls, seat: str, pairs: str) -> Self:
        wagers = {name: parse_cents(amount) for name, amount in _pairs(pairs, placed_wagers())}
        for name, cents in wagers.items():
            require(cents > 0, name, format_cents(cents), "an amount above zero")
        ordered = {name: wagers[name] for name in placed_wagers() if name in wagers}
        return cls(a.PlaceWagers(int(seat), ordered))

    def text(self) -> str:
        wagers = (f"{name} {format_cents(cents)}" for name, cents in self.action.wagers.items())
        return f"seat {self.action.seat} {' '.join(wagers)}"


class DoDice(Statement, frozen=True):
    word = "dice"
    usage = "dice A B C [clockwise], each 1 to 6"
    pattern = re.compile(f"dice {SEAT} {SEAT} {SEAT}( clockwise)?")

    action: a.RollDice

    @classmethod
    def of(cls, one: str, two: str, three: str, clockwise: str | None) -> Self:
        return cls(a.RollDice((int(one), int(two), int(three)), clockwise is not None))

    def text(self) -> str:
        return f"dice {' '.join(map(str, self.action.dice))}" + (" clockwise" if self.action.clockwise else "")


class DoLock(Statement, frozen=True):
    word = usage = "lock"
    pattern = re.compile(usage)

    action: a.Lock = a.Lock()

    def text(self) -> str:
        return self.word


class DoDynamic(Statement, frozen=True):
    word = "dynamic"
    usage = "dynamic LINE=PAY ..., such as dynamic 5-card=200 3-card=8"
    pattern = re.compile("dynamic((?: [^ =]*=[0-9]{1,9})+)")

    action: a.DrawDynamic

    @classmethod
    def of(cls, pays: str) -> Self:
        pairs = (word.split("=") for word in pays.split())
        return cls(a.DrawDynamic(tuple((name, int(pay)) for name, pay in pairs)))

    def text(self) -> str:
        return "dynamic " + " ".join(f"{name}={pay}" for name, pay in self.action.pays)


class DoDeal(Statement, frozen=True):
    """A hand. Cards that the viewer may not see are hidden. A line with hidden cards can be parsed but not played."""

    word = "deal"
    usage = "deal N CARDS, or deal dealer CARDS"
    pattern = re.compile("deal (dealer|(?!00? )[0-9]{1,2}) (.+)")

    action: a.DealHand
    hidden: int = 0

    @classmethod
    def of(cls, who: str, cards: str) -> Self:
        words = [word[i : i + 2] for word in cards.split() for i in range(0, len(word), 2)]
        hand = Hand.parse(" ".join(card for card in words if card != HIDDEN))
        return cls(a.DealHand(DEALER if who == "dealer" else int(who), hand), words.count(HIDDEN))

    def text(self) -> str:
        cards = " ".join(filter(None, (str(self.action.hand), HIDDEN * self.hidden)))
        return f"deal {self.action.seat or 'dealer'} {cards}"


class DoDeck(Statement, frozen=True):
    """A whole deck, beginning with the top card, from which all hands are dealt in the table's order."""

    word = "deck"
    usage = "deck CARDS (all 52, from the top)"
    pattern = re.compile("deck (.+)")

    action: a.Deal

    @classmethod
    def of(cls, cards: str) -> Self:
        return cls(a.Deal(tuple(parse_cards(cards))))

    def text(self) -> str:
        cards = [format_card(card) for card in self.action.deck]
        packets = ("".join(cards[i : i + HAND_SIZE]) for i in range(0, len(cards), HAND_SIZE))
        return f"deck {' '.join(packets)}"


class DoDecision(Statement, frozen=True):
    """A decision. Its line begins with the seat's number."""

    word = "decision"
    usage = "N fold [expose CARDS], or N raise AMOUNT [keep SUIT] [expose CARDS]"
    pattern = re.compile(SEAT + r" (?:fold|raise (\S+)(?: keep (\S+))?)(?: expose((?: (?!keep )\S+)+))?")

    action: a.Fold | a.Raise

    @classmethod
    def of(cls, seat: str, amount: str | None, keep: str | None, cards: str | None) -> Self:
        expose = Hand.parse(cards) if cards else NO_CARDS  # omit_defaults omits the field only if it is this object.
        if amount is None:
            return cls(a.Fold(int(seat), expose))
        return cls(a.Raise(int(seat), parse_cents(amount), parse_suit(keep) if keep else None, expose))

    def text(self) -> str:
        action = self.action
        exposed = f" expose {action.expose}" if action.expose else ""
        if isinstance(action, a.Fold):
            return f"{action.seat} fold{exposed}"
        keep_text = f" keep {SUIT_NAMES[action.keep]}" if action.keep is not None else ""
        return f"{action.seat} raise {format_cents(action.amount_cents)}{keep_text}{exposed}"


class DoVoid(Statement, frozen=True):
    word = "void"
    usage = "void REASON, or void N return|forfeit REASON; `other` must be followed by a text"
    pattern = re.compile(rf"void (?:{SEAT} (return|forfeit) |(?![0-9]{{1,2}}(?: |$)))(\S+)(?: (.+))?")

    action: a.Void | a.VoidHand

    @classmethod
    def of(cls, seat: str | None, disposition: a.Disposition, reason: str, text: str | None) -> Self:
        return cls(a.VoidHand(int(seat), disposition, reason, text or "") if seat else a.Void(reason, text or ""))

    def text(self) -> str:
        action = self.action
        hand = f"{action.seat} {action.disposition} " if isinstance(action, a.VoidHand) else ""
        return f"void {hand}{action.reason} {action.text}".rstrip()


class Expect(Statement, frozen=True):
    """Expected gain or loss of a seat on each wager, in cents."""

    word = "="
    usage = "= N WAGER +AMOUNT or -AMOUNT ..."
    pattern = re.compile(f"= {SEAT}{PAIRS}")

    seat: int
    nets: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, seat: str, amounts: str) -> Self:
        pairs = _pairs(amounts, wagers())
        for name, amount in pairs:
            signed = amount[0] in "+-" or not parse_cents(amount)
            require(signed, name, amount, "a sign, + or -, before the amount")
        return cls(int(seat), tuple((name, parse_cents(amount, signed=True)) for name, amount in pairs))

    def text(self) -> str:
        return f"= {self.seat} " + " ".join(f"{name} {format_net(cents)}" for name, cents in self.nets)


class ExpectMeter(MeterStatement, frozen=True):
    """Expected amount of a meter after the round."""

    word = "="
    usage = f"= {MeterStatement.usage}"
    pattern = re.compile(f"= {MeterStatement.pattern.pattern}")

    def text(self) -> str:
        return f"= {super().text()}"


STATEMENTS: dict[str, type[Statement]] = {
    kind.word: kind
    for kind in (
        *(UseRulebook, UseOffer, UseSetting, UseMeter, DoWagers, DoDice, DoLock),
        *(DoDynamic, DoDeal, DoDeck, DoVoid, Expect),
    )
}


def parse_statement(words: list[str]) -> Statement:
    line = " ".join(words)
    if SEAT_NUMBER.fullmatch(words[0]):
        return DoDecision.parse(line)
    if words[:2] == ["=", "meter"]:
        return ExpectMeter.parse(line)
    if words[0] not in STATEMENTS:
        raise bad("statement", line, f"one of {', '.join(STATEMENTS)}, or a seat's number")
    return STATEMENTS[words[0]].parse(line)
