"""Ways to break each clause in the running engine. `golden.bites` finds the rounds that detect them.

A breakage is a function that takes a monkeypatch. `swap` replaces a function wherever it was imported; `around` and
`wrapped` build on the original. `written` changes a rulebook before a table is configured from it, `table` the complete
rules of the table.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from highcardflush import jackpot, money, ranking
from highcardflush.cards import ACE, SUIT_MASK, Hand
from highcardflush.game import actions, caps, dealing, decisions, legal, phases, settle, sidebets
from highcardflush.game.state import Result, Settlement, State
from highcardflush.game.step import _draw_dynamic, _roll_dice, _undecided
from highcardflush.jackpot import Meter
from highcardflush.notation.replay import _find, _refuse_short_hands
from highcardflush.ranking import FlushRank
from highcardflush.rulebook import wagers as w
from highcardflush.rulebook.check import _bonus_jackpot, _jackpot, _printed
from highcardflush.rulebook.document import Cents, Qualifier, SeparateGames
from highcardflush.rulebook.load import _foreign_offers, configure, content_hash, packaged
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Line, Offer, PayTable, Plan
from highcardflush.rulebook.table_settings import Settings

Breakage = Callable[[pytest.MonkeyPatch], None]
Anything = Callable[..., Any]


def swap(old: Anything, new: Anything) -> Breakage:
    """Replace a function in every module and in every dispatch table that refers to it."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        for module in [module for name, module in sys.modules.items() if name.startswith("highcardflush")]:
            for name, value in list(vars(module).items()):
                if (replacement := _exchanged(value, old, new)) is not value:
                    patch.setattr(module, name, replacement)

    return apply


def _exchanged(value: Any, old: Anything, new: Anything) -> Any:
    if value is old:
        return new
    if type(value) is dict and any(each is old for each in value.values()):
        return {key: new if each is old else each for key, each in value.items()}
    if type(value) is tuple and any(each is old for each in value):
        return tuple(new if each is old else each for each in value)
    return value


def method(owner: type, name: str, new: Any) -> Breakage:
    return lambda patch: patch.setattr(owner, name, new)


def constant(module: str, name: str, value: Any) -> Breakage:
    return lambda patch: patch.setattr(sys.modules[f"highcardflush.{module}"], name, value)


def entry(table: dict[Any, Any], key: Any, value: Any) -> Breakage:
    return lambda patch: patch.setitem(table, key, value)


def both(*breakages: Breakage) -> Breakage:
    def apply(patch: pytest.MonkeyPatch) -> None:
        for breakage in breakages:
            breakage(patch)

    return apply


def written(**changes: Any) -> Breakage:
    """Change every rulebook before its offers and settings are applied and checked."""
    return swap(configure, lambda book, *rest: configure(replace(book, **changes), *rest))


def table(edit: Callable[[Rulebook], Rulebook]) -> Breakage:
    """Change the complete rules of every table."""
    return swap(configure, lambda *parts: edit(configure(*parts)))


def rules(**changes: Any) -> Breakage:
    return table(lambda book: replace(book, **changes))


def setting(**changes: Any) -> Breakage:
    return table(lambda book: replace(book, settings=replace(book.settings, **changes)))


def tables(edit: Callable[[PayTable], PayTable]) -> Breakage:
    return table(lambda book: replace(book, paytables={key: edit(each) for key, each in book.paytables.items()}))


def lines(edit: Callable[[Line], Line]) -> Breakage:
    return tables(lambda each: replace(each, lines=tuple(edit(line) for line in each.lines)))


def raising(kind: str = "", antes: int = 0) -> Breakage:
    """Set another kind of Raise, or allow this many Antes with any flush."""

    def edit(book: Rulebook) -> Rulebook:
        rule = book.raise_
        most = {cards: antes or largest for cards, largest in rule.maximum.items()}
        return replace(book, raise_=replace(rule, kind=kind or rule.kind, maximum=most))

    return table(edit)


def plans(edit: Callable[[Plan], Plan]) -> Breakage:
    plan = Rulebook._plan
    return method(Rulebook, "_plan", lambda *parts: edit(plan(*parts)))


def around(old: Anything, new: Anything) -> Breakage:
    """Replace a function with one that receives the original as its first argument."""
    return swap(old, lambda *parts, **rest: new(old, *parts, **rest))


def wrapped(old: Anything, change: Callable[..., Any]) -> Breakage:
    """Replace a function with one that changes its result: `change` receives the result and the arguments."""
    return swap(old, lambda *parts, **rest: change(old(*parts, **rest), *parts))


