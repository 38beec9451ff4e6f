"""Rulebooks: what the packaged ones set, how one extends another, and every refusal with file, key, read, expected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from highcardflush.errors import HcfError, RulebookError
from highcardflush.game.wagers import allowed_wagers, required_wagers
from highcardflush.money import say_cents
from highcardflush.rulebook import PACKAGED, Rulebook, Settings, configure, load, packaged, parse_offer, warnings
from highcardflush.rulebook.amounts import Amounts
from highcardflush.rulebook.check import house_problems
from highcardflush.rulebook.load import content_hash, packaged_text
from highcardflush.rulebook.model import read_scalar
from highcardflush.rulebook.settings import flat
from highcardflush.words import say_limits, say_notices
from support.notice import NOTICE

SHEETS = ("atlantic-city", "meadows", "oxford")
OWNER = ("galaxy-v7", "washington")


def club(parent: str, text: str = "") -> str:
    """An operator's document that extends a packaged rulebook."""
    return f'name = "club"\nextends = "{parent}"\n{text}'


def reader(texts: Mapping[str, str]) -> Any:
    """A reader for documents that stand nowhere."""
    return lambda name: texts[name] if name in texts else packaged_text(name)


def findings(text: str, **options: Any) -> list[HcfError]:
    """Everything that keeps a document from loading."""
    with pytest.raises(RulebookError) as caught:
        load(text, file="club.toml", **options)
    return [caught.value, *caught.value.others]


# The packaged rulebooks


def test_five_rulebooks_are_packaged() -> None:
    assert PACKAGED == ("galaxy-v7", "atlantic-city", "washington", "meadows", "oxford")
    assert {name: packaged(name).version for name in PACKAGED} == dict.fromkeys(PACKAGED, "1") | {"galaxy-v7": "7"}


@pytest.mark.parametrize("name", PACKAGED)
def test_a_packaged_rulebook_is_whole(name: str) -> None:
    book = packaged(name)
    assert book.name == name
    assert book.title
    assert book.source.document
    assert book.rules
    assert book.procedure
    assert book.sha256 == content_hash(book)
    assert {(table.rulebook, table.id) for table in book.paytables.values()} == {(name, key) for key in book.paytables}
    posted = "read nothing, expected a posted table minimum and maximum, which every table of a house has"
    said = [f"settings.ante-minimum, settings.ante-maximum: {posted}"] if name == "oxford" else []
    assert list(warnings(book)) == said


@pytest.mark.clause("O4")
def test_a_house_posts_the_smallest_and_the_largest_ante_where_the_rulebook_says_so() -> None:
    oxford = packaged("oxford")
    missing = ["settings.ante-minimum", "settings.ante-maximum"]
    assert [str(each) for each in house_problems(oxford)] == [
        "settings.ante-minimum: read nothing, expected an amount: oxford posts the table's minimum",
        "settings.ante-maximum: read nothing, expected an amount: oxford posts the table's maximum",
    ]
    half = configure(oxford, None, {"ante-minimum": "10"})
    assert [each.message for each in house_problems(half)] == missing[1:]
    whole = configure(half, None, {"ante-maximum": "500"})
    assert (list(house_problems(whole)), list(warnings(whole))) == ([], [])
    assert not [each for name in PACKAGED if name != "oxford" for each in house_problems(packaged(name))]


@pytest.mark.clause("A6", "A7", "O13")
@pytest.mark.parametrize(
    ("name", "key", "value", "expected"),
    [
        ("atlantic-city", "cap-table", "none", "at most 50000: atlantic-city prints it"),
        ("atlantic-city", "cap-table", "50000.01", "at most 50000: atlantic-city prints it"),
        ("atlantic-city", "increment", "none", "a multiple of 5: atlantic-city prints it"),
        ("atlantic-city", "increment", "1", "a multiple of 5: atlantic-city prints it"),
        ("atlantic-city", "increment", "12", "a multiple of 5: atlantic-city prints it"),
        ("oxford", "cap-player", "none", "at most 25000: oxford prints it"),
        ("oxford", "cap-player", "30000", "at most 25000: oxford prints it"),
        ("oxford", "cap-straight-flush-table", "none", "at most 50000: oxford prints it"),
    ],
)
def test_no_table_loosens_what_its_document_prints(name: str, key: str, value: str, expected: str) -> None:
    with pytest.raises(RulebookError) as caught:
        configure(packaged(name), None, {key: value})
    assert str(caught.value) == f"settings.{key}: read {value}, expected {expected}"


@pytest.mark.clause("A6", "A7", "O13")
def test_a_table_tightens_what_its_document_prints_and_takes_it_back() -> None:
    tight = configure(packaged("atlantic-city"), None, {"cap-table": "1000", "increment": "25", "cap-player": "900"})
    assert tight.settings.printable == {"cap-player": 900_00, "cap-table": 1_000_00, "increment": 25_00}
    back = configure(tight, None, {"cap-table": "50000", "increment": "5", "cap-player": "none"})
    assert back.settings == packaged("atlantic-city").settings
    with pytest.raises(RulebookError, match="read 50001, expected at most 50000"):
        configure(tight, None, {"cap-table": "50001"})


@pytest.mark.clause("A7", "O13")
def test_a_document_of_ones_own_may_loosen_and_is_told_so() -> None:
    loose = load(club("atlantic-city", settings('cap-table = 60000\nincrement = "none"')))
    assert list(warnings(loose)) == [
        "settings.cap-table: read 60000: looser than its source, which prints 50000",
        "settings.increment: read none: looser than its source, which prints 5",
    ]
    with pytest.raises(RulebookError, match="read none, expected at most 60000: club prints it"):
        configure(loose, None, {"cap-table": "none"})
    assert say_limits(loose) == ["No more than $60,000 is paid in one round, over the whole table."]
    second = 'name = "second"\nextends = "club.toml"'
    texts = {"club.toml": club("atlantic-city", settings('cap-table = "none"'))}
    chained = load(second, read=reader(texts))
    assert list(warnings(chained)) == ["settings.cap-table: read none: looser than its source, which prints 50000"]
    tighter = load(club("atlantic-city", settings("cap-table = 40000\nincrement = 10")))
    assert list(warnings(tighter)) == []


@pytest.mark.clause("A7", "O13", "W2", "W9")
def test_notices_of_limits_are_made_from_the_limits_in_force() -> None:
    assert say_notices(packaged("atlantic-city")) == (
        "Every wager is a multiple of $5.",
        "No more than $50,000 is paid in one round, over the whole table.",
        "Wrong discards are the player's own risk and are not put right.",
    )
    tight = configure(packaged("oxford"), None, {"cap-player": "900", "cap-flush-player": "50", "ante-minimum": "5"})
    assert say_notices(tight) == (
        "No more than $50 is paid on the Flush Bonus of one hand.",
        "No more than $900 is paid to one player on one hand.",
        "No more than $50,000 is paid on all Straight Flush Bonus bets of one round.",
        "In any irregularity the supervisor's decision is final.",
        "These rules may be changed by the casino with the approval of the Maine Gambling Control Board.",
    )
    posted = configure(tight, None, {"ante-maximum": "500"})
    assert "The table minimum and maximum are posted in view of the public at all times." in say_notices(posted)
    assert say_limits(packaged("washington")) == [
        "Four wagering spots: one hand may carry at most four separate games (Ante and Raise together are one).",
        "At most three of these games may take a wager above $5.",
    ]
    for name in PACKAGED:
        assert not [text for text in packaged(name).notices if re.search(r"\$[0-9,]*[2-9]", str(text))]


