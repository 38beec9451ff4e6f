"""Rulebooks: what the packaged ones set, how one extends another, and every refusal with file, key, read, expected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

import msgspec
import pytest

from highcardflush.errors import HcfError, RulebookError
from highcardflush.game.posted import posted, printed_limits, texts
from highcardflush.money import say_cents
from highcardflush.rulebook import PACKAGED, Rulebook, Settings, configure, load, packaged, parse_offer, warnings
from highcardflush.rulebook.check import house_problems
from highcardflush.rulebook.document import Cents, SeparateGames, read_scalar
from highcardflush.rulebook.load import content_hash, packaged_text
from highcardflush.rulebook.settings import flat
from support.data.bonus_jackpot_notice import NOTICE
from support.walkers.rounds import cases

SHORT = {
    "LINES": "paytables.flush.lines",
    "JACKPOT": 'offers = [{ wager = "progressive", paytable = "PT-BJS-HCF-SF-01" }]',
    "SF07": 'offers = [{ wager = "progressive", paytable = "PT-BJS-HCF-SF-07" }]',
    "MULTI": 'offers = [{ wager = "progressive", paytable = "PT-PRG-HCF-MLP-01" }]',
    "BONUS": 'settings.jackpot = "bonus" / settings.seed = 5000',
    "PROGRESSIVE": 'paytables.T.wager = "progressive" / paytables.T.pays = "for 1" / paytables.T.lines',
    "WHOLE": '{ cards = 7, pay = "100%" }',
    "DYNAMIC": "{ cards = 6, pay = 5, dynamic = [6, 7, 8, 9, 10, 11, 12, 13, 14",
    "SPLIT": '{ cards = 7, pay = "100%", meter = "level-1" }, { cards = 6, pay = "100%", meter = "level-2" }',
}
"""Texts that several documents below share."""


def in_full(text: str) -> str:
    for name, meaning in SHORT.items():
        text = text.replace(name, meaning)
    return text


def club(parent: str, text: str = "") -> str:
    """Return an operator's document that extends a packaged rulebook. ` / ` ends a line."""
    return f'name = "club"\nextends = "{parent}"\n' + in_full(text).replace(" / ", "\n")


def reader(texts: Mapping[str, str]) -> Any:
    return lambda name: texts[name] if name in texts else packaged_text(name)


def findings(text: str, **options: Any) -> list[HcfError]:
    with pytest.raises(RulebookError) as error_info:
        load(text, file="club.toml", **options)
    return [error_info.value, *error_info.value.others]


SAYS = """
what                       | galaxy-v7 atlantic-city washington meadows oxford
version                    | 7 1 1 1 1
raise_.kind                | between exact multiples between multiples                          | clause V2
raise_.minimum_open        | True False False False False                                       | clause V2
expose                     | refused required refused optional optional                         | clause S11
exposing_ends_bet          | False False False True False                                       | clause M3
paid_at_once               | False False False True True                                        | clause M3 O9
settlement.main_game_first | True False False False False                                       | clause V4
posted_limits              | False False False False True                                       | clause O4
mandatory_allowed          | True False False False False                                      | clause W3 G4
meter_never_falls          | False False True False False                                       | clause S4
dealing_methods            | left-to-right left-to-right left-to-right,dice left-to-right left-to-right | clause W10
jackpot_modes              | progressive progressive progressive,bonus progressive progressive  | clause W5
"""


@pytest.mark.parametrize(("what", "expected"), cases(SAYS))
def test_each_rulebook_has_its_printed_values(what: str, expected: str) -> None:
    values = [attrgetter(what)(packaged(name)) for name in PACKAGED]
    assert " ".join(",".join(each) if isinstance(each, tuple) else str(each) for each in values) == expected


@pytest.mark.clause("S15")
def test_the_sheets_offer_their_two_bonuses_and_the_game_owner_nothing_until_told() -> None:
    offers = {name: [(offer.wager, offer.paytable) for offer in packaged(name).offers] for name in PACKAGED}
    bonuses = [("flush", "flush"), ("straight-flush", "straight-flush")]
    sheets = ("atlantic-city", "meadows", "oxford")
    assert offers == {name: bonuses if name in sheets else [] for name in PACKAGED}


@pytest.mark.parametrize("name", PACKAGED)
def test_a_packaged_rulebook_is_whole(name: str) -> None:
    book = packaged(name)
    assert book.name == name
    assert all((book.title, book.source.document, book.rules, book.procedure))
    assert book.sha256 == content_hash(book)
    assert list(book.raise_.maximum.values()) == [1, 1, 1, 2, 3, 3]
    assert book.settlement.seats == (6, 5, 4, 3, 2, 1)
    assert book.wager_order == ("ante", "raise", "flush", "straight-flush", "progressive", "envy")
    assert {(table.rulebook, table.id) for table in book.paytables.values()} == {(name, key) for key in book.paytables}
    message = "read nothing, expected a posted table minimum and maximum, which every table of a house must have"
    messages = [f"settings.ante-minimum, settings.ante-maximum: {message}"] if name == "oxford" else []
    assert list(warnings(book)) == messages


