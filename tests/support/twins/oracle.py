"""A second settlement, written from the specification alone and as literally as possible.

It shares no code with the engine: it parses the text of one complete, legal round itself, reads the packaged documents
with `tomllib`, and returns what every wager gained or lost (cents) and what every meter then holds (millionths of a
dollar). It is slow and obvious on purpose. It checks nothing: an illegal round gives nonsense or an error.
"""

import tomllib
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import highcardflush
from support.data.tables import OWN

DOCUMENTS = Path(highcardflush.__file__).parent / "rulebook" / "documents"
RANKS = "23456789TJQKA"
SUITS = "cdhs"
SETTLEMENT = (6, 5, 4, 3, 2, 1)  # S14
WAGERS = ("ante", "raise", "flush", "straight-flush", "progressive", "envy")  # S14
CENT = 10_000  # S3: a cent in millionths of a dollar
# S1: narrow caps before wide ones, the player's before the table's. Each: setting, wagers, whether for one player.
CAPS: tuple[tuple[str, tuple[str, ...], bool], ...] = (
    ("cap-flush-player", ("flush",), True),
    ("cap-straight-flush-player", ("straight-flush",), True),
    ("cap-player", WAGERS, True),
    ("cap-flush-table", ("flush",), False),
    ("cap-straight-flush-table", ("straight-flush",), False),
    ("cap-table", WAGERS, False),
)

Key = tuple[int, str]  # seat, wager


@dataclass
class Round:
    """The statements of one round."""

    rulebook: str = ""
    offers: dict[str, tuple[str, Fraction]] = field(default_factory=dict)  # wager: pay table, base in dollars
    settings: dict[str, str] = field(default_factory=dict)
    meters: dict[str, int] = field(default_factory=dict)
    reserves: dict[str, int] = field(default_factory=dict)
    stakes: dict[Key, int] = field(default_factory=dict)  # with the raises
    dynamic: dict[str, int] = field(default_factory=dict)
    hands: dict[str, list[str]] = field(default_factory=dict)
    suits_kept: dict[int, str] = field(default_factory=dict)
    exposed: dict[int, list[str]] = field(default_factory=dict)
    void: bool = False
    locked: bool = False
    void_hands: dict[int, str] = field(default_factory=dict)
    dice: list[str] = field(default_factory=list)


def exactly(value: Fraction) -> int:
    assert value.denominator == 1
    return int(value)


def cents(dollars: Any) -> int:
    return exactly(Fraction(str(dollars)) * 100)


def micros(dollars: Any) -> int:
    return exactly(Fraction(str(dollars)) * 1_000_000)


def percent(text: str) -> Fraction:
    return Fraction(text.removesuffix("%")) / 100


def cards_of(words: list[str]) -> list[str]:
    text = "".join(words)
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def read_round(text: str) -> Round:
    game = Round()
    for row in text.splitlines():
        words = row.split("#")[0].split()
        if not words:
            continue
        first, rest = words[0], words[1:]
        game.locked = game.locked or first in ("lock", "dynamic", "deal", "deck")
        if first == "rulebook":
            game.rulebook = rest[0]
        elif first == "offer":
            base = rest[2].removeprefix("base=") if len(rest) > 2 else "1"
            game.offers[rest[0]] = (rest[1], Fraction(base))
        elif first == "set":
            game.settings[rest[0]] = rest[1]
        elif first == "meter":
            game.meters[rest[0]] = micros(rest[1])
            if len(rest) > 2:
                game.reserves[rest[0]] = micros(rest[2].removeprefix("reserve="))
        elif first == "seat":
            for i in range(1, len(rest), 2):
                game.stakes[int(rest[0]), rest[i]] = cents(rest[i + 1])
        elif first == "dynamic":
            for word in rest:
                line, pay = word.split("=")
                game.dynamic[line] = int(pay)
        elif first == "deal":
            game.hands[rest[0]] = cards_of(rest[1:])
        elif first == "dice":
            game.dice = rest
        elif first == "deck":
            deal_deck(game, cards_of(rest))
        elif first == "void" and rest[0].isdigit():
            game.void_hands[int(rest[0])] = rest[1]
        elif first == "void":
            game.void = True
        elif first.isdigit():
            seat = int(first)
            if "expose" in rest:
                game.exposed[seat] = cards_of(rest[rest.index("expose") + 1 :])
            if "keep" in rest:
                game.suits_kept[seat] = rest[rest.index("keep") + 1][0]
            if rest[0] == "raise":
                game.stakes[seat, "raise"] = cents(rest[1])
        else:
            assert first in ("hcf", "lock"), row
    return game


