"""Checks of a rulebook that go beyond its types. `problems` prevent loading; `warnings` name legal but risky values."""

import re
from collections.abc import Iterator

from msgspec.structs import astuple

from highcardflush.cards import HAND_SIZE
from highcardflush.errors import RulebookError
from highcardflush.money import WHOLE_BP, format_cents, format_rate, say_cents
from highcardflush.ranking import SMALLEST_FLUSH
from highcardflush.rulebook.document import MAX_SEATS, OTHER, PRINTED, Multiple
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import METER_NAMES, Line, PayTable
from highcardflush.rulebook.settings import format_setting, limit_key, meter_key
from highcardflush.rulebook.table_settings import INCREMENT, Settings, is_looser
from highcardflush.rulebook.wagers import ANTE, PROGRESSIVE, SIDE_BETS, bonus_bets, wagers

_CODE = re.compile(r"[a-z]+(-[a-z]+)*")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
Problems = Iterator[RulebookError]


def problems(rulebook: Rulebook) -> Problems:
    for check in _CHECKS:
        yield from check(rulebook)


def warnings(rulebook: Rulebook) -> Iterator[str]:
    settings = rulebook.settings
    changed_rules = other_game(settings)
    if "qualifier" in changed_rules:
        yield f"settings.qualifier: read {changed_rules['qualifier']}, but every packaged document prints {PRINTED}"
    if "raise-step" in changed_rules:
        advice = "but no packaged document has a raise-step, so adapt the rules and the procedure yourself"
        yield f"settings.raise-step: read {changed_rules['raise-step']}, {advice}"
    if "raise-minimum" in changed_rules:
        yield (
            f"settings.raise-minimum: read {settings.raise_minimum}, expected 1x: a Raise smaller than the Ante lowers "
            "the house's edge, and at 0.5x the player has the edge"
        )
    if rulebook.bonus_jackpot and not all(plan.seed_micros for plan in rulebook.plans.values()):
        yield "settings.seed: read nothing, so the bonus jackpot's display starts at zero unless a meter is given"
    if rulebook.offer(PROGRESSIVE) is None and settings.hits is not None:
        yield "settings.hits: no effect, because no progressive is offered"
    for paytable in rulebook.not_of_source:
        yield f"offers: read {paytable}, a pay table that its source does not print"
    for key, printed in rulebook.source_printed.items():
        if is_looser(key, value := settings.printable.get(key), printed):
            read = "none" if value is None else format_cents(value)
            yield f"settings.{key}: read {read}, which is looser than the {format_cents(printed)} printed in its source"
    if rulebook.posted_limits and "limits" not in rulebook.features:
        expected = "a posted table minimum and maximum, which every table of a house must have"
        yield f"settings.ante-minimum, settings.ante-maximum: read nothing, expected {expected}"
    for _, key in _meter_keys(settings):
        if rulebook.offer(PROGRESSIVE) is None:
            yield f"settings.{key}: no effect, because no progressive is offered"
        elif rulebook.bonus_jackpot and key.endswith(("rate", "reseed")):
            yield f"settings.{key}: no effect, because a bonus jackpot's display does not grow or reseed by itself"
        elif not rulebook.bonus_jackpot and key.endswith("display-returns"):
            yield f"settings.{key}: no effect, because no bonus jackpot is offered"


def other_game(settings: Settings) -> dict[str, str]:
    changed_rules = {key: value for key, value in settings.own_rules.items() if value != Settings().own_rules[key]}
    smaller = {"raise-minimum": settings.raise_minimum} if settings.raise_minimum < 100 else {}
    return {key: format_setting(value) for key, value in (changed_rules | smaller).items()}


def _problem(key: str, read: object, expected: str) -> RulebookError:
    return RulebookError(key, read=str(read), expected=expected)


def _tables(rulebook: Rulebook) -> Problems:
    for key, table in rulebook.paytables.items():
        at = f"paytables.{key}"
        if table.wager not in SIDE_BETS:
            yield _problem(f"{at}.wager", repr(table.wager), "one of " + ", ".join(SIDE_BETS))
            continue
        if not _ID.fullmatch(table.id):
            yield _problem("paytables", repr(table.id), "an id that consists of letters, digits, - . and _")
        if not table.lines:
            yield _problem(f"{at}.lines", "no line", "at least one line")
        for i, line in enumerate(table.lines):
            yield from _line(f"{at}.lines[{i}]", table, line)
        for i, (above, below) in enumerate(zip(table.lines, table.lines[1:], strict=False), 1):
            if (above.cards, above.ace_high) <= (below.cards, below.ace_high):
                expected = f"a line below {above.name}, because the best line comes first"
                yield _problem(f"{at}.lines[{i}]", below.name, expected)
            if _worth(above) < _worth(below):  # A higher line is harder to reach.
                expected = f"at most {above.pay}, the pay of the higher line {above.name}"
                yield _problem(f"{at}.lines[{i}].pay", below.pay, expected)
        yield from _meters(at, table)


