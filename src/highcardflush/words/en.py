"""The English catalogue: one sentence per code."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Any, Literal

from highcardflush.cards import RANK_NAMES, RANKS, SUIT_NAMES, Hand
from highcardflush.money import format_rate, say_cents, say_micros
from highcardflush.ranking import NUMBER_NAMES, FlushRank, Showdown
from highcardflush.rulebook.document import Qualifier
from highcardflush.rulebook.load import is_changed
from highcardflush.rulebook.model import Rulebook, quoted
from highcardflush.rulebook.paytable import Line, PayTable, Plan
from highcardflush.rulebook.table_settings import EVERY_WAGER
from highcardflush.rulebook.wagers import PROGRESSIVE, SIDE_BETS, Amounts, wagers

Values = Mapping[str, Any]
Catalogue = Mapping[str, Callable[[Values], str]]
ZoneDecision = Literal["fold", "raise", "other-cards"]
HOUSE_PLAYERS = (
    "Ruth", "Omar", "Lena", "Hugo", "Mei", "Ivo", "Nora", "Amir", "Ines", "Paul", "Yuki", "Tom", "Ada", "Luis", "Vera",
    "Finn", "Zoe", "Karl",
)  # fmt: skip
"""Names of the house players. A table has six of them at most."""
NOT_QUALIFIED = "dealer does not qualify"
SHOWDOWNS: dict[Showdown, str] = {
    "fold": "fold",
    "not-qualified": NOT_QUALIFIED,
    "win": "win",
    "tie": "tie",
    "lose": "lose",
}
SUIT_SIGNS = "♣♦♥♠"
BONUS_JACKPOT = "bonus jackpot"
"""Name of a jackpot whose amount is set and paid by the house. It is never called a progressive."""
DYNAMIC_DEFAULTS = "The pays listed are the defaults; the return includes the Dynamic Pays."
DOLLAR_CENTS = 100
"""Bet in cents for which documents print the pays of a jackpot."""
PAYS_FOR_BASE = {"envy": "Envy Pays", "dynamic": "Dynamic Pays"}
"""Pays that are multiplied by the base bet like those of the pay table, keyed by the feature that they belong to."""
MOST_SIZES = 4
"""Maximum number of Raise sizes that are listed one by one."""
ZONES: dict[ZoneDecision, str] = {
    "fold": "always fold",
    "raise": "always raise",
    "other-cards": "the other cards decide",
}


def say_wager(rulebook: Rulebook, wager: str) -> str:
    """Return the name of a wager or meter for use in a sentence. A bonus jackpot is never called a progressive."""
    return say_bet(wager, bonus=rulebook.jackpot_mode == "bonus").replace("-", " ")


def say_bet(wager: str, *, bonus: bool) -> str:
    return BONUS_JACKPOT if bonus and wager == PROGRESSIVE else wager


def say_rulebook(rulebook: Rulebook) -> str:
    return f"{rulebook.name}{_changes(rulebook)}"


def say_version(rulebook: Rulebook) -> str:
    return f"{rulebook.name} version {rulebook.version}{_changes(rulebook)}"


def _changes(rulebook: Rulebook) -> str:
    return ", changed by the house" if is_changed(rulebook) else ""


def say_title(wager: str, *, bonus: bool = False) -> str:
    """Return a wager's title on the felt; `main` is Ante and Raise together."""
    if wager == PROGRESSIVE and bonus:
        return BONUS_JACKPOT.title()
    return "Ante and Raise" if wager == "main" else wagers()[wager].title


def say_meter(meter: str) -> str:
    """Return a meter's name in a sentence: `meter`, or `level 1` if it has levels."""
    return "meter" if meter == PROGRESSIVE else meter.replace("-", " ")


def say_line(table: PayTable, line: Line) -> str:
    """Return the name of a pay-table line: `5-card straight flush`."""
    return f"{say_line_short(line)} {SIDE_BETS[table.wager].noun}"


