"""The state of the table's page: after each message of the server, and after what the player prepares."""

from pathlib import Path
from typing import Any

import pytest

from support.data.node import run_module

SCRIPT = """
import { after, start } from "./table/state.js";
let table = start({ name: "oxford", levels: {} }, { chip: 500, last: {} });
put(given.map(([clock, now]) => {
  table = after(table, { type: "told", table: "oxford", seq: 1, kind: "wagers", told: [], clock }, now);
  return table.clock && [table.clock.whole, table.clock.ends];
}));
"""


def clock(kind: str, ends_in_ms: int) -> dict[str, Any]:
    return {"for": kind, "ends_in_ms": ends_in_ms}


def test_a_clock_is_as_long_as_it_was_when_it_was_first_seen(tmp_path: Path) -> None:
    """The operator may set any time, and the wire says only what is left."""
    clock_readings = [
        (clock("betting", 45_000), 1000),
        (clock("betting", 30_100), 16_000),  # the same one, a little late
        (clock("decision", 12_000), 20_000),
        (clock("decision", 4000), 28_000),
        (None, 30_000),
        (clock("decision", 12_000), 40_000),
        (clock("decision", 12_000), 60_000),  # the next round's
    ]
    expected = [
        [45_000, 46_000],
        [45_000, 46_100],
        [12_000, 32_000],
        [12_000, 32_000],
        None,
        [12_000, 52_000],
        [12_000, 72_000],
    ]
    assert run_module(tmp_path, SCRIPT, clock_readings) == expected


PREPARED = """
import * as choice from "./table/choice.js";
import * as slip from "./table/slip.js";
import * as table from "./table/state.js";

const limit = (minimum_cents, maximum_cents) => ({ minimum_cents, maximum_cents, step_cents: 100, required: false });
const ante = { ...limit(500, 50000), required: true };
const wagers = { ante, flush: limit(100, 10000), progressive: limit(100, 100) };
const bets = [{ type: "PlaceWagers", wagers }, { type: "ClearWagers" }];
const exposable = "5s4s3s KdJd9d2d";
const raise = (keep, exposable) => ({ type: "Raise", keep, amounts_cents: [1000], exposable });
const decisions = [raise("d", "5s4s3s"), raise("s", "KdJd9d2d")];
const raises = { least_raise_antes: 1, most_raise_antes: 3 };
const fixed = { name: "four", levels: {}, spotWagers: Object.keys(wagers), mustShow: true, limits: wagers, ...raises };
const steps = {
  open: (state, number, legal = bets) => steps.told(state, { number }, legal, []),
  deal: (state, stakes) => {
    const seat = { number: 1, wagers: stakes, hand: { cards: 7, seen: exposable } };
    return steps.told(state, state.round, [...decisions, { type: "Fold", exposable }], [seat]);
  },
  placed: (state, stakes) => steps.told(state, state.round, bets, [{ number: 1, wagers: stakes }]),
  told: (state, round, legal, seats) => {
    const view = { phase: legal === bets ? "betting" : "acting", seats, results: [] };
    return table.after(state, { type: "told", table: "four", seq: 1, round, view, you: { seat: 1, legal } }, 0);
  },
  balance: (state, cents) => table.after(state, { type: "balance", balance_cents: cents }, 0),
  settled: (state, balance_cents, dealer) => {
    const seat = { number: 1, wagers: { ante: 500 } };
    const results = dealer ? [{ seat: 1, wager: "ante", net_cents: 500, reason: { code: "" } }] : [];
    const view = { phase: dealer ? "settled" : "acting", seats: [seat], dealer: { cards: 7, seen: dealer }, results };
    const message = { type: "told", table: "four", seq: 1, told: [], round: state.round, view };
    const later = table.after(state, { ...message, you: { seat: 1, legal: [] } }, 0);
    return table.after(later, { type: "balance", balance_cents }, 0);
  },
  revealed: table.revealNext,
  keeps: (state, keepBets) => ({ ...state, keepBets }),
  last: (state, last) => ({ ...state, last, slip: {} }),
  warned: (state, made) => ({ ...state, warning: choice.warningFor(state, made) }),
  ...slip, ...choice,
};
const told = (state) => ({
  slip: table.sortSlip(state.slip), wrong: slip.wrong(state), keep: choice.keptSuit(state),
  up: choice.faceUp(state, choice.raiseOf(state)).join(""), warned: state.warning !== "",
  places: slip.betsToPlace(state), purse: state.purse_cents, result: table.ownResults(state).length > 0,
  little: slip.tooLittleLeft(state), broke: slip.isBroke(state),
});
let state = table.start(fixed, { chip: 500, last: {} });
put(given.map(([step, ...values]) => told(state = steps[step](state, ...values))));
"""


