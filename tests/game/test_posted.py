"""Lines that are posted at a table, as data: each in a short form and as a whole."""

import re

import pytest

from highcardflush.game.legal import allowed_wagers
from highcardflush.game.posted import Posted, posted, posted_on_display
from highcardflush.rulebook import Rulebook, configure, load, packaged
from highcardflush.rulebook.load import read_offer
from highcardflush.words import say_title
from support.data.bonus_jackpot_notice import NOTICE

BONUSES = {"flush": "PT-FLT-HCF-FB-01", "straight-flush": "PT-FLT-HCF-SF-04"}
JACKPOT = {"progressive": "PT-BJS-HCF-SF-01"}
PROGRESSIVE = {"jackpot": "progressive", "seed": "1000", "rate": "20%", "reserve-rate": "5%", "flush-maximum": "5"}
BONUS = {"jackpot": "bonus", "seed": "1000", "flush-maximum": "5"}


def table(name: str, offers: dict[str, str] | None = None, **settings: str) -> Rulebook:
    options = {key.replace("_", "-"): value for key, value in settings.items()}
    read = None if offers is None else [read_offer(wager, paytable) for wager, paytable in offers.items()]
    return configure(packaged(name), read, options)


def galaxy(paytable: str, base: str = "1", **settings: str) -> Rulebook:
    return table("galaxy-v7", {"progressive": f"{paytable} base={base}"}, **settings)


def lines(book: Rulebook, code: str) -> list[Posted]:
    return [line for line in posted(book) if line.code == code]


def whole(book: Rulebook, code: str) -> list[str]:
    return [line.text for line in lines(book, code)]


@pytest.mark.clause("S24", "O4", "V1")
def test_the_limits_of_every_wager_are_posted() -> None:
    book = table("oxford", None, ante_minimum="10", ante_maximum="500", flush_minimum="1", flush_maximum="50")
    assert [line.values["wager"] for line in lines(book, "limit")] == list(allowed_wagers(book))
    assert whole(book, "limit") == [
        "Ante: $10 to $500.",
        "Flush Bonus: $1 to $50.",
        "Straight Flush Bonus: any amount.",
    ]
    (raise_,) = lines(book, "raise")
    assert raise_.short == "Raise 1x the Ante with 2 to 4 cards, 1x or 2x with 5, 1x or 2x or 3x with 6 or 7"
    stepped = table("atlantic-city", None, ante_minimum="10", ante_maximum="500")
    assert lines(stepped, "limit")[0].text == "Ante: $10 to $500."
    assert lines(stepped, "limit")[0].short == "Ante $10 to $500"


@pytest.mark.clause("S24", "A7", "O13", "W9")
@pytest.mark.parametrize(
    ("book", "expected"),
    [
        (table("atlantic-city"), ["No more than $50,000 is paid in one round, over the whole table."]),
        (
            table("oxford"),
            [
                "No more than $25,000 is paid to one player on one hand.",
                "No more than $50,000 is paid on all Straight Flush Bonus bets of one round.",
            ],
        ),
        (
            table("washington", BONUSES, flush_maximum="5", cap_flush_player="1000", cap_straight_flush_table="5000"),
            [
                "No more than $1,000 is paid on the Flush Bonus of one hand.",
                "No more than $5,000 is paid on all Straight Flush Bonus bets of one round.",
            ],
        ),
    ],
)
def test_maximum_payouts_are_posted(book: Rulebook, expected: list[str]) -> None:
    assert whole(book, "cap") == expected
    for line in lines(book, "cap"):
        assert re.search(r"\$[0-9,]+", line.short)[0] in line.text  # type: ignore[index]


@pytest.mark.clause("S24", "S1")
def test_the_notice_of_a_cap_on_all_wagers_says_that_it_does_not_cover_meters() -> None:
    own = load('name = "own"\nextends = "oxford"\n')
    book = configure(own, [read_offer("progressive", "galaxy-v7/PT-BJS-HCF-SF-07")])
    on_player, on_bonus = lines(book, "cap")
    assert on_player.text.endswith(" This does not limit what is won from the meter.")
    assert on_player.short == "Pays at most $25,000 to one player, one hand (not what is won from the meter)"
    assert "meter" not in on_bonus.text
    bonus = table("washington", BONUSES | JACKPOT, **BONUS, cap_table="50000")
    assert whole(bonus, "cap")[0].endswith(" This does not limit percentages of the bonus jackpot.")


@pytest.mark.clause("S24", "W2")
def test_the_four_wagering_spots_are_posted() -> None:
    book = table("washington", BONUSES, flush_maximum="5")
    assert [*whole(book, "games"), *whole(book, "games-above")] == [
        "Four wagering spots: at most four separate games may be bet on one hand "
        "(Ante and Raise together count as one).",
        "At most three of these games may take a wager above $5.",
    ]


