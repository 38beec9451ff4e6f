// One's own betting spots, printed on the felt as on a real layout: what lies on them, and once it is told what came of it.
// A tap lays a chip down, or an amount is typed.
import { stack } from "./chips.js";
import { fill, h, set } from "../core/dom.js";
import * as money from "../core/money.js";
import { outcome } from "./results.js";
import { say, sayWager } from "../core/words.js";

/**
 * @typedef {object} Layout
 * @property {string[]} offered the wagers that are printed, in order
 * @property {Record<string, import("../wire.js").Limit> | null} limits what may be staked now; null when nothing may
 * @property {Record<string, number>} stakes in cents
 * @property {Record<string, number>} nets what was won or lost, as far as it is told
 * @property {boolean} bonus the jackpot is a bonus jackpot
 */

/**
 * @param {(wager: string) => void} onTap
 * @param {(wager: string, text: string) => void} onType
 */
export function spots(onTap, onType) {
  const element = h("div", { class: "spots", role: "group", "aria-label": say("your-spots") });
  /** @type {Map<string, ReturnType<typeof make>>} */
  const made = new Map();

  /** @param {string} wager */
  function make(wager) {
    const input = h("input", { inputmode: "decimal", autocomplete: "off", placeholder: "$0", onchange: () => onType(wager, input.value) });
    const pile = h("span", { class: "pile", "aria-hidden": "true" });
    const name = h("span", { class: "spot-name" });
    const button = h("button", { class: "spot-button", onclick: () => onTap(wager) }, name, pile);
    const amount = h("span", { class: "amount" });
    const limit = h("span", { class: "limit" });
    return { item: h("div", { class: `spot ${wager}`, "data-wager": wager }, button, input, amount, limit), input, pile, name, button, amount, limit, lies: 0 };
  }

  /** @param {Layout} layout */
  function draw({ offered, limits, stakes, nets, bonus }) {
    element.classList.toggle("open", limits !== null);
    for (const wager of offered) {
      const spot = made.get(wager) ?? make(wager);
      if (!made.has(wager)) element.append(spot.item);
      made.set(wager, spot);
      const cents = stakes[wager] ?? 0;
      const limit = limits?.[wager];
      const full = sayWager({ wager, bonus });
      fill(spot.name, sayWager({ wager, bonus }, "spot"));
      set(spot.button, { "aria-label": full, disabled: !limit });
      set(spot.input, { "aria-label": say("stake-of", { name: full }) });
      spot.input.hidden = spot.limit.hidden = !limit;
      // what is being typed stands, whatever else comes meanwhile
      if (document.activeElement !== spot.input || cents !== spot.lies) spot.input.value = cents ? money.say(cents).slice(1) : "";
      if (cents !== spot.lies) fill(spot.pile, cents > 0 && stack(cents));
      spot.lies = cents;
      const net = nets[wager];
      set(spot.item, { class: ["spot", wager, cents && "staked", net !== undefined && outcome(net), !limit && limits && "shut"].filter(Boolean).join(" ") });
      fill(spot.amount, limit || !cents ? "" : net === undefined ? money.say(cents) : money.sayNet(net));
      if (limit) fill(spot.limit, say("amounts-short", limit));
    }
    for (const [wager, { item }] of made) item.hidden = !offered.includes(wager);
  }

  return { element, draw };
}
