"""The coach's sentences: costs of bets, values of decisions with reasons, warnings, and the account at the end."""

from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction

from msgspec.structs import replace
from rich.text import Text

from highcardflush.cards import SUIT_NAMES, Hand
from highcardflush.coach.advice import Advice, MistakeKind, PlayableFlush
from highcardflush.coach.reasons import CLOSE, loss, luck, say_percent, why
from highcardflush.coach.session import account, ante_value, side_bet_value
from highcardflush.game import State, view
from highcardflush.game.state import Decision
from highcardflush.money import say_cents
from highcardflush.ranking import SMALLEST_FLUSH
from highcardflush.terminal.glyphs import Glyphs, cards_inline, joined, say_net, wrapped
from highcardflush.terminal.pages import grid
from highcardflush.terminal.table import Table
from highcardflush.words import say
from highcardflush.words.en import COACH, NOT_QUALIFIED, say_cards, say_cost

MISTAKES: dict[MistakeKind, tuple[str, str]] = {
    "fold": ("fold", "folds"),
    "raise": ("raise", "raises"),
    "amount": ("wrong amount", "wrong amounts"),
    "keep": ("worse flush kept", "worse flushes kept"),
    "hidden": ("straight flush not shown", "straight flushes not shown"),
    "short": ("Raise not covered", "Raises not covered"),
}
MET = (NOT_QUALIFIED, "you win", "tie", "you lose")


def say_bets(
    table: Table, state: State, stakes: Mapping[str, int], placed: Mapping[str, int], width: int
) -> list[Text]:
    """Return the cost of each bet at the meters' current amounts. A bet not placed has the cost that it would add."""
    purse_cents, ante = table.bankroll_cents - sum(placed.values()), placed["ante"]
    table_view = view(table.rulebook, state, table.seat)
    envied = sum(1 for seat in table_view.seats if seat.number != table.seat and seat.stake("progressive"))
    items = []
    for wager, cents in stakes.items():
        bet = f"{table.say(wager)} {say_cents(cents)}"
        if wager != "ante":
            value = side_bet_value(table.rulebook, wager, cents, table_view.meters, envied)
            cost = f"would cost {say_cents(round(-value))}" if value < 0 else f"would add {_say_value(value)}"
            words = f"{bet}: {_say_value(value)} per round" if wager in placed else f"{bet} {cost}"
        elif purse_cents < table.rulebook.raise_amounts(ante, SMALLEST_FLUSH).minimum_cents:
            value = Fraction(-cents)
            words = f"{bet}: {_say_value(value)} per round, because you have too little left for a Raise"
        else:
            value = ante_value(table.rulebook, cents)
            words = f"{bet}: {_say_value(value)} per round with best play"
        items.append(Text(words, "green" if value > 0 else ""))
    return joined([Text.assemble(("Coach, on average: ", "bold")) + items[0], *items[1:]], table.screen.glyphs, width)


def say_advice(glyphs: Glyphs, advice: Advice, keep: int | None, amounts: Collection[int], width: int) -> list[Text]:
    """Return the best decision, the value of each decision, the odds of a Raise, and the reasons."""
    best, playable = advice.best, advice.flush_kept(keep)
    listed = {*amounts, *([best.raise_cents] if best.raise_cents and best.keep == keep else [])}
    values = {cents: advice.shown_value(Decision(cents, keep if cents else None)) for cents in (0, *sorted(listed))}
    close = any(abs(advice.antes(values[cents] - values[0])) < CLOSE for cents in listed)
    items = []
    for cents, value in values.items():
        words = f"raise {say_cents(cents)}" if cents else "Fold"
        worth = f"{words}: {_say_antes(advice.antes(value), close=close)} ({_say_value(value)})"
        is_best = cents == best.raise_cents and (not cents or keep == best.keep)
        items.append(Text(worth, "bold green" if is_best else ""))
    keep_words = f"keep {SUIT_NAMES[best.keep]} and " if best.keep is not None and best.keep != keep else ""
    does = f"{keep_words}raise {say_cents(best.raise_cents)}" if best.raise_cents else "fold"
    if keep_words:
        items.append(Text(f"{does}: {_say_antes(advice.antes(best.value))} ({_say_value(best.value)})", "bold green"))
    items[0] = Text.assemble(("Coach: ", "bold"), (f"{does}. ", "bold green")) + items[0]
    chances = (Fraction(count, playable.odds.total) for count in playable.odds.counts)
    chances_text = ", ".join(f"{words} {say_percent(chance)} %" for words, chance in zip(MET, chances, strict=True))
    meets = [Text(f"If you raise: {chances_text}.")] if listed else []
    sentences = [*meets, *_reasons(glyphs, advice, playable)]
    below = [line for words in sentences for line in wrapped(Text("  ") + words, width, 4)]
    return joined(items, glyphs, width) + below


