"""The oracle against the golden rounds: two readings of the specification that were made apart."""

from pathlib import Path

import pytest

from support.oracle import CENT, DOCUMENTS, cents, micros, settle_text

GOLDEN = Path(__file__).parent / "golden"


def rounds() -> list[tuple[str, list[str]]]:
    """Every golden round, as file and number, and its lines without comments."""
    found: list[tuple[str, list[str]]] = []
    for path in sorted(GOLDEN.glob("*.hcf")):
        number = 0
        for row in path.read_text(encoding="utf-8").splitlines():
            words = row.split("#")[0].split()
            if words[:1] == ["hcf"]:
                number += 1
                found.append((f"{path.stem}-{number}", []))
            if words:
                found[-1][1].append(" ".join(words))
    return found


def packaged_rounds() -> list[tuple[str, list[str]]]:
    """Those under a packaged rulebook: the oracle reads no other."""
    books = {name: next(row.split()[1] for row in rows if row.startswith("rulebook ")) for name, rows in rounds()}
    return [(name, rows) for name, rows in rounds() if (DOCUMENTS / f"{books[name]}.toml").is_file()]


@pytest.mark.parametrize("rows", [pytest.param(rows, id=name) for name, rows in packaged_rounds()])
def test_golden_round(rows: list[str]) -> None:
    net, meters = settle_text("\n".join(row for row in rows if not row.startswith("=")))
    for row in rows:
        words = row.split()
        if words[:2] == ["=", "meter"]:
            amount, reserve = meters[words[2]]
            assert amount == micros(words[3]), row
            if len(words) > 4:
                assert reserve == micros(words[4].removeprefix("reserve=")), row
        elif words[0] == "=":
            seat = int(words[1])
            for wager, expected in zip(words[2::2], words[3::2], strict=True):
                got = net.get((seat, wager), 0) if wager == "envy" else net[seat, wager]
                assert got == cents(expected), row


SEVEN, SIX, KING = "2c3c4c5c6c7c8c", "2d3d4d5d6d7d Qh", "9hThJhQhKh 2s 4s"
HEAD = "hcf 1\nrulebook galaxy-v7\nset play progressive-only\n"


def progressive(table: str, meter: str, hands: dict[int, str], *more: str) -> str:
    seats = "".join(f"seat {seat} progressive 1\n" for seat in hands)
    deals = "".join(f"deal {seat} {cards}\n" for seat, cards in hands.items() if cards)
    sets = "".join(f"{row}\n" for row in more)
    return f"{HEAD}offer progressive PT-BJS-HCF-{table}\n{sets}meter {meter}\n{seats}{deals}"


@pytest.mark.parametrize(
    ("hits", "first", "second", "amount", "reserve"),
    [
        # 1000.004 + 2 x 0.20 = 1000.404; the seed is 5000, the reserve 2 x 0.08.
        ("share", 500_20 - 1_00, 500_20 - 1_00, "5000.004", "-4999.84"),
        ("each", 1000_40 - 1_00, 1000_40 - 1_00, "5000.004", "-4999.84"),
        ("in-turn", 1000_40 - 1_00, 5000_00 - 1_00, "5000.004", "-9999.84"),
    ],
)
def test_several_hits(hits: str, first: int, second: int, amount: str, reserve: str) -> None:
    text = progressive("SF-08a", "progressive 1000.004", {5: SEVEN, 2: SIX}, f"set hits {hits}")
    net, meters = settle_text(text)
    assert net == {(5, "progressive"): first, (2, "progressive"): second}
    assert meters == {"progressive": (micros(amount), micros(reserve))}


def test_percentage_rounds_up_but_stays_within_the_meter() -> None:
    sets = ("set rate 0%", "set reserve-rate 0%")
    net, meters = settle_text(progressive("SF-07", "progressive 0.11", {1: SIX}, *sets))
    assert net == {(1, "progressive"): 2 - 100}
    assert meters == {"progressive": (9 * CENT, 0)}
    net, meters = settle_text(progressive("SF-07", "progressive 0.0099", {1: SIX}, *sets))
    assert net == {(1, "progressive"): -100}
    assert meters == {"progressive": (99 * CENT // 100, 0)}


def test_reserve_above_the_reseed_is_the_new_meter() -> None:
    _, meters = settle_text(progressive("SF-07", "progressive 50000 reserve=40000", {1: SEVEN}))
    assert meters == {"progressive": (micros("40000.05"), 0)}


def test_two_envy_winners_pay_each_other() -> None:
    net, _ = settle_text(progressive("SF-E04", "progressive 5000", {6: SEVEN, 4: SIX, 1: ""}))
    assert {seat: pay for (seat, wager), pay in net.items() if wager == "envy"} == {6: 200_00, 4: 200_00, 1: 400_00}


def test_cap_by_largest_remainder() -> None:
    text = f"""
        hcf 1
        rulebook oxford
        set cap-player 10
        set cap-flush-table 0.01
        seat 3 ante 1 flush 1
        seat 2 ante 1 flush 1
        deal 3 {KING}
        deal 2 TdJdQdKdAd 2c4c
        deal dealer 9c7c 8s6s 3h5h 9d
        3 raise 2
        2 raise 2
    """
    net, meters = settle_text(text)
    assert net == {
        (3, "ante"): 91,  # of 90 10/11
        (3, "raise"): 0,
        (3, "flush"): 1,  # of 909 1/11, then half a cent: seat 3 is settled first
        (2, "ante"): 91,
        (2, "raise"): 0,
        (2, "flush"): 0,
    }
    assert meters == {}
