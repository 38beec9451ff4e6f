// What the dealer's hands do to a Raise: a bar of four parts, each with its pattern and, below it, its words and
// numbers.
import { h, svg } from "../core/dom.js";
import { say } from "../core/words.js";

/** @typedef {import("../wire.js").Bar} Bar */

/** @type {(keyof Bar)[]} */
const PARTS = ["not_qualified", "win", "tie", "lose"];
let bars = 0;

/** `14.1 %`. @param {number} part of one */
export const percent = (part) => say("percent", { percent: (100 * part).toFixed(1) });

/** The marks that tell the parts apart without any colour, on a tile of 8. @type {Record<keyof Bar, string | null>} */
const MARKS = { not_qualified: "M0 8 8 0", win: null, tie: "M4 4h.01", lose: "M0 0 8 8M0 8 8 0" };

/**
 * @param {Bar} counts
 * @returns {HTMLElement}
 */
export function oddsBar(counts) {
  const name = `bar-${++bars}`;
  const whole = PARTS.reduce((sum, part) => sum + counts[part], 0);
  const shares = PARTS.map((part) => ({ part, share: counts[part] / whole, words: say(`met.${part}`) }));
  const sentence = shares.map(({ share, words }) => `${words} ${percent(share)}`).join(", ");
  let x = 0;
  const drawn = shares.flatMap(({ part, share }) => {
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
      ...drawn,
    ),
    h("ul", ...shares.map(({ part, share, words }) => legend(part, words, percent(share)))),
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
