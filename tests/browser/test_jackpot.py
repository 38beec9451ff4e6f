"""A jackpot in a real browser: it is celebrated and explained, the meter falls, and the win is paid."""

from playwright.sync_api import Locator, Page, expect

from highcardflush.house.commands import AddPerson, Vote
from highcardflush.money import say_cents
from support.places import staged_tables as s
from support.places.browser import Site, Visits, own_site
from support.places.floor import Floor

ENVY = "PT-BJS-HCF-SF-E04"
SEED_CENTS, ENVY_CENTS = 5_000_00, 200_00
FED_CENTS = 54
"""Two bets of a dollar, 27 % of each."""


def prepare(floor: Floor) -> None:
    floor.do("office", AddPerson("sue", "supervisor"))
    for table, approves in (("paid", True), ("waits", False)):
        s.jackpot_table(floor, table, ENVY, server_approves=approves)
        s.stage(floor, table, s.SIX_STRAIGHT)


site = own_site({**s.QUIET, "pause_s": 5}, prepare)


def hit(visits: Visits, table: str) -> tuple[Page, Page]:
    """Let two bet on the jackpot; the first has six cards of a straight flush and raises, the second folds."""
    ann = s.seated(visits, table)
    ben = s.seated(visits, table)
    expect(meter(ann, SEED_CENTS)).to_be_visible()
    for page in (ann, ben):
        s.type_stakes(page, ante=10, progressive=1)
    expect(meter(ben, SEED_CENTS + FED_CENTS)).to_be_visible()
    s.raise_(ann)
    s.fold(ben)
    return ann, ben


def meter(page: Page, cents: int) -> Locator:
    return page.get_by_role("img", name=f"${cents // 100:,}.{cents % 100:02}", exact=True)


def test_a_jackpot_is_celebrated_explained_and_paid(visits: Visits) -> None:
    ann, ben = hit(visits, "paid")
    whole = SEED_CENTS + FED_CENTS
    for page in (ann, ben):
        alert = page.get_by_role("alert").filter(has_text=say_cents(whole))
        expect(alert).to_contain_text("six-card straight flush, seven high, takes 100% of the progressive meter")
        expect(meter(page, SEED_CENTS)).to_be_visible()  # the meter begins at its seed again
    expect(ben.get_by_role("alert").filter(has_text="Envy Pay")).to_contain_text(f"{say_cents(ENVY_CENTS)} for seat 1")
    assert say_cents(whole - 100) in s.results(ann)
    assert "Envy Pays +$200" in s.results(ben)
    win_cents = whole - 100 + 1000  # the dealer does not qualify
    s.has(ann, 10_000_00 + win_cents)
    s.has(ben, 10_000_00 - 1000 + 200 + ENVY_CENTS)  # three cards pay $3


def test_a_win_that_waits_for_a_supervisor_says_so_and_is_paid_then(visits: Visits, site: Site) -> None:
    ann, _ = hit(visits, "waits")
    waiting = ann.get_by_role("status").filter(has_text="supervisor")
    expect(waiting).to_contain_text(say_cents(SEED_CENTS + FED_CENTS))
    before = 10_000_00 - 100 + 1000
    s.has(ann, before)
    with site.office() as office:
        office.do("meter/waits", Vote(1, approve=True), "sue")
    s.has(ann, before + SEED_CENTS + FED_CENTS)
    expect(waiting).to_be_hidden()
