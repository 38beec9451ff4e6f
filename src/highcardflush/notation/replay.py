"""Playing a round of the notation through the engine, and comparing it with what it expects.

The table is set up from the `rulebook`, `offer`, `set` and `meter` lines; then each line is an action,
in order. `lock` and the settlement come by themselves. Errors carry the line that caused them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from highcardflush.cards import HAND_SIZE
from highcardflush.errors import ActionError, HcfError, NotationError, RulebookError
from highcardflush.game.actions import Deal, DealHand, DrawDynamic, Lock, Settle, Void, VoidHand
from highcardflush.game.events import Event
from highcardflush.game.settle import locked_meters
from highcardflush.game.state import State
from highcardflush.game.step import open_round, step
from highcardflush.money import format_micros, format_net
from highcardflush.notation.rounds import Round
from highcardflush.notation.statements import (
    DoDeal,
    Expect,
    ExpectMeter,
    Statement,
    UseMeter,
    UseOffer,
    UseRulebook,
    UseSetting,
)
from highcardflush.rulebook.load import configure, packaged
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS

Finder = Callable[[str], Rulebook]
"""Gives the rulebook that a round names: a packaged one, or a path to a .toml."""


class Replay(Struct, frozen=True):
    """A round as far as it was played. `differences` are expected results that did not come."""

    rulebook: Rulebook
    state: State
    events: tuple[Event, ...]
    differences: tuple[NotationError, ...] = ()


def replay(text: Round, file: str | None = None, find: Finder = packaged) -> Replay:
    """Play a round to its end; whatever the rules refuse is an error that names the line."""
    for error in text.errors:
        raise error
    _refuse_short_hands(text, file)
    played = play(text, file, find)
    rulebook, state, events = played.rulebook, played.state, played.events
    state, events = _finish(rulebook, state, events, text, file)
    return Replay(rulebook, state, events, tuple(_differences(state, text, file)))


def play(text: Round, file: str | None = None, find: Finder = packaged) -> Replay:
    """Play the lines of a round and no further: what is unfinished stays so."""
    rulebook = _table(text, file, find)
    state = _open(rulebook, text, file)
    events: tuple[Event, ...] = ()
    for line, statement in text.numbered:
        if isinstance(statement, DoDeal) and statement.hidden:
            raise _error(line, statement, file, "cards", "every card: what is hidden cannot be played")
        if statement.action is not None:
            state, told = _act(rulebook, state, line, statement, file)
            events += told
    return Replay(rulebook, state, events)


def _error(line: int, statement: Statement, file: str | None, what: str, expected: str) -> NotationError:
    return NotationError(what, read=f"'{statement.text()}'", expected=expected).at(file, line)


Uses = list[tuple[int, UseRulebook | UseOffer | UseSetting]]
"""The statements that set up the table, with their lines."""


def _table(text: Round, file: str | None, find: Finder) -> Rulebook:
    """The rulebook with the round's offers and settings. They stand before the first action."""
    uses: Uses = []
    acted = False
    for line, statement in text.numbered:
        acted = acted or statement.action is not None
        if isinstance(statement, (UseRulebook, UseOffer, UseSetting)):
            if acted:
                raise _error(line, statement, file, "too late", "this line before the first seat")
            uses.append((line, statement))
    named = next(((line, use) for line, use in uses if isinstance(use, UseRulebook)), None)
    if named is None:
        raise NotationError("rulebook", read="no rulebook line", expected="rulebook NAME").at(file, text.first_line)
    rulebook = _find(*named, file, find)
    offers = [use.offer for _, use in uses if isinstance(use, UseOffer)]
    settings = {use.key: use.value for _, use in uses if isinstance(use, UseSetting)}
    try:
        return configure(rulebook, offers or None, settings)
    except RulebookError as error:
        for finding in (error, *error.others):
            finding.at(file, _line_of(finding.message, uses))
        raise


def _find(line: int, use: UseRulebook, file: str | None, find: Finder) -> Rulebook:
    try:
        rulebook = find(use.name)
    except HcfError as error:
        what = f"rulebook {use.name}: {error.message}" if error.file else "rulebook"
        raise NotationError(what, read=error.read, expected=error.expected).at(file, line) from None
    if not rulebook.sha256.startswith(use.hash):
        raise NotationError(
            f"rulebook {use.name}: content hash", read=f"@{use.hash}", expected=f"@{rulebook.sha256[: len(use.hash)]}"
        ).at(file, line)
    return rulebook


def _line_of(key: str, uses: Uses) -> int:
    """The line that a finding such as `settings.rate` or `offers.flush.paytable` is about."""
    part, _, rest = key.partition(".")
    for line, use in reversed(uses):
        match use:
            case UseSetting(key=name) if name in (key, rest):
                return line
            case UseOffer(offer=offer) if part == "offers" and rest.split(".")[0] in ("", offer.wager):
                return line
            case _:
                pass
    jackpot = any(isinstance(use, UseOffer) and SIDE_BETS[use.offer.wager].jackpot for _, use in uses)
    wanted = UseOffer if part == "settings" and jackpot else UseSetting
    lines = [line for line, use in uses if isinstance(use, wanted)]
    return lines[-1] if lines else uses[-1][0]


