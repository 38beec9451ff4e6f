// Chips: an amount as the fewest chips of the house, each in its colour, in a stack that is no higher than a hand.
import { h } from "../core/dom.js";
import * as money from "../core/money.js";

export const CHIPS = [100, 500, 2500, 10_000, 50_000];
const HIGHEST = 6;

/** The chips of an amount, the largest first; what is less than the smallest chip is one more. @param {number} cents */
export function breakdown(cents) {
  const found = [];
  let left = cents;
  for (const chip of [...CHIPS].reverse())
    for (; left >= chip && found.length < HIGHEST; left -= chip) found.push(chip);
  if (left > 0 && found.length < HIGHEST) found.push(CHIPS[0]);
  return found;
}

/** A stack for the eye only: its value stands beside it. @param {number} cents */
export const stack = (cents) => h("span", { class: "stack", "aria-hidden": "true" }, breakdown(cents).map((chip) => h("span", { class: `disc chip-${chip}` })));

/** What is staked: a chip of its kind, the wager's name as printed, the value. @param {string} name @param {string} title @param {number} cents */
export const chips = (name, title, cents) =>
  h("span", { class: "chips", title }, h("span", { class: `disc chip-${breakdown(cents)[0] ?? CHIPS[0]}`, "aria-hidden": "true" }), h("span", { class: "chip-name" }, name), " ", money.say(cents));
