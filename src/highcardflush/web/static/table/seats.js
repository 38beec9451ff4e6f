// The seats of a table in an arc, as a player sees them: seat 1 at the dealer's left hand. Who sits there, what is staked, the
// cards that one may see, what came of it.
import { handCards, parseCards, sayCards } from "../core/cards.js";
import { chips } from "./chips.js";
import { fill, h, set } from "../core/dom.js";
import * as money from "../core/money.js";
import { netOf, outcome } from "./results.js";
import { say, sayWager } from "../core/words.js";

/**
 * @typedef {import("./store.js").Table} Table
 * @typedef {import("../wire.js").Seat} Seat
 * @typedef {{bonus: boolean, telling: number, isTold: (seat: number, wager: string) => boolean}} Told the seat that is settled now, and which results have been told
 */

/** @param {number} count @param {(seat: number) => void} onSit */
export function seats(count, onSit) {
  const places = Array.from({ length: count }, (_, at) => place(at + 1, onSit));
  const element = h("ol", { class: "seats", "aria-label": say("seats") }, places.map(({ item }) => item));
  /** @param {Table} table @param {Told} told */
  const draw = (table, told) => places.forEach((each) => each.draw(table, told));
  return { element, draw };
}

/** @param {number} number @param {(seat: number) => void} onSit */
function place(number, onSit) {
  const who = h("span", { class: "who" });
  const sit = h("button", { class: "sit", onclick: () => onSit(number) }, say("sit-here", { seat: number }));
  const stakes = h("span", { class: "stakes" });
  const cards = h("span", { class: "hand" });
  const said = h("span", { class: "said" });
  const item = h("li", { class: "seat", "data-seat": number }, h("span", { class: "number" }, String(number)), who, sit, cards, stakes, said);
  let drawn = "";

  /** @param {Table} table @param {Told} told */
  function draw(table, { bonus, telling, isTold }) {
    const name = table.taken[number];
    const seat = table.view?.seats.find((each) => each.number === number);
    const own = table.you?.seat === number;
    sit.hidden = Boolean(name) || table.you !== null;
    const results = (table.view?.results ?? []).filter((result) => result.seat === number && isTold(number, result.wager));
    const now = JSON.stringify([name, own, seat, results, bonus, telling === number]);
    if (now === drawn) return;
    drawn = now;
    const called = own ? say("you") : name ? say("who-sits", { name, seat: number }) : say("empty");
    const folded = Boolean(seat?.decision && !seat.decision.raise_cents);
    const state = ["seat", own && "own", !name && !seat && "free", folded && "folded", telling === number && "telling"];
    set(item, { class: state.filter(Boolean).join(" "), "aria-current": own ? "true" : null, "aria-label": label(number, called, seat, results, bonus) });
    fill(who, called);
    set(who, { title: name ?? null });
    fill(cards, handCards(own ? null : seat?.hand, seat?.decision?.keep));
    fill(stakes, stakesOf(seat).map(([wager, cents]) => chips(sayWager({ wager, bonus }, "spot"), sayWager({ wager, bonus }), cents)));
    fill(said, saidOf(seat, results));
  }

  return { item, draw };
}

/** What lies at a seat: its wagers, the Raise after the Ante. @param {Seat | null | undefined} seat @returns {[string, number][]} */
export function stakesOf(seat) {
  const stakes = Object.entries(seat?.wagers ?? {});
  const raised = seat?.decision?.raise_cents;
  return raised ? [stakes[0], ["raise", raised], ...stakes.slice(1)] : stakes;
}

/** @param {Seat | undefined} seat @param {import("../wire.js").Result[]} results */
function saidOf(seat, results) {
  if (results.length) return h("strong", { class: outcome(netOf(results)) }, money.sayNet(netOf(results)));
  if (seat?.void) return say("hand-void");
  return seat?.decision ? h("span", { class: "stamp" }, decided(seat)) : "";
}

/** @param {Seat | undefined} seat */
const decided = (seat) => (seat?.decision ? say(seat.decision.raise_cents ? "raised" : "folded") : "");

/** A seat in a sentence. @param {number} number @param {string} name @param {Seat | undefined} seat @param {import("../wire.js").Result[]} results @param {boolean} bonus */
function label(number, name, seat, results, bonus) {
  const stakes = stakesOf(seat).map(([wager, cents]) => `${sayWager({ wager, bonus })} ${money.say(cents)}`);
  const seen = sayCards(parseCards(seat?.hand?.seen ?? ""));
  return [say("seat-of", { seat: number, name }), ...stakes, seen, decided(seat), results.length ? money.sayNet(netOf(results)) : ""].filter(Boolean).join(", ");
}
