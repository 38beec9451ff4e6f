"""Replays a round in the notation through the engine, and compares its results with the expected ones.

After the table setup, each line is an action or an expected result. A round without `lock` is settled automatically.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.cards import HAND_SIZE
from highcardflush.errors import ActionError, HcfError, NotationError, RulebookError
from highcardflush.game import actions as a
from highcardflush.game.events import Event
from highcardflush.game.settle import locked_meters
from highcardflush.game.state import State
from highcardflush.game.step import open_round, step
from highcardflush.money import format_micros, format_net
from highcardflush.notation import statements as s
from highcardflush.notation.rounds import Round
from highcardflush.rulebook.load import configure, packaged
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS

Finder = Callable[[str], Rulebook]
"""Function that returns the rulebook named in a round: a packaged rulebook, or one loaded from a .toml path."""


class Step(Struct, frozen=True):
    action: a.Action
    before: State
    after: State
    events: tuple[Event, ...]


class Replay(Struct, frozen=True):
    """A round that is complete or partly played. `differences` contains the expected results that did not occur."""

    rulebook: Rulebook
    state: State
    events: tuple[Event, ...]
    differences: tuple[NotationError, ...] = ()
    steps: tuple[Step, ...] = ()


def replay(text: Round, file: str | None = None, find: Finder = packaged) -> Replay:
    """Play a round to its end. If the rules refuse an action, the error contains the line number."""
    for error in text.errors:
        raise error
    _refuse_short_hands(text, file)
    game = _finish(play(text, file, find), text, file)
    differences = tuple(difference.at(file) for difference in _differences(game.state, text))
    return replace(game, differences=differences)


def play(text: Round, file: str | None = None, find: Finder = packaged) -> Replay:
    """Play the lines of a round, which may remain unfinished."""
    try:
        rulebook = _table(text, find)
        game = Replay(rulebook, _open(rulebook, text), ())
        for line, statement in text.numbered:
            if isinstance(statement, s.DoDeal) and statement.hidden:
                raise _error(line, statement, "cards", "every card, because hidden cards cannot be played")
            if statement.action is not None:
                game = _act(game, statement.action, line, statement)
    except HcfError as error:
        raise error.at(file) from None
    return game


def _step(game: Replay, action: a.Action) -> Replay:
    state, events = step(game.rulebook, game.state, action)
    next_step = Step(action, game.state, state, events)
    return replace(game, state=state, events=game.events + events, steps=(*game.steps, next_step))


def _error(line: int, statement: s.Statement, subject: str, expected: str) -> NotationError:
    return NotationError(subject, read=f"'{statement.text()}'", expected=expected, line=line)


Uses = list[tuple[int, s.UseRulebook | s.UseOffer | s.UseSetting]]


def _table(text: Round, find: Finder) -> Rulebook:
    """Return the rulebook with the round's offers and settings, which must precede the first action."""
    uses: Uses = []
    acted = False
    for line, statement in text.numbered:
        acted = acted or statement.action is not None
        if isinstance(statement, (s.UseRulebook, s.UseOffer, s.UseSetting)):
            if acted:
                raise _error(line, statement, "too late", "this line before the first seat")
            uses.append((line, statement))
    use_rulebook = next(((line, use) for line, use in uses if isinstance(use, s.UseRulebook)), None)
    if use_rulebook is None:
        raise NotationError("rulebook", read="no rulebook line", expected="rulebook NAME", line=text.first_line)
    rulebook = _find(*use_rulebook, find)
    offers = [use.offer for _, use in uses if isinstance(use, s.UseOffer)]
    settings = {use.key: use.value for _, use in uses if isinstance(use, s.UseSetting)}
    try:
        return configure(rulebook, offers or None, settings)
    except RulebookError as error:
        for finding in (error, *error.others):
            finding.line = _line_of(finding.message, uses)
        raise


def _find(line: int, use: s.UseRulebook, find: Finder) -> Rulebook:
    try:
        rulebook = find(use.name)
    except HcfError as error:
        subject = f"rulebook {use.name}: {error.message}" if error.file else "rulebook"
        raise NotationError(subject, read=error.read, expected=error.expected, line=line) from None
    if not rulebook.sha256.startswith(use.hash):
        subject, expected = f"rulebook {use.name}: content hash", f"@{rulebook.sha256[: len(use.hash)]}"
        raise NotationError(subject, read=f"@{use.hash}", expected=expected, line=line)
    return rulebook


