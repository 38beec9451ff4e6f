"""Money as text and back, what is refused, and shares that add up."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highcardflush import money
from highcardflush.errors import TextError

micros = st.integers(0, 10**18 - 1)  # twelve digits of dollars and six of a dollar
cents = st.integers(0, 10**14 - 1)
weights = st.lists(st.integers(0, 10**9), min_size=1, max_size=12).filter(any)


@pytest.mark.clause("S3")
def test_a_cent_times_a_basis_point_is_a_micro_dollar() -> None:
    assert money.MICROS_PER_CENT == money.WHOLE_BP  # so the whole of a cent is the cent
    assert money.MICROS_PER_DOLLAR == 100 * money.MICROS_PER_CENT
    assert money.parse_cents("1") * money.parse_rate("0.01%") == money.parse_micros("0.0001")


@pytest.mark.clause("S7")
@pytest.mark.parametrize(
    ("text", "amount_cents"),
    [("0", 0), ("25", 2500), ("12.50", 1250), ("12.5", 1250), ("0.01", 1), ("12.500000", 1250), ("007", 700)],
)
def test_parse_cents(text: str, amount_cents: int) -> None:
    assert money.parse_cents(text) == amount_cents
    assert type(money.parse_cents(text)) is int


@pytest.mark.clause("S3")
def test_parse_micros_to_the_millionth() -> None:
    assert money.parse_micros("30000.234567") == 30_000_234_567
    assert money.parse_micros("0.000001") == 1


def test_signs_only_where_they_are_allowed() -> None:
    assert money.parse_cents("-12.50", signed=True) == -1250
    assert money.parse_cents("+12.50", signed=True) == money.parse_cents("12.50", signed=True) == 1250
    assert money.parse_micros("-0.000001", signed=True) == -1
    for text in ("-12.50", "+12.50"):
        with pytest.raises(TextError, match="amount"):
            money.parse_cents(text)


UNREAD = ["", " 25", "25\n", "$25", "1,000", "25.", ".5", "1e3", "0x10", "--1", "1.2345678", "1" * 13, "nan", "٢٥", "²"]


@pytest.mark.parametrize("text", UNREAD)
def test_an_amount_that_cannot_be_read_is_refused(text: str) -> None:
    for parse in (money.parse_micros, money.parse_cents):
        with pytest.raises(TextError) as error_info:
            parse(text)
        assert error_info.value.as_dict() == {
            "code": "bad-text",
            "message": "amount",
            "file": None,
            "line": None,
            "read": repr(text),
            "expected": "dollars such as 25 or 12.50",
        }


@pytest.mark.clause("S7")
@pytest.mark.parametrize("text", ["12.505", "0.001", "-0.001"])
def test_part_of_a_cent_is_refused(text: str) -> None:
    with pytest.raises(TextError) as error_info:
        money.parse_cents(text, signed=True)
    assert str(error_info.value) == f"amount: read {text!r}, expected whole cents such as 25 or 12.50"


def test_amounts_as_text() -> None:
    amounts = (0, 25_000_000, 12_050_000, 1_234_500, 1, -12_500_000, -1)
    assert [money.format_micros(n) for n in amounts] == [
        "0",
        "25",
        "12.05",
        "1.2345",
        "0.000001",
        "-12.50",
        "-0.000001",
    ]
    assert [money.format_cents(n) for n in (0, 1, 1250, 2500, -1250)] == ["0", "0.01", "12.50", "25", "-12.50"]
    assert [money.format_net(n) for n in (2500, -1000, 0, -1)] == ["+25", "-10", "+0", "-0.01"]
    assert [money.say_cents(n) for n in (2500, 1250, 3_000_000, -3_000_050)] == [
        "$25",
        "$12.50",
        "$30,000",
        "-$30,000.50",
    ]
    assert money.say_micros(1_234_567_234_500) == "$1,234,567.2345"


@given(micros)
def test_micros_round_trip(amount: int) -> None:
    assert money.parse_micros(money.format_micros(amount)) == amount
    assert money.parse_micros(money.format_micros(-amount), signed=True) == -amount


@given(cents)
def test_cents_round_trip(amount: int) -> None:
    assert money.parse_cents(money.format_cents(amount)) == amount
    assert money.parse_cents(money.format_net(amount), signed=True) == amount
    assert money.parse_cents(money.format_net(-amount), signed=True) == -amount
    assert money.parse_cents(money.say_cents(amount).replace("$", "").replace(",", "")) == amount


@pytest.mark.parametrize(
    ("text", "rate_bp"),
    [("0%", 0), ("23%", 2300), ("0.25%", 25), ("0.5%", 50), ("0.01%", 1), ("100%", 10_000), ("100.00%", 10_000)],
)
def test_parse_rate(text: str, rate_bp: int) -> None:
    assert money.parse_rate(text) == rate_bp


@pytest.mark.parametrize(
    "text", ["", "23", "%", "-1%", "+1%", "100.01%", "101%", "0.001%", "1 %", "23%\n", "1000%", "٢%"]
)
def test_a_rate_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(TextError) as error_info:
        money.parse_rate(text)
    assert str(error_info.value) == f"rate: read {text!r}, expected a percentage from 0% to 100%, such as 23% or 0.25%"


def test_every_rate_round_trips() -> None:
    for rate_bp in range(money.WHOLE_BP + 1):
        assert money.parse_rate(money.format_rate(rate_bp)) == rate_bp
    assert [money.format_rate(n) for n in (0, 1, 25, 50, 2300, 2350, 10_000)] == [
        "0%", "0.01%", "0.25%", "0.5%", "23%", "23.5%", "100%",
    ]  # fmt: skip


@pytest.mark.clause("S1")
@pytest.mark.parametrize(
    ("total", "by", "shares"),
    [
        (100, [1, 1, 1], [34, 33, 33]),
        (101, [1, 1, 1], [34, 34, 33]),
        (100, [1, 2, 4], [14, 29, 57]),  # 14.28, 28.57, 57.14: the odd one to the largest remainder
        (1, [5, 5], [1, 0]),
        (3, [0, 1, 0, 1], [0, 2, 0, 1]),  # who has no weight gets nothing
        (0, [3, 4], [0, 0]),
        (7, [9], [7]),
        (5_000_000, [8_000_000, 2_000_000], [4_000_000, 1_000_000]),
    ],
)
def test_split_in_proportion(total: int, by: list[int], shares: list[int]) -> None:
    assert money.split_in_proportion(total, by) == shares


@pytest.mark.clause("S1", "S7")
@given(st.integers(0, 10**15), weights)
def test_odd_units_go_to_the_largest_remainders_and_ties_in_order(total: int, by: list[int]) -> None:
    shares = money.split_in_proportion(total, by)
    exact = [Fraction(total * weight, sum(by)) for weight in by]
    odd = [share - int(part) for share, part in zip(shares, exact, strict=True)]
    assert sum(shares) == total
    assert set(odd) <= {0, 1}
    order = sorted(range(len(by)), key=lambda i: (int(exact[i]) - exact[i], i))
    assert [odd[i] for i in order] == sorted(odd, reverse=True)


@pytest.mark.parametrize("by", [[], [0], [0, 0]])
def test_nothing_to_share_by_is_refused(by: list[int]) -> None:
    with pytest.raises(ValueError, match="the weights must have a positive sum"):
        money.split_in_proportion(10, by)