@pytest.mark.parametrize("name", PACKAGED)
def test_the_procedure_names_no_limit_that_a_table_may_tighten(name: str) -> None:
    book = packaged(name)
    limits = {say_cents(cents) for cents in book.settings.printable.values()}
    assert not [step.text for step in book.procedure if limits & set(re.findall(r"\$[0-9,]*[0-9]", step.text))]


EXPLAINED = {"Envy": "envy", "Dynamic": "dynamic", "level": "levels", "rogressive": "progressive"}


@pytest.mark.clause("V5", "V7", "V10")
@pytest.mark.parametrize(
    ("paytable", "features"),
    [
        ("", set()),
        ("PT-BJS-HCF-SF-07", {"progressive"}),
        ("PT-BJS-HCF-SF-E05", {"progressive", "envy"}),
        ("PT-PRG-HCF-MLP-01", {"progressive", "levels"}),
        ("PT-PRG-HCF-D01a", {"progressive", "dynamic"}),
    ],
)
def test_a_table_explains_what_it_has_and_nothing_else(paytable: str, features: set[str]) -> None:
    offers = [parse_offer("flush", "washington/PT-FLT-HCF-FB-01")]
    offers += [parse_offer("progressive", paytable)] if paytable else []
    book = configure(packaged("galaxy-v7"), offers)
    texts = (*book.rules_in_force, *say_notices(book))
    for word, feature in EXPLAINED.items():
        assert any(word in text for text in texts) == (feature in features), word
    assert "envy" not in configure(book, None, {"envy": "off"}).features


@pytest.mark.clause("M5")
def test_the_help_line_of_meadows_is_the_printed_one() -> None:
    assert packaged("meadows").notices[-1] == "Gambling Problem? Call 1-800-GAMBLER"


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulebookError, match=r"read 'oxfrod', expected one of galaxy-v7, .*, oxford, or a .toml file"):
        packaged("oxfrod")


@pytest.mark.clause("S10")
@pytest.mark.parametrize("name", PACKAGED)
def test_no_limit_but_the_printed_ones(name: str) -> None:
    printed = {
        "atlantic-city": {"increment": 500, "cap-table": 50_000_00},
        "oxford": {"cap-player": 25_000_00, "cap-straight-flush-table": 50_000_00},
    }
    assert flat(packaged(name).settings) == flat(Settings()) | printed.get(name, {})


@pytest.mark.clause("S10")
def test_a_progressive_bet_is_exactly_the_base_bet() -> None:
    book = configure(packaged("galaxy-v7"), [parse_offer("progressive", "PT-BJS-HCF-SF-07", "5")])
    allowed = allowed_wagers(book)["progressive"]
    assert [cents in allowed for cents in (499, 500, 501, 1000)] == [False, True, False, False]


@pytest.mark.clause("A6")
def test_atlantic_city_takes_multiples_of_five_dollars() -> None:
    for amounts in allowed_wagers(packaged("atlantic-city")).values():
        assert [cents in amounts for cents in (100, 500, 501, 700, 1000)] == [False, True, False, False, True]


@pytest.mark.clause("A7")
def test_atlantic_city_caps_the_table() -> None:
    assert flat(packaged("atlantic-city").settings)["cap-table"] == 50_000_00


@pytest.mark.clause("O13")
def test_oxford_caps_a_player_and_the_straight_flush_bets() -> None:
    settings = packaged("oxford").settings
    assert (settings.caps["all"].player, settings.caps["straight-flush"].table) == (25_000_00, 50_000_00)


@pytest.mark.clause("S15")
@pytest.mark.parametrize("name", SHEETS)
def test_a_casino_sheet_offers_its_two_bonuses(name: str) -> None:
    offers = [(offer.wager, offer.paytable) for offer in packaged(name).offers]
    assert offers == [("flush", "flush"), ("straight-flush", "straight-flush")]


@pytest.mark.clause("S15")
@pytest.mark.parametrize("name", OWNER)
def test_the_game_owners_documents_offer_nothing_until_told(name: str) -> None:
    assert packaged(name).offers == ()
    assert list(allowed_wagers(packaged(name))) == ["ante"]


@pytest.mark.clause("V2")
def test_raise_rules() -> None:
    kinds = {name: packaged(name).raise_.kind for name in PACKAGED}
    assert kinds == {
        "galaxy-v7": "between",
        "atlantic-city": "exact",
        "washington": "multiples",
        "meadows": "between",
        "oxford": "multiples",
    }
    for name in PACKAGED:
        assert list(packaged(name).raise_.maximum.values()) == [1, 1, 1, 2, 3, 3]
        assert packaged(name).raise_.minimum_open == (name == "galaxy-v7")
        assert packaged(name).settings.raise_minimum == 100


def test_where_a_flush_is_kept_and_cards_are_exposed() -> None:
    exposes = {name: packaged(name).expose for name in PACKAGED}
    assert exposes == {
        "galaxy-v7": "refused",
        "atlantic-city": "required",
        "washington": "refused",
        "meadows": "required",
        "oxford": "optional",
    }


def test_orders_of_settlement() -> None:
    for name in PACKAGED:
        order = packaged(name).settlement
        assert order.seats == (6, 5, 4, 3, 2, 1)
        assert packaged(name).wager_order == ("ante", "raise", "flush", "straight-flush", "progressive", "envy")
        assert order.main_game_first == (name == "galaxy-v7")


@pytest.mark.clause("W2")
def test_washington_counts_separate_games() -> None:
    limit = packaged("washington").separate_games
    assert limit is not None
    assert (limit.maximum, limit.above, limit.amount) == (4, 3, 500)
    assert [name for name in PACKAGED if packaged(name).separate_games] == ["washington"]


@pytest.mark.clause("W3")
def test_only_washington_forbids_a_mandatory_bet() -> None:
    assert [name for name in PACKAGED if not packaged(name).mandatory_allowed] == ["washington"]


@pytest.mark.clause("V6")
def test_galaxy_may_make_the_progressive_mandatory() -> None:
    offers = [parse_offer("progressive", "PT-BJS-HCF-SF-07")]
    book = configure(packaged("galaxy-v7"), offers, {"mandatory": "progressive"})
    assert required_wagers(book) == {"ante", "progressive"}


@pytest.mark.clause("W5", "W5a")
def test_washington_has_two_kinds_of_jackpot_and_a_notice() -> None:
    book = packaged("washington")
    assert set(book.jackpot_modes) == {"progressive", "bonus"}
    assert book.notice == NOTICE
    assert [name for name in PACKAGED if packaged(name).jackpot_modes != ("progressive",)] == ["washington"]


def test_only_in_washington_a_contribution_stands_when_the_round_is_void() -> None:
    assert [name for name in PACKAGED if packaged(name).meter_never_falls] == ["washington"]


def test_only_washington_deals_by_dice() -> None:
    assert [name for name in PACKAGED if "dice" in packaged(name).dealing_methods] == ["washington"]