def _line(at: str, table: PayTable, line: Line) -> Problems:
    bet = SIDE_BETS[table.wager]
    if line.cards < bet.smallest:
        yield _problem(f"{at}.cards", line.cards, f"{bet.smallest} or more for a {bet.name} bet")
    if line.ace_high and not bet.tops:
        yield _problem(f"{at}.ace-high", "true", f"no such key on a {bet.noun} line")
    if not bet.jackpot and line.percent_bp:
        yield _problem(f"{at}.pay", line.pay, "a whole number, because only a progressive pays from a meter")
    for key, pays in (("envy", line.envy), ("dynamic", list(line.dynamic))):
        if not bet.jackpot and pays:
            yield _problem(f"{at}.{key}", pays, "no such key, because only a progressive has it")
    if line.meter not in METER_NAMES:
        yield _problem(f"{at}.meter", repr(line.meter), "one of " + ", ".join(METER_NAMES))
    if line.dynamic and (len(line.dynamic) != 10 or isinstance(line.pay, str) or min(line.dynamic) <= line.pay):
        yield _problem(f"{at}.dynamic", list(line.dynamic), f"ten pays, each above the default pay {line.pay}")


def _worth(line: Line) -> tuple[int, int]:
    """Return a sort key for a line's pay. A percentage of a meter ranks above any fixed pay."""
    return (1, line.percent_bp) if line.percent_bp is not None else (0, int(line.pay))


def _meters(at: str, table: PayTable) -> Problems:
    names = table.meter_names
    jackpot = SIDE_BETS[table.wager].jackpot
    if jackpot and not names:
        yield _problem(f"{at}.lines", "fixed pays only", "a percentage of the meter on the best line")
    if jackpot and table.pays != "for 1":
        yield _problem(f"{at}.pays", repr(table.pays), "'for 1', because a progressive bet's stake is not returned")
    for name in names if jackpot else ():
        if not any(line.meter == name and line.percent_bp == WHOLE_BP for line in table.lines):
            expected = f"a line that pays 100% of the meter {name}, because otherwise nobody can win it"
            yield _problem(f"{at}.lines", "no such line", expected)
    if names and "progressive" in names and len(names) > 1:
        yield _problem(f"{at}.lines", ", ".join(names), "either the meter progressive or level-1 and level-2")
    if 0 < len(table.dynamic_lines) < 2:
        expected = "two or more, because at least one keeps its default pay"
        yield _problem(f"{at}.lines", "one line with dynamic", expected)
    for name, plan in table.meters.items():
        if name not in names:
            yield _problem(f"{at}.meters", repr(name), "a meter that a line pays from: " + (", ".join(names) or "none"))
        if plan.seed is None or plan.rate is None:
            yield _problem(f"{at}.meters.{name}", "no seed or no rate", "both")
    if table.meters and set(names) - set(table.meters):
        yield _problem(f"{at}.meters", ", ".join(table.meters), "every meter: " + ", ".join(names))


def _games(rulebook: Rulebook) -> Problems:
    limit, games = rulebook.separate_games, len(rulebook.offers) + 1
    if limit is None:
        return
    if games > limit.maximum:
        read = f"{games} separate games (Ante and {games - 1} side bets)"
        yield _problem("offers", read, f"at most {limit.maximum} separate games on one hand")
    above = [(name, most) for name, most in _largest_wagers(rulebook) if most is None or most > limit.amount]
    if len(above) > limit.above:
        amount = say_cents(limit.amount)
        read = ", ".join(f"{name} {f'up to {say_cents(most)}' if most else 'of any amount'}" for name, most in above)
        yield _problem("settings", read, f"at most {limit.above} separate games that offer a wager above {amount}")


def _largest_wagers(rulebook: Rulebook) -> Iterator[tuple[str, int | None]]:
    """Yield each game with its largest wager, or `None` if any amount is allowed. In the main game, it is the Raise."""
    ante = rulebook.settings.limits_on(ANTE.name).maximum
    yield "raise", None if ante is None else ante * max(rulebook.raise_.largest.values(), default=1)
    for offer in rulebook.offers:
        bet = SIDE_BETS.get(offer.wager)
        if bet is not None:
            yield bet.name, offer.base if bet.jackpot else rulebook.settings.limits_on(bet.name).maximum