@pytest.mark.clause("M5", "W2", "W5a")
def test_authorities_notices_and_limits_are_those_of_each_document() -> None:
    assert packaged("oxford").authority == "Maine Gambling Control Board"
    assert packaged("meadows").notices[-1] == "Gambling Problem? Call 1-800-GAMBLER"
    assert packaged("washington").notice == NOTICE
    limits = {name: packaged(name).separate_games for name in PACKAGED}
    assert limits == dict.fromkeys(PACKAGED) | {"washington": SeparateGames(4, 3, Cents(500))}


@pytest.mark.clause("O4")
def test_a_house_posts_the_smallest_and_the_largest_ante_where_the_rulebook_says_so() -> None:
    oxford = packaged("oxford")
    missing = ["settings.ante-minimum", "settings.ante-maximum"]
    assert [str(each) for each in house_problems(oxford)] == [
        "settings.ante-minimum: read nothing, expected an amount, because oxford posts the table's minimum",
        "settings.ante-maximum: read nothing, expected an amount, because oxford posts the table's maximum",
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
        ("atlantic-city", "cap-table", "50000.01", "at most 50000, which atlantic-city prints"),
        ("atlantic-city", "increment", "none", "a multiple of 5, which atlantic-city prints"),
        ("atlantic-city", "increment", "12", "a multiple of 5, which atlantic-city prints"),
        ("oxford", "cap-player", "none", "at most 25000, which oxford prints"),
        ("oxford", "cap-straight-flush-table", "none", "at most 50000, which oxford prints"),
    ],
)
def test_no_table_loosens_what_its_document_prints(name: str, key: str, value: str, expected: str) -> None:
    with pytest.raises(RulebookError) as error_info:
        configure(packaged(name), None, {key: value})
    assert str(error_info.value) == f"settings.{key}: read {value}, expected {expected}"


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
    loose = load(club("atlantic-city", 'settings.cap-table = 60000 / settings.increment = "none"'))
    assert list(warnings(loose)) == [
        "settings.cap-table: read 60000, which is looser than the 50000 printed in its source",
        "settings.increment: read none, which is looser than the 5 printed in its source",
    ]
    with pytest.raises(RulebookError, match="read none, expected at most 60000, which club prints"):
        configure(loose, None, {"cap-table": "none"})
    assert texts(printed_limits(loose)) == ("No more than $60,000 is paid in one round, over the whole table.",)
    second = 'name = "second"\nextends = "club.toml"'
    sources = {"club.toml": club("atlantic-city", 'settings.cap-table = "none"')}
    grandchild = load(second, read=reader(sources))
    assert list(warnings(grandchild)) == [
        "settings.cap-table: read none, which is looser than the 50000 printed in its source"
    ]
    tighter = load(club("atlantic-city", "settings.cap-table = 40000 / settings.increment = 10"))
    assert list(warnings(tighter)) == []


@pytest.mark.clause("A7", "O13", "W2", "W9")
def test_notices_of_limits_are_made_from_the_limits_in_force() -> None:
    wagers = ("limit", "raise")
    assert texts(posted(packaged("atlantic-city")), without=wagers) == (
        "Every wager is a multiple of $5.",
        "No more than $50,000 is paid in one round, over the whole table.",
        "Wrong discards are the player's own risk and are not put right.",
    )
    tight = configure(packaged("oxford"), None, {"cap-player": "900", "cap-flush-player": "50", "ante-minimum": "5"})
    assert texts(posted(tight), without=wagers) == (
        "No more than $50 is paid on the Flush Bonus of one hand.",
        "No more than $900 is paid to one player on one hand.",
        "No more than $50,000 is paid on all Straight Flush Bonus bets of one round.",
        "In any irregularity the supervisor's decision is final.",
        "These rules may be changed by the casino with the approval of the Maine Gambling Control Board.",
    )
    tight_limits = configure(tight, None, {"ante-maximum": "500"})
    assert "The table minimum and maximum are posted in view of the public at all times." in texts(posted(tight_limits))
    assert texts(printed_limits(packaged("washington"))) == (
        "Four wagering spots: at most four separate games may be bet on one hand "
        "(Ante and Raise together count as one).",
        "At most three of these games may take a wager above $5.",
    )
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
    sentences = (*book.rules_in_force, *texts(posted(book)))
    for word, feature in EXPLAINED.items():
        assert any(word in text for text in sentences) == (feature in features), word
    assert "envy" not in configure(book, None, {"envy": "off"}).features


@pytest.mark.clause("S10")
@pytest.mark.parametrize("name", PACKAGED)
def test_no_limit_but_the_printed_ones(name: str) -> None:
    printed_limits = {
        "atlantic-city": {"increment": 500, "cap-table": 50_000_00},
        "oxford": {"cap-player": 25_000_00, "cap-straight-flush-table": 50_000_00},
    }
    assert flat(packaged(name).settings) == flat(Settings()) | printed_limits.get(name, {})


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


