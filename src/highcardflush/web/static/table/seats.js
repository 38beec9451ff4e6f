// The seats of a table in an arc, as a player sees them: seat 1 is at the dealer's left hand. Each shows its
// player, the stakes, the visible cards and the result.
import { handCards, parseCards, sayCards } from "../core/cards.js";
import { drawIfChanged, fill, h, set } from "../core/dom.js";
import { formatDollars, formatNet } from "../core/numbers.js";
import { isFolded, netOf, outcome, sayDecision, stakesOf } from "../core/seats.js";
import { say, sayWager } from "../core/words.js";
import { chips } from "../core/chips.js";
import { isAnnounced, isBonus } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").Seat} Seat
 * @typedef {{number: number, name: string | undefined, own: boolean, seat: Seat | undefined, results:
 *   import("../wire.js").Result[], bonus: boolean, isActive: boolean}} SeatNow
 */

/** @param {number} count @param {(seat: number) => void} onSit */
export function seats(count, onSit) {
  const items = Array.from({ length: count }, (_, at) => seatItem(at + 1, onSit));
  const element = h("ol.seats", { "aria-label": say("seats") }, ...items.map(({ item }) => item));
  /** @param {State} state */
  const draw = (state) => items.forEach((each) => each.draw(state));
  return { element, draw };
}

/** @param {number} number @param {(seat: number) => void} onSit */
function seatItem(number, onSit) {
  const who = h("span.who");
  const sit = h("button.sit", { onclick: () => onSit(number) }, say("sit-here", { seat: number }));
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
  function show({ name, own, seat, results, bonus, isActive }) {
    const title = own ? say("you") : name || say("empty");
    const classes = ["seat", own && "own", !name && !seat && "free", isFolded(seat) && "folded", isActive && "telling"];
    set(item, {
      class: classes.filter(Boolean).join(" "),
      "aria-current": own ? "true" : null,
      "aria-label": label(number, title, seat, results, bonus),
    });
    fill(who, title);
    set(who, { title: name ?? null });
    fill(cards, handCards(own ? null : seat?.hand, seat?.decision?.keep));
    fill(
      stakes,
      stakesOf(seat).map(([wager, cents]) =>
        chips(sayWager({ wager, bonus }, "spot"), sayWager({ wager, bonus }), cents),
      ),
    );
    fill(status, statusOf(seat, results));
  }

  return { item, draw };
}

/** @param {State} state @param {number} number @returns {SeatNow} */
const seatAt = (state, number) => ({
  number,
  name: state.taken[number],
  own: state.you?.seat === number,
  seat: state.view?.seats.find((each) => each.number === number),
  results: (state.view?.results ?? []).filter((result) => result.seat === number && isAnnounced(state, result)),
  bonus: isBonus(state),
  isActive: state.tellingSeat === number,
});

/** @param {Seat | undefined} seat @param {import("../wire.js").Result[]} results */
function statusOf(seat, results) {
  if (results.length) return h("strong", { class: outcome(netOf(results)) }, formatNet(netOf(results)));
  if (seat?.void) return say("hand-void");
  return seat?.decision ? h("span.stamp", sayDecision(seat)) : "";
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