def _offers(rulebook: Rulebook) -> Problems:
    wagers_seen = set()
    for i, offer in enumerate(rulebook.offers):
        if offer.wager not in SIDE_BETS:
            yield _problem(f"offers[{i}].wager", repr(offer.wager), "one of " + ", ".join(SIDE_BETS))
            continue
        jackpot = SIDE_BETS[offer.wager].jackpot
        at, table = f"offers.{offer.wager}", rulebook.paytables.get(offer.paytable)
        if offer.wager in wagers_seen:
            yield _problem(at, "two offers", "one offer for each side bet")
        wagers_seen.add(offer.wager)
        if table is None:
            ids = ", ".join(key for key, table in rulebook.paytables.items() if table.wager == offer.wager) or "none"
            expected = f"a pay table of {rulebook.name} ({ids}) or RULEBOOK/ID"
            yield _problem(f"{at}.paytable", repr(offer.paytable), expected)
        elif table.wager != offer.wager:
            yield _problem(f"{at}.paytable", f"{offer.paytable} (for {table.wager})", f"a pay table for {offer.wager}")
        if not jackpot and offer.base != 100:
            yield _problem(f"{at}.base", offer.base, "no base, because only a progressive has one")
        increment = rulebook.settings.increment
        if jackpot and increment and offer.base % increment:
            yield _problem(f"{at}.base", offer.base, f"a multiple of {increment}, like every wager at this table")


def _raise(rulebook: Rulebook) -> Problems:
    rule, minimum = rulebook.raise_, rulebook.settings.raise_minimum
    by_cards = [rule.largest.get(cards, 0) for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1)]
    if 0 in by_cards or by_cards != sorted(by_cards):
        expected = "a maximum for each number of cards from 2 to 7, none below the one before"
        yield _problem("raise.maximum", rule.maximum, expected)
    step, printed = rulebook.settings.raise_step, rulebook.own_settings.raise_minimum
    fixed = Multiple(100) if step is None else printed
    if minimum != fixed and not rule.minimum_open:
        yield _problem("settings.raise-minimum", minimum, f"{fixed}, the smallest Raise that {rulebook.name} prints")
    if step is not None and (step == 0 or 100 % step):
        expected = "a fraction that divides an Ante evenly, such as 0.5x, 0.25x or 0.1x"
        yield _problem("settings.raise-step", step, expected)
    elif step is not None and (minimum == 0 or minimum % step):
        yield _problem("settings.raise-minimum", minimum, f"a positive multiple of the raise-step {step}")
    if step is not None and rule.kind == "exact":
        expected = "none, because raise.kind = 'exact' allows only one Raise for each flush"
        yield _problem("settings.raise-step", step, expected)
    if rule.minimum_open and rule.kind != "between":
        yield _problem("raise.minimum-open", "true", "false, because raise.kind is not 'between'")


def _printed(rulebook: Rulebook) -> Problems:
    """Check that a table plays the printed game and does not loosen the printed limits."""
    for key, printed in rulebook.own_settings.printable.items():
        value = rulebook.settings.printable.get(key)
        if is_looser(key, value, printed):
            expected = f"{'a multiple of' if key == INCREMENT else 'at most'} {format_cents(printed)}"
            read = "none" if value is None else format_cents(value)
            yield _problem(f"settings.{key}", read, f"{expected}, which {rulebook.name} prints")
    for key, rule in rulebook.own_settings.own_rules.items():
        if (here := rulebook.settings.own_rules[key]) != rule:
            expected = (
                f"{format_setting(rule)}, which {rulebook.name} prints; only a rulebook of your own can change it"
            )
            yield _problem(f"settings.{key}", format_setting(here), expected)


def house_problems(rulebook: Rulebook) -> Problems:
    """Yield missing settings that every table of a house must have, although a round can be played without them."""
    limits = rulebook.settings.limits_on(ANTE.name)
    for end, amount in (("minimum", limits.minimum), ("maximum", limits.maximum)):
        if rulebook.posted_limits and amount is None:
            expected = f"an amount, because {rulebook.name} posts the table's {end}"
            yield _problem(f"settings.{limit_key(ANTE.name, end)}", "nothing", expected)


def _limits(rulebook: Rulebook) -> Problems:
    settings = rulebook.settings
    for wager in (ANTE, *bonus_bets()):
        limits, step = settings.limits_on(wager.name), settings.increment or 1
        low, high = limits.minimum, limits.maximum
        if high is not None and high // step * step < max(low or 1, step):
            expected = f"at least {format_cents(-(-max(low or 1, step) // step) * step)}, the smallest bet allowed"
            yield _problem(f"settings.{limit_key(wager.name, 'maximum')}", high, expected)


