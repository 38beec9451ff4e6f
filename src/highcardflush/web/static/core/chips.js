// Chips: an amount as the fewest chips, drawn as stacks from the side or as one chip next to the amount.
import { h, svg } from "./dom.js";
import { formatDollars } from "./numbers.js";

/** The chips that a player can pick. */
export const CHIPS = [100, 500, 2500, 10_000, 50_000];
/** The chips in drawings, the largest first. */
const DRAWN = [500_000, 100_000, ...[...CHIPS].reverse()];
/** The largest number of chips in a stack, and of stacks. */
const HIGHEST = 5;
const MOST_STACKS = 3;

/** The chips of an amount, the largest first. A remainder is one more of the smallest chip. @param {number} cents */
export function breakdown(cents) {
  const discs = [];
  let rest = cents;
  for (const chip of DRAWN) for (; rest >= chip && discs.length < HIGHEST * MOST_STACKS; rest -= chip) discs.push(chip);
  if (rest > 0 && discs.length < HIGHEST * MOST_STACKS) discs.push(CHIPS[0]);
  return discs;
}

/** The box of a chip: width, thickness, and the height of the ellipse that is its top. */
const [WIDTH, THICK, FLAT] = [32, 5, 9];
const GAP = 2;

/** The stacks of an amount. They are decoration: the amount is next to them. @param {number} cents */
export function stack(cents) {
  const discs = breakdown(cents);
  const count = Math.max(1, Math.ceil(discs.length / HIGHEST));
  const piles = Array.from({ length: count }, (_, at) => discs.slice(at * HIGHEST, (at + 1) * HIGHEST));
  const width = count * WIDTH + (count - 1) * GAP + 2;
  const height = FLAT + HIGHEST * THICK + 2;
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    piles.flatMap((pile, at) => drawPile(pile, 1 + at * (WIDTH + GAP), height - 1)),
  );
  return h("span.stack", { "aria-hidden": "true" }, discs.length > 0 && drawing);
}

/** Chips from the bottom to the top. @param {number[]} pile @param {number} x @param {number} bottom */
const drawPile = (pile, x, bottom) =>
  pile.map((chip, at) => drawChip(chip, x, bottom - at * THICK, at === pile.length - 1));

/** @param {number} chip @param {number} x @param {number} bottom @param {boolean} isTop */
function drawChip(chip, x, bottom, isTop) {
  const [radius, flat, low] = [WIDTH / 2, FLAT / 2, bottom - FLAT / 2];
  const high = low - THICK;
  const arc = `A${radius} ${flat} 0 0`;
  const edge = `M${x} ${high}V${low}${arc} 0 ${x + WIDTH} ${low}V${high}${arc} 1 ${x} ${high}Z`;
  const stripe = (/** @type {number} */ from, /** @type {number} */ drop) =>
    svg("path", { class: "stripe", d: `M${x + from} ${high + drop}v${THICK}h4.500v${-THICK}Z` });
  return svg(
    "g",
    { class: `side-chip chip-${chip}` },
    svg("path", { d: edge, class: "edge" }),
    ...[stripe(3.5, 2.2), stripe(13.75, flat), stripe(24, 2.2)],
    isTop && svg("ellipse", { cx: x + radius, cy: high, rx: radius - 1.2, ry: flat - 0.8, class: "top" }),
    svg("ellipse", { cx: x + radius, cy: high, rx: radius, ry: flat, class: "rim" }),
  );
}

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
