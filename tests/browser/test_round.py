"""The page of a round in a real browser: it is played again, its proof is checked, its values are the command's."""

import json
import re
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, Route, expect

from highcardflush.cli import run
from highcardflush.notation.proof import parse_proofs, verify_proof
from highcardflush.web.messages.parts import encode
from highcardflush.web.messages.rounds import Record
from highcardflush.web.steps import replay_steps
from notation.test_proof import published
from support.data.tables import table as felt
from support.places.browser import DESK, PHONE, PLAIN_CALLS, Visits, give_time, open_site
from support.places.postgres import PATIENCE_SECONDS
from support.places.serving import Serving
from support.walkers.rounds import walk
from web.test_steps import FELTS, by_hand, record_of

TABLE = "oxford"
SEED = "5eed5eed5eed5eed"
NOBODY = "/api/v1/me"
"""The request that answers 401 to anybody who is not signed in."""


class Player:
    """Somebody who plays by plain calls."""

    def __init__(self, address: str) -> None:
        self._client = httpx.Client(base_url=address, headers={"X-HCF": "1"}, timeout=PATIENCE_SECONDS)
        self._client.post("/api/v1/guest").raise_for_status()
        self._keys = 0

    @property
    def cookie(self) -> dict[str, str]:
        ((name, value),) = self._client.cookies.items()
        return {"name": name, "value": value, "url": str(self._client.base_url)}

    def read(self, path: str) -> Any:
        answer = self._client.get(f"/api/v1{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def do(self, **command: Any) -> None:
        self._keys += 1
        headers = {"Idempotency-Key": str(self._keys)}
        answer = self._client.post(f"/api/v1/commands/table/{TABLE}", json=command, headers=headers)
        assert answer.status_code == 200, answer.text

    def until(self, *phases: str) -> Any:
        """The table, as soon as its round has come so far."""
        return self._until(lambda found: found["phase"] in phases)

    def until_over(self, number: int) -> None:
        """Until a round is settled; who looks late finds the next one."""
        self._until(lambda found: found["phase"] == "settled" or found["round"]["number"] > number)

    def _until(self, true: Callable[[Any], bool]) -> Any:
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            found = self.read(f"/tables/{TABLE}")
            if true(found):
                return found
            time.sleep(0.05)
        raise AssertionError(found["phase"])

    def close(self) -> None:
        self._client.close()


class Played:
    """A round of three seats at a server: the first raises, the second folds, the third raises."""

    def __init__(self, site: Serving) -> None:
        self.site = site
        self.players = [Player(site.address) for _ in range(3)]
        first = self.players[0]
        for seat, player in enumerate(self.players, 1):
            player.do(type="Sit", seat=seat)
        self.number = first.until("betting")["round"]["number"]
        self.path = f"/round/{TABLE}/{self.number}"
        first.do(type="NameSeed", seat=1, seed=SEED)
        for seat, player in enumerate(self.players, 1):
            player.do(type="PlaceWagers", seat=seat, wagers={"ante": 2500, "flush": 500})
        for seat, player in enumerate(self.players, 1):
            you = player.until("dealt", "acting")["you"]
            raises = next(option for option in you["legal"] if option["type"] == "Raise")
            amount = raises.get("amounts_cents", [raises.get("minimum_cents")])[0]
            decision = {"type": "Fold"} if seat == 2 else {"type": "Raise", "amount_cents": amount}
            player.do(seat=seat, **decision)
        first.until_over(self.number)

    def get(self, path: str = "") -> Any:
        return json.loads(self.site.get(f"/api/v1/rounds/{TABLE}/{self.number}{path}")[1])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with open_site(tmp_path_factory.mktemp("rounds"), PLAIN_CALLS, give_time) as site:
        found = Played(site)
        yield found
        for player in found.players:
            player.close()


@pytest.fixture
def visits(browser: Browser, played: Played) -> Iterator[Visits]:
    found = Visits(browser, played.site.address)
    found.announce(NOBODY)
    try:
        yield found
        found.check()
    finally:
        found.close()


def opened(page: Page, path: str) -> Page:
    """The page when its proof is checked."""
    page.goto(path)
    expect(page.locator(".verdict[data-state]")).to_be_visible()
    return page


def verdict(page: Page) -> str | None:
    return page.locator(".verdict").get_attribute("data-state")


def steps_of(page: Page) -> int:
    return int(page.locator(".count").inner_text().rpartition(" ")[2])


# --- the replay ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_round_is_replayed_to_its_end(visits: Visits, played: Played, size: tuple[int, int]) -> None:
    page = opened(visits(size=size), played.path)
    steps = played.get("/steps")["steps"]
    count = page.locator(".count")
    expect(count).to_have_text(f"Step {len(steps)} of {len(steps)}")
    page.locator(".to-first").click()
    for at, step in enumerate(steps, 1):
        expect(count).to_have_text(f"Step {at} of {len(steps)}")
        drawn = page.locator(".place .card, .dealer-place .card").count()
        hands = [seat["hand"] for seat in step["view"]["seats"]] + [step["view"]["dealer"]]
        assert drawn == sum(hand["cards"] for hand in hands if hand)
        if at < len(steps):
            page.locator(".to-next").click()
    expect(page).to_have_url(re.compile(f"{played.path}$"))
    results = played.get()["results"]
    nets = {seat: sum(each["net_cents"] for each in results if each["seat"] == seat) for seat in (1, 2, 3)}
    for seat, cents in nets.items():
        said = page.locator(f".place[data-seat='{seat}'] .net").inner_text()
        assert round(float(re.sub("[^0-9.]", "", said)) * 100) == abs(cents)
    expect(page.locator(".place.folded")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_round_is_replayed_by_keys_and_slider(visits: Visits, played: Played) -> None:
    """A shared link opens the step that is shown."""
    page = opened(visits(), played.path)
    count, of = page.locator(".count"), len(played.get("/steps")["steps"])
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text(f"Step {of - 1} of {of}")
    page.locator(".replayer input").focus()
    page.keyboard.press("Home")
    expect(count).to_have_text(f"Step 1 of {of}")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"Step 2 of {of}")
    expect(page).to_have_url(re.compile("#2$"))
    page.reload()
    expect(count).to_have_text(f"Step 2 of {of}")
    page.locator(".to-play").focus()
    page.keyboard.press("End")
    expect(count).to_have_text(f"Step {of} of {of}")


@pytest.mark.parametrize("row", FELTS)
def test_every_kind_of_round_has_its_page(visits: Visits, row: str) -> None:
    """With dice, Dynamic Pays, levels, void hands and rounds, cards face up, or only a jackpot."""
    rulebook, rng = felt(row), Random(row)
    proofs = [by_hand(rulebook, [*walk(rulebook, rng)][-1]) for _ in range(3)]
    if "progressive-only" not in row:
        proofs += [published(rulebook), published(rulebook, void=True)]
    page = visits()
    for proof in proofs:
        answer(page, rulebook, proof)
        opened(page, "/round/one/17")
        assert verdict(page) == "good", page.locator(".check.bad").all_inner_texts()
        page.locator(".to-first").click()
        for _ in range(steps_of(page) - 1):
            page.locator(".to-next").click()
        expect(page.locator(".to-next")).to_have_attribute("aria-disabled", "true")


@pytest.mark.clause("W5a")
def test_a_bonus_jackpot_never_passes_for_a_progressive(visits: Visits) -> None:
    """Its name and its notice stand at every step; the notation alone has the code of the wager."""
    rulebook = felt("washington | progressive PT-BJS-HCF-SF-01 5 | jackpot bonus, seed 10000")
    page = visits()
    answer(page, rulebook, published(rulebook))
    opened(page, "/round/one/17")
    assert verdict(page) == "good"
    expect(page.locator(".settled [data-wager='progressive'] th").first).to_have_text("Bonus Jackpot")
    page.locator(".to-first").click()
    for _ in range(steps_of(page)):
        notice = page.locator(".replayer .notice")
        expect(notice).to_have_text(rulebook.notice)
        expect(page.locator(".around .meter")).to_contain_text("Bonus Jackpot")
        said = [text.split() for text in page.locator(".replayer, .results, .decisions, .proof").all_inner_texts()]
        plain = " ".join(" ".join(words) for words in said).replace(" ".join(rulebook.notice.split()), "")
        assert "progressive" not in plain.lower()
        page.keyboard.press("ArrowRight")
    expect(page.locator(".to-next")).to_have_attribute("aria-disabled", "true")


def answer(page: Page, rulebook: Any, proof: str) -> None:
    """Let the page have a round that was never played here."""
    record = record_of(rulebook, proof)
    settlement = verify_proof(next(parse_proofs(proof))).replay.state.settlement
    assert settlement is not None
    whole = Record.of(replace(record, results=settlement.results))
    table = {"round": {"number": 18}, "phase": "betting"}
    answers = {"rounds/one/17": whole, "rounds/one/17/steps": replay_steps(record, {}), "tables/one": table}
    for path, data in answers.items():
        page.unroute(f"**/api/v1/{path}")
        page.route(f"**/api/v1/{path}", answering(encode(data)))


def answering(said: bytes) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=said, content_type="application/json")