def say_line_short(line: Line) -> str:
    """Return a line's name without the kind of hand, for use under a heading that gives it: `5-card`."""
    return line.label or f"{line.cards}-card"


def say_result(table: PayTable | None, name: str) -> str:
    """Return the name of a pay-table line, or the words for a showdown's outcome."""
    words: dict[str, str] = {line.name: say_line(table, line) for line in table.lines} if table else {}
    ends = (text for code, text in SHOWDOWNS.items() if code == name)
    return words.get(name) or next(ends, name)


def say_pay(table: PayTable, line: Line, base_cents: int, *, bonus: bool = False) -> str:
    """Return a line's pay: `10 to 1`, `$50` for the base bet, `10 % of meter`, or `10 % of display`."""
    if line.percent_bp is not None:
        return f"{format_rate(line.percent_bp).removesuffix('%')} % of {'display' if bonus else say_meter(line.meter)}"
    if SIDE_BETS[table.wager].jackpot:
        return say_cents(line.pay_for_1 * base_cents)
    return f"{line.pay_for_1:,} {table.pays}"


def pay_rows(
    table: PayTable, base_cents: int, *, envy: bool = True, every_dynamic: bool = False, bonus: bool = False
) -> list[dict[str, str]]:
    """Return the rows of a pay table, with pays in dollars. Each row maps column headings to the texts of its cells.

    Dynamic Pays are shown as a range unless `every_dynamic` is set.
    """
    rows = []
    for line in table.lines:
        row = {"hand": say_line(table, line), "pays": say_pay(table, line, base_cents, bonus=bonus)}
        if envy and any(each.envy for each in table.lines):
            row["Envy Pay"] = say_cents(line.envy * base_cents) if line.envy else ""
        if table.dynamic_lines:
            pays = [say_cents(pay * base_cents) for pay in sorted(line.dynamic)]
            row["Dynamic Pays"] = " ".join(pays) if every_dynamic or not pays else f"{pays[0]} to {pays[-1]}"
        rows.append(row)
    return rows


def say_meter_plans(table: PayTable, base_cents: int, plans: Mapping[str, Plan] | None = None) -> list[str]:
    """Return a sentence about each meter of a pay table: its plan, or the figures that the rulebook prints for it."""
    return [_meter_plan(table, name, base_cents, (plans or {}).get(name)) for name in table.meter_names]


