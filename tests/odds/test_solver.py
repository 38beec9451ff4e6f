"""The pay-table solver: against brute force, against `hcf odds paytable`, and on every pay table of the documents."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from highcardflush.errors import TextError
from highcardflush.money import format_cents, format_rate
from highcardflush.odds.solver import Solution, Solved, price, solve
from highcardflush.odds.wanted import Wanted, load_wanted
from highcardflush.odds.whatif import Figures
from highcardflush.rulebook import PACKAGED, Line, PayTable, packaged
from support.places.hcf import Hcf, Write, assert_error

FLUSH = """\
wager = "flush"
edge = ["3%", "8%"]
lines = [
  { cards = 7, pay = [100, 300, 100] },
  { cards = 6, pay = [5, 60, 5] },
  { cards = 5, pay = [5, 12] },
  { cards = 4, pay = [0, 3] },
]
"""
PROGRESSIVE = """\
wager = "progressive"
edge = ["50%", "65%"]
seats = 3
lines = [
  { cards = 6, ace-high = true, pay = "100%", envy = 20 },
  { cards = 6, pay = "10%" },
  { cards = 5, pay = [40, 50, 10], dynamic = [75, 100, 150, 200, 250, 300, 350, 400, 450, 500] },
  { cards = 4, pay = [5, 10, 5], dynamic = [15, 20, 30, 40, 50, 60, 70, 80, 90, 100] },
  { cards = 3, pay = [0, 3] },
]
[meters.progressive]
seed = [5000, 20000, 15000]
rate = ["8%", "8.5%", "0.5%"]
reserve-rate = ["0%", "4%", "4%"]
"""


def edge(figures: Figures) -> Fraction:
    long_run = figures.progressive.long_run if figures.progressive else figures.odds.returned
    assert long_run is not None
    return 1 - long_run


def brute_force(wanted: Wanted) -> Iterator[Solution]:
    """Yield every table within the bounds with its price."""
    for pays in product(*(values or (0,) for values in wanted.pays)):
        fixed = [pay for pay, values in zip(pays, wanted.pays, strict=True) if values]
        falling = fixed == sorted(fixed, reverse=True)
        lowest_out = 0 not in fixed or not any(fixed[fixed.index(0) :])
        if not (lowest_out and (falling or wanted.rising)):
            continue
        for meters in product(*wanted.meters.values()):
            figures = price(wanted, wanted.solved(pays, meters))
            values = {
                wanted.edge: edge(figures),
                wanted.edge_at_seed: figures.odds.house_edge,
                wanted.hit_frequency: figures.odds.hit_frequency,
            }
            if not all(ends is None or ends[0] <= value <= ends[1] for ends, value in values.items()):
                continue
            deviation = wanted.standard_deviation
            if deviation is None or deviation[0] ** 2 <= figures.odds.variance <= deviation[1] ** 2:
                yield Solution(pays, meters, figures)


def tables(solutions: Solved) -> list[PayTable]:
    return [each.figures.table for each in solutions.solutions]


@pytest.mark.parametrize(
    "text",
    [
        FLUSH,
        "rising = true\n" + FLUSH,
        'hit-frequency = ["3%", "5%"]\n' + FLUSH.replace("8%", "75%", 1),
        "standard-deviation = [2, 3.5]\n" + FLUSH,
        'rising = true\nstandard-deviation = [0, "29/10"]\n' + FLUSH,
        PROGRESSIVE,
        'edge-at-seed = ["55%", "68%"]\nstandard-deviation = [8, 10]\n' + PROGRESSIVE,
    ],
)
def test_the_solutions_are_those_of_brute_force(text: str) -> None:
    wanted = load_wanted("show = 10_000\n" + text)
    solutions, expected = solve(wanted), list(brute_force(wanted))
    assert solutions.complete
    assert solutions.count == len(solutions.solutions) == len(expected) > 10
    assert {(each.pays, each.meters) for each in solutions.solutions} == {(each.pays, each.meters) for each in expected}
    assert solutions.tried <= wanted.space


def test_the_bounds_cut_the_search() -> None:
    solutions = solve(load_wanted(FLUSH.replace("[100, 300, 100]", "[1, 5000]").replace("8%", "3.001%")))
    assert solutions.tried < solutions.wanted.space / 100


ORDERED = {
    "edge-nearest": lambda each: abs(each.edge - Fraction(11, 200)),
    "edge-lowest": lambda each: each.edge,
    "edge-highest": lambda each: -each.edge,
    "deviation-lowest": lambda each: each.figures.odds.variance,
    "deviation-highest": lambda each: -each.figures.odds.variance,
}


@pytest.mark.parametrize("order", ORDERED)
def test_the_order_and_the_bound(order: str) -> None:
    every = solve(load_wanted(f'order = "{order}"\nshow = 10_000\n{FLUSH}'))
    keys = [(ORDERED[order](each), each.figures.odds.variance, each.pays) for each in every.solutions]
    assert keys == sorted(keys)
    few = solve(load_wanted(f'order = "{order}"\nshow = 3\n{FLUSH}'))
    assert few.count == every.count
    assert tables(few) == tables(every)[:3]


LOADED = {table.full_id: table for name in PACKAGED for table in packaged(name).paytables.values()}
UNPRINTED = "[meters.progressive]\nseed = 10_000\nrate = '20%'\nreserve-rate = '5%'\n"
"""Washington leaves seed and rates to the operator."""


def asked_pay(line: Line) -> str:
    """Round pays up to twice its own: in steps of 5, 50 or 500 if it is such a number itself."""
    if line.percent_bp is not None:
        return f"'{line.pay}'"
    most = min(*(pay - 1 for pay in line.dynamic), 2 * line.pay_for_1) if line.dynamic else 2 * line.pay_for_1
    digits = len(str(line.pay))
    step = 5 * 10 ** (digits - 2) if digits > 1 else 1
    return f"[{step}, {most}, {step}]" if line.pay_for_1 % step == 0 else f"[1, {most}]"


def asked_line(line: Line) -> str:
    pay = asked_pay(line)
    more = f", ace-high = {str(line.ace_high).lower()}, envy = {line.envy}, dynamic = {list(line.dynamic)}"
    return f"{{ cards = {line.cards}, pay = {pay}, meter = '{line.meter}'{more} }}"


def request_for(table: PayTable, edge: Fraction, hits: Fraction) -> str:
    """Return a request for a pay table with exactly this edge and hit frequency, and round pays up to twice those of
    `table`."""
    text = f"wager = '{table.wager}'\nshow = 10_000\nedge = '{edge}'\nhit-frequency = '{hits}'\n"
    text += "lines = [\n" + "".join(f"  {asked_line(line)},\n" for line in table.lines) + "]\n"
    for name, meter in table.meters.items():
        seed, rate, reserve = int(meter.seed or 0), meter.rate or 0, meter.reserve_rate or 0
        text += f"[meters.{name}]\nseed = '{format_cents(seed)}'\n"
        text += f"rate = '{format_rate(rate)}'\nreserve-rate = '{format_rate(reserve)}'\n"
    return text + (UNPRINTED if table.wager == "progressive" and not table.meters else "")


def test_there_are_48_tables() -> None:
    assert len(LOADED) == 48


@pytest.mark.parametrize("full_id", LOADED)
def test_each_table_is_found_from_its_edge_and_hit_frequency(full_id: str) -> None:
    table = LOADED[full_id]
    first = load_wanted(request_for(table, Fraction(0), Fraction(1)))
    pays = tuple(0 if line.percent_bp is not None else line.pay_for_1 for line in table.lines)
    own = price(first, first.solved(pays, tuple(values[0] for values in first.meters.values())))
    solutions = solve(load_wanted(request_for(table, edge(own), own.odds.hit_frequency)))
    assert pays in [each.pays for each in solutions.solutions]
    assert solutions.count == len(solutions.solutions)
    assert {each.edge for each in solutions.solutions} == {edge(own)}


def test_solutions_are_recomputed_by_the_paytable_command(hcf: Hcf, write: Write) -> None:
    result = hcf("odds", "solve", write("flush.toml", FLUSH), "--json")
    assert result.status == 0
    assert result.data["complete"]
    assert result.data["count"] > len(result.data["solutions"]) == 20
    for each in result.data["solutions"]:
        odds_data = hcf("odds", "paytable", "flush", "--lines", each["lines"], "--json").data
        assert odds_data["house_edge_exact"] == each["edge_exact"]
        assert odds_data["hit_frequency_exact"] == each["hit_frequency_exact"]
        assert odds_data["standard_deviation"] == each["standard_deviation"]
        assert {line["line"]: line["pay"] for line in odds_data["lines"]} == each["pay"]


def test_a_progressive_is_recomputed_by_the_paytable_command(hcf: Hcf, write: Write) -> None:
    own = PROGRESSIVE.replace("seats = 3", "").replace(", envy = 20", "")
    plain = "\n".join(
        line.partition(", dynamic")[0] + (" }," if ", dynamic" in line else "") for line in own.splitlines()
    )
    result = hcf("odds", "solve", write("own.toml", plain.replace("65%", "99%")), "--json")
    assert result.status == 0, result.err
    for each in result.data["solutions"]:
        meter = each["meters"]["progressive"]
        settings = {
            "seed": format_cents(meter["seed_cents"]),
            "rate": f"{100 * meter['rate']:g}%",
            "reserve-rate": f"{100 * meter['reserve_rate']:g}%",
        }
        words = [word for pair in settings.items() for word in ("--set", *pair)]
        odds_data = hcf("odds", "paytable", "progressive", "--lines", each["lines"], *words, "--json").data
        assert 1 - Fraction(odds_data["long_run_return"]) == Fraction(each["edge_exact"])
        assert odds_data["house_edge_exact"] == each["edge_at_seed_exact"]


def test_the_page(hcf: Hcf, write: Write) -> None:
    result = hcf("odds", "solve", write("flush.toml", FLUSH))
    assert result.status == 0
    assert result.out.startswith("flush, pays to 1: 56 solutions among 1,152 tables. Unit: one bet.\n")
    assert "Order: edge nearest to the middle of its range first, then the lower standard deviation" in result.words
    none = hcf("odds", "solve", write("none.toml", FLUSH.replace('["3%", "8%"]', '"99%"')))
    assert (none.status, none.out.splitlines()) == (
        0, ["flush, pays to 1: 0 solutions among 1,152 tables. Unit: one bet."],
    )  # fmt: skip
    assert "Meter progressive" in hcf("odds", "solve", write("own.toml", PROGRESSIVE)).out


def test_an_interrupt_gives_the_result_so_far(hcf: Hcf, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    every, steps = solve(load_wanted(FLUSH)), []

    def interrupt(step: int, total: int) -> None:
        assert 0 <= step < total
        steps.append(step)
        if len(steps) == 6:
            raise KeyboardInterrupt

    some = solve(load_wanted(FLUSH), interrupt)
    assert not some.complete
    assert 0 < some.count < every.count
    monkeypatch.setattr("highcardflush.cli.odds.paytable.search", lambda wanted, _: solve(wanted, interrupt))
    steps.clear()
    result = hcf("odds", "solve", write("flush.toml", FLUSH))
    assert result.status == 130
    assert result.err == f"hcf: interrupted after {some.count} solutions\n"
    assert f"at least {some.count} solutions" in result.out


@pytest.mark.parametrize(
    ("old", "new", "message", "read", "expected"),
    [
        ('"flush"', '"ante"', "wager", "'ante'", "one of flush, straight-flush, progressive"),
        ("edge", "egde", "egde", "key 'egde'", "a known key (near: edge)"),
        ("edge", "# edge", "edge", "nothing", "this key"),
        ('"3%"', '"three"', "edge", "'three'", 'a house edge such as "4.2%", 0.042 or "21/500"'),
        ('"3%"', "1e400", "edge", "'1e400'", 'a house edge such as "4.2%", 0.042 or "21/500"'),
        ('"3%"', '"9%"', "edge", "['9%', '8%']", "LOW not above HIGH"),
        ('["3%", "8%"]', "[1, 2, 3]", "edge", "a list of 3 values", "one value or [LOW, HIGH]"),
        ("cards = 6", "cards = 9", "lines[1].cards", "9", "a whole number, 7 or less"),
        ("cards = 6", "cards = 7", "lines[1]", "7-card", "a line below 7-card, because the best line comes first"),
        ("[5, 12]", "5.5", "lines[2].pay", "'5.5'",
         "a whole pay, [LOW, HIGH], [LOW, HIGH, STEP], or a percentage of the meter such as '10%'"),
        ("[5, 12]", '"10%"', "lines[2].pay", "10%", "a whole number, because only a progressive pays from a meter"),
        ("[5, 12]", "[12, 5]", "lines[2].pay", "[12, 5]", "LOW not above HIGH, and a STEP above 0"),
        ("[5, 12]", "[5, -1]", "lines[2].pay", "-1", "a whole pay, 0 to 999,999,999"),
        ("[5, 12]", "[5, 500_000]", "lines[2].pay", "499,996 values",
         "at most 100,000: use a larger step or a narrower range"),
        ("[100, 300, 100]", "[0, 3]", "lines[1].pay", "5 or more",
         "a range that includes 0, because the line above can be left out"),
        ("wager", 'order = "best"\nwager', "order", "'best'",
         "one of edge-nearest, edge-lowest, edge-highest, deviation-lowest, deviation-highest"),
        ("wager", "seats = 2\nwager", "seats", "a value", "no value, because it is only for a progressive"),
        ("wager", "show = 0\nwager", "show", "0", "a whole number, 1 or more"),
        ("wager", "hits = 0\nwager", "hits", "key 'hits'", "a known key"),
    ],
)  # fmt: skip
def test_errors_of_a_wish_file_are_named(
    hcf: Hcf, write: Write, old: str, new: str, message: str, read: str, expected: str
) -> None:
    result = hcf("odds", "solve", write("bad.toml", FLUSH.replace(old, new, 1)), "--json")
    assert result.status == 1
    assert_error(result.data["error"], message=message, file="bad.toml", read=read, expected=expected)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed =", "sed =", "meters.progressive.sed"),
        ("[5000, 20000, 15000]", "-5", "meters.progressive.seed"),
        ('"0.5%"', "0.5", "meters.progressive.rate"),
        ("[meters.progressive]", "[meters.level-1]", "meters"),
        ("[40, 50, 10]", "[40, 80, 10]", "lines[2].pay"),
        ("wager", "rising = true\nwager", "rising"),
        (PROGRESSIVE[PROGRESSIVE.index("[meters") :], "", "meters"),
    ],
)
def test_errors_of_a_progressive_wish_are_named(old: str, new: str, message: str) -> None:
    with pytest.raises(TextError) as error:
        load_wanted(PROGRESSIVE.replace(old, new, 1))
    assert error.value.message == message
    assert error.value.read
    assert error.value.expected
