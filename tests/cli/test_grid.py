"""Tables of the terminal: no number is ever split, however narrow the screen."""

import re

import pytest
from rich.console import Console

from highcardflush.cli.output import grid
from highcardflush.rulebook import PACKAGED
from support.places.hcf import Hcf

NUMBER = re.compile(r"[+-]?[$]?[0-9][0-9,]*(?:[.][0-9]+)?x?")
PAGES = (
    "odds game washington",
    "odds game galaxy-v7 --raise-minimum 0.5",
    "odds hand AsKs9s7s2s7d8d --seen 2c3c",
    "odds strategy oxford Q-high",
    "odds errors meadows --rate folds 5%",
    "odds sensitivity oxford",
    "odds treasury galaxy-v7/PT-PRG-HCF-MLP-01 base=5 --bets-an-hour 500 --cap 100",
    "odds paytable galaxy-v7/PT-PRG-HCF-MLP-01",
    "odds paytable galaxy-v7/PT-PRG-HCF-D02a --seats 6",
    "odds paytable oxford/straight-flush --bet 100",
    *(f"rules {what} {name}" for what in ("show", "procedure") for name in PACKAGED),
    "rules paytable washington PT-FLT-HCF-FB-01",
    "rules paytable galaxy-v7 PT-PRG-HCF-D02a",
    "rules paytable galaxy-v7 PT-BJS-HCF-SF-E05",
    "rules list",
    "simulate oxford --rounds 2000 --seats 6",
)


@pytest.mark.parametrize(
    ("columns", "head", "value", "cell"),
    [
        (40, "amount", "1,234,567", """\
name    what                      amount
────────────────────────────────────────
first   a long text of words   1,234,567"""),
        (38, "amount", "1,234,567", """\
name   what                     amount
──────────────────────────────────────
first  a long text of words  1,234,567"""),
        (25, "amount", "1,234,567", """\
name   what        amount
─────────────────────────
first  a long   1,234,567
       text of
       words"""),
        (20, "amount", "1,234,567", """\
name    first
what    a long text
        of words
amount  1,234,567"""),
        (29, "amount of money", "1,234,567", """\
                    amount of
name   what             money
─────────────────────────────
first  a long       1,234,567
       text of
       words"""),
        (20, "part", "12.5 %", """\
name   what     part
────────────────────
first  a      12.5 %
       long
       text
       of
       words"""),
        (19, "part", "12.5 %", """\
name  first
what  a long text
      of words
part  12.5 %"""),
    ],
)  # fmt: skip
def test_a_table_gets_narrower_word_by_word(columns: int, head: str, value: str, cell: str) -> None:
    """A head is wrapped before its numbers, and a number keeps its unit."""
    out = Console(width=columns, highlight=False)
    with out.capture() as capture:
        out.print(grid("name", "what", f">{head}", rows=[("first", "a long text of words", value)]))
    assert "\n".join(line.rstrip() for line in capture.get().splitlines()) == cell


@pytest.mark.parametrize("page", PAGES)
def test_numbers_stay_whole(hcf: Hcf, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    """The page fits the terminal and 100 columns, and names the unit of its odds."""

    def numbers(columns: int) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(columns))
        result = hcf(*page.split())
        assert result.status == 0
        assert max(map(len, result.out.splitlines())) <= min(100, columns)
        assert (
            not page.startswith("odds ")
            or re.search("Unit: one|unit is one", result.words)
            or "value in Antes" in result.words
        )
        return NUMBER.findall(re.sub(r"in [0-9.]+ s, [0-9.]+ million", "", result.words))

    wide = numbers(200)
    for columns in (80, 60, 40):
        assert [number for number in numbers(columns) if number not in wide] == []
