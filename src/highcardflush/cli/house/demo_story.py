"""What the demonstration tells: first that the odds are staged, at the end what came of the jackpot and the books."""

from __future__ import annotations

from typing import Any

from highcardflush.cli.house.demo_screen import Scene, Screen
from highcardflush.cli.house.demo_stage import METER, SECOND_ABOVE_MICROS, printed, staged
from highcardflush.cli.house.meter_pages import case_data, reconciliation_data
from highcardflush.cli.house.words import dollars, signed
from highcardflush.cli.output import exact, plural
from highcardflush.house import House, reports
from highcardflush.house.audit.run import Report
from highcardflush.house.audit.run import audit as run_audit
from highcardflush.house.meter import Case
from highcardflush.house.reports import Reconciliation
from highcardflush.house.store import shown_url
from highcardflush.notation.proof import Verification, parse_proofs, verify_proof
from highcardflush.odds.counting import HANDS
from highcardflush.words import say

COVERED = ("events", "transfers", "rounds", "proofs", "hits")
SHOWN = 5
"""Findings of a check that are shown."""


def announce(screen: Screen) -> None:
    """Say what is staged and what is not, before anything is played."""
    here, there = staged(), printed()
    screen.say()
    screen.say("THE ODDS ARE STAGED, so that you need not wait.", "bold red")
    screen.say(
        f"Here a five-card straight flush, or four cards with the ace, wins the whole meter: {here.hands:,} of "
        f"{HANDS:,} hands, 1 in {here.one_in:,}. On the printed table {there.paytable} it takes seven cards: "
        f"{there.hands:,} hands, 1 in {there.one_in:,}. All else is what you would run: engine, shuffle, books, "
        "approvals, audit."
    )
    screen.say()


def tell_wins(house: House, screen: Screen, scene: Scene) -> None:
    screen.say()
    if not scene.jackpots:
        chance = f"at 1 in {staged().one_in:,}"
        screen.step(
            "No hit", f"not in {plural(scene.hands, 'hand')}, {chance}. Run it again: the cards are not staged."
        )
        return
    first, *others = scene.jackpots
    screen.step("Hit", f"{_place(first)} with {_hand(house, first)}")
    votes = " and ".join(vote.actor for vote in first.votes)
    screen.step("Approved", f"by {votes}; above {dollars(SECOND_ABOVE_MICROS)} it takes two")
    screen.step("Paid", _paid(house, first))
    for case in others:
        screen.step("And again", f"{_place(case)}: {dollars(case.win.micros)}, approved and paid")


def _place(case: Case) -> str:
    return f"{case.table}, round {case.round}, seat {case.win.seat}"


def _hand(house: House, case: Case) -> str:
    """The winning hand, and what the dealer said to it."""
    state = _verified(house, case).replay.state
    assert state.settlement is not None
    told = (result for result in state.settlement.results if result.seat == case.win.seat)
    reason = next(result.reason for result in told if result.wager == "progressive")
    return f"{state.seat(case.win.seat).hand}: {say(reason)}"


def _paid(house: House, case: Case) -> str:
    """The line of the winner's statement that is the jackpot."""
    lines = reports.statement(house, case.win.account.partition("/")[2], "admin").lines
    line = next(line for line in lines if line.kind == "vote" and f"win {case.win.win} " in line.what)
    before, after = dollars(line.balance_micros - line.micros), dollars(line.balance_micros)
    return f"{dollars(line.micros)} to {case.win.account}: {before} before, {after} after"


def _verified(house: House, case: Case) -> Verification:
    (proof,) = parse_proofs(house.proof(case.table, case.round))
    return verify_proof(proof)


def prove(house: House, screen: Screen, case: Case) -> None:
    """The round of the win, from its published record; refused if it is not what it says."""
    committed = _verified(house, case).proof.commitment[:12]
    screen.step(
        "Proved",
        f"round {case.round} of {case.table} from its published record alone: its seed is the one committed to "
        f"({committed}...) before the bets, its cards follow from the seeds, its results from the rules",
    )


def reconcile(house: House, screen: Screen) -> Reconciliation:
    sums = reports.reconcile(house, METER, "admin")
    items = sums.display.items
    rows = list(zip((item.what for item in items), signed(item.micros for item in items), strict=True))
    verdict = "agrees, to the micro-dollar" if sums.agrees else "DOES NOT AGREE"
    screen.sums("Reconciled", [*rows, ("= the display", dollars(sums.display.shown_micros))], verdict)
    return sums


def audit(house: House, screen: Screen) -> Report:
    with screen.busy() as tell:

        def progress(check: str, done: int, events: int) -> None:
            tell(f"auditing: {check}, {done:,} of {events:,} events")

        report = house.store.snapshot(lambda tx: run_audit(tx, progress=progress))
    covered: dict[str, int] = {}
    for check in report.checks:
        covered |= {what: max(number, covered.get(what, 0)) for what, number in check.covered.items()}
    seen = ", ".join(plural(covered[what], what.removesuffix("s")) for what in COVERED if what in covered)
    words = f"{report.wrong:,} FINDINGS" if report.wrong else "nothing is wrong"
    screen.step("Audited", f"{seen}; {', '.join(check.name for check in report.checks)}: {words}")
    for check in report.checks:
        for finding in check.findings[:SHOWN]:
            screen.step("", f"{check.name}: {finding}")
    return report


def farewell(screen: Screen, url: str | None) -> None:
    screen.say()
    if url is None:
        screen.say("The books are thrown away. Keep them with: hcf house demo --db sqlite:///demo.db")
        return
    screen.say("Look around:")
    for words in ("house status", f"house meter show {METER}", f"house meter reconcile {METER} --moves", "audit"):
        screen.say(f"  hcf {words} --db {shown_url(url)}")


def as_data(scene: Scene, reconciled: Reconciliation, audited: Report) -> dict[str, Any]:
    here, there = staged(), printed()
    return {
        "staged": {"paytable": here.paytable, "chance": exact(here.exact)},
        "printed": {"paytable": there.paytable, "chance": exact(there.exact)},
        "rounds": scene.rounds,
        "hands": scene.hands,
        "seconds": scene.seconds,
        "wins": [case_data(case) for case in scene.jackpots],
        "proved": [{"table": case.table, "round": case.round} for case in scene.jackpots[:1]],
        "reconciliation": reconciliation_data(reconciled),
        "audit": {"wrong": audited.wrong, "checks": {check.name: check.wrong for check in audited.checks}},
    }
