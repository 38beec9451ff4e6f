"""The formats: the same bytes twice, pages that stand alone, PDF, JSON and CSV; and the command `hcf par`."""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict, replace
from pypdf import PdfReader

pytest.importorskip("altair", reason="reports need the extra `lab`")

from highcardflush.errors import HcfError
from highcardflush.figures.sheet import par_sheet
from highcardflush.figures.side_bets import progressive
from highcardflush.formats.charts import draw
from highcardflush.formats.files import check_ending, render
from highcardflush.formats.json import exact
from highcardflush.formats.pdf import page_count, template_inputs, to_pdf
from highcardflush.formats.show import show
from highcardflush.odds.counting import DEALS
from highcardflush.pages.cards import card_document
from highcardflush.pages.document import Bullets, Grid, columns
from highcardflush.pages.par_sheet import par_document
from highcardflush.software import software
from highcardflush.words import say_line_short
from support.data.report import DATE, TABLES, book_of, rendered, sheet_of
from support.data.tables import table
from support.places.hcf import Hcf


def test_the_same_input_gives_the_same_bytes() -> None:
    again = par_sheet(book_of("oxford"), date=DATE)
    assert again == sheet_of("oxford")
    for form in ("html", "pdf", "json", "csv"):
        assert render(again, form) == rendered("oxford", form)


def test_only_the_date_line_differs_on_another_day() -> None:
    sheet = sheet_of("oxford")
    later = replace(sheet, date="2026-02-02")
    first, other = (data.decode().splitlines() for data in (rendered("oxford", "html"), render(later, "html")))
    assert [line for line in first if line not in other] == [f"<div><dt>Date</dt><dd>{DATE}</dd></div>"]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("card", [False, True])
def test_html_stands_alone(name: str, card: bool) -> None:
    page = rendered(name, "html", card=card).decode()
    assert not re.search(r"https?:|//|src=|@import|<script|<link", re.sub(r"<style>.*?</style>", "", page, flags=re.S))
    assert "url(" not in page
    assert book_of(name).table_hash[:16] in page
    assert page.count("<svg") == (0 if card else page.count("<figure>"))


@pytest.mark.parametrize("name", TABLES)
def test_pdf_has_its_pages_and_texts(name: str) -> None:
    inputs = template_inputs(par_document(sheet_of(name)))
    assert rendered(name, "pdf").startswith(b"%PDF-1.7")
    assert page_count(inputs) >= 5
    source = inputs["document"]
    for text in ("6,071,092,494,667,200", "133,784,560", "2.664530 %", book_of(name).sha256, DATE):
        assert text in source


def test_a_key_in_a_table_of_texts_stays_whole() -> None:
    heads = columns(("ranks", "Setting"), ("text", "Value", "Default", "Set by", "Meaning"))
    grid = Grid("Settings", heads, (("reserve-rate", "5%", "none", "table", "Part of each bet that feeds it; " * 9),))
    page = to_pdf(replace(par_document(sheet_of("oxford")), blocks=(grid,)))
    assert "reserve-rate" in PdfReader(io.BytesIO(page)).pages[0].extract_text()


@pytest.mark.parametrize("name", TABLES)
def test_a_rack_card_is_one_page(name: str) -> None:
    assert rendered(name, "pdf", card=True).startswith(b"%PDF-1.7")


def test_a_rack_card_of_two_pages_is_refused() -> None:
    card = card_document(sheet_of("oxford"))
    with pytest.raises(HcfError, match="more than one page"):
        to_pdf(replace(card, blocks=(*card.blocks, Bullets(("A rule.",) * 500))))


@pytest.mark.parametrize("name", ["dynamic", "envy", "levels"])
def test_a_meter_is_drawn_with_its_marks(name: str) -> None:
    for meter in progressive(book_of(name)).meters:
        svg = draw(meter)
        assert all(words in svg for words in ("seed $", "expected at a win $", "break-even $"))


def test_json_has_exact_values() -> None:
    data: dict[str, Any] = json.loads(rendered("oxford", "json"))
    best = sheet_of("oxford").main_game.best
    assert data["main_game"]["expected"] == exact(best.expected)
    assert data["main_game"]["house_edge"] == float(best.house_edge)
    assert data["main_game"]["house_edge_exact"] == exact(best.house_edge)
    assert data["side_bets"][0]["return"] == exact(sheet_of("oxford").side_bets[0].odds.returned)
    assert data["header"]["sha256"] == book_of("oxford").sha256


def keys(value: Any) -> set[str]:
    """Every key in it, the terms themselves aside."""
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if not isinstance(value, dict):
        return set()
    return set(value) | {key for name, each in value.items() if name != "terms" for key in keys(each)}


def test_json_says_what_its_keys_mean() -> None:
    sheets = [sheet_of(name) for name in ("oxford", "dynamic", "envy", "levels", "atlantic-city")]
    sheets.append(par_sheet(book_of("dynamic"), rounds=10))
    sheets.append(par_sheet(table("washington | progressive PT-BJS-HCF-SF-01 | jackpot bonus")))
    found = {key.removesuffix("_exact") for sheet in sheets for key in keys(json.loads(render(sheet, "json")))}
    known = json.loads(rendered("oxford", "json"))["terms"]
    assert found | {"unit"} == set(known)
    assert known["break_even_meter"] == {"unit": "dollars", "meaning": "meter at which the bet returns 100 %"}
    for key in found:
        assert known[key]["unit"] == {"cents": "whole cents", "micros": "whole millionths of a dollar"}.get(
            key.rpartition("_")[2], known[key]["unit"]
        )
        assert key == key.lower().replace("-", "_")