def _meter_plan(table: PayTable, name: str, base_cents: int, plan: Plan | None) -> str:
    meter, printed = say_meter(name).capitalize(), table.meters.get(name)
    if plan is not None:
        seed, rate, reserve = say_micros(plan.seed_micros), plan.rate_bp, plan.reserve_rate_bp
    elif printed is not None:
        seed = say_cents((printed.seed or 0) * base_cents // 100)
        rate, reserve = printed.rate or 0, printed.reserve_rate or 0
    else:
        return f"{meter}: the operator sets the seed and the rates."
    main_text = f"{format_rate(rate)} of each bet" if rate else "none"
    reserve_text = f"{format_rate(reserve)} of each bet" if reserve else "none"
    return f"{meter}: seed {seed}, main contribution {main_text}, reserve contribution {reserve_text}."


def say_qualifier(flush: FlushRank) -> str:
    return f"The dealer qualifies with {Qualifier.of(flush).words}."


def say_amounts(amounts: Amounts) -> str:
    """Return amounts as text: `$25`, `$25 or $50`, `$5 to $100 in steps of $5`, `$5 or more`."""
    if amounts.choices:
        return " or ".join(map(say_cents, amounts.choices))
    steps = f" in steps of {say_cents(amounts.step_cents)}" if amounts.step_cents > 1 else ""
    low, high = say_cents(amounts.minimum_cents), amounts.maximum_cents
    if high is None:
        return ("any amount" if amounts.minimum_cents == 1 else f"{low} or more") + steps
    return f"{low} to {say_cents(high)}{steps}"


def say_posted(code: str, values: Values) -> tuple[str, str]:
    """Return a line that is posted at a table: a short form of it, and the whole text."""
    short, text = POSTED[code](values)
    return short, text or short


def _limit(values: Values) -> tuple[str, str]:
    """Return a wager's limits without a step, because the table's increment has a separate line."""
    title = say_title(values["wager"], bonus=values["bonus"])
    amounts = say_amounts(Amounts(values["minimum_cents"], values["maximum_cents"], 1))
    return f"{title} {amounts}", f"{title}: {amounts}."


def _raises(values: Values) -> tuple[str, str]:
    (first, size), *rows = values["antes"]
    sizes = ", ".join([f"{size} the Ante with {first} cards", *(f"{size} with {cards}" for cards, size in rows)])
    return f"Raise {sizes}", f"Raise: {sizes}."


def _cap(values: Values) -> tuple[str, str]:
    player, amount = values["scope"] == "player", say_cents(values["cents"])
    title = say_title(values["wager"]) if values["wager"] != EVERY_WAGER else ""
    if title:
        where = f"on the {title} of one hand" if player else f"on all {title} bets of one round"
        brief = f"on the {title}, one hand" if player else f"on all {title} bets, one round"
    else:
        where = "to one player on one hand" if player else "in one round, over the whole table"
        brief = "to one player, one hand" if player else "to the whole table, one round"
    beyond = {"meter": "what is won from the meter", "bonus": f"percentages of the {BONUS_JACKPOT}"}
    short, text = f"Pays at most {amount} {brief}", f"No more than {amount} is paid {where}."
    if "beyond" not in values:
        return short, text
    uncapped = beyond[values["beyond"]]
    return f"{short} (not {uncapped})", f"{text} This does not limit {uncapped}."


def _games(values: Values) -> tuple[str, str]:
    most = NUMBER_NAMES[values["most"]]
    spots = f"{most.capitalize()} wagering spots: at most {most} separate games may be bet on one hand"
    return f"{most.capitalize()} wagering spots a hand", f"{spots} (Ante and Raise together count as one)."


def _games_above(values: Values) -> tuple[str, str]:
    most, amount = NUMBER_NAMES[values["most"]], say_cents(values["cents"])
    return f"At most {most} of them above {amount}", f"At most {most} of these games may take a wager above {amount}."


def _mandatory(values: Values) -> tuple[str, str]:
    name = say_bet(values["wager"], bonus=values["bonus"])
    return f"Every Ante needs the {name} bet", f"The {name} bet is required with every Ante."


def _base(values: Values) -> tuple[str, str]:
    """Return the notice about the bet for which the pays are listed, which is the table's base bet."""
    base_cents, name = values["base_cents"], BONUS_JACKPOT if values["bonus"] else PROGRESSIVE
    pays = [f"{name.capitalize()} pays", *(each for key, each in PAYS_FOR_BASE.items() if values[key])]
    listed = f"{' and '.join([', '.join(pays[:-1]), pays[-1]] if len(pays) > 1 else pays)} are for a bet of"
    short = f"{pays[0]} are for a {say_cents(base_cents)} bet"
    if base_cents == DOLLAR_CENTS:
        return short, f"{listed} $1."
    times = f"{base_cents / DOLLAR_CENTS:g}"
    seeds = "" if values["bonus"] else " So are the seed and the reseed of the meter."
    text = f"{listed} {say_cents(base_cents)}: they are already multiplied by {times}.{seeds}"
    return f"{short}, already multiplied", text


def _several(values: Values) -> tuple[str, str]:
    meter, policy = values["meter"], values["policy"]
    whole = f"the {BONUS_JACKPOT}" if values["bonus"] else "the meter"
    whole = whole if meter == PROGRESSIVE else f"{say_meter(meter)} of {whole}" if values["bonus"] else say_meter(meter)
    several = f"If several players win 100 % of {whole} in one round"
    return {
        "share": (f"Several winners share {whole} equally", f"{several}, they share it equally."),
        "each": (f"Each of several winners gets all of {whole}", f"{several}, each of them gets the whole amount."),
        "in-turn": (
            f"Several winners of {whole} are paid in turn, the later ones after a reseed",
            f"{several}, they are paid in the order of settlement: the first gets the whole amount, and each later one "
            "gets the amount to which it is reseeded.",
        ),
    }[policy]


POSTED: Mapping[str, Callable[[Values], tuple[str, str]]] = {
    "limit": _limit,
    "raise": _raises,
    "increment": lambda values: (
        f"Wagers in multiples of {say_cents(values['cents'])}",
        f"Every wager is a multiple of {say_cents(values['cents'])}.",
    ),
    "cap": _cap,
    "games": _games,
    "games-above": _games_above,
    "mandatory": _mandatory,
    "base": _base,
    "hits": _several,
    "notice": lambda values: (values["notice"], ""),
    "bonus-notice": lambda values: (quoted(values["notice"]), ""),
}
"""The lines that are posted at a table. Each gives a short form and the whole text, or no text if both are equal."""


def say_raise(low: Fraction, high: Fraction, step: Fraction | None) -> str:
    """Return the allowed Raises in Antes as text: `1x`, `1x or 2x`, `0.5x to 2x`, `0.5x to 3x in steps of 0.5x`."""
    if low == high:
        return _antes(high)
    ends = f"{_antes(low)} to {_antes(high)}"
    if step is None:
        return ends
    sizes = [low + i * step for i in range(int((high - low) / step) + 1)]
    return " or ".join(map(_antes, sizes)) if len(sizes) <= MOST_SIZES else f"{ends} in steps of {_antes(step)}"


def _antes(multiple: Fraction) -> str:
    return f"{float(multiple):g}x"


def say_source(rulebook: Rulebook) -> str:
    source = rulebook.source
    return ", ".join(filter(None, (source.document, source.publisher, source.place, source.edition)))


def say_raises(rulebook: Rulebook) -> list[tuple[str, str]]:
    """Return pairs of flush lengths and the Raises allowed with them: `2 to 4` and `1x`, `6 or 7` and `1x or 2x`."""
    rule, rows = rulebook.raise_, []
    sizes = {cards: say_raise(*rulebook.raise_antes(cards), rulebook.raise_step) for cards in rule.largest}
    for size, group in groupby(sizes, lambda cards: sizes[cards]):
        cards = [str(count) for count in group]
        rows.append((" or ".join(cards) if len(cards) < 3 else f"{cards[0]} to {cards[-1]}", size))
    return rows


def say_flush(flush: FlushRank, other: FlushRank) -> str:
    """Return text such as `four cards, ace high`, with enough ranks to distinguish the flush from the other one."""
    names, count = flush.names, 1
    if flush.length == other.length:
        pairs = enumerate(zip(names, other.names, strict=True), 1)
        count = next((i for i, (mine, theirs) in pairs if mine != theirs), len(names))
    ranks = f"{names[0]} high" if count == 1 else "-".join(names[:count])
    return f"{NUMBER_NAMES[flush.length]} cards, {ranks}"


def _flush(short: str) -> FlushRank:
    """Parse the text of `FlushRank.short`."""
    ranks = [RANKS.index(rank) for rank in short.split("-")]
    return FlushRank(len(ranks), sum(1 << rank for rank in ranks))


def _no_dealer(values: Values) -> str:
    needs = say_needs(values)
    return f"{NOT_QUALIFIED} with {_flush(values['dealer'])}" + (f" ({needs})" if needs else "")


def say_needs(values: Values) -> str:
    """Return what the dealer needs to qualify, or an empty text if the qualifier is the printed one."""
    return f"needs {Qualifier.parse(values['needs']).words}" if "needs" in values else ""


def _seat(values: Values, verb: str, to_you: str) -> str:
    """Return text such as `seat 3 wins`, or `you win` if the reader is in that seat."""
    return f"you {to_you}" if values["seat"] == values["you"] else f"seat {values['seat']} {verb}"


def _showdown(verb: str, to_you: str) -> Callable[[Values], str]:
    def text(values: Values) -> str:
        flush, dealer = _flush(values["flush"]), _flush(values["dealer"])
        ends = f"{_seat(values, verb, to_you)} with {say_flush(flush, dealer)}"
        return f"dealer qualifies with {say_flush(dealer, flush)}; {ends}"

    return text


def _match(values: Values) -> str:
    """Return the cards that a side bet matched: `five-card flush`, `three-card straight flush, eight high`."""
    top = f", {RANK_NAMES[values['top']]} high" if "top" in values else ""
    return f"{NUMBER_NAMES[values['cards']]}-card {SIDE_BETS[values['wager']].noun}{top}"


def _takes(values: Values, *, bonus: bool = False) -> str:
    policy, of = values.get("policy"), f"{values['meter']} meter"
    if bonus:
        level = "" if values["meter"] == PROGRESSIVE else f", {say_meter(values['meter'])}"
        of = f"{BONUS_JACKPOT} displayed{level}"
    share = f" ({values['winners']} winners: {policy})" if policy else ""
    paid = say_cents(values["paid_cents"])
    return f"{_match(values)}, takes {format_rate(values['percent_bp'])} of the {of}: {paid}{share}"


def _cut(values: Values) -> str:
    cap, full, paid = (say_cents(values[key]) for key in ("cap_cents", "full_cents", "paid_cents"))
    return f"{values['cap']} {cap} cuts {full} to {paid}"


REASONS: Catalogue = {
    "fold": lambda values: _seat(values, "folded", "folded"),
    "not-qualified": lambda values: (
        f"{_no_dealer(values)}; {_seat(values, 'is', 'are')} paid on the Ante, the Raise pushes"
    ),
    "win": _showdown("wins", "win"),
    "tie": _showdown("ties", "tie"),
    "lose": _showdown("loses", "lose"),
    "dealer-qualifies": lambda values: f"dealer qualifies with {_flush(values['dealer'])}",
    "dealer-does-not-qualify": _no_dealer,
    "pays": lambda values: f"{_match(values)}{',' if 'top' in values else ''} pays {values['pay']} {values['pays']}",
    "pays-cents": lambda values: (
        f"{_match(values)}, pays {say_cents(values['pay_cents'])} for {say_cents(values['base_cents'])}"
    ),
    "takes": _takes,
    "takes-bonus": partial(_takes, bonus=True),
    "no-pay": lambda values: f"{_match(values)}{':' if 'top' in values else ''} does not pay",
    "none": lambda values: f"no {SIDE_BETS[values['wager']].noun}",
    "none-shown": lambda values: f"no {SIDE_BETS[values['wager']].noun} was kept or laid face up",
    "not-entered": "no winning hand was shown".format_map,
    "envy": lambda values: f"Envy Pay of {say_cents(values['cents'])} for seat {values['seat']}'s hand",
    "hand-void": lambda values: (
        f"hand void ({values['words']}), wager {'returned' if values['disposition'] == 'return' else 'forfeited'}"
    ),
    "round-void": "round void ({words}), wager returned".format_map,
    "cut": _cut,
}


def say_cards(hand: Hand) -> str:
    return " ".join(say_rank(RANKS[card % 13]) + SUIT_SIGNS[card // 13] for card in hand)


def say_rank(rank: str) -> str:
    return "10" if rank == "T" else rank


def _ranks(short: str) -> str:
    return "-".join(map(say_rank, short.split("-")))


def _coach_rule(values: Values) -> str:
    says = f"{values['says']}{' too' if values['says'] == values['best'] else ''}: you hold {_ranks(values['flush'])}."
    return f"The simple rule (raise with {_ranks(values['rule'])} or better) says {says}"


def _coach_others(values: Values) -> str:
    turns = {
        "decide": "Your other cards decide",
        "agree": "Your other cards do not change that",
        "count": f"Counted exactly, it is a {values['best']}",
    }
    return (
        f"{turns[values['turn']]}: with only your {_ranks(values['flush'])} known, a raise of "
        f"{say_cents(values['raise_cents'])} is worth {values['alone_antes']} antes; "
        f"with all your cards, {values['value_antes']} antes."
    )


def _coach_takes(values: Values) -> str:
    hand = Hand.parse(values["cards"])
    verb = "take cards" if len(hand) > 1 else "takes a card"
    return f"Your {say_cards(hand)} {verb} from the dealer's {SUIT_NAMES[values['suit']]}: they {_coach_often(values)}"


def _coach_often(values: Values) -> str:
    return f"beat you {values['beaten_percent']} % of the time instead of {values['without_percent']} %."


def _coach_luck(values: Values) -> str:
    degree = ("ordinary", "rather {}", "very {}", "extremely {}")[values["degree"]].format(values["side"])
    often = f"{values['of_100']} of 100" if values["of_100"] else "none"
    often = f"1 of {values['one_of']:,}" if values["one_of"] else often
    return f"Your luck was {degree}: about {often} such sessions end at least as far from the expected result."


def _coach_loss(values: Values) -> str:
    return f"That gives away {say_cost(values['cost_cents'])} on average ({values['antes']} antes)."


def say_cost(cents: float | Fraction) -> str:
    return say_cents(round(cents)) if cents >= 1 else "less than a cent"


COACH: Catalogue = {
    "coach-loss": _coach_loss,
    "coach-short": lambda values: (
        f"You have too little left for a raise of {say_cents(values['raise_cents'])}, which would be best."
    ),
    "coach-rule": _coach_rule,
    "coach-sure": "Your other cards cannot change that.".format_map,
    "coach-seen": "The face-up cards decide here: without them, you would {instead}.".format_map,
    "coach-others": _coach_others,
    "coach-takes": _coach_takes,
    "coach-leaves": lambda values: (
        f"You hold {'few' if values['cards'] else 'no'} {SUIT_NAMES[values['suit']]}: "
        f"the dealer's {_coach_often(values)}"
    ),
    "coach-luck": _coach_luck,
    "coach-luck-early": (
        "Luck is measured in standard deviations, which mean little before about {enough} rounds.".format_map
    ),
}

ACTIONS = {
    "PlaceWagers": "wagers",
    "ClearWagers": "wagers taken back",
    "RollDice": "dice",
    "Lock": "lock",
    "DrawDynamic": "dynamic",
    "DealHand": "deal of a hand",
    "Deal": "deal from a deck",
    "Fold": "fold",
    "Raise": "raise",
    "TimeOut": "time out",
    "VoidHand": "void of a hand",
    "Settle": "settlement",
    "Void": "void",
}

REFUSALS: dict[str, tuple[str, str, str]] = {
    "other-table": (
        "the round was opened at a different table",
        "{name} @{hash}",
        "{opened} @{opened_hash} with the offers and settings of the round",
    ),
    "wrong-phase": ("the round is in phase {phase}", "{action}", "{possible}"),
    "unknown-meter": ("meter", "{meter}", "{known}"),
    "other-meters": ("meters", "{read}", "{expected}"),
    "meter-too-low": ("meter {meter}", "{amount}", "{least} or more"),
    "hands-not-of-seven": ("{counts}", "settlement", "a void"),
    "no-such-seat": ("seat", "seat {seat}", "a seat from 1 to {seats}"),
    "empty-seat": ("seat", "seat {seat}", "a seat with a wager ({taken})"),
    "not-offered": ("seat {seat}: wager not offered", "{wager}", "one of {offered}"),
    "display-zero": (
        "seat {seat}: the bonus jackpot is closed because its display shows zero",
        "a wager on {wager}",
        "no such wager until the display is set again",
    ),
    "other-display": ("display of bonus jackpot {meter}", "{amount}", "{locked}, as when the wagers locked"),
    "wager-amount": ("seat {seat}: {wager}", "{amount}", "{amounts}"),
    "wager-missing": ("seat {seat}: a wager is missing", "{made}", "a wager on {wager}"),
    "no-wager": ("lock", "no wager", "a wager from at least one seat"),
    "no-dice-here": ("dealing", "dice", "{methods}"),
    "dice-rolled": ("dice", "a second roll or a roll after the deal", "one roll before the deal"),
    "dice-spots": ("dice", "{dice}", "three dice, each 1 to 6"),
    "dice-direction": ("dice", "{way}", "{expected}, the direction at this table"),
    "dice-first": ("deal", "no roll of the dice", "a roll before the deal"),
    "no-dynamic-here": (
        "dynamic",
        "a draw of Dynamic Pays",
        "no draw, because no pay table with Dynamic Pays is offered",
    ),
    "dynamic-drawn": ("dynamic", "a second draw or a draw after a card", "one draw before the first card"),
    "dynamic-first": ("dynamic", "no draw of Dynamic Pays", "a draw before the first card"),
    "dynamic-lines": ("dynamic", "{read}", "1 to {most} different lines from {lines}"),
    "dynamic-line": ("dynamic", "{line}", "one of {lines}"),
    "dynamic-pay": ("dynamic {line}", "{pay}", "one of {pays}"),
    "deck": ("deck", "{cards} cards, {different} of them different", "each of the 52 cards once"),
    "hands-dealt": ("some hands have been dealt", "a deck", "the other hands, one by one"),
    "no-hand-left": ("every hand has been dealt", "another hand", "no more hands"),
    "no-dealer-here": ("deal", "the dealer's hand", "a player's hand, because this table runs only the jackpot"),
    "hand-cards": ("deal {who}", "{hand}", "a hand of at least one card"),
    "second-hand": ("deal {who}", "a second hand", "one hand each"),
    "card-twice": ("card dealt twice", "{cards} for {who}, already dealt to {other}", "each card once"),
    "decided": ("seat {seat}", "a second decision", "a seat without a decision ({undecided})"),
    "void-hand": ("seat {seat}", "a decision on a void hand", "a seat without a decision ({undecided})"),
    "keep-suit": ("seat {seat}: keep", "{keep}", "a suit from 0 to 3"),
    "no-keep-here": ("seat {seat}: keep", "{suit}", "no suit, because in {rulebook} the best flush always plays"),
    "flush-too-short": ("seat {seat}: the flush that plays", "{flush}", "a suit with at least two cards ({suits})"),
    "raise-amount": ("seat {seat}: raise with a {cards}-card flush", "{amount}", "{amounts}"),
    "no-expose-here": (
        "seat {seat}: expose",
        "{cards}",
        "no exposed cards, because in {rulebook} all seven cards count",
    ),
    "expose-others": ("seat {seat}: expose", "{cards}", "cards from the seat's own hand ({allowed})"),
    "expose-kept": ("seat {seat}: expose", "{cards}", "cards that are not kept ({allowed})"),
    "void-reason": ("void of a {what}", "{reason}", "one of {codes}; `other` must be followed by a text"),
    "void-text": ("void", "{read}", "one line of text without # after other, and no text after any other reason"),
    "void-twice": ("seat {seat}", "a second void", "only one void per hand"),
    "all-void": ("every hand is void", "another void", "no more voids of hands"),
    "void-disposition": ("void", "{disposition}", "return or forfeit"),
}
"""Refusals of an action, each with its subject, the value read and the value expected."""


def say_count(hands: Mapping[int, int], size: int) -> str:
    """Return text such as `seat 2 has 6 cards, the dealer has 8 cards instead of 7`."""
    who = (f"{f'seat {number}' if number else 'the dealer'} has {count} cards" for number, count in hands.items())
    return ", ".join(who) + f" instead of {size}"