def deal_deck(game: Round, deck: list[str]) -> None:
    """Return the packets of seven: to players from left to right and the dealer last, or as the dice say."""
    players = [str(seat) for seat in sorted({seat for seat, _ in game.stakes})]
    places = [*players, "dealer"]
    if game.dice:
        ring = ["1", "2", "3", "4", "5", "6"] if "clockwise" in game.dice else ["6", "5", "4", "3", "2", "1"]
        ring = ["dealer", *ring]
        for _ in range(sum(map(int, game.dice[:3])) - 1):
            ring.append(ring.pop(0))
        places = ring
    for place in places:
        packet, deck = deck[:7], deck[7:]
        if place in (*players, "dealer"):
            game.hands[place] = packet


def document(name: str) -> dict[str, Any]:
    if name in OWN:  # changes settings only
        own = tomllib.loads(OWN[name])
        below = document(own["extends"])
        return {**below, "settings": {**below.get("settings", {}), **own.get("settings", {})}}
    return tomllib.loads((DOCUMENTS / f"{name}.toml").read_text(encoding="utf-8"))


def suit_ranks(cards: list[str], suit: str) -> list[int]:
    """Return the ranks held in a suit, 2 to 14, highest first."""
    return sorted((RANKS.index(card[0]) + 2 for card in cards if card[1] == suit), reverse=True)


def strength(ranks: list[int]) -> tuple[int, list[int]]:
    """Return the number of cards, then their ranks from highest to lowest (G2)."""
    return len(ranks), ranks


def best_flush(cards: list[str]) -> list[int]:
    return max((suit_ranks(cards, suit) for suit in SUITS), key=strength)


def kept_suit(game: Round, seat: int) -> str:
    """Return the suit that plays: the one named, or else the best. Of equal suits, one without exposed cards plays."""
    if seat in game.suits_kept:
        return game.suits_kept[seat]
    cards = game.hands[str(seat)]
    best = [suit for suit in SUITS if suit_ranks(cards, suit) == best_flush(cards)]
    hidden_suits = [suit for suit in best if not suit_ranks(game.exposed.get(seat, []), suit)]
    return (hidden_suits or best)[0]


def straights(cards: list[str]) -> list[tuple[int, int]]:
    """Return every straight flush in the cards, with parts of longer ones, as (cards, highest rank) (G9)."""
    runs = []
    for suit in SUITS:
        ranks = suit_ranks(cards, suit)
        if 14 in ranks:
            ranks.append(1)
        for top in range(3, 15):
            for length in range(3, 8):
                if all(rank in ranks for rank in range(top - length + 1, top + 1)):
                    runs.append((length, top))
    return runs


def straight_line(table: dict[str, Any], cards: list[str]) -> dict[str, Any] | None:
    """Return the first line of the table that a straight flush in the cards reaches (G10, V8)."""
    for line in table["lines"]:
        for length, top in straights(cards):
            if length > line["cards"]:
                return dict(line)
            if length == line["cards"] and (top == 14 or not line.get("ace-high")):
                return dict(line)
    return None


def flush_line(table: dict[str, Any], cards: list[str]) -> dict[str, Any] | None:
    for line in table["lines"]:
        if len(best_flush(cards)) >= line["cards"]:
            return dict(line)
    return None