def _choices(rulebook: Rulebook) -> Problems:
    settings, progressive = rulebook.settings, rulebook.offer(PROGRESSIVE)
    if settings.mandatory != "none" and not rulebook.mandatory_allowed:
        expected = f"none, because side bets are the player's choice in {rulebook.name}"
        yield _problem("settings.mandatory", settings.mandatory, expected)
    elif settings.mandatory != "none" and not progressive:
        yield _problem("settings.mandatory", settings.mandatory, "a rulebook that offers a progressive")
    if settings.play == "progressive-only" and not progressive:
        yield _problem("settings.play", settings.play, "a rulebook that offers a progressive")
    if settings.dealing not in ("any", *rulebook.dealing_methods):
        yield _problem("settings.dealing", settings.dealing, "any or " + ", ".join(rulebook.dealing_methods))
    if settings.dice_direction != "any" and "dice" not in rulebook.dealing_methods:
        expected = f"any, because {rulebook.name} does not deal by dice"
        yield _problem("settings.dice-direction", settings.dice_direction, expected)
    for code in rulebook.irregularities:
        if not _CODE.fullmatch(code) or code == OTHER:
            expected = f"a lower-case code such as card-count, other than {OTHER!r}"
            yield _problem(f"irregularities.{code}", repr(code), expected)
    order = rulebook.settlement
    if sorted(order.seats) != list(range(1, MAX_SEATS + 1)):
        yield _problem("settlement.seats", list(order.seats), f"each seat from 1 to {MAX_SEATS} once")
    for i, wager in enumerate(order.wagers):
        if wager not in wagers():
            yield _problem(f"settlement.wagers[{i}]", repr(wager), "one of " + ", ".join(wagers()))
    if order.wagers and sorted(order.wagers) != sorted(wagers()):
        yield _problem("settlement.wagers", list(order.wagers), "each of these once: " + ", ".join(wagers()))


def _jackpot(rulebook: Rulebook) -> Problems:
    settings, table, modes = rulebook.settings, rulebook.paytable(PROGRESSIVE), rulebook.jackpot_modes
    if settings.jackpot and settings.jackpot not in modes:
        yield _problem("settings.jackpot", settings.jackpot, "one of " + ", ".join(modes))
    if table is None:
        return
    if len(modes) > 1 and settings.jackpot is None:
        yield _problem("settings.jackpot", "nothing", f"{' or '.join(modes)}, because a jackpot is offered")
        return
    if rulebook.bonus_jackpot:
        yield from _bonus_jackpot(rulebook)
    else:
        yield from _meter_figures(rulebook, table)
    for meter, key in _meter_keys(settings):
        if meter not in table.meter_names:
            expected = "a setting for one of this table's meters: " + ", ".join(table.meter_names)
            yield _problem(f"settings.{key}", f"key {key!r}", expected)


def _bonus_jackpot(rulebook: Rulebook) -> Problems:
    """Check that a bonus jackpot has a notice for its display, and is not reseeded between two winners of one round."""
    if not rulebook.notice:
        yield _problem("notice", "nothing", "the notice to show with a bonus jackpot's display")
    for name, plan in rulebook.plans.items():
        if plan.hits == "in-turn":
            key = meter_key(name, "hits") if rulebook.settings.meter(name).hits else "hits"
            expected = "each or share, because a bonus jackpot is not reseeded within a round"
            yield _problem(f"settings.{key}", plan.hits, expected)


def _meter_figures(rulebook: Rulebook, table: PayTable) -> Problems:
    for name in table.meter_names:
        figures = rulebook.settings.meter(name)
        for key in ("seed", "rate", "reserve-rate") if name not in table.meters else ():
            if getattr(figures, key.replace("-", "_")) is None:
                expected = f"the {key} of the {name} meter of {table.full_id}"
                yield _problem(f"settings.{meter_key(name, key)}", "nothing", expected)
    whole = sum(plan.rate_bp + plan.reserve_rate_bp for plan in rulebook.plans.values())
    if whole > WHOLE_BP:
        yield _problem("settings.rate", format_rate(whole) + " of each bet in total", "at most 100%")


def _meter_keys(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the meter and key of each meter setting that has a value. The general `hits` belongs to no single meter."""
    for name, meter in settings.meters.items():
        for key, value in zip(meter.__struct_encode_fields__, astuple(meter), strict=True):
            if value is not None:
                yield name, meter_key(name, key)


_CHECKS = (_tables, _printed, _raise, _games, _offers, _limits, _choices, _jackpot)
