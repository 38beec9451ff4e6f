"""Playing a round of the notation through the engine, and comparing it with what it expects.

The table is set up from the `rulebook`, `offer`, `set` and `meter` lines; then each line is an action,
in order. `lock` and the settlement come by themselves. Errors carry the line that caused them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from highcardflush.cards import HAND_SIZE
from highcardflush.errors import ActionError, HcfError, NotationError, RulebookError
from highcardflush.game.actions import Action, DealHand, DrawDynamic, Lock, Settle, Void, VoidHand
from highcardflush.game.events import Event
from highcardflush.game.notation import (
    DealHidden,
    Expect,
    ExpectMeter,
    Line,
    Round,
    UseMeter,
    UseOffer,
    UseRulebook,
    UseSetting,
    statement_text,
)
from highcardflush.game.settle import locked_meters
from highcardflush.game.state import State
from highcardflush.game.step import open_round, step
from highcardflush.money import format_micros, format_net
from highcardflush.rulebook.load import configure, packaged
from highcardflush.rulebook.model import Rulebook

Finder = Callable[[str], Rulebook]
"""Gives the rulebook that a round names: a packaged one, or a path to a .toml."""


class Played(Struct, frozen=True):
    """A round as far as it was played. `differences` are expected results that did not come."""

    rulebook: Rulebook
    state: State
    events: tuple[Event, ...]
    differences: tuple[NotationError, ...] = ()


def replay(found: Round, file: str | None = None, find: Finder = packaged) -> Played:
    """Play a round to its end; whatever the rules refuse is an error that names the line."""
    for error in found.errors:
        raise error
    _refuse_short_hands(found, file)
    played = play(found, file, find)
    rulebook, state, events = played.rulebook, played.state, played.events
    state, events = _finish(rulebook, state, events, found, file)
    return Played(rulebook, state, events, tuple(_differences(state, found, file)))


def play(found: Round, file: str | None = None, find: Finder = packaged) -> Played:
    """Play the lines of a round and no further: what is unfinished stays so."""
    rulebook = _table(found, file, find)
    state = _open(rulebook, found, file)
    events: tuple[Event, ...] = ()
    for line in found.lines:
        if isinstance(line.statement, DealHidden):
            raise _error(line, file, "cards", "every card: what is hidden cannot be played")
        if isinstance(line.statement, Action):
            state, told = _act(rulebook, state, line, file)
            events += told
    return Played(rulebook, state, events)


def _error(line: Line, file: str | None, what: str, expected: str) -> NotationError:
    return NotationError(what, read=f"'{statement_text(line.statement)}'", expected=expected).at(file, line.number)


def _table(found: Round, file: str | None, find: Finder) -> Rulebook:
    """The rulebook with the round's offers and settings. They stand before the first action."""
    uses: list[Line] = []
    acted = False
    for line in found.lines:
        acted = acted or isinstance(line.statement, (Action, DealHidden))
        if isinstance(line.statement, (UseRulebook, UseOffer, UseSetting)):
            if acted:
                raise _error(line, file, "too late", "this line before the first seat")
            uses.append(line)
    named = next((line for line in uses if isinstance(line.statement, UseRulebook)), None)
    if named is None:
        raise NotationError("rulebook", read="no rulebook line", expected="rulebook NAME").at(file, found.number)
    rulebook = _find(named, file, find)
    offers = [line.statement.offer for line in uses if isinstance(line.statement, UseOffer)]
    settings = {line.statement.key: line.statement.value for line in uses if isinstance(line.statement, UseSetting)}
    try:
        return configure(rulebook, offers or None, settings)
    except RulebookError as error:
        for finding in (error, *error.others):
            finding.at(file, _line_of(finding.message, uses))
        raise


def _find(named: Line, file: str | None, find: Finder) -> Rulebook:
    use = named.statement
    assert isinstance(use, UseRulebook)
    try:
        rulebook = find(use.name)
    except HcfError as error:
        what = f"rulebook {use.name}: {error.message}"
        raise NotationError(what, read=error.read, expected=error.expected).at(file, named.number) from None
    if not rulebook.sha256.startswith(use.hash):
        raise NotationError(
            f"rulebook {use.name}: content hash", read=f"@{use.hash}", expected=f"@{rulebook.sha256[: len(use.hash)]}"
        ).at(file, named.number)
    return rulebook


def _line_of(key: str, uses: list[Line]) -> int:
    """The line that a finding such as `settings.rate` or `offers.flush.paytable` is about."""
    part, _, rest = key.partition(".")
    for line in reversed(uses):
        match line.statement:
            case UseSetting(key=name) if name in (key, rest):
                return line.number
            case UseOffer(offer=offer) if part == "offers" and rest.split(".")[0] in ("", offer.wager):
                return line.number
            case _:
                pass
    wanted = UseOffer if part == "settings" and "progressive" in _offered(uses) else UseSetting
    numbers = [line.number for line in uses if isinstance(line.statement, wanted)]
    return numbers[-1] if numbers else uses[-1].number