def matching(match: Callable[[int], w.Match]) -> Breakage:
    return both(*(entry(w.SIDE_BETS, name, replace(bet, match=match)) for name, bet in w.SIDE_BETS.items() if bet.tops))


def compared(key: Callable[[FlushRank], Any]) -> Breakage:
    def showdown(flush: FlushRank, dealer: FlushRank, qualifier: FlushRank) -> str:
        if not ranking.dealer_qualifies(dealer, qualifier):
            return "not-qualified"
        return "win" if key(flush) > key(dealer) else "lose" if key(flush) < key(dealer) else "tie"

    return swap(ranking.showdown, showdown)


def nothing(*_: object) -> None:
    return None


def _round_the_ace(mask: int) -> w.Match:
    masks = [(mask << by | mask >> 13 - by) & SUIT_MASK for by in range(13)]
    return max(w.straight_flush_match(each) for each in masks)


def _lost_with_the_hand(results: list[Result], *_: object) -> list[Result]:
    ante_lost = any(result.wager == w.ANTE.name and result.outcome == "lose" for result in results)
    return [replace(result, net_cents=-result.stake_cents) if ante_lost else result for result in results]


def _in_turn(total: int, shares: Sequence[int]) -> list[int]:
    cents: list[int] = []
    for share in shares:
        cents.append(min(share, total - sum(cents)))
    return cents


def _for_a_dollar(result: Result, *_: object) -> Result:
    extra = 0 if result.meter_cents else result.full_cents - result.full_cents * 100 // result.stake_cents
    full, net = result.full_cents - extra, result.net_cents - extra
    return replace(result, full_cents=full, paid_cents=full, net_cents=net)


def _all_from_the_meter(pays: Any, book: Rulebook, lines_reached: dict[int, Line | None], *_: object) -> Any:
    meters, moves = pays
    base = getattr(book.offer(w.PROGRESSIVE), "base", 0)
    fixed = sum(line.pay_for_1 * base for line in lines_reached.values() if line and line.percent_bp is None)
    return {name: meter.minus(Meter(fixed * money.MICROS_PER_CENT)) for name, meter in meters.items()}, moves


def _most_this_round(pay: int, state: State, line: Line) -> int:
    return max([pay, *(other for name, other in state.dynamic or () if int(name[0]) < line.cards)])


def _worst(hand: Hand, *_: object) -> int:
    return min(range(4), key=lambda suit: (not hand.suit(suit), hand.suits[suit].bit_count()))


def _worst_of_longest(hand: Hand) -> FlushRank:
    flushes = [FlushRank(mask.bit_count(), mask) for mask in hand.suits]
    return min(flush for flush in flushes if flush.length == max(flushes).length)


