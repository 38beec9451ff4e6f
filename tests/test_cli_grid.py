"""Tables of the terminal: no number is ever split, however narrow the screen."""

import re

import pytest
from rich.console import Console

from highcardflush.cli import run
from highcardflush.cli.output import grid

NUMBER = re.compile(r"[+-]?[$]?[0-9][0-9,]*(?:[.][0-9]+)?x?")
PAGES = (
    "odds game washington",
    "odds game galaxy-v7 --raise-minimum 0.5",
    "odds hand AsKs9s7s2s7d8d --seen 2c3c",
    "odds strategy oxford Q-high",
    "odds paytable galaxy-v7/PT-PRG-HCF-MLP-01",
    "odds paytable galaxy-v7/PT-PRG-HCF-D02a --seats 6",
    "odds paytable oxford/straight-flush --bet 100",
    "rules paytable washington PT-FLT-HCF-FB-01",
    "rules paytable galaxy-v7 PT-PRG-HCF-D02a",
    "rules paytable galaxy-v7 PT-BJS-HCF-SF-E05",
    "rules list",
    "rules show meadows",
    "simulate oxford --rounds 2000 --seats 6",
)


def text(columns: int, amount: str = "amount", value: str = "1,234,567") -> str:
    table = grid("name", "what", amount, rows=[("first", "a long text of words", value)], right=(amount,))
    out = Console(width=columns, highlight=False)
    with out.capture() as captured:
        out.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def test_a_table_gets_narrower_word_by_word() -> None:
    assert (
        text(40)
        == """\
name    what                      amount
────────────────────────────────────────
first   a long text of words   1,234,567"""
    )
    assert (
        text(38)
        == """\
name   what                     amount
──────────────────────────────────────
first  a long text of words  1,234,567"""
    )
    assert (
        text(25)
        == """\
name   what        amount
─────────────────────────
first  a long   1,234,567
       text of
       words"""
    )
    assert (
        text(20)
        == """\
name    first
what    a long text
        of words
amount  1,234,567"""
    )


def test_a_head_is_wrapped_before_its_numbers() -> None:
    assert (
        text(29, "amount of money")
        == """\
                    amount of
name   what             money
─────────────────────────────
first  a long       1,234,567
       text of
       words"""
    )


def test_a_number_keeps_its_unit() -> None:
    assert (
        text(20, "part", "12.5 %")
        == """\
name   what     part
────────────────────
first  a      12.5 %
       long
       text
       of
       words"""
    )
    assert (
        text(19, "part", "12.5 %")
        == """\
name  first
what  a long text
      of words
part  12.5 %"""
    )


@pytest.mark.parametrize("page", PAGES)
def test_numbers_stay_whole(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    def numbers(columns: int) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(columns))
        assert run(page.split()) == 0
        said = re.sub(r"in [0-9.]+ s, [0-9.]+ million", "", " ".join(capsys.readouterr().out.split()))
        return sorted(NUMBER.findall(said))

    wide = numbers(100)
    for columns in (80, 60, 40):
        assert [number for number in numbers(columns) if number not in wide] == []
