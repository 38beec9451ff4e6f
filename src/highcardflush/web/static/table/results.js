// The announced results of the player's wagers, each with its reason. They stay until the next cards are dealt.
import { drawIfChanged, fill, h, set } from "../core/dom.js";
import { formatNet } from "../core/numbers.js";
import { netOf, outcome } from "../core/seats.js";
import { say, sayWager, sayWords } from "../core/words.js";
import { isAnnounced, isBonus, ownResults } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").Result} Result
 */

export function results() {
  const element = h("ul.results", { "aria-label": say("results") });

  /** @param {State} state */
  function draw(state) {
    const isOver = ownResults(state).length > 0;
    const { number, results } = state.lastResults;
    const visible = isOver ? results.filter((result) => isAnnounced(state, result)) : results;
    const bonus = isBonus(state);
    drawIfChanged(element, [visible, isOver, bonus], () => {
      element.hidden = !visible.length;
      element.classList.remove("unfolded");
      fill(
        element,
        !isOver && before(element),
        byReason(visible).map(([why, some]) => line(why, some, bonus)),
        sum(state.name, number, netOf(visible), isOver),
      );
    });
  }

  return { element, draw };
}

/** The player's last results in a sentence. @param {State} state */
export const sayResults = (state) =>
  ownResults(state)
    .map((result) => `${sayNet(result, isBonus(state))}, ${sayWords(result.reason, result.seat)}`)
    .join(". ") || say("no-result");

/** A heading for the results of the last round. On a phone it unfolds the reasons. @param {Element} list */
function before(list) {
  /** @param {MouseEvent} event */
  function unfold(event) {
    const open = list.classList.toggle("unfolded");
    set(/** @type {Element} */ (event.currentTarget), { "aria-expanded": String(open) });
  }
  return h(
    "li.before",
    say("last-round"),
    h("button.why-before", { "aria-expanded": "false", onclick: unfold }, say("why")),
  );
}

/** Results grouped by their reason. @param {Result[]} results */
function byReason(results) {
  /** @type {Map<string, Result[]>} */
  const groups = new Map();
  for (const result of results) {
    const why = sayWords(result.reason, result.seat);
    groups.set(why, [...(groups.get(why) ?? []), result]);
  }
  return [...groups];
}

/** @param {string} why @param {Result[]} results @param {boolean} bonus */
const line = (why, results, bonus) =>
  h("li", h("span.nets", ...results.map((result) => net(result, bonus))), h("span.why", why));

/** @param {string} table @param {number} number @param {number} cents @param {boolean} isOver */
function sum(table, number, cents, isOver) {
  const text = isOver ? say("net", { net: formatNet(cents) }) : formatNet(cents);
  const link = number > 0 && h("a", { href: `/round/${encodeURIComponent(table)}/${number}` }, say("round-short"));
  return h("li.sum", h("strong", { class: outcome(cents) }, text), link);
}

/** @param {Result} result @param {boolean} bonus */
const sayNet = ({ wager, net_cents }, bonus) => `${sayWager({ wager, bonus })} ${formatNet(net_cents)}`;

/** @param {Result} result @param {boolean} bonus */
const net = (result, bonus) => h("strong", { class: outcome(result.net_cents) }, sayNet(result, bonus));