# --- the proof -----------------------------------------------------------------------------------


def test_the_proof_is_verified_in_the_page(visits: Visits, played: Played) -> None:
    page = opened(visits(), played.path)
    assert verdict(page) == "good"
    checks = [row.get_attribute("data-check") for row in page.locator(".check").all()]
    assert checks == ["head", "record", "rules", "commitment", "player-seeds", "deck", "hands", "results"]
    expect(page.locator(".check.good")).to_have_count(len(checks))
    expect(page.locator(".check[data-check='player-seeds']")).to_contain_text(SEED)
    expect(page.locator(".short-verdict")).to_have_attribute("data-state", "good")


def other(digit: str) -> str:
    return "1" if digit != "1" else "2"


FORGED = {
    "commitment": (r"(# seed )(.)", lambda found: found[1] + other(found[2])),
    "hands": (r"(# player-seed 1 )(.)", lambda found: found[1] + other(found[2])),
    "head": (r"(# round oxford )(\d+)", lambda found: f"{found[1]}{int(found[2]) + 1}"),
    "record": (r"(= 1 ante .)(\d+)", lambda found: f"{found[1]}{int(found[2]) + 1}"),
}


@pytest.mark.parametrize("step", FORGED)
def test_a_forged_proof_is_refused_at_its_step(visits: Visits, played: Played, step: str) -> None:
    """One character of it is another."""
    pattern, change = FORGED[step]

    def forge(route: Route) -> None:
        answered = route.fetch()
        data = answered.json()
        data["proof"] = re.sub(pattern, change, data["proof"], count=1)
        route.fulfill(response=answered, json=data)

    page = visits()
    page.route(f"**/api/v1/rounds/{TABLE}/{played.number}", forge)
    opened(page, played.path)
    assert verdict(page) == "bad"
    assert page.locator(".check.bad").first.get_attribute("data-check") == step
    expect(page.locator(".short-verdict")).to_have_attribute("data-state", "bad")


