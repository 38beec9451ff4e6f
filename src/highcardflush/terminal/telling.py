"""The dealer's announcements. At settlement, each of your wagers gets a reason, and each other player gets one line."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby, zip_longest

from msgspec.structs import replace
from rich.console import Group
from rich.text import Text

from highcardflush.cards import HAND_SIZE, NO_CARDS
from highcardflush.game import State, view
from highcardflush.game import events as e
from highcardflush.game.state import Result
from highcardflush.game.view import SeatView
from highcardflush.jackpot import Move
from highcardflush.money import WHOLE_BP, format_rate, say_cents, say_display
from highcardflush.ranking import best_suits, flush_of, flush_rank, straight_flush, straight_flush_cards
from highcardflush.rulebook.wagers import MAIN_GAME, SIDE_BETS
from highcardflush.terminal.glyphs import backs, cards_inline, hand_lines, say_net, wrapped
from highcardflush.terminal.table import Table
from highcardflush.words import HOUSE_PLAYERS, Reason, say, say_fact, say_needs
from highcardflush.words.en import NOT_QUALIFIED

NAME_WIDTH = 12
DECISION_WIDTH = 15
REASON_WIDTH = 30
"""Minimum width of the column of reasons. If there is less room, a reason is placed below its wagers."""


def who(table: Table, seat: int) -> str:
    """Return a name such as `Seat 1 Ruth`, or `you` for the player's own seat."""
    return "you" if seat == table.seat else f"Seat {seat} {HOUSE_PLAYERS[seat - 1]}"


def tell(table: Table, state: State, events: Sequence[e.Event]) -> None:
    """Show the events from the end of betting to the dealer's hand."""
    screen = table.screen
    for event in events:
        match event:
            case e.WagersLocked():
                screen.line(_say_lock(table, state, events, say_fact(event, table.rulebook)))
            case e.DiceRolled() | e.DynamicDrawn():
                screen.line(say_fact(event, table.rulebook))
            case e.HandDealt(seat=0):
                screen.line("Seven cards to each player and to the dealer.")
            case e.PacketCollected() if event is events[-1]:
                screen.line("The dealer collects the packets of the empty seats.")
            case e.Folded() | e.Raised():
                _tell_decision(table, state, event)
            case e.BonusShown():
                screen.line(say_fact(event, table.rulebook, table.seat), "green")
            case e.DealerShown(hand, qualifies, reason):
                needs = say_needs(reason.values)
                outcome = "Dealer qualifies" if qualifies else NOT_QUALIFIED.capitalize()
                parts = (outcome, str(flush_rank(hand)), needs)
                screen.draw(partial(hand_lines, hand, best_suits(hand)[0], screen.glyphs, parts))


def _say_lock(table: Table, state: State, events: Sequence[e.Event], line: str) -> Text:
    """Return the announcement that betting has ended, with each meter and the amount that the bets added to it."""
    words = Text(line, "bold")
    for name, meter in view(table.rulebook, state, table.seat).meters.items():
        added = [event.amount for event in events if isinstance(event, e.Contributed) and event.meter == name]
        if added:
            grown = say_display(sum(amount.amount_micros for amount in added))
            bets = f"{len(added)} bets" if len(added) > 1 else "one bet"
            sentence = f" {table.say(name).capitalize()} {say_display(meter.amount_micros)}, up {grown} from {bets}."
            words.append(sentence, "not bold magenta")
    return words


def _tell_decision(table: Table, state: State, event: e.Folded | e.Raised) -> None:
    """Show a seat's decision and exposed cards. For a house player, also show the face-down cards and the wagers."""
    yours, cents = event.seat == table.seat, event.amount_cents if isinstance(event, e.Raised) else 0
    if yours:
        table.screen.line(say_fact(replace(event, expose=NO_CARDS), table.rulebook, table.seat), "bold")
    else:
        line = Text(who(table, event.seat).ljust(NAME_WIDTH), "bold") + backs(HAND_SIZE, table.screen.glyphs)
        words = f"  raises {say_cents(cents)}" if cents else "  folds"
        line.append(words.ljust(DECISION_WIDTH), "" if cents else "dim")
        wagers = state.seat(event.seat).wagers.items()
        line.append(", ".join(f"{table.say(name)} {say_cents(stake)}" for name, stake in wagers), "dim")
        table.screen.line(line)
    if event.expose:
        turns = "You turn" if yours else f"{who(table, event.seat)} turns"
        table.screen.line(Text(f"{turns} face up: ") + cards_inline(event.expose, table.screen.glyphs))


def tell_settlement(table: Table, state: State, events: Sequence[e.Event]) -> None:
    """Show the round's results by seat, in order of settlement, and then the jackpots and your net result."""
    table_view = view(table.rulebook, state, table.seat)
    by_seat: dict[int, list[Result]] = {}
    for result in table_view.results:
        by_seat.setdefault(result.seat, []).append(result)
    for number, results in by_seat.items():
        if number == table.seat:
            table.screen.draw(partial(_own_lines, table, state, results))
        else:
            seat = next(seat for seat in table_view.seats if seat.number == number)
            table.screen.draw(partial(_other_lines, table, seat, results))
    moves = [(event.meter, event.move) for event in events if isinstance(event, e.MeterMoved)]
    for i, (meter, move) in enumerate(moves):
        if move.kind == "pay":
            reseed = next((later for name, later in moves[i:] if name == meter and later.kind == "reseed"), None)
            _tell_jackpot(table, state, meter, move, reseed)
    own_results = by_seat[table.seat]
    for envy in (result for result in own_results if result.wager == "envy"):
        amount = Text(f"{say_cents(envy.net_cents)} to you", "bold")
        reason = f"{say(envy.reason, you=table.seat)}."
        why = f"Your {table.say('progressive')} bet also pays for other players' great hands."
        table.screen.panel(Group(amount, reason, why), "* ENVY PAY *", "magenta", loud=True)
    if table.screen.is_low and state.dealer is not None:
        for owner, hand in (("You had    ", state.seat(table.seat).cards), ("Dealer had ", state.dealer)):
            table.screen.line(Text(owner, "bold") + cards_inline(hand, table.screen.glyphs))
    words = Text.assemble(("This round ", "bold"), say_net(sum(result.net_cents for result in own_results)))
    table.screen.line(words.append(f"   bankroll {say_cents(table.bankroll_cents)}"))