def _line_of(key: str, uses: Uses) -> int:
    """Return the number of the line that caused a finding such as `settings.rate` or `offers.flush.paytable`."""
    part, _, rest = key.partition(".")
    for line, use in reversed(uses):
        match use:
            case s.UseSetting(key=name) if name in (key, rest):
                return line
            case s.UseOffer(offer=offer) if part == "offers" and rest.split(".")[0] in ("", offer.wager):
                return line
            case _:
                pass
    jackpot = any(isinstance(use, s.UseOffer) and SIDE_BETS[use.offer.wager].jackpot for _, use in uses)
    statement_type = s.UseOffer if part == "settings" and jackpot else s.UseSetting
    lines = [line for line, use in uses if isinstance(use, statement_type)]
    return lines[-1] if lines else uses[-1][0]


def _open(rulebook: Rulebook, text: Round) -> State:
    meters = {}
    locked = False
    for line, statement in text.numbered:
        locked = locked or isinstance(statement.action, (a.Lock, a.DrawDynamic, a.Deal, a.DealHand))
        if isinstance(statement, s.UseMeter):
            if locked:
                raise _error(line, statement, "too late", "this line before the wagers lock")
            meters[statement.name] = statement.meter
            try:
                open_round(rulebook, meters)
            except ActionError as error:
                raise error.at(line=line) from None
    return open_round(rulebook, meters)


def _act(game: Replay, action: a.Action, line: int, statement: s.Statement) -> Replay:
    locking = (a.DealHand, a.DrawDynamic, a.VoidHand if game.rulebook.progressive_only else a.Deal)
    try:
        if game.state.phase == "betting" and isinstance(action, locking):
            game = _step(game, a.Lock())
        return _step(game, action)
    except ActionError as error:
        if error.reason == "wrong-phase":
            error.read = f"'{statement.text()}'"
        raise error.at(line=line) from None


def _refuse_short_hands(text: Round, file: str | None) -> None:
    if any(isinstance(statement.action, a.Void) for statement in text.statements):
        return
    for line, statement in text.numbered:
        if not isinstance(statement, s.DoDeal) or statement.hidden:
            continue
        if (cards := len(statement.action.hand)) != HAND_SIZE:
            who = statement.action.seat or "dealer"
            expected = "7 cards, or a void round"
            raise NotationError(f"deal {who}", read=f"{cards} cards", expected=expected).at(file, line)


def _finish(game: Replay, text: Round, file: str | None) -> Replay:
    only = game.rulebook.progressive_only
    if only and game.state.phase == "betting" and game.state.seats:
        game = _step(game, a.Lock())
    state = game.state
    if state.phase in ("settled", "void"):
        return game
    if state.phase != "showdown" and not (only and state.phase in ("locked", "dealt")):
        # Report the line where the round breaks off: its first expected result, or its last line.
        expects = (line for line, each in text.numbered if isinstance(each, (s.Expect, s.ExpectMeter)))
        end = next(expects, text.lines[-1] if text.lines else text.first_line)
        raise NotationError("unfinished round", read="its end", expected=_missing(state)).at(file, end)
    return _step(game, a.Settle(locked_meters(game.rulebook, state)))


def _missing(state: State) -> str:
    if state.phase == "betting":
        return "wagers, hands and decisions" if not state.seats else "hands and decisions"
    if state.phase == "locked":
        waiting = [f"seat {seat.number}" for seat in state.seats if seat.hand is None]
        return "a hand for " + ", ".join(waiting + ["the dealer"] * (state.dealer is None))
    return "a decision by " + ", ".join(f"seat {number}" for number in state.undecided)


def _differences(state: State, text: Round) -> Iterator[NotationError]:
    assert state.settlement is not None
    nets = {(result.seat, result.wager): result.net_cents for result in state.settlement.results}
    seats = {seat.number for seat in state.seats}
    for line, statement in text.numbered:
        match statement:
            case s.Expect(seat=seat) if seat not in seats:
                yield _error(line, statement, "result differs", "a seat with a wager")
            case s.Expect(seat=seat, nets=expected):
                for wager, net in expected:
                    yield from _different(line, f"seat {seat} {wager}", net, nets.get((seat, wager), 0), format_net)
            case s.ExpectMeter(name=name, meter=meter):
                actual = state.settlement.meters.get(name)
                if actual is None:
                    names = ", ".join(state.settlement.meters) or "no meter"
                    yield _error(line, statement, "result differs", names)
                    continue
                pairs = [("", meter.amount_micros, actual.amount_micros)]
                if statement.reserve_given:
                    pairs.append((" reserve", meter.reserve_micros, actual.reserve_micros))
                for subject, read, right in pairs:
                    yield from _different(line, f"meter {name}{subject}", read, right, format_micros)
            case _:
                pass


def _different(line: int, subject: str, read: int, right: int, say: Callable[[int], str]) -> Iterator[NotationError]:
    if read != right:
        yield NotationError(f"result differs: {subject}", read=say(read), expected=say(right), line=line)