@pytest.mark.clause("O14")
def test_oxfords_reasons_for_a_void() -> None:
    codes = {"deck-count", "shuffler", "button", "dropped-cards", "co-mingled", "card-count"}
    assert codes <= set(packaged("oxford").irregularities)


def test_oxford_names_the_board_that_approves_changes() -> None:
    assert packaged("oxford").authority == "Maine Gambling Control Board"


@pytest.mark.clause("V1")
@pytest.mark.parametrize(
    ("wager", "paytable"),
    [
        ("flush", "washington/PT-FLT-HCF-FB-01"),
        ("straight-flush", "washington/PT-FLT-HCF-SF-01"),
        ("progressive", "PT-BJS-HCF-SF-07"),
        ("progressive", "PT-BJS-HCF-SF-E04"),
        ("progressive", "PT-PRG-HCF-MLP-01"),
        ("progressive", "PT-PRG-HCF-D01a"),
    ],
)
def test_galaxy_offers_each_kind_of_side_bet(wager: str, paytable: str) -> None:
    book = configure(packaged("galaxy-v7"), [parse_offer(wager, paytable)])
    assert list(allowed_wagers(book)) == ["ante", wager]


@pytest.mark.clause("V1")
def test_each_side_bet_has_its_own_limits() -> None:
    offers = [
        parse_offer("flush", "washington/PT-FLT-HCF-FB-01"),
        parse_offer("straight-flush", "washington/PT-FLT-HCF-SF-01"),
        parse_offer("progressive", "PT-BJS-HCF-SF-07", "5"),
    ]
    limits = {
        "ante-minimum": "10",
        "ante-maximum": "500",
        "flush-minimum": "1",
        "flush-maximum": "25",
        "straight-flush-minimum": "2.50",
        "straight-flush-maximum": "50",
    }
    allowed = allowed_wagers(configure(packaged("galaxy-v7"), offers, limits))
    assert {wager: (amounts.minimum_cents, amounts.maximum_cents) for wager, amounts in allowed.items()} == {
        "ante": (1000, 500_00),
        "flush": (100, 25_00),
        "straight-flush": (250, 50_00),
        "progressive": (500, 500),
    }


@pytest.mark.clause("V12")
def test_galaxy_prints_no_bonus_table_and_borrows_one() -> None:
    assert {table.wager for table in packaged("galaxy-v7").paytables.values()} == {"progressive"}
    book = configure(packaged("galaxy-v7"), [parse_offer("flush", "washington/PT-FLT-HCF-FB-01")])
    assert book.paytable("flush") == packaged("washington").paytables["PT-FLT-HCF-FB-01"]


@pytest.mark.clause("O4")
def test_an_operator_posts_a_minimum_and_a_maximum() -> None:
    book = load(club("oxford", "[settings]\nante-minimum = 15\nante-maximum = 300\n"))
    assert allowed_wagers(book)["ante"] == Amounts(1500, 30000, 1)


# The content hash


HOUSE = """
name = "house"
title = "House rules"
version = "1"
expose = "optional"

[source]
document = "Rules"
publisher = "House"

[raise]
kind = "multiples"
maximum = { 2 = 1, 3 = 1, 4 = 1, 5 = 2, 6 = 3, 7 = 3 }

[settings]
ante-minimum = 5
"""


@pytest.mark.clause("S8")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('version = "1"', 'version   =   "1"  # first'),
        ("\n\n", "\n# a comment\n\n\n"),
        ("ante-minimum = 5", 'ante-minimum = "5.00"'),
        ('[raise]\nkind = "multiples"', '[raise]\nminimum-open = false\nkind = "multiples"'),
        ("ante-minimum = 5", "ante-minimum = 5\nclock = 30"),
    ],
)
def test_the_hash_does_not_see_how_a_rule_is_written(old: str, new: str) -> None:
    assert old in HOUSE
    assert load(HOUSE.replace(old, new)).sha256 == load(HOUSE).sha256


@pytest.mark.clause("S8")
def test_the_hash_does_not_see_the_order_of_tables() -> None:
    head, source, rest = HOUSE.partition("[source]")
    source, settings, values = (source + rest).partition("[settings]")
    assert load(head + settings + values + source).sha256 == load(HOUSE).sha256