def changes_of(data: Any) -> Iterator[Any]:
    """Yield every document that differs from this one in a single value."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from (data | {key: other} for other in changes_of(value))
    elif isinstance(data, (list, tuple)):
        for i, value in enumerate(data):
            yield from ([*data[:i], other, *data[i + 1 :]] for other in changes_of(value))
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
    hashes, refusal_count = [book.sha256], 0
    for data in changes_of(msgspec.to_builtins(msgspec.structs.replace(book, sha256="", table_hash=""), enc_hook=str)):
        try:
            hashes.append(content_hash(msgspec.convert(data, Rulebook, dec_hook=read_scalar)))
        except msgspec.ValidationError:
            refusal_count += 1
    assert len(set(hashes)) == len(hashes)
    assert len(hashes) > 5 * refusal_count


def test_a_rulebook_that_extends_another_takes_over_what_it_does_not_say() -> None:
    book, oxford = load(club("oxford")), packaged("oxford")
    assert (book.name, book.extends) == ("club", "oxford")
    assert all(getattr(book, name) == getattr(oxford, name) for name in ("title", "rules", "settings", "offers"))
    assert book.paytables["flush"].full_id == "club/flush"
    assert book.sha256 != oxford.sha256


def test_settings_are_merged_by_key_and_offers_replaced() -> None:
    limits = 'settings.cap-player = 1000 / settings.ante-minimum = 5 / settings.cap-straight-flush-table = "none"'
    offers = 'offers = [{ wager = "flush", paytable = "high" }]'
    high = 'paytables.high = { wager = "flush", pays = "to 1", lines = [{ cards = 7, pay = 500 }] }'
    book = load(club("oxford", f"{limits} / {offers} / {high} / LINES = [{{ cards = 7, pay = 300 }}]"))
    expected_settings = flat(packaged("oxford").settings) | {"cap-player": 1000_00, "ante-minimum": 500}
    assert flat(book.settings) == expected_settings | {"cap-straight-flush-table": None}
    assert [(offer.wager, offer.paytable) for offer in book.offers] == [("flush", "high")]
    assert book.paytable("flush") == book.paytables["high"]
    assert {
        table.full_id: [(line.cards, line.pay) for line in table.lines][:2] for table in book.paytables.values()
    } == {"club/flush": [(7, 300)], "club/straight-flush": [(7, 8000), (6, 1000)], "club/high": [(7, 500)]}
    assert load(club("oxford", "offers = []")).offers == ()


def test_the_figures_of_a_meter_are_overridden_one_by_one() -> None:
    text = 'paytables.PT-BJS-HCF-SF-07.meters.progressive.rate = "20%"'
    plan = load(club("galaxy-v7", text)).paytables["PT-BJS-HCF-SF-07"].meters["progressive"]
    assert (plan.seed, plan.rate, plan.reserve_rate) == (30_000_00, 2000, 500)
    zero = load(club("galaxy-v7", 'SF07 / settings.rate = "0%" / settings.reserve-rate = "95%"')).settings
    assert (zero.meter("progressive").rate, zero.meter("progressive").reserve_rate) == (0, 9500)


def test_two_levels_of_extends() -> None:
    chain = 'name = "chain"\nextends = "oxford"\nversion = "3"\n[settings]\nante-minimum = 5\nante-maximum = 100\n'
    book = load(club("chain.toml", "settings.ante-minimum = 10"), read=reader({"chain.toml": chain}))
    assert (book.name, book.version) == ("club", "3")
    settings = flat(book.settings)
    assert [settings[key] for key in ("ante-minimum", "ante-maximum", "cap-player")] == [10_00, 100_00, 25_000_00]


@pytest.mark.parametrize(
    ("text", "place", "key", "read", "expected"),
    [
        ('extends = "oxford"', "club.toml", "name", "nothing", "a name of its own"),
        ('name = "oxford"\nextends = "oxford"', "club.toml", "name", "'oxford'", "a name that differs from"),
        (club("oxfrod"), "club.toml", "extends", "'oxfrod'", "one of galaxy-v7, "),
        ('name = "club"\nextends = 3', "club.toml", "extends", "3", "the name of a rulebook"),
        (club("orphan"), "orphan", "extends", "'gone'", "one of galaxy-v7, "),
        (club("broken"), "broken:2", "TOML", "Expected", "a TOML document"),
        (club("circle"), "circle", "extends", "'circle'", "a document that does not extend this one"),
    ],
)
def test_a_bad_extends_is_refused_where_it_stands(text: str, place: str, key: str, read: str, expected: str) -> None:
    texts = {"orphan": 'name = "orphan"\nextends = "gone"\n', "broken": 'name = "broken"\ntitle "x"\n'}
    texts["circle"] = 'name = "circle"\nextends = "circle"\n'
    (finding,) = findings(text, read=reader(texts))
    assert str(finding).startswith(f"{place}: {key}: read {read}")
    assert f", expected {expected}" in str(finding)


def test_a_parent_that_cannot_be_read_is_named() -> None:
    def read(name: str) -> str:
        raise HcfError("file", read="No such file or directory", expected="a file to read", file=f"/x/{name}")

    (finding,) = findings(club("gone.toml"), read=read)
    assert str(finding) == ("club.toml: extends: read 'gone.toml' (No such file or directory), expected a file to read")


def test_configure_leaves_the_rulebook_as_it_was() -> None:
    book = packaged("oxford")
    table = configure(book, [parse_offer("flush", "flush")], {"ante-minimum": "12.50", "seats": "4"})
    assert (table.settings.limits["ante"].minimum, table.settings.seats) == (1250, 4)
    assert [offer.wager for offer in table.offers] == ["flush"]
    assert (table.own_offers, table.table_settings) == (book.offers, ("ante-minimum", "seats"))
    assert (book.settings.limits_on("ante").minimum, len(book.offers), book.printed_offers) == (None, 2, None)
    assert table.sha256 == book.sha256


def test_offers_are_kept_unless_others_are_given() -> None:
    assert configure(packaged("oxford")) == packaged("oxford")
    assert configure(packaged("galaxy-v7"), []).offers == ()


@pytest.mark.clause("S13")
@pytest.mark.parametrize(
    ("book", "offers", "message"),
    [
        ("oxford", [], "offers: read no offer, expected at least one offer"),
        ("oxford", ["flash flush"], "offer: read 'flash', expected one of flush, straight-flush, progressive"),
        ("oxford", ["progressive PT 0"], "offer.base: read '0', expected dollars above zero"),
        ("oxford", ["progressive PT 5x"], "offer.base: read '5x', expected dollars above zero"),
        ("galaxy-v7", ["progressive PT-BJS-HCF-SF-07", "progressive PT-PRG-HCF-D03"],
         "offers.progressive: read two offers, expected one offer for each"),
    ],
)  # fmt: skip
def test_offers_that_are_refused(book: str, offers: list[str], message: str) -> None:
    with pytest.raises(RulebookError) as error_info:
        configure(packaged(book), [parse_offer(*offer.split()) for offer in offers])
    assert str(error_info.value).startswith(message)


def test_none_takes_an_optional_setting_back() -> None:
    changes = {"increment": "5", "cap-table": "9"}
    book = configure(
        configure(packaged("meadows"), None, changes), None, dict.fromkeys([*changes, "mandatory"], "none")
    )
    assert (book.settings.increment, flat(book.settings)["cap-table"], book.settings.mandatory) == (None, None, "none")
    assert book.table_settings == ("increment", "cap-table", "mandatory")


def test_a_foreign_table_keeps_its_name() -> None:
    book = configure(load(club("oxford")), [parse_offer("flush", "washington/PT-FLT-HCF-FB-02")])
    table = book.paytable("flush")
    assert table is not None
    assert table.full_id == "washington/PT-FLT-HCF-FB-02"
    own = configure(packaged("oxford"), [parse_offer("flush", "oxford/flush")]).paytable("flush")
    assert own == packaged("oxford").paytables["flush"]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("ante-minimun", "5", "ante-minimun: read key 'ante-minimun', expected a known key (near: ante-minimum"),
        ("ante_minimum", "5", "ante_minimum: read key 'ante_minimum', expected a known key (near: ante-minimum"),
        ("ante_minimum", "none", "ante_minimum: read key 'ante_minimum', expected a known key"),
        ("deal-order", "5", "deal-order: read key 'deal-order', expected a known key (near: default-action)"),
        ("seats", "3.0", "seats: read '3.0', expected a whole number"),
        ("rate", "23", "rate: read 23, expected a percentage from 0% to 100%, such as 23%"),
        ("raise-minimum", "0.5x", "settings.raise-minimum: read 0.5x, expected 1x, the smallest Raise that oxford"),
    ],
)
def test_configure_refuses(key: str, value: str, message: str) -> None:
    with pytest.raises(RulebookError) as error_info:
        configure(packaged("oxford"), None, {key: value})
    assert str(error_info.value).startswith(message)


REFUSED = """
parent | what the operator's document says | key | read | expected
oxford | version = 2 | version | 2 | a text
oxford | rules = "none" | rules | 'none' | a list
oxford | offers = [3] | offers[0] | 3 | a table
oxford | settings = 3 | settings | 3 | a table
oxford | paytables = 3 | paytables | 3 | a table
oxford | paytables.flush = 3 | paytables.flush | 3 | a table
oxford | separate-games.maximum = 4 | separate-games.above | nothing | this key
oxford | mandatory-allowed = "yes" | mandatory-allowed | 'yes' | true or false
oxford | expose = true | expose | True | one of refused, optional, required
oxford | dealing-methods = ["wheel"] | dealing-methods[0] | 'wheel' | one of left-to-right, dice
oxford | dealing-methods = [] | dealing-methods | [] | a list of length 1 or more
oxford | rasie = "x" | rasie | key 'rasie' | a known key (near: raise
oxford | settings.ante-minimun = 5 | settings.ante-minimun | key 'ante-minimun' | (near: ante-minimum
oxford | sha256 = "x" | sha256 | key 'sha256' | no such key, because it is computed
oxford | paytables.flush.id = "x" | paytables.flush.id | key 'id' | no such key, because it is computed
oxford | procedure = [{ part = "deal" }] | procedure[0].text | nothing | this key
oxford | settlement.wagers = ["tip"] | settlement.wagers[0] | 'tip' | one of ante, raise, flush
oxford | settlement.wagers = ["ante"] | settlement.wagers | ['ante'] | each of these once: ante, raise
oxford | settlement.seats = [1, 2, 3] | settlement.seats | [1, 2, 3] | each seat from 1 to 6 once
oxford | settings.seats = "6" | settings.seats | '6' | a whole number
oxford | settings.seats = 7 | settings.seats | 7 | a whole number, 6 or less | clause G11
oxford | settings.clock = 4 | settings.clock | 4 | a whole number, 5 or more
oxford | settings.hits = "first" | settings.hits | 'first' | one of share, each, in-turn
oxford | settings.ante-minimum = 12.5 | settings.ante-minimum | 12.5 | dollars above zero such as 25 or 12.50, in quotes
oxford | settings.ante-minimum = true | settings.ante-minimum | True | dollars above zero such as 25 or 12.50
oxford | settings.rate = 0.23 | settings.rate | 0.23 | a percentage from 0% to 100%, such as 23%, in quotes
oxford | settings.rate = 23 | settings.rate | 23 | a percentage from 0% to 100%, such as 23%
oxford | settings.raise-minimum = 2 | settings.raise-minimum | 2 | a multiple of the Ante from 0x to 1x, such as 0.5x
oxford | settings.raise-minimum = 0.5 | settings.raise-minimum | 0.5 | such as 0.5x, in quotes
oxford | LINES = [] | LINES | no line | at least one line
oxford | LINES = [{ cards = 8, pay = 1 }] | LINES[0].cards | 8 | a whole number, 7 or less
oxford | LINES = [{ cards = 7, pay = 0 }] | LINES[0].pay | 0 | a whole number, 1 or more
oxford | LINES = [{ cards = 7, pay = 1.5 }] | LINES[0].pay | 1.5 | a whole number or a text
oxford | LINES = [{ cards = 7, pay = "150%" }] | LINES[0].pay | '150%' | a text matching
oxford | LINES = [{ cards = 7, pay = "50%" }] | LINES[0].pay | 50% | only a progressive
oxford | LINES = [{ cards = 7, pay = 9, envy = 1 }] | LINES[0].envy | 1 | only a progressive
oxford | LINES = [DYNAMIC] }] | LINES[0].dynamic | [6, 7, 8 | only a progressive
oxford | LINES = [{ cards = 7, pay = 9, ace-high = true }] | LINES[0].ace-high | true | no such key
oxford | LINES = [{ cards = 7, pay = 9, meter = "b" }] | LINES[0].meter | 'b' | one of progressive
oxford | LINES = [{ cards = 7, pay = 5 }, { cards = 6, pay = 6 }] | LINES[1].pay | 6 | at most 5, the pay of the higher
oxford | LINES = [{ cards = 6, pay = 9 }, { cards = 7, pay = 9 }] | LINES[1] | 7-card | a line below 6-card
oxford | LINES = [{ cards = 6, pay = 9 }, { cards = 6, pay = 9 }] | LINES[1] | 6-card | the best line comes first
oxford | paytables.flush.pays = "of 1" | paytables.flush.pays | 'of 1' | one of to 1, for 1
oxford | paytables."a b" = { wager = "flush", pays = "to 1", lines = [] } | paytables | 'a b' | an id that consists of
oxford | paytables.straight-flush.lines = [{ cards = 2, pay = 1 }] | paytables.straight-flush.lines[0].cards | 2 | 3 or more
oxford | PROGRESSIVE = [{ cards = 7, pay = 1 }] | paytables.T.lines | fixed pays only | a percentage
oxford | paytables.T = { wager = "progressive", pays = "to 1", lines = [WHOLE] } | paytables.T.pays | 'to 1' | 'for 1'
oxford | PROGRESSIVE = [{ cards = 7, pay = "50%" }] | paytables.T.lines | no such line | nobody can win it
oxford | PROGRESSIVE = [WHOLE, { cards = 6, pay = "9%", meter = "level-1" }] | paytables.T.lines | no such | meter level-1
oxford | PROGRESSIVE = [WHOLE, SPLIT] | paytables.T.lines | progressive, level-1 | either the meter progressive or level-1
oxford | PROGRESSIVE = [WHOLE] / paytables.T.meters.level-2.seed = 1 | paytables.T.meters | 'level-2' | a meter that a line pays from
oxford | PROGRESSIVE = [WHOLE] / paytables.T.meters.progressive.seed = 1 | paytables.T.meters.progressive | no seed or no rate | both
oxford | PROGRESSIVE = [SPLIT] / paytables.T.meters.level-1.seed = 1 | paytables.T.meters | level-1 | level-1, level-2
oxford | PROGRESSIVE = [WHOLE, DYNAMIC] }] | paytables.T.lines[1].dynamic | [6, 7, 8, 9 | ten pays, each above the default
oxford | PROGRESSIVE = [WHOLE, DYNAMIC, 15] }] | paytables.T.lines | one line with dynamic | two or more
oxford | offers = [{ wager = "flash", paytable = "flush" }] | offers[0].wager | 'flash' | one of flush, straight
oxford | offers = [{ wager = "flush", paytable = "T" }] | offers.flush.paytable | 'T' | of club (flush) or RULEBOOK/ID
oxford | paytables."x/y" = { wager = "flush", pays = "to 1", lines = [] } | paytables | 'x/y' | an id that consists of
oxford | offers = [{ wager = "flush", paytable = "meadows/T" }] | offers.flush.paytable | 'meadows/T' | or RULEBOOK/ID
oxford | offers = [{ wager = "flush", paytable = "x/T" }] | offers.flush.paytable | 'x/T' | or RULEBOOK/ID
oxford | JACKPOT | offers.progressive.paytable | 'PT-BJS-HCF-SF-01' | of club (none) or RULEBOOK/ID
oxford | offers = [{ wager = "flush", paytable = "straight-flush" }] | offers.flush.paytable | straight-flush (for | for flush
oxford | offers = [{ wager = "flush", paytable = "flush", base = 5 }] | offers.flush.base | 5 | only a progressive has one
galaxy-v7 | offers = [{ wager = "progressive", paytable = "PT-BJS-HCF-SF-07", base = 5 }] / settings.increment = 2 | offers.progressive.base | 5 | a multiple of 2
oxford | raise.maximum.8 = 1 | raise.maximum | '8' | one of 2, 3, 4, 5, 6, 7
oxford | raise.maximum.7 = 4 | raise.maximum.7 | 4 | a whole number, 3 or less
oxford | raise.maximum.4 = 3 | raise.maximum | {'2': 1 | none below the one before
oxford | raise.minimum-open = true | raise.minimum-open | true | false, because raise.kind
oxford | settings.raise-minimum = "0.5x" | settings.raise-minimum | 0.5x | 1x, the smallest Raise that club prints
oxford | settings.ante-minimum = 10 / settings.ante-maximum = 5 | settings.ante-maximum | 5 | at least 10, the smallest
atlantic-city | settings.flush-maximum = 4 | settings.flush-maximum | 4 | at least 5, the smallest
atlantic-city | settings.flush-minimum = 7 / settings.flush-maximum = 9 | settings.flush-maximum | 9 | at least 10, the smallest
oxford | settings.dealing = "dice" | settings.dealing | dice | any or left-to-right
oxford | settings.dice-direction = "clockwise" | settings.dice-direction | clockwise | does not deal by dice
oxford | settings.play = "progressive-only" | settings.play | progressive-only | a rulebook that offers a progressive
galaxy-v7 | settings.mandatory = "progressive" | settings.mandatory | progressive | a rulebook that offers a progressive
atlantic-city | settings.mandatory = "progressive" | settings.mandatory | progressive | the player's choice in club | clause G4
meadows | settings.mandatory = "progressive" | settings.mandatory | progressive | the player's choice in club | clause G4
oxford | settings.mandatory = "progressive" | settings.mandatory | progressive | the player's choice in club | clause G4
oxford | mandatory-allowed = true | mandatory-allowed | true | the player's choice in oxford | clause G4
washington | mandatory-allowed = true | mandatory-allowed | true | the player's choice in washington | clause G4 W3
oxford | irregularities.other = { voids = "round", meaning = "x" } | irregularities.other | 'other' | other than 'other'
oxford | irregularities."A b" = { voids = "round", meaning = "x" } | irregularities.A b | 'A b' | a lower-case code
oxford | irregularities.rain = { voids = "table", meaning = "x" } | irregularities.rain.voids | 'table' | one of round, hand
galaxy-v7 | settings.jackpot = "bonus" | settings.jackpot | bonus | one of progressive
galaxy-v7 | SF07 / settings.level-1-seed = 5 | settings.level-1-seed | key 'level-1-seed' | progressive
galaxy-v7 | MULTI / settings.seed = 5 | settings.seed | key 'seed' | level-1, level-2
galaxy-v7 | SF07 / settings.rate = "96%" | settings.rate | 101% of each bet in total | at most 100%
galaxy-v7 | MULTI / settings.level-1-rate = "50%" / settings.level-2-reserve-rate = "50%" | settings.rate | 112% of | at most 100%
washington | JACKPOT / BONUS / settings.level-2-seed = 5 | settings.level-2-seed | key 'level-2-seed' | of this table's meters: progressive
washington | JACKPOT / BONUS / notice = "" | notice | nothing | the notice to show with a bonus jackpot's display | clause W5a
washington | JACKPOT | settings.jackpot | nothing | progressive or bonus, because a jackpot is offered | clause W5
washington | JACKPOT / BONUS / settings.mandatory = "progressive" | settings.mandatory | progressive | the player's choice in club | clause W3
washington | JACKPOT / BONUS / settings.hits = "in-turn" | settings.hits | in-turn | each or share, because a bonus jackpot is not | clause W5a S2
"""  # noqa: E501


def assert_refused(text: str, key: str, read: str, expected: str) -> None:
    problems = findings(text)
    for each in problems:
        assert each.file == "club.toml"
        assert str(each) == f"club.toml: {each.message}: read {each.read}, expected {each.expected}"
        assert all((each.message, each.read, each.expected))
        assert "\n" not in str(each)
        assert each.as_dict()["code"] == "bad-rulebook"
    about = [each for each in problems if each.message == key]
    assert about, [str(each) for each in problems]
    assert any(str(each.read).startswith(read) and expected in str(each.expected) for each in about), str(about[0])


@pytest.mark.parametrize(("parent", "text", "key", "read", "expected"), cases(REFUSED))
def test_refused(parent: str, text: str, key: str, read: str, expected: str) -> None:
    assert_refused(club(parent, text), in_full(key), read, expected)


BONUSES = [("flush", "PT-FLT-HCF-FB-01"), ("straight-flush", "PT-FLT-HCF-SF-01"), ("flush", "PT-FLT-HCF-FB-02")]


def games(bonuses: int) -> str:
    offers = [f'{{ wager = "{wager}", paytable = "{table}" }}' for wager, table in BONUSES[:bonuses]]
    jackpot = '{ wager = "progressive", paytable = "PT-BJS-HCF-SF-01", base = 10 }'
    return f"offers = [{', '.join([*offers, jackpot])}] / BONUS"


@pytest.mark.clause("W2")
def test_five_separate_games_are_refused() -> None:
    read, expected = "5 separate games (Ante and 4 side bets)", "at most 4 separate games on one hand"
    assert_refused(club("washington", games(3)), "offers", read, expected)


@pytest.mark.clause("W2")
def test_four_games_that_offer_more_than_five_dollars_are_refused() -> None:
    expected = "at most 3 separate games that offer a wager above $5"
    read = "raise of any amount, flush of any amount, straight-flush of any amount, progressive up to $10"
    assert_refused(club("washington", games(2)), "settings", read, expected)
    maxima = ("ante-maximum = 1.67", "flush-maximum = 25", "straight-flush-maximum = 5.01")
    limits = [f'settings.{key} = "{value}"' for key, _, value in (text.partition(" = ") for text in maxima)]
    text = " / ".join([games(2), *limits])
    read = "raise up to $5.01, flush up to $25, straight-flush up to $5.01, progressive up to $10"
    assert_refused(club("washington", text), "settings", read, expected)
    for old, new in (("1.67", "1.66"), ('"25"', '"5"'), ("5.01", "5"), ("base = 10", "base = 5")):
        load(club("washington", text.replace(old, new)))


FIGURES = {"seed": "5000", "rate": '"20%"', "reserve-rate": '"0%"'}


@pytest.mark.clause("W5")
@pytest.mark.parametrize("missing", FIGURES)
def test_a_progressive_jackpot_without_a_figure_is_refused(missing: str) -> None:
    lines = [f"settings.{key} = {value}" for key, value in FIGURES.items() if key != missing]
    text = " / ".join(["JACKPOT", 'settings.jackpot = "progressive"', *lines])
    expected = f"the {missing} of the progressive meter of club/PT-BJS-HCF-SF-01"
    assert_refused(club("washington", text), f"settings.{missing}", "nothing", expected)
    load(club("washington", f"{text} / settings.{missing} = {FIGURES[missing]}"))


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
def test_invalid_toml_is_refused_at_its_line(text: str, place: str, read: str) -> None:
    (finding,) = findings(text)
    assert str(finding).startswith(f"{place}: TOML: read {read}")
    assert str(finding).endswith(", expected a TOML document")


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


def test_all_findings_of_a_document_are_reported() -> None:
    text = """settings = { ante-minimum = 10, ante-maximum = 5, dealing = "dice", mandatory = "progressive" }
    irregularities.other = { voids = "round", meaning = "x" }
    paytables.flush.lines = [{ cards = 6, pay = 5 }, { cards = 7, pay = 9 }]"""
    assert [(each.message, each.file) for each in findings(club("oxford", text))] == [
        ("paytables.flush.lines[1]", "club.toml"),
        ("paytables.flush.lines[1].pay", "club.toml"),
        ("settings.ante-maximum", "club.toml"),
        ("settings.mandatory", "club.toml"),
        ("settings.dealing", "club.toml"),
        ("irregularities.other", "club.toml"),
    ]


@pytest.mark.clause("V2")
@pytest.mark.parametrize(("minimum", "warning"), [("1x", False), ("0.99x", True), ("0.5x", True), ("0x", True)])
def test_a_raise_below_the_ante_loads_with_a_warning(minimum: str, warning: bool) -> None:
    book = load(club("galaxy-v7", f'settings.raise-minimum = "{minimum}"'))
    messages = list(warnings(book))
    assert len(messages) == warning
    for text in messages:
        assert text.startswith(f"settings.raise-minimum: read {minimum}, expected 1x")
        assert "house's edge" in text


WARNED = """
parent | document | warnings
washington | JACKPOT / settings.jackpot = "bonus" | settings.seed: read nothing, so the bonus jackpot's display
washington | JACKPOT / BONUS |
washington | JACKPOT / BONUS / jackpot-modes = ["bonus"] |
washington | JACKPOT / BONUS / settings.rate = "1%" | settings.rate: no effect, because a bonus jackpot
washington | JACKPOT / BONUS / settings.reserve-rate = "1%" | settings.reserve-rate: no effect, because a bonus jackpot
galaxy-v7 | settings.hits = "each" | settings.hits: no effect, because no progressive
galaxy-v7 | settings.seed = 5 / settings.level-2-rate = "5%" | settings.seed: no; settings.level-2-rate: no effect
galaxy-v7 | SF07 / settings.seed = 5000 / settings.hits = "each" |
galaxy-v7 | MULTI / settings.hits = "each" / settings.level-1-hits = "in-turn" |
galaxy-v7 | SF07 / settings.display-returns = "on" | settings.display-returns: no effect, because no bonus
"""


@pytest.mark.parametrize(("parent", "text", "expected"), cases(WARNED))
def test_warnings(parent: str, text: str, expected: str) -> None:
    messages = list(warnings(load(club(parent, text))))
    begins = [begin for begin in expected.split("; ") if begin]
    assert len(messages) == len(begins)
    assert all(read.startswith(begin) for read, begin in zip(messages, begins, strict=True))


@pytest.mark.clause("W5a")
def test_a_bonus_jackpot_quotes_its_notice_and_starts_at_its_amount_whatever_the_bet() -> None:
    book = load(club("washington", games(0)))
    assert book.bonus_notice == NOTICE
    assert posted(book)[-1].short == posted(book)[-1].text == f'"{NOTICE}"'
    assert book.plans["progressive"].seed_micros == 5000_000000


@pytest.mark.clause("S25", "V12", "O12", "A5", "M4", "W4", "W5")
def test_a_packaged_rulebook_offers_only_its_own_pay_tables() -> None:
    for name in PACKAGED:
        tables = [table for other in PACKAGED for table in packaged(other).paytables.values()]
        offered = set()
        for each in tables:
            settings = {} if name != "washington" else {"jackpot": "bonus", "seed": "1000"}
            try:
                offer = parse_offer(each.wager, each.full_id)
                configure(packaged(name), [offer], settings if each.wager == "progressive" else {})
            except RulebookError as error:
                assert f"only a rulebook of your own that extends {name} can offer another" in str(error)  # noqa: PT017
            else:
                offered.add(each.full_id)
        own = {each.full_id for each in packaged(name).paytables.values()}
        lent = {each.full_id for each in packaged("washington").paytables.values() if each.wager != "progressive"}
        assert offered == (own | lent if name == "galaxy-v7" else own)


@pytest.mark.clause("S25")
def test_a_rulebook_of_your_own_may_offer_others_and_says_which_are_not_its_source_s() -> None:
    flush = 'offers = [{ wager = "flush", paytable = "washington/PT-FLT-HCF-FB-08" }]'
    assert not_printed(load(club("oxford", flush))) == ["washington/PT-FLT-HCF-FB-08"]
    assert not_printed(load(club("galaxy-v7", flush))) == not_printed(load(club("oxford"))) == []
    changed = "paytables.flush.lines = [{ cards = 7, pay = 900 }, { cards = 4, pay = 1 }]"
    assert not_printed(load(club("oxford", changed))) == ["flush"]
    second = load('name = "second"\nextends = "club.toml"', read=reader({"club.toml": club("oxford", changed)}))
    assert not_printed(second) == ["flush"]


def not_printed(book: Rulebook) -> list[str]:
    lines = [line for line in warnings(book) if line.endswith(", a pay table that its source does not print")]
    return [line.removeprefix("offers: read ").partition(",")[0] for line in lines]