def pay_cap(payouts: dict[Key, int], keys: list[Key], cap: int) -> None:
    """Reduce these payouts to the cap (S1). `keys` are in settlement order, then wager order."""
    total = sum(payouts[key] for key in keys)
    if total <= cap:
        return
    exact = {key: Fraction(payouts[key] * cap, total) for key in keys}
    for key in keys:
        payouts[key] = exact[key].numerator // exact[key].denominator
    rest_cents = cap - sum(payouts[key] for key in keys)
    by_remainder = sorted(keys, key=lambda key: exact[key] - payouts[key], reverse=True)  # stable
    for key in by_remainder[:rest_cents]:
        payouts[key] += 1


@dataclass
class Meter:
    """A meter with its configuration, all in millionths; `reseed` is for the base bet."""

    amount: int
    reserve: int
    rate: Fraction
    reserve_rate: Fraction
    reseed: int
    hits: str
    bonus: bool
    returns: bool  # W5a: the amount is restored with the next round
    pool: int = 0  # S2: cents of the first 100 % win

    def move(self, stake: int, sign: int) -> None:
        """Add the contribution of a bet, or reverse it (S4). A bonus display does not grow (W5a)."""
        if not self.bonus:
            self.amount += sign * exactly(stake * CENT * self.rate)
            self.reserve += sign * exactly(stake * CENT * self.reserve_rate)

    def empty(self) -> int:
        """Return the whole cents that a 100 % win pays. The fraction stays, and the meter restarts (S3, V13)."""
        pay = self.amount // CENT
        self.amount -= pay * CENT
        start = max(self.reseed, self.reserve)
        self.amount += start
        self.reserve -= start
        if self.reserve_rate == 0 and self.reserve < 0:  # The house gives the rest, and keeps no account of it here.
            self.reserve = min(0, self.reserve + start)
        return pay


def meters_of(game: Round, table: dict[str, Any], base: Fraction, settings: dict[str, Any]) -> dict[str, Meter]:
    """Return the meters of a progressive pay table before the wagers lock (S15)."""
    meters = {}
    bonus = settings.get("jackpot") == "bonus"
    if bonus:
        base = Fraction(1)  # W5a: the operator sets the amount, whatever the bet
    for line in table["lines"]:
        name = line.get("meter", "progressive")
        if name in meters or not str(line["pay"]).endswith("%"):
            continue
        own = table.get("meters", {}).get(name, {})
        prefix = "" if name == "progressive" else name + "-"
        seed = settings.get(prefix + "seed", own.get("seed", 0))
        reseed = settings.get(prefix + "reseed", seed)
        meters[name] = Meter(
            amount=game.meters.get(name, exactly(micros(seed) * base)),
            reserve=game.reserves.get(name, 0),
            rate=percent(settings.get(prefix + "rate", own.get("rate", "0%"))),
            reserve_rate=percent(settings.get(prefix + "reserve-rate", own.get("reserve-rate", "0%"))),
            reseed=exactly(micros(reseed) * base),
            hits=settings.get(prefix + "hits", settings.get("hits", "each" if bonus else "share")),
            bonus=bonus,
            returns=settings.get(prefix + "display-returns") == "on",
        )
    return meters


def bonus_pays(lines: dict[int, dict[str, Any]], meters: dict[str, Meter]) -> dict[int, int]:
    """Pay every percentage of the amount displayed at the lock, then deduct the payouts from it (W5a)."""
    pays = {}
    for name, meter in meters.items():
        winners = {
            seat: percent(lines[seat]["pay"])
            for seat in SETTLEMENT
            if seat in lines
            and str(lines[seat]["pay"]).endswith("%")
            and lines[seat].get("meter", "progressive") == name
        }
        display_cents = meter.amount // CENT
        first = True
        whole = list(winners.values()).count(Fraction(1))
        for seat, part in winners.items():
            pays[seat] = min(ceil(meter.amount * part / CENT), display_cents)
            if part == 1 and meter.hits == "share":
                pays[seat] = display_cents // whole + (display_cents % whole if first else 0)
                first = False
        meter.amount = max(0, meter.amount - sum(pays[seat] for seat in winners) * CENT)
        if winners and meter.returns:
            meter.amount = meter.reseed
    return pays