def _open(rulebook: Rulebook, text: Round, file: str | None) -> State:
    meters = {}
    locked = False
    for line, statement in text.numbered:
        locked = locked or isinstance(statement.action, (Lock, DrawDynamic, Deal, DealHand))
        if isinstance(statement, UseMeter):
            if locked:
                raise _error(line, statement, file, "too late", "this line before the wagers lock")
            meters[statement.name] = statement.meter
            try:
                open_round(rulebook, meters)
            except ActionError as error:
                raise error.at(file, line) from None
    return open_round(rulebook, meters)


def _act(
    rulebook: Rulebook, state: State, line: int, statement: Statement, file: str | None
) -> tuple[State, tuple[Event, ...]]:
    action = statement.action
    assert action is not None
    told: tuple[Event, ...] = ()
    try:
        locking = (DealHand, DrawDynamic, VoidHand) if rulebook.progressive_only else (Deal, DealHand, DrawDynamic)
        if state.phase == "betting" and isinstance(action, locking):
            state, told = step(rulebook, state, Lock())
        state, more = step(rulebook, state, action)
    except ActionError as error:
        if error.reason == "wrong-phase":
            error.read = f"'{statement.text()}'"
        raise error.at(file, line) from None
    return state, told + more


def _refuse_short_hands(text: Round, file: str | None) -> None:
    """A hand that is not of seven cards is possible only in a void round."""
    if any(isinstance(statement.action, Void) for statement in text.statements):
        return
    for line, statement in text.numbered:
        if not isinstance(statement, DoDeal) or statement.hidden:
            continue
        if (cards := len(statement.action.hand)) != HAND_SIZE:
            who = statement.action.seat or "dealer"
            raise NotationError(f"deal {who}", read=f"{cards} cards", expected="7 cards, or a void round").at(
                file, line
            )


def _finish(
    rulebook: Rulebook, state: State, events: tuple[Event, ...], text: Round, file: str | None
) -> tuple[State, tuple[Event, ...]]:
    """Settle the round, if it has come so far."""
    only = rulebook.progressive_only
    if only and state.phase == "betting" and state.seats:
        state, told = step(rulebook, state, Lock())
        events += told
    if state.phase not in ("settled", "void"):
        if state.phase != "showdown" and not (only and state.phase in ("locked", "dealt")):
            raise NotationError("unfinished round", read="its end", expected=_missing(state)).at(file, _last(text))
        state, told = step(rulebook, state, Settle(locked_meters(rulebook, state)))
        events += told
    return state, events


def _missing(state: State) -> str:
    if state.phase == "betting":
        return "wagers, hands and decisions" if not state.seats else "hands and decisions"
    if state.phase == "locked":
        waiting = [f"seat {seat.number}" for seat in state.seats if seat.hand is None]
        return "a hand for " + ", ".join(waiting + ["the dealer"] * (state.dealer is None))
    return "a decision of " + ", ".join(f"seat {number}" for number in state.undecided)


def _last(text: Round) -> int:
    """The line at which a round that breaks off does so: its first expected result, or its last line."""
    for line, statement in text.numbered:
        if isinstance(statement, (Expect, ExpectMeter)):
            return line
    return text.lines[-1] if text.lines else text.first_line


def _differences(state: State, text: Round, file: str | None) -> Iterator[NotationError]:
    assert state.settlement is not None
    nets = {(result.seat, result.wager): result.net_cents for result in state.settlement.results}
    seats = {seat.number for seat in state.seats}
    for line, statement in text.numbered:
        match statement:
            case Expect(seat=seat) if seat not in seats:
                yield _error(line, statement, file, "result differs", "a seat with a wager")
            case Expect(seat=seat, nets=expected):
                for wager, net in expected:
                    actual = nets.get((seat, wager), 0)
                    if net != actual:
                        yield NotationError(
                            f"result differs: seat {seat} {wager}", read=format_net(net), expected=format_net(actual)
                        ).at(file, line)
            case ExpectMeter():
                yield from _meter_differences(state, line, statement, file)
            case _:
                pass


def _meter_differences(state: State, line: int, expect: ExpectMeter, file: str | None) -> Iterator[NotationError]:
    assert state.settlement is not None
    actual = state.settlement.meters.get(expect.name)
    if actual is None:
        yield _error(line, expect, file, "result differs", ", ".join(state.settlement.meters) or "no meter")
        return
    pairs = [("", expect.meter.amount_micros, actual.amount_micros)]
    if expect.reserve_given:
        pairs.append((" reserve", expect.meter.reserve_micros, actual.reserve_micros))
    for what, read, right in pairs:
        if read != right:
            yield NotationError(
                f"result differs: meter {expect.name}{what}", read=format_micros(read), expected=format_micros(right)
            ).at(file, line)