def test_preparer_and_revision_are_in_every_form() -> None:
    sheet = replace(sheet_of("oxford"), prepared_by="A. <Preparer>", revision="B")
    header = json.loads(render(sheet, "json"))["header"]
    assert (header["prepared_by"], header["revision"]) == ("A. <Preparer>", "B")
    assert header["software"] == asdict(software())
    page = render(sheet, "html").decode()
    assert "<div><dt>Prepared by</dt><dd>A. &lt;Preparer&gt;</dd></div>" in page
    assert "<div><dt>Revision</dt><dd>B</dd></div>" in page
    rows = list(csv.reader(io.StringIO(render(sheet, "csv").decode())))
    assert ["Prepared by", "A. <Preparer>"] in rows
    assert ["Revision", "B"] in rows
    facts = json.loads(template_inputs(par_document(sheet))["document"])["facts"]
    assert ["Prepared by", "A. <Preparer>"] in facts
    assert render(sheet, "pdf") != rendered("oxford", "pdf")


@pytest.mark.parametrize("name", ["dynamic", "envy", "levels"])
def test_no_label_of_a_chart_is_cut(name: str) -> None:
    for bet in sheet_of(name).side_bets:
        svg = draw(bet)
        assert "…" not in svg
        assert all(say_line_short(line.line) in svg for line in bet.odds.lines)


def test_an_exact_value_is_broken_at_its_stroke_only() -> None:
    edge = sheet_of("oxford").main_game.best.house_edge
    assert f'<td class="exact">{edge.numerator}/<wbr>{edge.denominator}</td>' in rendered("oxford", "html").decode()


def test_a_wide_table_says_that_it_scrolls() -> None:
    page = rendered("oxford", "html").decode()
    assert 'content: "Wider than the screen: scroll sideways \\2192"' in page
    assert "animation-timeline: scroll(self inline)" in page


def test_csv_parses_into_sections() -> None:
    rows = list(csv.reader(io.StringIO(rendered("oxford", "csv").decode())))
    titles = [row[0] for row in rows if len(row) == 1]
    grids = [block.title for block in par_document(sheet_of("oxford")).blocks if isinstance(block, Grid)]
    assert {title.partition(": ")[2] for title in titles} >= {f"{title}]" for title in grids}
    assert len(set(titles)) == len(titles)
    start = rows.index(["[Main game: By hand, decision and result]"])
    section = rows[start + 1 : rows.index([], start)]
    assert {len(row) for row in section} == {len(section[0])}
    place = section[0].index("Combinations")
    assert sum(int(row[place]) for row in section[1:-1]) == int(section[-1][place]) == DEALS


@pytest.mark.parametrize("output", ["sheet.txt", "sheet", "html", "-"])
def test_an_unknown_ending_is_refused(output: str) -> None:
    with pytest.raises(HcfError, match=r"expected for a PAR sheet a name that ends in \.html, \.pdf, \.json, \.csv"):
        check_ending(output)
    with pytest.raises(HcfError, match=r"rack card a name that ends in \.html, \.pdf"):
        check_ending("card.csv", "rack card")


def test_values_as_a_reader_sees_them() -> None:
    assert show("chance", Fraction(1, 10**9)) == "1.0000 × 10⁻⁹"
    assert show("signed", Fraction(0)) == "0.0000000000"
    assert show("text", None) == ""


# --- hcf par -------------------------------------------------------------------------------------


def header(hcf: Hcf, *words: str) -> Any:
    """Return the head of the sheet that `hcf par` writes for washington."""
    said = hcf("par", "washington", "-o", "wa.json", "--rounds", 0, *words)
    assert said.status == 0, said.err
    assert "offers no side bet" in said.out
    return json.loads(Path("wa.json").read_bytes())["header"]


def test_the_command_writes_a_file(hcf: Hcf) -> None:
    assert header(hcf, "--date", DATE)["date"] == DATE
    given = header(hcf, "--prepared-by", " A. Preparer ", "--revision", "B")
    assert (given["prepared_by"], given["revision"]) == ("A. Preparer", "B")


@pytest.mark.parametrize(("words", "shown"), [((), False), (("--no-odds",), False), (("--odds",), True)])
def test_odds_are_put_on_a_card_when_asked(hcf: Hcf, words: tuple[str, ...], shown: bool) -> None:
    assert hcf("par", "oxford", "--card", *words, "-o", "card.html").status == 0
    assert ("What the house keeps" in Path("card.html").read_text("utf-8")) is shown


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        ("washington -o wa.json --prepared-by a\nb", 2, "'--prepared-by': text: read 'a\\nb', expected one line"),
        ("oxford --odds -o x.html", 2, "--odds is for a card: a PAR sheet always has them"),
        ("oxford --card --prepared-by Zoe -o x.html", 2, "--prepared-by is for a PAR sheet: a card does not print it"),
        ("washington -o wa.doc", 2, "output: read 'wa.doc', expected for a PAR sheet a name that ends in .html"),
        ("oxford --rounds 0 -o no/x.csv", 1, "no such folder"),
    ],
)
def test_the_command_refuses_in_one_line(hcf: Hcf, args: str, status: int, message: str) -> None:
    said = hcf("par", *args.split(" "))
    assert (said.status, said.out) == (status, "")
    assert message in said.err.splitlines()[-1]