def _offered(uses: list[Line]) -> set[str]:
    return {line.statement.offer.wager for line in uses if isinstance(line.statement, UseOffer)}


def _open(rulebook: Rulebook, found: Round, file: str | None) -> State:
    meters = {}
    locked = False
    for line in found.lines:
        locked = locked or isinstance(line.statement, (Lock, DrawDynamic, DealHand, DealHidden))
        if isinstance(line.statement, UseMeter):
            if locked:
                raise _error(line, file, "too late", "this line before the wagers lock")
            meters[line.statement.name] = line.statement.meter
            try:
                open_round(rulebook, meters)
            except ActionError as error:
                raise error.at(file, line.number) from None
    return open_round(rulebook, meters)


def _act(rulebook: Rulebook, state: State, line: Line, file: str | None) -> tuple[State, tuple[Event, ...]]:
    action = line.statement
    assert isinstance(action, Action)
    told: tuple[Event, ...] = ()
    try:
        locking = (DealHand, DrawDynamic, VoidHand) if rulebook.progressive_only else (DealHand, DrawDynamic)
        if state.phase == "betting" and isinstance(action, locking):
            state, told = step(rulebook, state, Lock())
        state, more = step(rulebook, state, action)
    except ActionError as error:
        read = f"'{statement_text(action)}'" if error.message.startswith("the round is in phase") else error.read
        raise ActionError(error.message, read=read, expected=error.expected).at(file, line.number) from None
    return state, told + more


def _refuse_short_hands(found: Round, file: str | None) -> None:
    """A hand that is not of seven cards is possible only in a void round."""
    if any(isinstance(line.statement, Void) for line in found.lines):
        return
    for line in found.lines:
        if isinstance(line.statement, DealHand) and (count := len(line.statement.hand)) != HAND_SIZE:
            raise NotationError("deal", read=f"{count} cards", expected="7 cards, or a void round").at(
                file, line.number
            )


def _finish(
    rulebook: Rulebook, state: State, events: tuple[Event, ...], found: Round, file: str | None
) -> tuple[State, tuple[Event, ...]]:
    """Settle the round, if it has come so far."""
    only = rulebook.progressive_only
    if only and state.phase == "betting" and state.seats:
        state, told = step(rulebook, state, Lock())
        events += told
    if state.phase not in ("settled", "void"):
        if state.phase != "showdown" and not (only and state.phase in ("locked", "dealt")):
            raise NotationError("unfinished round", read="its end", expected=_missing(state)).at(file, _last(found))
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


def _last(found: Round) -> int:
    """The line at which a round that breaks off does so: its first expected result, or its last line."""
    for line in found.lines:
        if isinstance(line.statement, (Expect, ExpectMeter)):
            return line.number
    return found.lines[-1].number if found.lines else found.number


def _differences(state: State, found: Round, file: str | None) -> Iterator[NotationError]:
    assert state.settlement is not None
    nets = {(result.seat, str(result.wager)): result.net_cents for result in state.settlement.results}
    seats = {seat.number for seat in state.seats}
    for line in found.lines:
        match line.statement:
            case Expect(seat=seat) if seat not in seats:
                yield _error(line, file, "result differs", "a seat with a wager")
            case Expect(seat=seat, nets=expected):
                for wager, net in expected:
                    actual = nets.get((seat, wager), 0)
                    if net != actual:
                        yield NotationError(
                            f"result differs: seat {seat} {wager}", read=format_net(net), expected=format_net(actual)
                        ).at(file, line.number)
            case ExpectMeter():
                yield from _meter_differences(state, line, file)
            case _:
                pass


def _meter_differences(state: State, line: Line, file: str | None) -> Iterator[NotationError]:
    expect = line.statement
    assert isinstance(expect, ExpectMeter)
    assert state.settlement is not None
    actual = state.settlement.meters.get(expect.name)
    if actual is None:
        yield _error(line, file, "result differs", ", ".join(state.settlement.meters) or "no meter")
        return
    pairs = [("", expect.meter.amount_micros, actual.amount_micros)]
    if expect.reserve_given:
        pairs.append((" reserve", expect.meter.reserve_micros, actual.reserve_micros))
    for what, read, right in pairs:
        if read != right:
            yield NotationError(
                f"result differs: meter {expect.name}{what}", read=format_micros(read), expected=format_micros(right)
            ).at(file, line.number)