def _own_lines(table: Table, state: State, results: Sequence[Result], width: int) -> list[Text]:
    """Return the player's results with a column of reasons. On a narrow screen, reasons are below their wagers."""
    rows = [("wager", "stake", "result", Text("net"))]
    for result in results:
        stake = say_cents(result.stake_cents) if result.stake_cents else ""
        rows.append((table.say(result.wager), stake, result.outcome, say_net(result.net_cents)))
    one, two, three, four = (max(map(len, column)) for column in zip(*rows, strict=True))
    cells = [
        Text(f"{name:<{one}}  {stake:>{two}}  {outcome:<{three}}  {'':{four - len(net)}}") + net
        for name, stake, outcome, net in rows
    ]
    column = len(cells[0]) + 2
    beside = width - column >= REASON_WIDTH
    lines = wrapped(cells[0].append("  reason" if beside else ""), width)
    for line in lines:
        line.stylize("dim")

    def reason_of(pair: tuple[Text, Result]) -> tuple[str, str]:
        """Return a wager's name and reason. Ante and Raise share a reason, so their name is empty."""
        wager, reason = pair[1].wager, pair[1].reason
        # The reason "none-shown" hides whether there was an unexposed straight flush. The hand's owner may know.
        if reason.code == "none-shown" and not SIDE_BETS[wager].best(state.seat(table.seat).cards).cards:
            reason = Reason("none", reason.values)
        return "" if wager in MAIN_GAME else wager, say(reason, you=table.seat)

    for (_, reason), group in groupby(zip(cells[1:], results, strict=True), reason_of):
        cells, words = [cell for cell, _ in group], wrapped(Text(reason, "dim"), width - (column if beside else 2), 0)
        if beside:
            pairs = zip_longest(cells, words, fillvalue=Text())
            lines += [cell + Text(" " * (column - len(cell))) + reason_line for cell, reason_line in pairs]
        else:
            lines += [line for cell in cells for line in wrapped(cell, width)]
            lines += [Text("  ") + reason_line for reason_line in words]
    return lines


def _other_lines(table: Table, seat: SeatView, results: Sequence[Result], width: int) -> list[Text]:
    """Return, for example, `Seat 1 Ruth beats dealer  +$45  straight flush +$35  K♣ 10♣ 4♣  three cards, king high`."""
    ends = {result.wager: result.outcome for result in results}
    if "raise" not in ends:
        words = "folded" if "ante" in ends else ""
    elif (ends["ante"], ends["raise"]) == ("win", "push"):
        words = "wins Ante"  # The dealer did not qualify.
    else:
        words = {"win": "beats dealer", "lose": "loses", "push": "ties"}.get(ends["raise"], ends["raise"])
    line = Text.assemble((who(table, seat.number).ljust(NAME_WIDTH), "bold"), f"{words:<12}  ")
    line.append_text(say_net(sum(result.net_cents for result in results), 8))
    for result in results:
        if result.wager not in MAIN_GAME and result.outcome == "win":
            line.append(f"  {table.say(result.wager)} {say_net(result.net_cents)}", "green")
    if seat.hand is None or not seat.hand.seen or "raise" not in ends:
        return wrapped(line, width)
    hand, keep = seat.hand.seen, seat.decision.keep if seat.decision else None
    suit = best_suits(hand)[0] if keep is None else keep
    cards = Text("  ") + cards_inline(hand.suit(suit), table.screen.glyphs)
    flush = Text(f"  {flush_of(hand, suit)}", "dim")
    for candidate in (line + cards + flush, line + cards):
        if len(candidate) <= width:
            return [candidate]
    return [*wrapped(line, width), *wrapped(cards + flush, width)]


def _tell_jackpot(table: Table, state: State, meter: str, move: Move, reseed: Move | None) -> None:
    hand, name, yours = state.seat(move.seat).cards, table.say(meter), move.seat == table.seat
    all_of_it, share = move.percent_bp == WHOLE_BP, format_rate(move.percent_bp)
    share_text = "all of it" if all_of_it else f"{share} of it"
    bonus = table.rulebook.bonus_jackpot
    before_micros = state.meters[meter].amount_micros if bonus else move.before_micros
    after = say_display((reseed or move).after_micros)
    if bonus:
        shows = f"returns to {after}" if reseed else f"shows {after} from the next round on"
        then = f"The house pays it. The display {shows}."
    else:
        then = f"The {name} starts again at {after}." if reseed else f"{after} stays in it."
    lines = (
        Text(f"{say_cents(move.player_cents)} to {who(table, move.seat)}", "bold"),
        Text(f"{straight_flush(hand)}: ") + cards_inline(straight_flush_cards(hand), table.screen.glyphs),
        f"The {name} stood at {say_display(before_micros)}, and this hand wins {share_text}.",
        then,
    )
    stars = "* * *" if yours else "*"
    title = f"{stars} {'JACKPOT' if all_of_it else f'{share} OF THE {name.upper()}'} {stars}"
    table.screen.panel(Group(*lines), title, "bold magenta" if yours else "magenta", loud=True)