def _whole_cents(meter: Meter) -> Meter:
    return Meter(meter.amount_micros // money.MICROS_PER_CENT * money.MICROS_PER_CENT, meter.reserve_micros)


def _one_of_each(offers: Sequence[Offer] | None) -> list[Offer] | None:
    return list({offer.wager: offer for offer in offers}.values()) if offers else None


def _one_more_reason(book: Rulebook) -> Rulebook:
    reasons = list(book.irregularities.items())
    return replace(book, irregularities=dict(reasons + [("rainstorm", same) for _, same in reasons[:1]]))


def _for_either(book: Rulebook) -> Rulebook:
    either = {code: replace(reason, voids="either") for code, reason in book.irregularities.items()}
    return replace(book, irregularities=either)


def _kept(settlement: Settlement, *_: object) -> Settlement:
    return replace(settlement, results=tuple(replace(each, net_cents=-each.stake_cents) for each in settlement.results))


SEAT_AT = dealing.seat_at
PLAN, CAPS_IN_FORCE = Rulebook._plan, vars(Settings)["caps_in_force"].func
OTHER_POLICY = {"share": "each", "each": "in-turn", "in-turn": "share"}
ANY_AMOUNT = {wager: w.Amounts(1, None, 1) for wager in w.placed_wagers()}

any_wager = swap(legal.allowed_wagers, lambda *_: ANY_AMOUNT)
fixed_limits = swap(legal._limits, lambda *_: w.Amounts(500, 5000, 1))
all_required = swap(legal.required_wagers, lambda book: set(legal.allowed_wagers(book)))
ante_enough = swap(legal.required_wagers, lambda *_: {w.ANTE.name})
nothing_required = swap(legal.required_wagers, lambda *_: set())
any_count = both(swap(_refuse_short_hands, nothing), swap(phases._settle, nothing))
best_plays = swap(ranking.flush_of, lambda hand, _: ranking.flush_rank(hand))
worst_of_longest = swap(ranking.flush_rank, _worst_of_longest)
nothing_kept = rules(expose="refused")
hidden_paid = rules(expose="optional")
any_exposed = swap(decisions._check_exposed, nothing)
one_more = lines(lambda line: replace(line, pay=line.pay + 1) if isinstance(line.pay, int) else line)
a_cent_less = around(caps._cut, lambda old, cap, *rest: old(replace(cap, cents=cap.cents - 1), *rest))
loosened = swap(_printed, lambda _: ())
any_scope = table(_for_either)
no_caps = swap(caps.apply_caps, lambda _, results: list(results))
first_seat_first = table(lambda book: replace(book, settlement=replace(book.settlement, seats=(1, 2, 3, 4, 5, 6))))
wagers_kept = wrapped(settle.void_settlement, _kept)
OTHER_END = {"forfeit": "return", "return": "forfeit"}
void_contrary = around(
    settle._void_results,
    lambda old, *parts: old(*parts[:-1], replace(parts[-1], disposition=OTHER_END[parts[-1].disposition])),
)
void_decides = both(
    entry(phases.FULL["showdown"], actions.Raise, phases.DECISION),
    swap(_undecided, lambda state, number: state.seat(number)),
)
cents_cut = swap(money.parse_cents, lambda text, *, signed=False: money.parse_micros(text, signed=signed) // 10_000)
seed_nothing = plans(lambda plan: replace(plan, seed_micros=0))
seed_for_a_dollar = method(
    Rulebook, "_plan", lambda book, name, printed, offer: PLAN(book, name, printed, replace(offer, base=Cents(100)))
)
pays_for_a_dollar = wrapped(settle._jackpot_result, _for_a_dollar)
dollars_from_meter = wrapped(settle._pay_meters, _all_from_the_meter)
no_default = table(lambda book: book if book.printed_offers is not None else replace(book, offers=()))
nothing_offered = table(lambda book: replace(book, offers=()))

BREAKAGES: dict[str, dict[str, Breakage]] = {
    "G1": {
        "a hand is of six cards": constant("notation.replay", "HAND_SIZE", 6),
        "a hand is of any number of cards": any_count,
    },
    "G2": {
        "rank comes before length": compared(lambda flush: (flush.ranks, flush.length)),
        "only the highest card counts": compared(lambda flush: (flush.length, flush.ranks.bit_length())),
        "the ace is low": compared(lambda flush: (flush.length, flush.ranks & ~(1 << ACE))),
        "the worst of the longest suits counts": worst_of_longest,
    },
    "G3": {"a run beats a flush": compared(lambda flush: (flush.length, ranking.longest_run(flush.ranks)))},
    "G4": {"no Ante is required": nothing_required, "side bets are required": all_required},
    "G5": {
        "a fold costs nothing": wrapped(settle._main_results, lambda results, *_: results if len(results) > 1 else []),
        "a player decides twice": swap(_undecided, lambda state, number: state.seat(number)),
    },
    "G6": {
        "every dealer qualifies": swap(ranking.dealer_qualifies, lambda *_: True),
        "ten high is needed": setting(qualifier=Qualifier.parse("3:T")),
        "nine high is needed of any length": swap(
            ranking.dealer_qualifies, lambda flush, qualifier: flush.length > 2 and flush.ranks >= qualifier.ranks
        ),
    },
    "G7": {
        "the higher hand loses": entry(ranking.MAIN_PAYS, "win", (-1, -1)),
        "a tie loses": entry(ranking.MAIN_PAYS, "tie", (-1, -1)),
    },
    "G8": {"side bets are lost with the hand": wrapped(settle._seat_results, _lost_with_the_hand)},
    "G9": {
        "no ace is in a run": matching(lambda mask: w.straight_flush_match(mask & ~(1 << ACE))),
        "a run goes round the ace": matching(_round_the_ace),
    },
    "G10": {
        "the lowest line is paid": method(
            PayTable,
            "line_at",
            lambda self, reach: next((line for line in self.lines[::-1] if reach >= line.reach), None),
        )
    },
    "G11": {"five players at most": setting(seats=5), "seven players": setting(seats=7)},
    "V1": {
        "nothing is offered": nothing_offered,
        "all is offered": any_wager,
        "limits are not the operator's": fixed_limits,
    },
    "V2": {"whole Antes only": raising("multiples"), "1x at most": raising(antes=1), "3x always": raising(antes=3)},
    "V5": {"no Envy Pay": swap(settle._envy_results, lambda *_: [])},
    "V6": {"an Ante is enough": ante_enough, "nothing is mandatory": written(mandatory_allowed=False)},
    "V7": {
        "the default is paid": swap(sidebets.fixed_pay, lambda _, line: line.pay_for_1),
        "anything is drawn": swap(_draw_dynamic, lambda _, state, action: (replace(state, dynamic=action.pays), ())),
    },
    "V8": {"a lower line that pays more is paid": wrapped(sidebets.fixed_pay, _most_this_round)},
    "V9": {
        "pays are to 1": around(settle._result, lambda old, *parts, **rest: old(*parts, **(rest | {"for_1": False}))),
        "pays are for $1": pays_for_a_dollar,
        "seeds are for $1": seed_for_a_dollar,
    },
    "V10": {"one meter for all levels": lines(lambda line: replace(line, meter="level-1"))},
    "V11": {"an ace high is not asked for": lines(lambda line: replace(line, ace_high=False))},
    "V12": {"every line pays one more": one_more, "a meter starts at nothing": seed_nothing},
    "V13": {
        "the reserve funds no seed": plans(lambda plan: replace(plan, reserve_rate_bp=0)),
        "a reserve without a rate is left alone": swap(
            jackpot._reseed,
            lambda moves, meter, plan: jackpot._move(moves, meter, Meter(plan.reseed_micros), -plan.reseed_micros),
        ),
    },
    "A2": {"3x always": raising(antes=3), "any multiple": raising("multiples")},
    "A3": {"it is paid face down": hidden_paid, "any cards are laid face up": any_exposed},
    "A4": {"the best flush plays": best_plays},
    "A5": {"every line pays one more": one_more},
    "A6": {
        "steps of $10": setting(increment=1000),
        "no steps": setting(increment=None),
        "a table loosens what is printed": loosened,
    },
    "A7": {"no cap": no_caps, "a cent less": a_cent_less, "a table loosens what is printed": loosened},
    "W1": {"always the most": raising("exact"), "3x always": raising(antes=3)},
    "W2": {
        "three games": written(separate_games=SeparateGames(maximum=3, above=3, amount=Cents(500))),
        "no limit": written(separate_games=None),
    },
    "W3": {"side bets are required": all_required, "a side bet is mandatory": written(mandatory_allowed=True)},
    "W4": {"every line pays one more": one_more},
    "W5": {"every line pays one more": one_more, "a jackpot needs no figures": swap(_jackpot, lambda _: ())},
    "W5a": {
        "the display grows": plans(lambda plan: replace(plan, rate_bp=2000) if plan.bonus else plan),
        "a winner takes from another": swap(
            jackpot._pay_display, lambda plan, *rest: jackpot.pay_hits(replace(plan, bonus=False), *rest)
        ),
        "the bet multiplies the display": plans(lambda plan: replace(plan, seed_micros=5 * plan.seed_micros)),
        "a display of nothing is bet on": swap(jackpot.is_closed, lambda *_: False),
        "a display of nothing closes the table": wrapped(
            legal.closed_wagers, lambda closed_wagers, *_: set(w.placed_wagers()) if closed_wagers else closed_wagers
        ),
        "winners are paid in turn": swap(_bonus_jackpot, lambda _: ()),
    },
    "W5b": {"the meter stands still": plans(lambda plan: replace(plan, rate_bp=0))},
    "W6": {"dollars come from the meter": dollars_from_meter},
    "W7": {"pays are for $1": pays_for_a_dollar, "seeds are for $1": seed_for_a_dollar},
    "W8": {"an id is one table everywhere": tables(lambda each: packaged("galaxy-v7").paytables.get(each.id, each))},
    "W9": {"no cap": no_caps},
    "W10": {
        "the dealer is always first": swap(dealing.first_position, lambda _: 1),
        "a die has any spots": swap(_roll_dice, lambda _, state, action: (replace(state, dice=action.dice), ())),
    },
    "M1": {"whole Antes only": raising("multiples"), "3x always": raising(antes=3)},
    "M2": {"the worst flush plays": swap(decisions.default_keep, _worst)},
    "M3": {
        "it must be laid face up": rules(expose="required"),
        "the bet goes on after it is paid": rules(exposing_ends_bet=False),
    },
    "M4": {"every line pays one more": one_more},
    "M5": {"the best flush plays": best_plays},
    "O1": {"seven players": setting(seats=7)},
    "O2": {"always the most": raising("exact"), "3x always": raising(antes=3)},
    "O3": {
        "no Ante is required": nothing_required,
        "wagers after the lock": entry(phases.FULL["locked"], actions.PlaceWagers, ("locked",)),
    },
    "O4": {"no limits": any_wager, "limits are not the table's": fixed_limits},
    "O5": {"the dealer first": wrapped(dealing.deal_order, lambda order, *_: order[::-1])},
    "O6": {"a void keeps the wagers": wagers_kept, "a hand is of any number of cards": any_count},
    "O7": {
        "return takes and forfeit returns": void_contrary,
        "a void hand decides": void_decides,
        "conduct voids the round": any_scope,
    },
    "O9": {
        "the best flush plays": best_plays,
        "any cards are laid face up": any_exposed,
        "a win must be laid face up": rules(expose="required"),
        "nothing is laid face up": nothing_kept,
    },
    "O11": {"seat 1 first": first_seat_first},
    "O12": {"every line pays one more": one_more},
    "O13": {"no cap": no_caps, "a cent less": a_cent_less, "a table loosens what is printed": loosened},
    "O14": {
        "a void keeps the wagers": wagers_kept,
        "one more reason": table(_one_more_reason),
        "a misdeal voids one hand": any_scope,
    },
    "S1": {
        "the first are paid in full": swap(money.split_in_proportion, _in_turn),
        "the table's cap comes first": method(
            Settings, "caps_in_force", property(lambda self: CAPS_IN_FORCE(self)[::-1])
        ),
        "a meter's pay is cut": around(
            caps.apply_caps, lambda old, limits, rows: old(limits, [replace(row, meter_cents=0) for row in rows])
        ),
    },
    "S2": {
        "another policy": around(
            jackpot.pay_hits, lambda old, plan, *rest: old(replace(plan, hits=OTHER_POLICY[plan.hits]), *rest)
        ),
        "another order": around(
            jackpot.pay_hits, lambda old, plan, meter, hits, *rest: old(plan, meter, hits[::-1], *rest)
        ),
    },
    "S3": {
        "percentages are rounded down": swap(
            jackpot._percentage_cents, lambda meter, bp: meter.amount_micros * bp // 10**8
        ),
        "fractions of a cent are lost": wrapped(
            jackpot.pay_hits, lambda payouts, *_: (_whole_cents(payouts[0]), payouts[1])
        ),
    },
    "S4": {
        "a void does the contrary": table(lambda book: replace(book, meter_never_falls=not book.meter_never_falls)),
        "nothing is added": swap(settle.contributions, lambda *_: {}),
    },
    "S5": {
        "dollars come from the meter": dollars_from_meter,
        "a win leaves the meter": wrapped(jackpot.pay_hits, lambda payouts, _, meter, *__: (meter, payouts[1])),
    },
    "S6": {
        "a void keeps the wagers": wagers_kept,
        "return takes and forfeit returns": void_contrary,
        "a void hand decides": void_decides,
    },
    "S7": {"less than a cent is dropped": cents_cut},
    "S8": {
        "the hash is not of the content": swap(content_hash, lambda _: "0" * 64),
        "no hash is checked": swap(_find, lambda _, use, find: find(use.name)),
    },
    "S10": {
        "limits of $5 and $50": fixed_limits,
        "any amount": any_wager,
        "a progressive bet of $1": wrapped(
            legal.allowed_wagers, lambda allowed, _: allowed | {w.PROGRESSIVE: w.Amounts(100, 100, 1)}
        ),
    },
    "S11": {
        "the best flush plays": best_plays,
        "nothing is kept": nothing_kept,
        "the worst of the longest suits plays": worst_of_longest,
        "a flush is kept everywhere": table(
            lambda book: replace(book, expose="optional") if book.expose == "refused" else book
        ),
    },
    "S12": {"all is played": method(Rulebook, "progressive_only", False)},
    "S13": {
        "the last of two": around(configure, lambda old, book, offers, *rest: old(book, _one_of_each(offers), *rest)),
        "no progressive": table(
            lambda book: replace(book, offers=tuple(each for each in book.offers if each.wager != w.PROGRESSIVE))
        ),
    },
    "S14": {"seat 1 first": first_seat_first},
    "S15": {
        "nothing is offered by default": no_default,
        "all is offered by default": any_wager,
        "a meter starts at nothing": seed_nothing,
    },
    "S17": {
        "any direction is rolled": setting(dice_direction="any"),
        "the deal goes the other way": swap(
            dealing.seat_at, lambda position, *, clockwise: SEAT_AT(position, clockwise=not clockwise)
        ),
    },
    "S25": {"any pay table is offered": swap(_foreign_offers, lambda _: ())},
}
"""Breakages of each clause, keyed by clause and then by what is broken."""
