"""What decisions are worth, as the wire has it: the same of one that is due and of one that was made."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import asdict

from highcardflush.coach import Advice, severity, why
from highcardflush.figures.plain import with_exact
from highcardflush.game.state import Decision
from highcardflush.web import wire
from highcardflush.words import reason_data
from highcardflush.words.en import COACH


def advice_data(found: Advice, made: Decision | None = None) -> wire.Data:
    """The best decision, each of those that are told and the one that was made, and why."""
    reasons = why(found, found.flushes[0]) if found.flushes else []
    return {
        "best": worth_data(found, Decision(found.best.raise_cents, found.best.keep)),
        "options": [worth_data(found, decision) for decision in _decisions(found, made)],
        "why": [reason_data(reason, COACH) for reason in reasons],
    }


def _decisions(found: Advice, made: Decision | None) -> list[Decision]:
    """A fold, and of each flush the Raises that are told one by one. One better than the best is not covered."""
    raises = []
    for flush in found.flushes:
        cents = set(found.told_raises(flush))
        if made is not None and made.raise_cents and made.keep == flush.keep:
            cents.add(made.raise_cents)
        raises += [Decision(each, flush.keep) for each in sorted(cents)]
    return [Decision(), *(each for each in raises if found.shown_value(each) <= found.best.value)]


def worth_data(found: Advice, decision: Decision) -> wire.Data:
    """A decision with its value, every straight flush laid face up that needs to be."""
    said = _valued(found, decision, found.shown_value(decision))
    return said | ({"bar": asdict(found.flush_kept(decision.keep).odds)} if decision.raise_cents else {})


def mistaken_data(found: Advice, decision: Decision) -> wire.Data:
    """A decision as it is laid on the table, with what is wrong with it; what the purse does not cover is not."""
    every = [mistake for mistake in found.mistakes(decision) if mistake.kind != "short" and mistake.cost > 0]
    mistakes = [{"kind": mistake.kind, "cost_cents": float(mistake.cost)} for mistake in every]
    return {**_valued(found, decision, found.value(decision)), "mistakes": mistakes}


def _valued(found: Advice, decision: Decision, value: Fraction) -> wire.Data:
    """A value and what it costs against the best; below nothing is what the purse does not cover."""
    cost = max(found.best.value - value, Fraction(0))
    return {
        **_named(decision),
        **with_exact("value_cents", value),
        **with_exact("antes", found.antes(value)),
        **with_exact("cost_cents", cost),
        "cost_antes": float(found.antes(cost)),
        "severity": severity(found.antes(cost)),
    }


def _named(decision: Decision) -> wire.Data:
    if not decision.raise_cents:
        return {"type": "Fold"}
    return {"type": "Raise", "amount_cents": decision.raise_cents, "keep": wire.suit(decision.keep)}
