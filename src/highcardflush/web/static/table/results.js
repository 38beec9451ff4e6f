// What came of one's own wagers, each with its reason, as far as it has been told; it stands until there are cards again.
import { fill, h, set } from "../core/dom.js";
import * as money from "../core/money.js";
import { ownSeat } from "./store.js";
import { say, sayWager, sayWords } from "../core/words.js";

/**
 * @typedef {import("./store.js").Table} Table
 * @typedef {import("../wire.js").Result} Result
 */

/** @param {Result[]} results */
export const netOf = (results) => results.reduce((sum, result) => sum + result.net_cents, 0);

/** @param {number} net */
export const outcome = (net) => (net > 0 ? "won" : net < 0 ? "lost" : "even");

/** @param {Table} table */
const ownResults = (table) => (table.view?.results ?? []).filter((result) => result.seat === table.you?.seat);

/** Results that have the same reason are told together. @param {Result[]} results */
function byReason(results) {
  /** @type {Map<string, Result[]>} */
  const found = new Map();
  for (const result of results) {
    const why = sayWords(result.reason, result.seat);
    found.set(why, [...(found.get(why) ?? []), result]);
  }
  return [...found];
}

export function results() {
  const element = h("ul", { class: "results", "aria-label": say("results") });
  /** All of the round that was settled last. @type {Result[]} */
  let settled = [];
  let number = 0;
  let shown = "";

  /** @param {Table} table @param {boolean} bonus @param {(seat: number, wager: string) => boolean} isTold */
  function draw(table, bonus, isTold) {
    const now = ownResults(table);
    if (now.length) [settled, number] = [now, table.round?.number ?? 0];
    else if (ownSeat(table)?.hand || !table.you) settled = [];
    const last = now.length ? now.filter((result) => isTold(result.seat, result.wager)) : settled;
    const drawn = JSON.stringify([last, now.length, bonus]);
    if (shown === drawn) return;
    shown = drawn;
    element.hidden = !last.length;
    element.classList.remove("unfolded");
    fill(
      element,
      !now.length && h("li", { class: "before" }, say("last-round"), h("button", { class: "why-before", "aria-expanded": "false", onclick: unfold }, say("why"))),
      byReason(last).map(([why, some]) => h("li", {}, h("span", { class: "nets" }, some.map((result) => net(result, bonus))), h("span", { class: "why" }, why))),
      h("li", { class: "sum" }, h("strong", { class: outcome(netOf(last)) }, now.length ? say("net", { net: money.sayNet(netOf(last)) }) : money.sayNet(netOf(last))), number > 0 && h("a", { href: `/round/${encodeURIComponent(table.name)}/${number}` }, say("round-short"))),
    );
  }

  /** On a phone of the round before only the sum is seen, until it is asked why. @param {MouseEvent} event */
  function unfold(event) {
    const open = element.classList.toggle("unfolded");
    set(/** @type {Element} */ (event.currentTarget), { "aria-expanded": String(open) });
  }

  /** @param {Table} table @param {boolean} bonus */
  function words(table, bonus) {
    return ownResults(table).map((result) => `${sayNet(result, bonus)}, ${sayWords(result.reason, result.seat)}`).join(". ") || say("no-result");
  }

  return { element, draw, words };
}

/** @param {Result} result @param {boolean} bonus */
const sayNet = ({ wager, net_cents }, bonus) => `${sayWager({ wager, bonus })} ${money.sayNet(net_cents)}`;

/** @param {Result} result @param {boolean} bonus */
const net = (result, bonus) => h("strong", { class: outcome(result.net_cents) }, sayNet(result, bonus));