def percentage_pays(lines: dict[int, dict[str, Any]], meters: dict[str, Meter]) -> dict[int, int]:
    """Return the meters' payouts in cents (S2, S3). `lines` holds the line that each hand reached."""
    pays = {}
    for seat in SETTLEMENT:
        if seat not in lines or not str(lines[seat]["pay"]).endswith("%"):
            continue
        name = lines[seat].get("meter", "progressive")
        meter = meters[name]
        if meter.bonus:
            return bonus_pays(lines, meters)
        if lines[seat]["pay"] != "100%":
            share = meter.amount * percent(lines[seat]["pay"])
            pays[seat] = min(ceil(share / CENT), meter.amount // CENT)
            meter.amount -= pays[seat] * CENT
            continue
        winners = [
            other
            for other in SETTLEMENT
            if other in lines and lines[other]["pay"] == "100%" and lines[other].get("meter", "progressive") == name
        ]
        if seat == winners[0] or meter.hits == "in-turn":
            meter.pool = meter.empty()
        if meter.hits == "share":
            pays[seat] = meter.pool // len(winners)
            if seat == winners[0]:
                pays[seat] += meter.pool % len(winners)
        else:
            pays[seat] = meter.pool
    return pays


def settle_text(text: str) -> tuple[dict[Key, int], dict[str, tuple[int, int]]]:
    """Return the net cents of each seat and wager, and each meter's amount and reserve in millionths of a dollar.

    Every wager that was made has its key, including a Raise and one that pushes or is void. `envy` has one if
    another hand earns an Envy Pay, even if a cap leaves nothing of it.
    """
    game = read_round(text)
    book = document(game.rulebook)
    settings = {**book.get("settings", {}), **game.settings}
    offers = game.offers or {offer["wager"]: (offer["paytable"], Fraction(1)) for offer in book.get("offers", [])}
    tables: dict[str, dict[str, Any]] = {}
    for wager, (paytable, _) in offers.items():
        owner, _, identity = paytable.rpartition("/")
        tables[wager] = document(owner or game.rulebook)["paytables"][identity]
    base = Fraction(1)
    meters: dict[str, Meter] = {}
    if "progressive" in offers:
        base = offers["progressive"][1]
        meters = meters_of(game, tables["progressive"], base, settings)

    # The wagers lock: contributions, and those that a void reverses (S4, S6).
    # A round that is voided before the wagers lock (no lock, no draw, no card) has none.
    for meter in meters.values():
        for (seat, wager), stake in game.stakes.items():
            if wager == "progressive" and game.locked:
                meter.move(stake, +1)
                is_returned = game.void or game.void_hands.get(seat) == "return"
                if is_returned and not book.get("meter-never-falls"):
                    meter.move(stake, -1)
    net: dict[Key, int] = {}
    payouts: dict[Key, int] = {}  # the win beyond the stake; for a "for 1" bet, the full pay
    keys = [(seat, wager) for seat in SETTLEMENT for wager in WAGERS if (seat, wager) in game.stakes]
    playing = []
    for key in keys:
        if game.void or game.void_hands.get(key[0]) == "return":
            net[key] = 0
        elif game.void_hands.get(key[0]) == "forfeit":
            net[key] = -game.stakes[key]
        else:
            playing.append(key)

    # The jackpot, hand by hand.
    lines: dict[int, dict[str, Any]] = {}
    bettors = [seat for seat, wager in playing if wager == "progressive"]
    for seat in bettors:
        if str(seat) in game.hands:  # S12
            line = straight_line(tables["progressive"], game.hands[str(seat)])
            if line is not None:
                lines[seat] = line
    from_meter = percentage_pays(lines, meters)

    for seat, wager in playing:
        stake = game.stakes[seat, wager]
        cards = game.hands.get(str(seat), [])
        has_raised = (seat, "raise") in game.stakes
        key = (seat, wager)
        if wager in ("ante", "raise"):
            net[key], payouts[key] = main_game(game, settings, seat, wager) if has_raised else (-stake, 0)
            continue
        if wager == "flush":
            line = flush_line(tables[wager], cards)
        elif wager == "straight-flush":
            exposed_cards = [card for card in cards if card in game.exposed.get(seat, [])]
            if has_raised and book.get("exposing-ends-bet") and straight_line(tables[wager], exposed_cards):  # M3
                line = straight_line(tables[wager], exposed_cards)
            elif book["expose"] == "required":  # A3
                raised_cards = [card for card in cards if has_raised and card[1] == kept_suit(game, seat)]
                in_shown = straight_line(tables[wager], exposed_cards)
                in_kept = straight_line(tables[wager], raised_cards)
                lines_reached = [line for line in tables[wager]["lines"] if line in (in_shown, in_kept)]
                line = lines_reached[0] if lines_reached else None
            else:
                line = straight_line(tables[wager], cards)
        else:
            line = lines.get(seat)
        net[key] = -stake
        payouts[key] = 0
        if line is None:
            continue
        if tables[wager]["pays"] == "to 1":
            net[key] = 0
        if wager == "progressive" and seat in from_meter:
            net[key] += from_meter[seat]  # never capped
        elif line.get("dynamic") and f"{line['cards']}-card" in game.dynamic:
            payouts[key] = game.dynamic[f"{line['cards']}-card"] * stake
        else:
            payouts[key] = line["pay"] * stake

    # V5: each qualifying hand pays every other bettor.
    for seat in bettors:
        for other in bettors:
            envy = lines.get(other, {}).get("envy", 0)
            if other != seat and envy and settings.get("envy") != "off":
                net[seat, "envy"] = 0
                payouts[seat, "envy"] = payouts.get((seat, "envy"), 0) + exactly(envy * base * 100)

    order = [(seat, wager) for seat in SETTLEMENT for wager in WAGERS if (seat, wager) in payouts]
    for cap, wagers, one_player in CAPS:
        if cap in settings:
            scopes = [[seat] for seat in SETTLEMENT] if one_player else [list(SETTLEMENT)]
            for seats in scopes:
                scope = [key for key in order if key[0] in seats and key[1] in wagers]
                pay_cap(payouts, scope, cents(settings[cap]))
    for key in payouts:
        net[key] += payouts[key]
    return net, {name: (meter.amount, meter.reserve) for name, meter in meters.items()}


def qualifies(dealer: list[int], least: str) -> bool:
    """Return whether the dealer qualifies (G6): more cards than required, or as many, of at least these ranks."""
    if least == "any":
        return True
    cards, _, ranks = least.partition(":")
    needed_ranks = [RANKS.index(rank) + 2 for rank in ranks.split("-") if rank]
    return len(dealer) > int(cards) or (len(dealer) == int(cards) and dealer[: len(needed_ranks)] >= needed_ranks)


def main_game(game: Round, settings: dict[str, Any], seat: int, wager: str) -> tuple[int, int]:
    """Return the loss and the win of an Ante or a Raise whose hand did not fold (G6, G7)."""
    stake = game.stakes[seat, wager]
    dealer = best_flush(game.hands["dealer"])
    player = suit_ranks(game.hands[str(seat)], kept_suit(game, seat))
    if not qualifies(dealer, str(settings.get("qualifier", "3:9"))):
        return (0, stake) if wager == "ante" else (0, 0)
    if strength(player) > strength(dealer):
        return 0, stake
    if strength(player) < strength(dealer):
        return -stake, 0
    return 0, 0