def prepared(folder: Path, *steps: tuple[Any, ...]) -> list[dict[str, Any]]:
    """Return the state after each step at a table of four wagers, with $100 in an open round."""
    states: list[dict[str, Any]] = run_module(folder, PREPARED, [("balance", 10_000), ("open", 1), *steps])
    return states[2:]


def test_chips_are_laid_within_their_limits(tmp_path: Path) -> None:
    states = prepared(
        tmp_path,
        ("addChip", "ante"),
        ("addChip", "progressive", 2500),
        ("addChip", "progressive"),
        ("pick", 2500),
        ("addChip", "flush"),
        ("double",),
        ("type", "ante", "75.50"),
        ("addChip", "raise"),
        ("clear",),
    )
    assert [each["slip"] for each in states] == [
        {"ante": 500},
        {"ante": 500, "progressive": 100},
        {"ante": 500},
        {"ante": 500},
        {"ante": 500, "flush": 2500},
        {"ante": 1000, "flush": 5000},
        {"ante": 7550, "flush": 5000},
        {"ante": 7550, "flush": 5000},
        {},
    ]
    assert states[6]["wrong"] == "Ante: in steps of $1."
    assert states[8]["wrong"] == "Ante needs $5 or more."


def test_a_new_round_starts_with_the_bets_of_the_last_one_unless_the_player_clears_them(tmp_path: Path) -> None:
    bets = {"ante": 1000, "flush": 300}
    states = prepared(
        tmp_path,
        ("addChip", "ante"),
        ("open", 2),  # nothing was placed
        ("placed", bets),
        ("open", 3),
        ("clear",),
        ("open", 4),
        ("placed", bets),
        ("keeps", False),
        ("open", 5),
        ("last", bets),
    )
    assert [each["slip"] for each in states] == [{"ante": 500}, {}, bets, bets, {}, {}, bets, bets, {}, {}]
    assert states[-1]["places"] == bets  # "Rebet and deal" is one press


def test_the_purse_takes_a_result_only_when_it_is_revealed(tmp_path: Path) -> None:
    states = prepared(
        tmp_path,
        ("placed", {"ante": 500}),
        ("balance", 9500),
        ("settled", 9500, ""),
        ("settled", 10_500, "KsQs9h8h2d2c3c"),
        ("revealed",),
        ("revealed",),
        ("revealed",),
        ("revealed",),
        ("revealed",),
        ("open", 2),
        ("placed", {"ante": 500}),
    )
    assert [each["purse"] for each in states] == [10_000, 9500, 9500, *[9500] * 5, *[10_500] * 3]
    assert [each["result"] for each in states] == [False] * 8 + [True, True, False]


def test_a_bet_that_leaves_too_little_for_the_raise_says_so(tmp_path: Path) -> None:
    states = prepared(tmp_path, *[("type", "ante", text) for text in ("20", "40", "60")], ("balance", 499))
    assert [each["little"] for each in states] == [
        "",
        "This leaves you $60: too little for the largest Raise of $120.",
        "This leaves you $40: too little for a Raise of $60.",
        "",
    ]
    assert [each["broke"] for each in states] == [False, False, False, True]