def changed(data: Any) -> Iterator[Any]:
    """Every document that differs from this one in a single value."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from (data | {key: other} for other in changed(value))
    elif isinstance(data, (list, tuple)):
        for i, value in enumerate(data):
            yield from ([*data[:i], other, *data[i + 1 :]] for other in changed(value))
    elif isinstance(data, bool):
        yield not data
    elif isinstance(data, int):
        yield data - 1 if data > 2 else data + 1
    else:
        other = {"to 1": "for 1", "for 1": "to 1", "flush": "progressive", "optional": "required", "dice": None}
        yield other.get(data, data + "0" if data.isdecimal() else "13%" if data.endswith("%") else data + "x")


@pytest.mark.clause("S8")
@pytest.mark.parametrize("name", PACKAGED)
def test_the_hash_sees_every_rule(name: str) -> None:
    book = packaged(name)
    hashes, refused = [book.sha256], 0
    for data in changed(msgspec.to_builtins(msgspec.structs.replace(book, sha256="", table_hash=""), enc_hook=str)):
        try:
            hashes.append(content_hash(msgspec.convert(data, Rulebook, dec_hook=read_scalar)))
        except msgspec.ValidationError:
            refused += 1
    assert len(set(hashes)) == len(hashes)
    assert len(hashes) > 5 * refused


# One rulebook extends another


def test_a_rulebook_that_extends_another_takes_over_what_it_does_not_say() -> None:
    book, oxford = load(club("oxford")), packaged("oxford")
    assert (book.name, book.extends) == ("club", "oxford")
    assert (book.title, book.rules, book.settings, book.offers) == (
        oxford.title,
        oxford.rules,
        oxford.settings,
        oxford.offers,
    )
    assert book.paytables["flush"].full_id == "club/flush"
    assert book.sha256 != oxford.sha256


def test_settings_are_laid_over_key_by_key() -> None:
    book = load(club("oxford", "[settings]\ncap-player = 1000\nante-minimum = 5\n"))
    assert (book.settings.caps["all"].player, book.settings.limits["ante"].minimum) == (1000_00, 500)
    assert book.settings.caps["straight-flush"] == packaged("oxford").settings.caps["straight-flush"]


def test_offers_are_replaced() -> None:
    book = load(club("oxford", '[[offers]]\nwager = "straight-flush"\npaytable = "straight-flush"\n'))
    assert [offer.wager for offer in book.offers] == ["straight-flush"]
    assert load(club("oxford", "offers = []")).offers == ()


def test_a_pay_table_is_added() -> None:
    text = """
    [paytables.high]
    wager = "flush"
    pays = "to 1"
    lines = [{ cards = 7, pay = 500 }, { cards = 5, pay = 5 }]
    [[offers]]
    wager = "flush"
    paytable = "high"
    """
    book = load(club("oxford", text))
    assert list(book.paytables) == ["flush", "straight-flush", "high"]
    table = book.paytable("flush")
    assert table is not None
    assert (table.full_id, [line.pay for line in table.lines]) == ("club/high", [500, 5])


def test_the_lines_of_a_pay_table_are_overridden() -> None:
    lines = (
        "lines = [{ cards = 7, pay = 300 }, { cards = 6, pay = 100 }, { cards = 5, pay = 10 }, { cards = 4, pay = 2 }]"
    )
    table = load(club("oxford", f"[paytables.flush]\n{lines}")).paytables["flush"]
    assert (table.wager, table.pays) == ("flush", "to 1")
    assert table.lines[:3] == packaged("oxford").paytables["flush"].lines[:3]
    assert table.lines[3].pay == 2


def test_the_figures_of_a_meter_are_overridden_one_by_one() -> None:
    text = '[paytables.PT-BJS-HCF-SF-07.meters.progressive]\nrate = "20%"\n'
    plan = load(club("galaxy-v7", text)).paytables["PT-BJS-HCF-SF-07"].meters["progressive"]
    assert (plan.seed, plan.rate, plan.reserve_rate) == (30_000_00, 2000, 500)


def test_two_levels_of_extends() -> None:
    chain = 'name = "chain"\nextends = "oxford"\nversion = "3"\n[settings]\nante-minimum = 5\nante-maximum = 100\n'
    text = 'name = "club"\nextends = "chain.toml"\n[settings]\nante-minimum = 10\n'
    book = load(text, read=reader({"chain.toml": chain}))
    assert (book.name, book.version) == ("club", "3")
    assert (
        book.settings.limits["ante"].minimum,
        book.settings.limits["ante"].maximum,
        book.settings.caps["all"].player,
    ) == (
        1000,
        10000,
        25_000_00,
    )


def test_a_circle_of_extends_is_refused() -> None:
    texts = {"a": 'name = "a"\nextends = "b"\n', "b": 'name = "b"\nextends = "a"\n'}
    (found,) = findings(texts["a"], read=reader(texts))
    assert (found.message, found.read, found.expected) == ("extends", "'b'", "no circle of extends")


@pytest.mark.parametrize(
    ("text", "place", "key", "read", "expected"),
    [
        ('extends = "oxford"', "club.toml", "name", "nothing", "a name of its own"),
        ('name = "oxford"\nextends = "oxford"', "club.toml", "name", "'oxford'", "another name than that of oxford"),
        (club("oxfrod"), "club.toml", "extends", "'oxfrod'", "one of galaxy-v7, "),
        ('name = "club"\nextends = 3', "club.toml", "extends", "3", "the name of a rulebook"),
        (club("orphan"), "orphan", "extends", "'gone'", "one of galaxy-v7, "),
        (club("broken"), "broken:2", "TOML", "Expected", "a TOML document"),
    ],
)
def test_a_bad_extends_is_refused_where_it_stands(text: str, place: str, key: str, read: str, expected: str) -> None:
    texts = {"orphan": 'name = "orphan"\nextends = "gone"\n', "broken": 'name = "broken"\ntitle "x"\n'}
    (found,) = findings(text, read=reader(texts))
    assert str(found).startswith(f"{place}: {key}: read {read}")
    assert f", expected {expected}" in str(found)


def test_a_parent_that_cannot_be_read_is_named() -> None:
    def read(name: str) -> str:
        raise HcfError("file", read="No such file or directory", expected="a file to read", file=f"/x/{name}")

    (found,) = findings(club("gone.toml"), read=read)
    assert str(found) == ("club.toml: extends: read 'gone.toml' (No such file or directory), expected a file to read")


# A table of its own: offers and settings


def test_configure_leaves_the_rulebook_as_it_was() -> None:
    book = packaged("oxford")
    table = configure(book, [parse_offer("flush", "flush")], {"ante-minimum": "12.50", "seats": "4"})
    assert (table.settings.limits["ante"].minimum, table.settings.seats) == (1250, 4)
    assert [offer.wager for offer in table.offers] == ["flush"]
    assert (table.table_offers, table.table_settings) == (True, ("ante-minimum", "seats"))
    assert (book.settings.limits_on("ante").minimum, len(book.offers), book.table_offers) == (None, 2, False)
    assert table.sha256 == book.sha256


def test_configure_without_offers_keeps_the_rulebooks() -> None:
    assert configure(packaged("oxford")) == packaged("oxford")
    assert configure(packaged("galaxy-v7"), []).offers == ()


def test_configure_cannot_take_all_offers_away() -> None:
    with pytest.raises(RulebookError, match=r"offers: read no offer, expected at least one offer"):
        configure(packaged("oxford"), [])


def test_none_takes_an_optional_setting_back() -> None:
    changed = {"increment": "5", "cap-table": "9"}
    book = configure(
        configure(packaged("meadows"), None, changed), None, dict.fromkeys([*changed, "mandatory"], "none")
    )
    assert (book.settings.increment, flat(book.settings)["cap-table"], book.settings.mandatory) == (None, None, "none")
    assert book.table_settings == ("increment", "cap-table", "mandatory")


def test_a_foreign_table_keeps_its_name() -> None:
    book = configure(packaged("oxford"), [parse_offer("flush", "washington/PT-FLT-HCF-FB-02")])
    table = book.paytable("flush")
    assert table is not None
    assert table.full_id == "washington/PT-FLT-HCF-FB-02"
    own = configure(packaged("oxford"), [parse_offer("flush", "oxford/flush")]).paytable("flush")
    assert own == packaged("oxford").paytables["flush"]


@pytest.mark.clause("S13")
def test_a_table_has_one_progressive() -> None:
    offers = [parse_offer("progressive", "PT-BJS-HCF-SF-07"), parse_offer("progressive", "PT-PRG-HCF-D03")]
    with pytest.raises(RulebookError, match=r"offers.progressive: read two offers, expected one pay table"):
        configure(packaged("galaxy-v7"), offers)


@pytest.mark.parametrize(
    ("rulebook", "key", "value", "message"),
    [
        (
            "oxford",
            "ante-minimun",
            "5",
            "ante-minimun: read key 'ante-minimun', expected a known key (near: ante-minimum",
        ),
        (
            "oxford",
            "ante_minimum",
            "5",
            "ante_minimum: read key 'ante_minimum', expected a known key (near: ante-minimum",
        ),
        ("oxford", "deal-order", "5", "deal-order: read key 'deal-order', expected a known key (near: default-action)"),
        ("oxford", "ante_minimum", "none", "ante_minimum: read key 'ante_minimum', expected a known key"),
        ("oxford", "seats", "none", "seats: read 'none', expected a whole number"),
        ("oxford", "seats", "3.0", "seats: read '3.0', expected a whole number"),
        ("oxford", "seats", "7", "seats: read 7, expected a whole number <= 6"),
        ("oxford", "jackpot", "null", "jackpot: read 'null', expected one of progressive, bonus"),
        ("oxford", "play", "5", "play: read 5, expected one of full, progressive-only"),
        ("oxford", "rate", "23", "rate: read 23, expected a percentage such as 23%"),
        (
            "oxford",
            "raise-minimum",
            "0.5x",
            "settings.raise-minimum: read 0.5x, expected 1x: oxford prints its smallest",
        ),
        ("oxford", "dealing", "dice", "settings.dealing: read dice, expected any or left-to-right"),
        (
            "oxford",
            "play",
            "progressive-only",
            "settings.play: read progressive-only, expected an offer of a progressive",
        ),
        ("oxford", "mandatory", "progressive", "settings.mandatory: read progressive, expected an offer of it"),
        ("galaxy-v7", "jackpot", "bonus", "settings.jackpot: read bonus, expected one of progressive"),
    ],
)
def test_configure_refuses(rulebook: str, key: str, value: str, message: str) -> None:
    with pytest.raises(RulebookError) as caught:
        configure(packaged(rulebook), None, {key: value})
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("wager", "paytable", "base", "message"),
    [
        ("flash", "flush", "1", "offer: read 'flash', expected one of flush, straight-flush, progressive"),
        ("progressive", "PT", "0", "offer.base: read '0', expected dollars above zero"),
        ("progressive", "PT", "5x", "offer.base: read '5x', expected dollars above zero"),
    ],
)
def test_an_offer_that_cannot_be_read(wager: str, paytable: str, base: str, message: str) -> None:
    with pytest.raises(RulebookError) as caught:
        parse_offer(wager, paytable, base)
    assert str(caught.value).startswith(message)


# Refusals. A row: parent, what the operator's document says, then the key, what was read and what was expected.

JACKPOT = '[[offers]]\nwager = "progressive"\npaytable = "PT-BJS-HCF-SF-01"\n'
SF07 = '[[offers]]\nwager = "progressive"\npaytable = "PT-BJS-HCF-SF-07"\n'
MULTI = '[[offers]]\nwager = "progressive"\npaytable = "PT-PRG-HCF-MLP-01"\n'
ALL_FOUR = (
    '[[offers]]\nwager = "flush"\npaytable = "PT-FLT-HCF-FB-01"\n'
    '[[offers]]\nwager = "straight-flush"\npaytable = "PT-FLT-HCF-SF-01"\n'
)
LINES = "paytables.flush.lines"


def flush(lines: str) -> str:
    return f"[paytables.flush]\nlines = [{lines}]"


def new_table(wager: str, lines: str, pays: str = "for 1", rest: str = "") -> str:
    return f'[paytables.T]\nwager = "{wager}"\npays = "{pays}"\nlines = [{lines}]\n{rest}'


def settings(text: str) -> str:
    return f"[settings]\n{text}"


def irregularity(code: str, voids: str = "round") -> str:
    return f'[irregularities.{code}]\nvoids = "{voids}"\nmeaning = "x"'


DOLLARS = "dollars above zero such as 25 or 12.50"
PERCENT = "a percentage such as 23%, 0% to 100%"
MULTIPLE = "a multiple of the Ante such as 0.5x, 0x to 1x"

REFUSED = [
    # Types and keys
    ("oxford", "version = 2", "version", "2", "a text"),
    ("oxford", 'rules = "none"', "rules", "'none'", "a list"),
    ("oxford", "settings = 3", "settings", "3", "a table"),
    ("oxford", "offers = [3]", "offers[0]", "3", "a table"),
    ("oxford", "paytables = 3", "paytables", "3", "a table"),
    ("oxford", "[paytables]\nflush = 3", "paytables.flush", "3", "a table"),
    ("oxford", "[separate-games]\nmaximum = 4", "separate-games.above", "nothing", "this key"),
    ("oxford", "separate-games = 4", "separate-games", "4", "a table"),
    ("oxford", 'mandatory-allowed = "yes"', "mandatory-allowed", "'yes'", "true or false"),
    ("oxford", "expose = true", "expose", "True", "one of refused, optional, required"),
    ("oxford", 'dealing-methods = ["wheel"]', "dealing-methods[0]", "'wheel'", "one of left-to-right, dice"),
    ("oxford", "dealing-methods = []", "dealing-methods", "[]", "a list of length >= 1"),
    ("oxford", 'rasie = "x"', "rasie", "key 'rasie'", "a known key (near: raise"),
    ("oxford", settings("ante-minimun = 5"), "settings.ante-minimun", "key 'ante-minimun'", "(near: ante-minimum"),
    ("oxford", 'sha256 = "x"', "sha256", "key 'sha256'", "no such key: it is computed"),
    ("oxford", '[paytables.flush]\nid = "x"', "paytables.flush.id", "key 'id'", "no such key: it is computed"),
    ("oxford", '[[procedure]]\npart = "deal"', "procedure[0].text", "nothing", "this key"),
    ("oxford", '[settlement]\nwagers = ["tip"]', "settlement.wagers[0]", "'tip'", "one of ante, raise, flush"),
    ("oxford", '[settlement]\nwagers = ["ante"]', "settlement.wagers", "['ante']", "each once: ante, raise"),
    ("oxford", "[settlement]\nseats = [1, 2, 3]", "settlement.seats", "[1, 2, 3]", "each seat 1 to 6 once"),
    ("oxford", settings("seats = 7"), "settings.seats", "7", "a whole number <= 6"),
    ("oxford", settings('seats = "6"'), "settings.seats", "'6'", "a whole number"),
    ("oxford", settings("clock = 4"), "settings.clock", "4", "a whole number >= 5"),
    ("oxford", settings('hits = "first"'), "settings.hits", "'first'", "one of share, each, in-turn"),
    # Amounts, rates and multiples
    ("oxford", settings("ante-minimum = 12.5"), "settings.ante-minimum", "12.5", f"{DOLLARS}, in quotes"),
    ("oxford", settings("ante-minimum = 0"), "settings.ante-minimum", "0", DOLLARS),
    ("oxford", settings("ante-minimum = -5"), "settings.ante-minimum", "-5", DOLLARS),
    ("oxford", settings("ante-minimum = true"), "settings.ante-minimum", "True", DOLLARS),
    ("oxford", settings('ante-minimum = "$5"'), "settings.ante-minimum", "'$5'", DOLLARS),
    ("oxford", settings('ante-minimum = "1.005"'), "settings.ante-minimum", "'1.005'", DOLLARS),
    ("galaxy-v7", settings("rate = 0.23"), "settings.rate", "0.23", f"{PERCENT}, in quotes"),
    ("galaxy-v7", settings("rate = 23"), "settings.rate", "23", PERCENT),
    ("galaxy-v7", settings('rate = "100.01%"'), "settings.rate", "'100.01%'", PERCENT),
    ("galaxy-v7", settings('raise-minimum = "1.01x"'), "settings.raise-minimum", "'1.01x'", MULTIPLE),
    ("galaxy-v7", settings("raise-minimum = 2"), "settings.raise-minimum", "2", MULTIPLE),
    ("galaxy-v7", settings("raise-minimum = 0.5"), "settings.raise-minimum", "0.5", f"{MULTIPLE}, in quotes"),
    ("galaxy-v7", settings('raise-minimum = "half"'), "settings.raise-minimum", "'half'", MULTIPLE),
    # Pay tables
    ("oxford", flush(""), LINES, "no line", "at least one line"),
    ("oxford", flush("{ cards = 7 }"), f"{LINES}[0].pay", "nothing", "this key"),
    ("oxford", flush("{ cards = 8, pay = 1 }"), f"{LINES}[0].cards", "8", "a whole number <= 7"),
    ("oxford", flush("{ cards = 7, pay = 0 }"), f"{LINES}[0].pay", "0", "a whole number >= 1"),
    ("oxford", flush("{ cards = 7, pay = 1.5 }"), f"{LINES}[0].pay", "1.5", "a whole number or a text"),
    ("oxford", flush('{ cards = 7, pay = "150%" }'), f"{LINES}[0].pay", "'150%'", "a text matching"),
    ("oxford", flush('{ cards = 7, pay = "50%" }'), f"{LINES}[0].pay", "50%", "only a progressive"),
    ("oxford", flush("{ cards = 7, pay = 9, envy = 1 }"), f"{LINES}[0].envy", "1", "only a progressive"),
    ("oxford", flush("{ cards = 7, pay = 9, dynamic = [10] }"), f"{LINES}[0].dynamic", "[10]", "only a progressive"),
    ("oxford", flush("{ cards = 7, pay = 9, ace-high = true }"), f"{LINES}[0].ace-high", "true", "no such key"),
    ("oxford", flush('{ cards = 7, pay = 9, meter = "big" }'), f"{LINES}[0].meter", "'big'", "one of progressive"),
    ("oxford", flush("{ cards = 7, pay = 5 }, { cards = 6, pay = 6 }"), f"{LINES}[1].pay", "6", "at most 5, what the"),
    ("oxford", flush("{ cards = 6, pay = 9 }, { cards = 7, pay = 9 }"), f"{LINES}[1]", "7-card", "a line below 6-card"),
    ("oxford", flush("{ cards = 6, pay = 9 }, { cards = 6, pay = 9 }"), f"{LINES}[1]", "6-card", "each once"),
    ("oxford", '[paytables.flush]\npays = "of 1"', "paytables.flush.pays", "'of 1'", "one of to 1, for 1"),
    ("oxford", '[paytables."a b"]\nwager = "flush"\npays = "to 1"\nlines = []', "paytables", "'a b'", "without blanks"),
    ("oxford", '[paytables."x/y"]\nwager = "flush"\npays = "to 1"\nlines = []', "paytables", "'x/y'", "without blanks"),
    ("oxford", new_table("straight-flush", "{ cards = 2, pay = 1 }"), "paytables.T.lines[0].cards", "2", "3 or more"),
    ("oxford", new_table("progressive", "{ cards = 7, pay = 1 }"), "paytables.T.lines", "fixed pays only", "a percent"),
    (
        "oxford",
        new_table("progressive", '{ cards = 7, pay = "100%" }', "to 1"),
        "paytables.T.pays",
        "'to 1'",
        "'for 1': a progressive bet is not returned",
    ),
    (
        "oxford",
        new_table("progressive", '{ cards = 7, pay = "100%" }, { cards = 6, pay = "100%", meter = "level-1" }'),
        "paytables.T.lines",
        "progressive, level-1",
        "either the meter progressive or level-1 and level-2",
    ),
    (
        "oxford",
        new_table("progressive", '{ cards = 7, pay = "100%" }', rest='meters.level-2 = { seed = 1, rate = "1%" }'),
        "paytables.T.meters",
        "'level-2'",
        "a meter that a line pays from: progressive",
    ),
    (
        "oxford",
        new_table("progressive", '{ cards = 7, pay = "100%" }', rest="meters.progressive = { seed = 1 }"),
        "paytables.T.meters.progressive",
        "no seed or no rate",
        "both",
    ),
    (
        "oxford",
        new_table(
            "progressive",
            '{ cards = 7, pay = "100%", meter = "level-1" }, { cards = 6, pay = "100%", meter = "level-2" }',
            rest='meters.level-1 = { seed = 1, rate = "1%" }',
        ),
        "paytables.T.meters",
        "level-1",
        "every meter: level-1, level-2",
    ),
    (
        "oxford",
        new_table(
            "progressive",
            '{ cards = 7, pay = "100%" }, { cards = 6, pay = 5, dynamic = [6, 7, 8, 9, 10, 11, 12, 13, 14] }',
        ),
        "paytables.T.lines[1].dynamic",
        "[6, 7, 8, 9, 10, 11, 12, 13, 14]",
        "ten pays, each above the default pay 5",
    ),
    (
        "oxford",
        new_table(
            "progressive",
            '{ cards = 7, pay = "100%" }, { cards = 6, pay = 5, dynamic = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15] }',
        ),
        "paytables.T.lines",
        "one line with dynamic",
        "two or more",
    ),
    # Offers
    ("oxford", '[[offers]]\nwager = "flush"', "offers[0].paytable", "nothing", "this key"),
    (
        "oxford",
        '[[offers]]\nwager = "flash"\npaytable = "flush"',
        "offers[0].wager",
        "'flash'",
        "one of flush, straight",
    ),
    (
        "oxford",
        '[[offers]]\nwager = "flush"\npaytable = "T"',
        "offers.flush.paytable",
        "'T'",
        "of club (flush) or RULE",
    ),
    ("oxford", '[[offers]]\nwager = "flush"\npaytable = "x/T"', "offers.flush.paytable", "'x/T'", "or RULEBOOK/ID"),
    (
        "oxford",
        '[[offers]]\nwager = "flush"\npaytable = "meadows/T"',
        "offers.flush.paytable",
        "'meadows/T'",
        "RULEBOOK",
    ),
    ("oxford", JACKPOT, "offers.progressive.paytable", "'PT-BJS-HCF-SF-01'", "of club (none) or RULEBOOK/ID"),
    (
        "oxford",
        '[[offers]]\nwager = "flush"\npaytable = "straight-flush"',
        "offers.flush.paytable",
        "straight-flush (for straight-flush)",
        "a pay table for flush",
    ),
    (
        "oxford",
        2 * '[[offers]]\nwager = "flush"\npaytable = "flush"\n',
        "offers.flush",
        "two offers",
        "one pay table for each side bet",
    ),
    (
        "oxford",
        '[[offers]]\nwager = "flush"\npaytable = "flush"\nbase = 5',
        "offers.flush.base",
        "5",
        "no base: only a progressive has one",
    ),
    ("galaxy-v7", f"{SF07}base = 5\n[settings]\nincrement = 2", "offers.progressive.base", "5", "a multiple of 2"),
    # The Raise, limits and choices
    ("oxford", "[raise.maximum]\n8 = 1", "raise.maximum", "'8'", "one of 2, 3, 4, 5, 6, 7"),
    ("oxford", "[raise.maximum]\n7 = 4", "raise.maximum.7", "4", "a whole number <= 3"),
    ("oxford", "[raise.maximum]\n4 = 3", "raise.maximum", "{'2': 1", "that does not fall"),
    ("oxford", "[raise]\nminimum-open = true", "raise.minimum-open", "true", "kind = 'between' with it"),
    ("oxford", settings('raise-minimum = "0.5x"'), "settings.raise-minimum", "0.5x", "1x: club prints its smallest"),
    ("meadows", settings('raise-minimum = "0x"'), "settings.raise-minimum", "0x", "1x: club prints its smallest"),
    (
        "oxford",
        settings("ante-minimum = 10\nante-maximum = 5"),
        "settings.ante-maximum",
        "5",
        "at least 10, the smallest",
    ),
    ("atlantic-city", settings("flush-maximum = 4"), "settings.flush-maximum", "4", "at least 5, the smallest"),
    (
        "atlantic-city",
        settings("straight-flush-minimum = 7\nstraight-flush-maximum = 9"),
        "settings.straight-flush-maximum",
        "9",
        "at least 10, the smallest",
    ),
    ("oxford", settings('dealing = "dice"'), "settings.dealing", "dice", "any or left-to-right"),
    ("oxford", settings('dice-direction = "clockwise"'), "settings.dice-direction", "clockwise", "no deal by dice"),
    ("oxford", settings('play = "progressive-only"'), "settings.play", "progressive-only", "an offer of a progressive"),
    ("oxford", settings('mandatory = "progressive"'), "settings.mandatory", "progressive", "an offer of it"),
    ("oxford", irregularity("other"), "irregularities.other", "'other'", "other than 'other'"),
    ("oxford", irregularity('"Two Words"'), "irregularities.Two Words", "'Two Words'", "lower case with -"),
    ("oxford", irregularity("rain", "table"), "irregularities.rain.voids", "'table'", "one of round, hand, either"),
    ("oxford", '[irregularities]\nrain = "x"', "irregularities.rain", "'x'", "a table"),
    # Meters
    ("galaxy-v7", settings('jackpot = "bonus"'), "settings.jackpot", "bonus", "one of progressive"),
    ("galaxy-v7", f"{SF07}[settings]\nlevel-1-seed = 5", "settings.level-1-seed", "key 'level-1-seed'", "progressive"),
    ("galaxy-v7", f"{MULTI}[settings]\nseed = 5", "settings.seed", "key 'seed'", "level-1, level-2"),
    ("galaxy-v7", f'{MULTI}[settings]\nrate = "5%"', "settings.rate", "key 'rate'", "level-1, level-2"),
    ("galaxy-v7", f'{SF07}[settings]\nrate = "96%"', "settings.rate", "101% of each bet in all", "at most 100%"),
    (
        "galaxy-v7",
        f'{MULTI}[settings]\nlevel-1-rate = "50%"\nlevel-2-reserve-rate = "50%"',
        "settings.rate",
        "112% of each bet in all",
        "at most 100%",
    ),
    (
        "washington",
        f'notice = ""\n{JACKPOT}[settings]\njackpot = "bonus"\nseed = 5',
        "notice",
        "nothing",
        "the notice that a bonus jackpot's display carries",
    ),
    (
        "washington",
        f'{JACKPOT}[settings]\njackpot = "bonus"\nseed = 5\nlevel-2-seed = 5',
        "settings.level-2-seed",
        "key 'level-2-seed'",
        "a setting of a meter of this table: progressive",
    ),
]

FIGURES = {"seed": "5000", "rate": '"20%"', "reserve-rate": '"0%"'}


def assert_refused(text: str, key: str, read: str, expected: str) -> None:
    found = findings(text)
    for each in found:
        assert each.file == "club.toml"
        assert str(each) == f"club.toml: {each.message}: read {each.read}, expected {each.expected}"
        assert each.message
        assert each.read
        assert each.expected
        assert "\n" not in str(each)
        assert each.as_dict()["code"] == "bad-rulebook"
    about = [each for each in found if each.message == key]
    assert about, [str(each) for each in found]
    assert any(str(each.read).startswith(read) and expected in str(each.expected) for each in about), str(about[0])


@pytest.mark.parametrize(
    ("parent", "text", "key", "read", "expected"), REFUSED, ids=[f"{row[2]}-{row[3]}" for row in REFUSED]
)
def test_refused(parent: str, text: str, key: str, read: str, expected: str) -> None:
    assert_refused(club(parent, text), key, read, expected)


@pytest.mark.clause("G11")
@pytest.mark.parametrize("name", PACKAGED)
def test_a_seventh_seat_is_refused(name: str) -> None:
    assert_refused(club(name, settings("seats = 7")), "settings.seats", "7", "a whole number <= 6")


@pytest.mark.clause("W2")
def test_five_separate_games_are_refused() -> None:
    second = '[[offers]]\nwager = "flush"\npaytable = "PT-FLT-HCF-FB-02"\n'
    text = f'{ALL_FOUR}{second}{JACKPOT}[settings]\njackpot = "bonus"\nseed = 5000'
    expected = "at most 4 separate games on one hand"
    assert_refused(club("washington", text), "offers", "5 separate games (Ante and 4 side bets)", expected)


@pytest.mark.clause("W2")
def test_four_games_that_offer_more_than_five_dollars_are_refused() -> None:
    text = f'{ALL_FOUR}{JACKPOT}base = 10\n[settings]\njackpot = "bonus"\nseed = 5000\n'
    expected = "at most 3 separate games that offer a wager above $5"
    read = "raise of any amount, flush of any amount, straight-flush of any amount, progressive up to $10"
    assert_refused(club("washington", text), "settings", read, expected)
    maxima = 'ante-maximum = "1.67"\nflush-maximum = 25\nstraight-flush-maximum = "5.01"\n'
    read = "raise up to $5.01, flush up to $25, straight-flush up to $5.01, progressive up to $10"
    assert_refused(club("washington", text + maxima), "settings", read, expected)
    for old, new in (('"1.67"', '"1.66"'), ("flush-maximum = 25", "flush-maximum = 5"), ("= 10", "= 5")):
        load(club("washington", (text + maxima).replace(old, new, 1)))


@pytest.mark.clause("W3")
def test_washington_refuses_a_mandatory_bet() -> None:
    text = f'{JACKPOT}[settings]\njackpot = "bonus"\nseed = 5000\nmandatory = "progressive"'
    expected = "none: side bets are the player's choice in club"
    assert_refused(club("washington", text), "settings.mandatory", "progressive", expected)


@pytest.mark.clause("W5")
def test_a_jackpot_without_its_kind_is_refused() -> None:
    expected = "progressive or bonus with the offer of a jackpot"
    assert_refused(club("washington", JACKPOT), "settings.jackpot", "nothing", expected)


@pytest.mark.clause("W5")
@pytest.mark.parametrize("missing", FIGURES)
def test_a_progressive_jackpot_without_a_figure_is_refused(missing: str) -> None:
    lines = [f"{key} = {value}" for key, value in FIGURES.items() if key != missing]
    text = f'{JACKPOT}[settings]\njackpot = "progressive"\n' + "\n".join(lines)
    expected = f"the {missing} of the progressive meter of club/PT-BJS-HCF-SF-01"
    assert_refused(club("washington", text), f"settings.{missing}", "nothing", expected)
    load(club("washington", f"{text}\n{missing} = {FIGURES[missing]}"))


def test_a_rate_of_zero_replaces_the_tables_own() -> None:
    book = load(club("galaxy-v7", f'{SF07}[settings]\nrate = "0%"\nreserve-rate = "95%"'))
    assert (book.settings.meters["progressive"].rate, book.settings.meters["progressive"].reserve_rate) == (0, 9500)


@pytest.mark.parametrize(
    ("text", "place", "read"),
    [
        ("name = ", "club.toml:1", "Invalid value"),
        ('name = "x"\ntitle "x"\nversion = "1"', "club.toml:2", "Expected '=' after a key"),
        ('name = "x"\nname = "y"\nversion = "1"', "club.toml:2", "Cannot overwrite a value"),
        ("a = " + "[" * 5000, "club.toml:1", ""),
        ("a = " + "9" * 5000, "club.toml:1", "Exceeds the limit"),
    ],
    ids=["no-value", "no-sign", "twice", "deep", "long"],
)
def test_what_is_not_toml_is_refused_at_its_line(text: str, place: str, read: str) -> None:
    (found,) = findings(text)
    assert str(found).startswith(f"{place}: TOML: read {read}")
    assert str(found).endswith(", expected a TOML document")


@pytest.mark.parametrize("key", ["name", "title", "version", "expose", "source", "raise"])
def test_a_document_of_its_own_needs_every_required_key(key: str) -> None:
    lines = HOUSE.splitlines()
    if key in ("source", "raise"):
        start = lines.index(f"[{key}]")
        del lines[start : start + 3]
    else:
        lines = [line for line in lines if not line.startswith(f"{key} =")]
    table = '[paytables.T]\nwager = "flush"\npays = "to 1"\nlines = [{ cards = 7, pay = 1 }]\n'
    assert_refused("\n".join([*lines, table]), key, "nothing", "this key")


@pytest.mark.parametrize("name", ["Club Room", "club_room", "-club", ""])
def test_a_name_is_lower_case_with_hyphens(name: str) -> None:
    assert_refused(f'name = "{name}"\nextends = "oxford"', "name", repr(name), "a text matching")


@pytest.mark.parametrize(
    "lines",
    [
        '{ cards = 7, pay = "50%" }',
        '{ cards = 7, pay = "100%", meter = "level-1" }, { cards = 6, pay = "9%", meter = "level-2" }',
    ],
)
def test_every_meter_can_be_won(lines: str) -> None:
    text = f"[paytables.T]\nwager = 'progressive'\npays = 'for 1'\nlines = [{lines}]"
    (found,) = findings(club("galaxy-v7", text))
    name = "level-2" if "level" in lines else "progressive"
    expected = f"a line that pays 100% of the meter {name}: without one nobody can ever win it"
    assert str(found) == f"club.toml: paytables.T.lines: read no such line, expected {expected}"


def test_all_findings_of_a_document_are_reported() -> None:
    text = """
    [settings]
    ante-minimum = 10
    ante-maximum = 5
    dealing = "dice"
    mandatory = "progressive"
    [irregularities.other]
    voids = "round"
    meaning = "x"
    [paytables.flush]
    lines = [{ cards = 6, pay = 5 }, { cards = 7, pay = 9 }]
    """
    assert [(each.message, each.file) for each in findings(club("oxford", text))] == [
        ("paytables.flush.lines[1]", "club.toml"),
        ("paytables.flush.lines[1].pay", "club.toml"),
        ("settings.ante-maximum", "club.toml"),
        ("settings.mandatory", "club.toml"),
        ("settings.dealing", "club.toml"),
        ("irregularities.other", "club.toml"),
    ]


# Warnings


@pytest.mark.clause("V2")
@pytest.mark.parametrize(("minimum", "warned"), [("1x", False), ("0.99x", True), ("0.5x", True), ("0x", True)])
def test_a_raise_below_the_ante_loads_with_a_warning(minimum: str, warned: bool) -> None:
    book = load(club("galaxy-v7", settings(f'raise-minimum = "{minimum}"')))
    said = list(warnings(book))
    assert len(said) == warned
    for text in said:
        assert text.startswith(f"settings.raise-minimum: read {minimum}, expected 1x")
        assert "house's edge" in text


WARNED = [
    (
        "washington",
        f'{JACKPOT}[settings]\njackpot = "bonus"',
        ["settings.seed: read nothing: the bonus jackpot's display"],
    ),
    ("washington", f'{JACKPOT}[settings]\njackpot = "bonus"\nseed = 5000', []),
    (
        "washington",
        f'{JACKPOT}[settings]\njackpot = "bonus"\nseed = 5000\nrate = "1%"\nreserve-rate = "1%"',
        ["settings.rate: no effect: a bonus jackpot", "settings.reserve-rate: no effect: a bonus jackpot"],
    ),
    (
        "galaxy-v7",
        settings('seed = 5000\nlevel-2-rate = "5%"\nhits = "each"'),
        [
            "settings.hits: no effect: no progressive",
            "settings.seed: no effect: no progressive",
            "settings.level-2-rate: no effect: no progressive",
        ],
    ),
    ("galaxy-v7", f'{SF07}[settings]\nseed = 5000\nhits = "each"', []),
    ("galaxy-v7", f'{MULTI}[settings]\nhits = "each"\nlevel-1-hits = "in-turn"', []),
]


@pytest.mark.parametrize(("parent", "text", "expected"), WARNED)
def test_warnings(parent: str, text: str, expected: list[str]) -> None:
    said = list(warnings(load(club(parent, text))))
    assert len(said) == len(expected)
    for read, begin in zip(said, expected, strict=True):
        assert read.startswith(begin)


@pytest.mark.clause("O13")
def test_a_document_takes_a_cap_back_with_none() -> None:
    assert packaged("oxford").settings.caps["all"].player == 2_500_000
    assert load('name = "mine"\nextends = "oxford"\n[settings]\ncap-player = "none"').settings.caps.get("all") is None


BONUS_ONLY = """
jackpot-modes = ["bonus"]
[[offers]]
wager = "progressive"
paytable = "PT-BJS-HCF-SF-06"
base = 2
"""


@pytest.mark.clause("W5a")
def test_a_rulebook_that_knows_only_bonus_jackpots_asks_for_no_rates() -> None:
    book = load(club("washington", BONUS_ONLY + "[settings]\nseed = 5000\n"))
    assert list(warnings(book)) == []
    assert book.bonus_notice == NOTICE
    assert book.notices_in_force[-1] == f'"{NOTICE}"'
    assert book.plans["progressive"].seed_micros == 5000_000000
    no_seed = load(club("washington", BONUS_ONLY))
    assert list(warnings(no_seed)) == [
        "settings.seed: read nothing: the bonus jackpot's display starts at nothing unless a meter is given"
    ]


@pytest.mark.clause("W5a")
def test_a_rulebook_that_knows_only_bonus_jackpots_has_their_notice() -> None:
    with pytest.raises(RulebookError, match="notice: read nothing, expected the notice that a bonus jackpot's display"):
        load(club("washington", 'notice = ""\n' + BONUS_ONLY))


@pytest.mark.clause("W5a", "S2")
@pytest.mark.parametrize("modes", ['["bonus"]', '["progressive", "bonus"]'])
def test_a_bonus_jackpot_is_not_won_in_turn(modes: str) -> None:
    text = BONUS_ONLY.replace('["bonus"]', modes) + '[settings]\njackpot = "bonus"\nseed = 5000\nhits = "in-turn"\n'
    with pytest.raises(RulebookError) as caught:
        load(club("washington", text))
    assert str(caught.value) == (
        "settings.hits: read in-turn, expected each or share: a bonus jackpot is not reseeded in a round"
    )


def test_a_display_that_returns_needs_a_bonus_jackpot() -> None:
    text = SF07 + '[settings]\ndisplay-returns = "on"\n'
    assert list(warnings(load(club("galaxy-v7", text)))) == [
        "settings.display-returns: no effect: no bonus jackpot is offered"
    ]
