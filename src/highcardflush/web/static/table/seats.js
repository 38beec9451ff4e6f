// The seats of a table in an arc, as a player sees them: seat 1 is at the dealer's left hand. Each shows its player,
// the visible cards, the stakes and the result, in a box whose size never changes.
import { handCards, parseCards, sayCards } from "../core/cards.js";
import { drawIfChanged, fill, h, set } from "../core/dom.js";
import { formatDollars, formatNet } from "../core/numbers.js";
import { isFolded, netOf, outcome, sayDecision, stakesOf } from "../core/seats.js";
import { say, sayWager } from "../core/words.js";
import { chips } from "../core/chips.js";
import { boardView, isBonus, shownResults } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").Seat} Seat
 * @typedef {{number: number, name: string | undefined, own: boolean, seat: Seat | undefined, results:
 *   import("../wire.js").Result[], bonus: boolean}} SeatNow
 */

/** @param {number} count @param {(seat: number) => void} onSit */
export function seats(count, onSit) {
  const items = Array.from({ length: count }, (_, at) => seatItem(at + 1, onSit));
  const element = h("ol.seats", { "aria-label": say("seats") }, ...items.map(({ item }) => item));
  element.style.setProperty("--count", String(count));
  items.forEach(({ item }, at) => {
    item.style.setProperty("--dip", String(Math.min(at, count - 1 - at)));
    item.style.setProperty("order", String(-at));
  });
  /** @param {State} state */
  const draw = (state) => items.forEach((each) => each.draw(state));
  return { element, draw };
}

/** @param {number} number @param {(seat: number) => void} onSit */
function seatItem(number, onSit) {
  const who = h("span.who");
  const sit = h(
    "button.sit",
    { onclick: () => onSit(number), "aria-label": say("sit-here", { seat: number }) },
    say("sit-short"),
  );
  const stakes = h("span.stakes");
  const cards = h("span.hand");
  const status = h("span.said");
  const item = h("li.seat", { "data-seat": number }, h("span.number", String(number)), who, sit, cards, stakes, status);

  /** @param {State} state */
  function draw(state) {
    const now = seatAt(state, number);
    sit.hidden = Boolean(now.name) || state.you !== null;
    drawIfChanged(item, now, () => show(now));
  }

  /** @param {SeatNow} now */
  function show({ name, own, seat, results, bonus }) {
    const title = own ? say("you") : name || say("empty");
    const classes = ["seat", own && "own", !name && !seat && "free", isFolded(seat) && "folded"];
    set(item, {
      class: classes.filter(Boolean).join(" "),
      "aria-current": own ? "true" : null,
      "aria-label": label(number, title, seat, results, bonus),
    });
    fill(who, title);
    set(who, { title: name ?? null });
    fill(cards, handCards(own ? null : seat?.hand, seat?.decision?.keep));
    fill(stakes, drawStakes(stakesOf(seat), bonus));
    fill(status, statusOf(seat, results));
  }

  return { item, draw };
}

/**
 * The bets of a seat: each by name where there is room, else their sum.
 * @param {[string, number][]} stakes
 * @param {boolean} bonus
 */
function drawStakes(stakes, bonus) {
  const sum = stakes.reduce((cents, [, stake]) => cents + stake, 0);
  return [
    sum > 0 && h("span.stake-sum", chips("", "", sum)),
    ...stakes.map(([wager, cents]) =>
      h("span.stake", h("span.stake-name", sayWager({ wager, bonus }, "spot")), " ", formatDollars(cents)),
    ),
  ];
}

/** @param {State} state @param {number} number @returns {SeatNow} */
function seatAt(state, number) {
  const find = (/** @type {State["view"]} */ view) => view?.seats.find((each) => each.number === number);
  return {
    number,
    name: state.taken[number],
    own: state.you?.seat === number,
    seat: (state.finished && find(state.view)) ?? find(boardView(state)),
    results: shownResults(state).filter((result) => result.seat === number),
    bonus: isBonus(state),
  };
}

/** @param {Seat | undefined} seat @param {import("../wire.js").Result[]} results */
function statusOf(seat, results) {
  if (results.length) return h("strong", { class: outcome(netOf(results)) }, formatNet(netOf(results)));
  if (seat?.void) return say("hand-void");
  return sayDecision(seat);
}

/**
 * A seat in a sentence.
 * @param {number} number
 * @param {string} name
 * @param {Seat | undefined} seat
 * @param {import("../wire.js").Result[]} results
 * @param {boolean} bonus
 */
function label(number, name, seat, results, bonus) {
  const stakes = stakesOf(seat).map(([wager, cents]) => `${sayWager({ wager, bonus })} ${formatDollars(cents)}`);
  const cards = sayCards(parseCards(seat?.hand?.seen ?? ""));
  return [
    say("seat-of", { seat: number, name }),
    ...stakes,
    cards,
    sayDecision(seat),
    results.length ? formatNet(netOf(results)) : "",
  ]
    .filter(Boolean)
    .join(", ");
}
