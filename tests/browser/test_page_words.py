"""The texts of the pages: the dealer's lines, money, pay tables and limits are written as Python writes them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

from highcardflush import errors
from highcardflush.cards import DECK_SIZE, NO_CARDS, RANK_NAMES, RANKS, SUIT_NAMES, SUITS, Hand
from highcardflush.cli.files import finder
from highcardflush.formats.rulebooks import paytable_data, rulebook_data, traits
from highcardflush.game import actions as a
from highcardflush.game import open_round, step
from highcardflush.game.events import (
    DiceRolled,
    Event,
    Folded,
    Raised,
    WagersCleared,
    WagerSettled,
    WagersLocked,
    WagersPlaced,
)  # fmt: skip
from highcardflush.house.table import told as house
from highcardflush.money import say_cents, say_display
from highcardflush.notation import parse_rounds, replay
from highcardflush.rulebook import PACKAGED, Rulebook, packaged
from highcardflush.rulebook.wagers import wagers
from highcardflush.web import errors as web_errors
from highcardflush.web.messages import facts as messages
from highcardflush.web.messages.facts import FACTS
from highcardflush.web.messages.parts import Words, encode
from highcardflush.web.messages.tables import View
from highcardflush.words import pay_rows, say, say_fact, say_line_short, seat_of
from highcardflush.words.facts import LINES
from support.data.node import run_module
from support.data.tables import ROWS, book_of, table
from support.walkers.rounds import next_actions, some_wagers

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("**/*.hcf"))
WALKS = 12
HOUSE: list[house.HouseTold] = [
    house.Seated(3, "ann"),
    house.Seated(4),
    house.SeatLeft(3),
    house.SeatLeft(3, "away"),
    house.SeatLeft(3, "idle"),
    house.SeatLeaving(3),
    house.TableSwitched("paused", "a break"),
    house.Warned(2, "talked about the cards"),
    house.RoundOpened(12, {}),
    house.RoundOpened(13, {}, closed="the meter is too low"),
    house.SeedNamed(1, "lucky"),
    house.SeedCommitted(1, "ab" * 32),
    house.HandTakenBack(0),
    house.HandTakenBack(5),
    house.HandShown(2, Hand.parse("KhJh9h5h2h As4c")),
    house.HandShown(2, Hand.parse("KhJh9h As4c"), 2),
]
OXFORD = packaged("oxford")


class Pages:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, script: str, data: Any) -> Any:
        return run_module(self.folder, f'import * as words from "./core/words.js";\n{script}', data)

    def say(self, rows: list[tuple[str, dict[str, Any]]]) -> list[str]:
        script = 'put(given.map(([code, values]) => words.say(code, values, "NO SUCH CODE")));'
        texts: list[str] = self.run(script, rows)
        assert "NO SUCH CODE" not in texts, [code for (code, _), text in zip(rows, texts, strict=True) if " " in text]
        return texts


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    return Pages(tmp_path_factory.mktemp("pages"))


def walked() -> Iterator[tuple[Rulebook, Event]]:
    """Yield the rulebooks and events of random rounds at every kind of table, in some of which jackpots are won."""
    for number, row in enumerate(ROWS):
        rulebook = table(row)
        for seed in range(WALKS):
            rng = Random(100 * number + seed)
            state = open_round(rulebook)
            for seat in rng.sample(range(1, rulebook.settings.seats + 1), min(3, rulebook.settings.seats)):
                if placed_wagers := some_wagers(rulebook, state, seat, rng):
                    state, events = step(rulebook, state, a.PlaceWagers(seat, placed_wagers))
                    yield from ((rulebook, event) for event in events)
            while actions := next_actions(rulebook, state, rng, accidents=seed % 4 == 0):
                action = rng.choice(actions)
                if isinstance(action, a.Deal) and seed % 2:
                    start = rng.randrange(DECK_SIZE)
                    action = a.Deal(tuple((start + i) % DECK_SIZE for i in range(DECK_SIZE)))
                state, events = step(rulebook, state, action)
                yield from ((rulebook, event) for event in events)


def golden() -> Iterator[tuple[Rulebook, Event]]:
    for file in GOLDEN:
        for round_text in parse_rounds(file.read_text("utf-8")):
            played = replay(round_text, str(file), finder(file.parent))
            yield from ((played.rulebook, event) for event in played.events)


@pytest.fixture(scope="module")
def rounds() -> list[tuple[Rulebook, Event]]:
    return [*golden(), *walked()]


def test_a_players_own_result_is_told_to_them(pages: Pages, rounds: list[tuple[Rulebook, Event]]) -> None:
    """The server sends the text for everybody, and another one for the player where it differs."""
    results = [fact.result for _, fact in rounds if isinstance(fact, WagerSettled)]
    rows = [(result, you) for result in results for you in (0, result.seat, result.seat + 1)]
    data = encode([[Words.of(result.reason), you] for result, you in rows])
    texts = pages.run("put(given.map(([reason, you]) => words.sayWords(reason, you)));", data)
    assert texts == [say(result.reason, you) for result, you in rows]
    assert len(texts) > 1000


def test_every_fact_has_the_dealers_line(rounds: list[tuple[Rulebook, Event]]) -> None:
    facts: list[tuple[Rulebook, house.Told]] = [
        *rounds,
        (OXFORD, WagersCleared(2)),
        *((OXFORD, each) for each in HOUSE),
    ]
    assert {type(fact) for _, fact in facts} == set(FACTS)
    assert {kind.__name__ for kind in FACTS} == set(LINES)
    for rulebook, fact in facts:
        for you in range(3):
            text = say_fact(fact, rulebook, you)
            assert re.fullmatch(r"[A-Z].*\.", text) if LINES[type(fact).__name__] else not text, text
            assert not re.search(r"None|  |\$-", text), text
        (message,) = json.loads(encode(messages.facts([fact], {}, rulebook)))
        line, own_line = (say_fact(fact, rulebook, you) for you in (0, seat_of(fact)))
        assert (message.get("line", ""), message.get("own_line", line)) == (line, own_line)


def test_the_dealers_lines_as_they_are_heard(pages: Pages) -> None:
    hand = Hand.parse("Kh9h5h2h Ac")
    facts: list[house.Told] = [
        WagersLocked(),
        Raised(3, 2000, None, NO_CARDS, timed_out=False),
        Folded(1, NO_CARDS, timed_out=True),
        house.HandShown(2, hand),
        house.HandShown(1, hand, 0),
        house.Seated(3, "Ruth"),
        DiceRolled((1, 2, 3), clockwise=False, first_position=6),
        WagersPlaced(1, {"ante": 500, "straight-flush": 100}),
        house.SeedNamed(1, "lucky"),
    ]
    script = "put(given.map((fact) => words.sayFact(fact, 1)));"
    assert pages.run(script, encode(messages.facts(facts, {}, OXFORD))) == [
        "No more bets.",
        "Seat 3 raises $20.",
        "You fold, out of time.",
        "Seat 2 shows four hearts, king high.",
        "You show ace of clubs.",
        "Ruth sits down on seat 3.",
        "Dice 1 2 3: count 6 counterclockwise, first packet to seat 2.",
        "You bet $5 Ante, $1 Straight Flush Bonus.",
        "",
    ]


def test_every_error_that_a_page_can_meet_has_words(pages: Pages) -> None:
    family = (*vars(errors).values(), *vars(web_errors).values())
    kinds = [kind for kind in family if isinstance(kind, type) and issubclass(kind, errors.HcfError)]
    full = {"message": "seat 2: ante", "read": "$3", "expected": "$5 or more"}
    refusals = [{"code": kind.code, **each} for kind in kinds for each in (full, {"message": "table"})]
    refusals.append({"code": "unheard-of", **full})
    texts = pages.run("put(given.map(words.sayError));", refusals)
    for text in texts:
        assert text.endswith(".")
        assert "undefined" not in text
    assert texts[-1] == "Seat 2: ante must be $5 or more."


def test_cards_wagers_and_phases_have_names(pages: Pages) -> None:
    assert pages.say([(f"rank.{rank}", {}) for rank in RANKS]) == list(RANK_NAMES)
    assert pages.say([(f"suit.{suit}", {}) for suit in SUITS]) == list(SUIT_NAMES)
    assert pages.say([(f"wager.{name}", {}) for name in wagers()]) == [each.title for each in wagers().values()]
    phases = get_args(get_type_hints(View)["phase"])
    assert all(pages.say([(f"phase.{phase}", {}) for phase in (*phases, "none")]))


def test_money_is_written_as_python_writes_it(pages: Pages) -> None:
    rng = Random(1)
    cents = [0, 1, 10, 99, 100, 101, 1250, 99_999, 100_000, 3_000_000, 10**11]
    cents += [rng.randrange(10**8) for _ in range(500)]
    script = """
    import { formatDollars, formatMeter } from "./core/numbers.js";
    put(given.map((cents) => [formatDollars(cents), formatDollars(-cents), formatMeter(cents * 10000 + 9999)]));
    """
    for amount, (text, below, long_text) in zip(cents, pages.run(script, cents), strict=True):
        assert text == say_cents(amount)
        assert below.replace("−", "-") == say_cents(-amount) or amount == 0
        assert long_text == say_display(amount * 10_000 + 9999)


def test_pay_tables_are_printed_as_python_prints_them(pages: Pages) -> None:
    script = """
    import { columns } from "./core/paytable.js";
    put(given.map((table) => table.lines.map((line) => columns(table).map(([, said]) => said(line)))));
    """
    tables = [
        (each, base, bonus)
        for name in PACKAGED
        for each in packaged(name).paytables.values()
        for base in (100, 500)
        for bonus in (False, True)
    ]
    data = encode([paytable_data(each, base, bonus=bonus) for each, base, bonus in tables])
    for (each, base, bonus), rows in zip(tables, pages.run(script, data), strict=True):
        expected = pay_rows(each, base, every_dynamic=True, bonus=bonus)
        cells = (list(row.values())[1:] for row in expected)
        assert rows == [[say_line_short(line), *next(cells)] for line in each.lines], each.full_id


def test_qualifiers_and_kinds_of_raises_have_sentences(pages: Pages) -> None:
    own = [book_of(name) for name in ("four", "open", "ranks", "pairs")]
    assert [rulebook_data(book)["qualifier"]["text"] for book in (OXFORD, *own)] == [
        "The dealer qualifies with a three-card flush, nine high, or better.",
        "The dealer qualifies with a four-card flush or better.",
        "The dealer qualifies with any hand.",
        "The dealer qualifies with a three-card flush, ten-eight-six, or better.",
        "The dealer qualifies with a two-card flush, king-ten, or better.",
    ]
    script = 'import { raiseKind } from "./core/traits.js";\nput(given.map(raiseKind));'
    kinds = pages.run(script, json.loads(encode([traits(book) for book in own[1:]])))
    assert kinds == [
        "Raise in steps of 0.25x your Ante, up to 3x with a long flush.",
        "Raise in steps of 0.5x your Ante, up to 3x with a long flush.",
        "Raise any amount from 0.75x to 3x your Ante. The longer your flush, the more you may raise.",
    ]


def test_every_rule_of_a_rulebook_says_when_it_holds(pages: Pages) -> None:
    codes = set()
    for name in PACKAGED:
        data = json.loads(encode(rulebook_data(packaged(name))))
        codes |= {f"when.{text['when']}" for text in (*data["rules"], *data["notices"]) if isinstance(text, dict)}
        codes |= {f"procedure.{each['part']}" for each in data["procedure"]}
        codes |= {f"expose.{data['expose']}", f"raise-kind.{data['raise']['kind']}"}
        codes |= {f"jackpot.{mode}" for mode in data["jackpot_modes"]}
    assert all(pages.say([(code, {"most": 3}) for code in sorted(codes)]))
