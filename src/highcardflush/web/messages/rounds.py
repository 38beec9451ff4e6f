"""A finished round: its record, and its steps, replayed with all cards open and with the value of every decision."""

from collections.abc import Iterable, Mapping

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from highcardflush.cards import Hand as Cards
from highcardflush.coach.advice import Advice, advise, spot_of
from highcardflush.game import actions as a
from highcardflush.game.events import Event, Folded, Raised
from highcardflush.game.state import Decision
from highcardflush.game.view import open_view, view
from highcardflush.house.events import OF_ACTION
from highcardflush.house.proofs import RoundRecord
from highcardflush.notation.proof import finder_of, parse_proofs, round_of
from highcardflush.notation.replay import Step as PlayedStep
from highcardflush.notation.replay import replay
from highcardflush.notation.rounds import Round
from highcardflush.notation.statements import DoDecision
from highcardflush.rulebook.load import as_printed, packaged, to_json
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.web.messages.coach import AskedWorth, Worth, best, options, reasons
from highcardflush.web.messages.facts import Fact, facts
from highcardflush.web.messages.library import SideBetRule, side_bets
from highcardflush.web.messages.parts import Message, Result, Words
from highcardflush.web.messages.tables import View


class Record(Message, frozen=True):
    """A finished round."""

    table: str
    number: int
    rulebook: str
    sha256: str
    notation: str
    proof: str
    """Notation of the round, with everything that is needed to verify it."""
    results: tuple[Result, ...]


class Weighed(Message, frozen=True):
    """A decision that was made, with its value and the values of other choices."""

    seat: int
    ante_cents: int
    hand: Cards
    seen: Cards
    """Cards of other seats that were exposed before the decision."""
    best: Worth
    options: list[Worth]
    """Values of a fold and of these Raises: whole Antes, the ends of the range, and the Raise that was made."""
    why: list[Words]
    """Reasons for the best decision, one sentence each."""
    made: AskedWorth

    @classmethod
    def of(cls, seat: int, advice: Advice, made: Decision) -> "Weighed":
        return super().of(
            advice.spot,
            seat=seat,
            ante_cents=advice.spot.wagers["ante"],
            best=best(advice),
            options=options(advice, made),
            why=reasons(advice),
            made=AskedWorth.asked(advice, made),
        )


class Step(Message, frozen=True):
    """One action of a finished round."""

    kind: str
    told: list[Fact]
    view: View
    """The round after the action, with all cards open."""
    weighed: Weighed | UnsetType = UNSET
    """Value of the decision; absent if the action is not a decision."""


class Steps(Message, frozen=True):
    """A finished round, step by step."""

    table: str
    number: int
    you: int | None
    """The caller's seat in the round."""
    bonus: bool
    """True if the jackpot was a bonus jackpot, which must not be presented as a progressive."""
    base_cents: int | None
    """Bet to which the dollar amounts in the jackpot's pay table apply; null if no jackpot was offered."""
    steps: list[Step]
    rules: dict[str, str]
    """JSON of the round's rulebook and others whose pay tables it uses, keyed by name. The record has their hashes."""
    side_bets: dict[str, SideBetRule]
    """Rules of these rulebooks' side bets, keyed by wager."""


def replay_steps(record: RoundRecord, decided: Mapping[int, bool]) -> Steps:
    """Replay a record. `decided` maps each seat, in the order of the decisions, to True if the seat's clock ran out."""
    proof = next(parse_proofs(record.proof))
    result = replay(_in_order(round_of(proof), decided), find=finder_of(proof))
    owners = {offer.paytable.partition("/")[0] for offer in result.rulebook.offers if "/" in offer.paytable}
    books = [result.rulebook, *(packaged(name) for name in sorted(owners - {result.rulebook.name}))]
    late = frozenset(seat for seat, timed_out in decided.items() if timed_out)
    return Steps(
        table=record.table,
        number=record.number,
        you=None,
        bonus=result.rulebook.bonus_jackpot,
        base_cents=offer.base if (offer := result.rulebook.offer(PROGRESSIVE)) is not None else None,
        steps=[_step(result.rulebook, step, late) for step in result.steps],
        rules={book.name: to_json(as_printed(book)) for book in books},
        side_bets=side_bets(*books),
    )


def _in_order(text: Round, seats: Iterable[int]) -> Round:
    """Put a round's decisions in the order of `seats`. A record lists them by seat number."""
    order = {seat: place for place, seat in enumerate(seats)}
    decisions = [(number, each) for number, each in text.numbered if isinstance(each, DoDecision)]
    in_order = iter(sorted(decisions, key=lambda line: order.get(line[1].action.seat, len(order))))
    lines = [next(in_order) if isinstance(line[1], DoDecision) else line for line in text.numbered]
    numbers, statements = zip(*lines, strict=True)
    return replace(text, statements=statements, lines=numbers)


def _step(rulebook: Rulebook, step: PlayedStep, late: frozenset[int]) -> Step:
    weighed: Weighed | UnsetType = UNSET
    if isinstance(step.action, (a.Fold, a.Raise)):
        seat, decision = step.action.seat, step.after.seat(step.action.seat).decision
        assert decision is not None
        weighed = Weighed.of(seat, advise(spot_of(rulebook, view(rulebook, step.before, seat), seat)), decision)
    return Step(
        kind=OF_ACTION[type(step.action)].event_kind.name,
        told=facts([_timed(fact, late) for fact in step.events], {}, rulebook),
        view=View.of(open_view(rulebook, step.after)),
        weighed=weighed,
    )


def _timed(fact: Event, late: frozenset[int]) -> Event:
    """Mark a decision that was made because the clock ran out. The record alone does not show this."""
    return replace(fact, timed_out=True) if isinstance(fact, (Folded, Raised)) and fact.seat in late else fact
