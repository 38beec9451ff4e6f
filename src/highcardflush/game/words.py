"""What the dealer says: the reason of each result, in words that could be read aloud."""

from __future__ import annotations

from highcardflush.cards import HAND_SIZE
from highcardflush.game.state import HandVoid
from highcardflush.money import format_rate, say_cents
from highcardflush.ranking import NUMBER_NAMES, FlushRank, StraightFlush
from highcardflush.rulebook.model import Line, PayTable


def say_flush(flush: FlushRank, other: FlushRank) -> str:
    """`four cards, ace high`, with as many ranks as it takes to tell it from the other flush."""
    names, shown = flush.names, 1
    if flush.length == other.length:
        pairs = enumerate(zip(names, other.names, strict=True), 1)
        shown = next((i for i, (own, theirs) in pairs if own != theirs), len(names))
    ranks = f"{names[0]} high" if shown == 1 else "-".join(names[:shown])
    return f"{NUMBER_NAMES[flush.length]} cards, {ranks}"


def say_dealer(flush: FlushRank, qualifies: bool) -> str:
    return f"dealer qualifies with {flush}" if qualifies else f"dealer does not qualify with {flush}"


def say_main(seat: int, flush: FlushRank, dealer: FlushRank, qualifies: bool) -> str:
    """Why a seat that raised won, lost or tied."""
    if not qualifies:
        return f"{say_dealer(dealer, qualifies)}; seat {seat} is paid on the Ante, the Raise pushes"
    verb = "wins" if flush > dealer else "loses" if flush < dealer else "ties"
    return f"dealer qualifies with {say_flush(dealer, flush)}; seat {seat} {verb} with {say_flush(flush, dealer)}"


def say_fold(seat: int) -> str:
    return f"seat {seat} folded"


def say_flush_bonus(line: Line | None, table: PayTable, length: int) -> str:
    cards = f"{NUMBER_NAMES[length]}-card flush"
    return f"{cards} pays {line.pay} {table.pays}" if line else f"{cards} does not pay"


def say_no_pay(found: StraightFlush | None) -> str:
    return f"{found}: does not pay" if found else "no straight flush"


def say_fixed_pay(found: StraightFlush, pay: int, table: PayTable, base_cents: int = 0) -> str:
    """`three-card straight flush, eight high, pays 7 to 1`, or a dollar pay for a base bet."""
    if table.wager == "progressive":
        return f"{found}, pays {say_cents(pay * base_cents)} for {say_cents(base_cents)}"
    return f"{found}, pays {pay} {table.pays}"


def say_meter_pay(found: StraightFlush, line: Line, paid_cents: int, notes: str) -> str:
    share = format_rate(line.percent_bp or 0)
    return f"{found}, takes {share} of the {line.meter} meter: {say_cents(paid_cents)}{notes}"


def say_void(void: HandVoid, words: str) -> str:
    does = "returned" if void.disposition == "return" else "forfeited"
    return f"hand void ({words}), wager {does}"


def say_reason(code: str, text: str, irregularities: dict[str, str]) -> str:
    return text or irregularities.get(code, code)


def say_count(hands: dict[int, int]) -> str:
    """`seat 2 has 6 cards, the dealer has 8 cards`."""
    who = (f"{f'seat {number}' if number else 'the dealer'} has {count} cards" for number, count in hands.items())
    return ", ".join(who) + f", not {HAND_SIZE}"
