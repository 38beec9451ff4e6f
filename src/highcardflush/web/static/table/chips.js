// Chips: an amount as the fewest chips, each in its colour, in a stack of limited height.
import { h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";

export const CHIPS = [100, 500, 2500, 10_000, 50_000];
const HIGHEST = 6;

/** The chips of an amount, the largest first. A remainder is one more of the smallest chip. @param {number} cents */
export function breakdown(cents) {
  const discs = [];
  let rest = cents;
  for (const chip of [...CHIPS].reverse())
    for (; rest >= chip && discs.length < HIGHEST; rest -= chip) discs.push(chip);
  if (rest > 0 && discs.length < HIGHEST) discs.push(CHIPS[0]);
  return discs;
}

/** A stack of chips. It is decoration: its value is next to it. @param {number} cents */
export const stack = (cents) =>
  h(
    "span.stack",
    { "aria-hidden": "true" },
    breakdown(cents).map((chip) => h("span", { class: `disc chip-${chip}` })),
  );

/**
 * A stake: its largest chip, the printed name of the wager, the amount.
 * @param {string} name
 * @param {string} title
 * @param {number} cents
 */
export const chips = (name, title, cents) =>
  h(
    "span.chips",
    { title },
    h("span", { class: `disc chip-${breakdown(cents)[0] ?? CHIPS[0]}`, "aria-hidden": "true" }),
    h("span.chip-name", name),
    " ",
    formatDollars(cents),
  );