def test_the_best_suit_is_kept_and_a_straight_flush_lies_face_up(tmp_path: Path) -> None:
    states = prepared(
        tmp_path,
        ("deal", {"ante": 500, "straight-flush": 500}),
        ("tapCard", "4s"),
        ("warned", {"type": "Raise", "amount_cents": 1000}),
        ("turnAll",),
        ("chooseNext",),
        ("tapCard", "Kd"),
        ("open", 2, []),
    )
    assert [(each["keep"], each["up"], each["warned"]) for each in states] == [
        ("d", "5s4s3s", False),
        ("d", "5s3s", False),
        ("d", "5s3s", True),
        ("d", "", False),
        ("s", "", False),
        ("d", "5s4s3s", False),
        (None, "", False),
    ]


MINUTE = 60_000
PLAY = """
import { continuePlay, hoursOf } from "./table/reality.js";
let play = null;
put(given.map(([name, cents, now]) => {
  play = continuePlay(play, { name, cents }, now);
  const hours = hoursOf(play);
  if (hours) play.hoursShown = hours;
  return [hours, cents - play.cents];
}));
"""
SEED = """
import { seedOf } from "./table/seed.js";
put(given.map(seedOf));
"""


def hours_told(folder: Path, *looks: tuple[str, int, int]) -> Any:
    """Return the hours that are told, and the net, at each look at a purse in dollars after some minutes."""
    breaks = [(name, 100 * dollars, minutes * MINUTE) for name, dollars, minutes in looks]
    return [(hours, net // 100) for hours, net in run_module(folder, PLAY, breaks)]


def test_every_hour_of_play_is_told_once_whatever_page_is_open(tmp_path: Path) -> None:
    looks = [("ann", 500 - minutes // 10, minutes) for minutes in range(0, 150, 10)]
    reminders = hours_told(tmp_path, *looks)
    assert {minutes: reminder for (_, _, minutes), reminder in zip(looks, reminders, strict=True) if reminder[0]} == {
        60: (1, -6),
        120: (2, -12),
    }


@pytest.mark.parametrize("after", [("ann", 300, 95), ("bob", 300, 65)], ids=["away for a while", "somebody else"])
def test_a_new_visit_restarts_the_hour(tmp_path: Path, after: tuple[str, int, int]) -> None:
    looks = [("ann", 500, 0), ("ann", 480, 25), ("ann", 470, 50), ("ann", 460, 59)]
    assert hours_told(tmp_path, *looks, after)[-1] == (0, 0)


def test_any_words_are_a_seed_by_their_bytes(tmp_path: Path) -> None:
    texts = ["00ff", "my lucky seed 7", "ABC", "abc", "♥", "ab" * 64, "ab" * 65, "x" * 64, "x" * 65, ""]
    assert run_module(tmp_path, SEED, texts) == [
        "00ff",
        b"my lucky seed 7".hex(),
        b"ABC".hex(),
        b"abc".hex(),
        "♥".encode().hex(),
        "ab" * 64,
        None,
        b"x".hex() * 64,
        None,
        None,
    ]


RESENT = """
globalThis.addEventListener = () => {};
globalThis.document = { addEventListener() {} };
const { Connection } = await import("./core/socket.js");
const connection = new Connection(() => {}, () => {});
Object.defineProperty(connection, "isOpen", { value: true });
const messages = [];
connection.send = (message) => {
  messages.push(message);
  const answer = given[messages.length - 1];
  setTimeout(() => connection.receive({ ...answer, key: message.key }), 0);
};
connection.do("table/oxford", { type: "Fold", seat: 1 }).then(
  (answer) => answer,
  (error) => error.code,
).then((outcome) => {
  put([messages.map((message) => message.key), outcome]);
  process.exit();
});
"""
UNKNOWN = {"type": "refused", "error": {"code": "outcome-unknown", "message": ""}}


@pytest.mark.parametrize(
    ("last", "outcome"),
    [
        ({"type": "done", "answer": {"seq": 7}}, {"seq": 7}),
        ({"type": "refused", "error": {"code": "phase", "message": ""}}, "phase"),
    ],
)
def test_a_command_with_an_unknown_outcome_is_sent_again_under_its_key(tmp_path: Path, last: Any, outcome: Any) -> None:
    keys, answer = run_module(tmp_path, RESENT, [UNKNOWN, UNKNOWN, last])
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert answer == outcome