def test_a_result_that_is_forged_everywhere_is_refused(visits: Visits, played: Played) -> None:
    """In the proof, in the notation and in the results: the cards say otherwise."""

    def forge(route: Route) -> None:
        answered = route.fetch()
        data = answered.json()
        for name in ("proof", "notation"):
            data[name] = re.sub(r"= 2 ante -25", "= 2 ante +25", data[name])
        for result in data["results"]:
            if (result["seat"], result["wager"]) == (2, "ante"):
                result["net_cents"] = 2500
        route.fulfill(response=answered, json=data)

    page = visits()
    page.route(f"**/api/v1/rounds/{TABLE}/{played.number}", forge)
    opened(page, played.path)
    assert page.locator(".check.bad").first.get_attribute("data-check") == "results"


# --- what it was worth, and the rest -------------------------------------------------------------


def test_the_values_are_those_of_the_command(
    visits: Visits, played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    page = opened(visits(), played.path)
    expect(page.locator(".worth")).to_have_count(3)
    hands = {seat["number"]: seat["hand"]["seen"] for seat in played.get("/steps")["steps"][-1]["view"]["seats"]}
    for seat, hand in hands.items():
        assert run(["odds", "hand", hand, "--rulebook", TABLE, "--json"]) == 0
        odds = json.loads(capsys.readouterr().out)
        rows = page.locator(f".worth[data-seat='{seat}'] tbody tr").all()
        said = [(row.get_attribute("data-choice"), row.get_attribute("data-exact") or "") for row in rows]
        found = [(choice, Fraction(value) / 2500) for choice, value in said]
        assert found[0] == ("fold", Fraction(odds["fold"]))
        best_flush = found[1 : 1 + len(odds["raise"])]
        assert best_flush == [(times, Fraction(value)) for times, value in odds["raise"].items()]
        marked = page.locator(f".worth[data-seat='{seat}'] tr.best").get_attribute("data-choice")
        assert marked == odds["best"].removeprefix("raise ")


def test_one_s_own_seat_is_marked(visits: Visits, played: Played) -> None:
    page = visits()
    opened(page, played.path)
    expect(page.locator(".own")).to_have_count(0)
    page.context.add_cookies([played.players[2].cookie])  # type: ignore[list-item]
    opened(page, played.path)
    own = page.locator(".own")
    assert [each.get_attribute("data-seat") for each in own.all()] == ["3", "3", "3"]
    assert page.locator(".worth").first.get_attribute("data-seat") == "3"


def test_every_wager_has_its_reason_and_the_text_can_be_taken_along(visits: Visits, played: Played) -> None:
    page = visits()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, played.path)
    record = played.get()
    for result in record["results"]:
        seat = page.locator(f".settled [data-seat='{result['seat']}']")
        expect(seat.locator(f"[data-wager='{result['wager']}']")).to_be_visible()
    expect(page.locator(".settled .why").first).not_to_be_empty()
    expect(page.locator("pre.notation")).to_have_text(record["notation"])
    for times, name in enumerate(("notation", "proof"), 1):
        page.get_by_role("button", name=f"Copy the {name}").click()
        expect(page.get_by_text("Copied.", exact=True)).to_have_count(times)
        assert page.evaluate("navigator.clipboard.readText()") == record[name]
    page.locator(".share").click()
    expect(page.get_by_text("Address copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == played.site.address + played.path


def test_a_round_that_is_not_over_has_no_page_yet(visits: Visits, played: Played) -> None:
    visits.announce("404")
    page = visits(f"/round/{TABLE}/{played.number + 500}")
    expect(page.get_by_role("link", name="To the table Oxford")).to_be_visible()