FOLLOWS = ("coach-sure", "coach-seen", "coach-takes", "coach-leaves")
"""Codes of reasons that continue the sentence before them."""


def _reasons(glyphs: Glyphs, advice: Advice, playable: PlayableFlush) -> list[Text]:
    lines: list[Text] = []
    for reason in why(advice, playable):
        words, hand = say(reason, catalogue=COACH), Hand.parse(str(reason.values.get("cards", "")))
        before, cards, after = words.partition(say_cards(hand)) if hand else (words, "", "")
        sentence = Text(before) + (cards_inline(hand, glyphs) if cards else Text()) + Text(after)
        if reason.code in FOLLOWS:
            lines[-1].append(" ").append_text(sentence)
        else:
            lines.append(sentence)
    return lines


def say_hidden(advice: Advice, decision: Decision, run: Hand, width: int) -> list[Text]:
    """Return the coach's advice about a straight flush that may be turned face up."""
    down, up = advice.hidden(decision), advice.hidden(replace(decision, expose=run))
    words = f"face down, you give up {say_cost(down)}." if down else "it is paid face up or face down."
    if up:
        words = f"face up, you give up {say_cost(up)}: the flush you keep pays more, but the bet would be over."
    return wrapped(Text.assemble(("Coach: ", "bold"), words), width)


def say_loss(advice: Advice, decision: Decision) -> str:
    """Return a warning if the decision is not the best one; otherwise return an empty string."""
    cost = advice.loss(decision)
    return say(loss(advice, cost), catalogue=COACH) if cost else ""


def say_hiding(advice: Advice, decision: Decision) -> str:
    """Return a warning if the exposure is not the best one; otherwise return an empty string."""
    cost = advice.hidden(decision)
    return f"That gives away {say_cost(cost)}." if cost else ""


def show_account(table: Table) -> None:
    """If the coach was used, show the session's result split into expectation, mistakes and luck."""
    if not table.coached or not table.past:
        return
    whole = account((past.spot, past.decision, past.net_cents) for past in table.past)
    kinds = Counter(mistake.kind for mistake in whole.mistakes)
    counts = [(kinds[kind], words) for kind, words in MISTAKES.items() if kind in kinds]
    mistakes = ", ".join(f"{count} {one if count == 1 else many}" for count, (one, many) in counts)
    # Round so that the lines add up to the session's net result.
    expected, cost = round(whole.expected), round(whole.cost)
    rows = [
        ("best play expects", say_net(expected)),
        ("mistakes cost", say_net(-cost), Text(mistakes or "no mistake", "dim")),
        ("luck", say_net(whole.net_cents - expected + cost), Text(f"{whole.z:+.2f} standard deviations", "dim")),
        ("net", say_net(whole.net_cents)),
    ]
    rounds = f"{whole.rounds} round{'s' if whole.rounds > 1 else ''}"
    table.screen.panel(grid(rows, 3, right=[1]), f"The coach's account of {rounds}")
    table.screen.line(say(luck(whole.z, whole.rounds), catalogue=COACH))


def _say_antes(antes: Fraction, *, close: bool = False) -> str:
    """Return a value such as `-1.00 antes`, with four decimals if `close`."""
    return f"{float(antes):+.{4 if close else 2}f} antes"


def _say_value(cents: Fraction) -> str:
    return say_net(round(cents)).plain
