// The results of a Raise against all the dealer's hands: a bar of four parts, each with a pattern, a label and a
// percentage.
import { h, svg } from "../core/dom.js";
import { formatPercent } from "../core/numbers.js";
import { say } from "../core/words.js";

/** @typedef {import("../wire.js").Bar} Bar */

/** @type {(keyof Bar)[]} */
const PARTS = ["not_qualified", "win", "tie", "lose"];
let barCount = 0;

/** Marks on a tile of 8, which tell the parts apart without colour. @type {Record<keyof Bar, string | null>} */
const MARKS = { not_qualified: "M0 8 8 0", win: null, tie: "M4 4h.01", lose: "M0 0 8 8M0 8 8 0" };

/** @param {Bar} counts @returns {HTMLElement} */
export function oddsBar(counts) {
  const name = `bar-${++barCount}`;
  const whole = PARTS.reduce((sum, part) => sum + counts[part], 0);
  const shares = PARTS.map((part) => ({ part, share: counts[part] / whole, words: say(`met.${part}`) }));
  const sentence = shares.map(({ share, words }) => `${words} ${formatPercent(share)}`).join(", ");
  let x = 0;
  const rects = shares.flatMap(({ part, share }) => {
    const place = { x: `${100 * x}%`, width: `${100 * share}%`, height: "100%" };
    x += share;
    const mark = MARKS[part] && svg("rect", { ...place, fill: `url(#${name}-${part})` });
    return [svg("rect", { ...place, class: `met ${part}` }), mark];
  });
  return h(
    "figure.odds-bar",
    svg(
      "svg",
      { role: "img", "aria-label": sentence },
      svg("defs", ...PARTS.map((part) => pattern(`${name}-${part}`, part))),
      ...rects,
    ),
    h("ul", ...shares.map(({ part, share, words }) => legend(part, words, formatPercent(share)))),
  );
}

/** @param {string} id @param {keyof Bar} part */
function pattern(id, part) {
  const tile = { id, width: 8, height: 8, patternUnits: "userSpaceOnUse" };
  return svg("pattern", tile, MARKS[part] && svg("path", { d: MARKS[part], class: "met-mark" }));
}

/** @param {keyof Bar} part @param {string} words @param {string} share */
function legend(part, words, share) {
  const swatch = svg(
    "svg",
    { viewBox: "0 0 16 16", class: "swatch", "aria-hidden": "true" },
    svg("rect", { width: 16, height: 16, class: `met ${part}` }),
    MARKS[part] && svg("path", { d: MARKS[part], class: "met-mark", transform: "scale(2)" }),
  );
  return h("li", swatch, h("span", words), h("strong", share));
}