@pytest.mark.clause("S26", "S2")
@pytest.mark.parametrize(
    ("policy", "short", "end"),
    [
        ("share", "Several winners share the meter equally", "they share it equally."),
        ("each", "Each of several winners gets all of the meter", "each of them gets the whole amount."),
        (
            "in-turn",
            "Several winners of the meter are paid in turn, the later ones after a reseed",
            "each later one gets the amount to which it is reseeded.",
        ),
    ],
)
def test_how_several_winners_are_paid_is_posted(policy: str, short: str, end: str) -> None:
    (line,) = lines(galaxy("PT-BJS-HCF-SF-07", hits=policy), "hits")
    assert line.short == short
    assert line.text.endswith(end)
    assert posted_on_display("progressive", policy, "", bonus=False) == [line]  # type: ignore[arg-type]


@pytest.mark.clause("S26", "V10")
def test_each_level_posts_its_own_policy() -> None:
    book = galaxy("PT-PRG-HCF-MLP-01", **{"level-2-hits": "each"})
    assert [(line.values["meter"], line.values["policy"]) for line in lines(book, "hits")] == [
        ("level-1", "share"),
        ("level-2", "each"),
    ]
    assert lines(book, "hits")[1].short == "Each of several winners gets all of level 2"


@pytest.mark.clause("S24", "V9", "W7")
@pytest.mark.parametrize(
    ("book", "expected"),
    [
        (galaxy("PT-BJS-HCF-SF-07"), "Progressive pays are for a bet of $1."),
        (
            galaxy("PT-BJS-HCF-SF-E05", "5"),
            "Progressive pays and Envy Pays are for a bet of $5: they are already multiplied by 5. So are the seed "
            "and the reseed of the meter.",
        ),
        (
            galaxy("PT-PRG-HCF-D01a", "2.50"),
            "Progressive pays and Dynamic Pays are for a bet of $2.50: they are already multiplied by 2.5. So are the "
            "seed and the reseed of the meter.",
        ),
        (
            table("washington", BONUSES | {"progressive": "PT-BJS-HCF-SF-01 base=5"}, **BONUS),
            "Bonus jackpot pays are for a bet of $5: they are already multiplied by 5.",
        ),
    ],
)
def test_the_notice_about_the_base_bet_is_made_from_the_base_in_force(book: Rulebook, expected: str) -> None:
    assert whole(book, "base") == [expected]
    assert lines(book, "base")[0].short.endswith("already multiplied") == ("multiplied" in expected)
    if "multiplied" in expected:
        assert not [line for line in posted(book) if "$1 " in line.text]


@pytest.mark.clause("S24", "G4", "V6")
def test_a_mandatory_bet_is_posted_and_nothing_calls_it_a_choice() -> None:
    book = galaxy("PT-BJS-HCF-SF-07", mandatory="progressive")
    assert whole(book, "mandatory") == ["The progressive bet is required with every Ante."]
    assert not [text for text in book.rules_in_force if "choice" in text]
    optional = galaxy("PT-BJS-HCF-SF-07")
    assert not lines(optional, "mandatory")
    assert [text for text in optional.rules_in_force if "choice" in text]


@pytest.mark.clause("S24", "W5a")
def test_the_notice_of_a_bonus_jackpot_is_never_shortened() -> None:
    (line,) = lines(table("washington", BONUSES | JACKPOT, **BONUS), "bonus-notice")
    assert line.short == line.text == f'"{NOTICE}"'
    assert line.values == {"notice": NOTICE}
    assert posted_on_display("progressive", "each", NOTICE, bonus=True)[-1] == line
    assert not lines(table("washington", BONUSES | JACKPOT, **PROGRESSIVE), "bonus-notice")


def test_the_order_is_fixed_and_titles_are_those_of_the_felt() -> None:
    order = ["limit", "raise", "increment", "cap", "games", "games-above", "mandatory", "base", "hits", "notice"]
    for book in (
        table("washington", BONUSES | JACKPOT, **BONUS, cap_table="50000", ante_maximum="500"),
        galaxy("PT-PRG-HCF-MLP-01", "5", mandatory="progressive"),
        table("oxford", None, ante_minimum="5", ante_maximum="500"),
    ):
        codes = list(dict.fromkeys(line.code for line in posted(book)))
        assert codes == [code for code in [*order, "bonus-notice"] if code in codes]
        for line in lines(book, "limit"):
            assert line.text.startswith(say_title(line.values["wager"], bonus=book.bonus_jackpot))
