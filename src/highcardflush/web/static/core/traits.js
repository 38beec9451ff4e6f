// The differences between the rulebooks, from the list of rulebooks.
import { h } from "./dom.js";
import { say, sayWager } from "./words.js";

/** @typedef {import("../wire.js").Traits} Traits */
/** @typedef {import("../wire.js").Listed} Rulebook */

/**
 * The columns of the comparison, each with its lines for a rulebook.
 * @type {[string, (traits: Traits) => string[]][]}
 */
const COLUMNS = [
  ["raise", (traits) => [raiseKind(traits), traits.minimum_open && say("raise-open")].filter(isText)],
  ["hand", (traits) => [say(`expose.${traits.expose}`), traits.paid_at_once && say("paid-at-once")].filter(isText)],
  [
    "jackpot",
    (traits) =>
      traits.jackpot_modes.length ? traits.jackpot_modes.map((mode) => say(`jackpot.${mode}`)) : [say("jackpot.none")],
  ],
  ["extras", extras],
  ["printed", (traits) => traits.posted.map(({ text }) => text)],
];

/** @param {unknown} text @returns {text is string} */
const isText = (text) => typeof text === "string";

/** The largest Raise, in Antes. @param {Traits} traits */
const largestRaise = (traits) => Math.max(...traits.raises.map((row) => row.maximum_antes));

/** The smallest Raise, in Antes. @param {Traits} traits */
const smallestRaise = (traits) => Math.min(...traits.raises.map((row) => row.minimum_antes));

/** The sizes of a Raise, for a text. @param {Traits} traits */
const sizes = (traits) => ({
  least: smallestRaise(traits),
  most: largestRaise(traits),
  step: traits.raises[0].step_antes,
});

/** The kinds of Raise in a sentence. @param {Traits} traits */
export const raiseKind = (traits) => say(`raise-kind.${traits.kind}`, sizes(traits));

/** @param {Traits} traits */
function extras(traits) {
  const lines = [
    traits.envy && say("has-envy"),
    traits.dynamic && say("has-dynamic"),
    traits.levels > 1 && say("has-levels", { levels: traits.levels }),
    traits.dealing_methods.includes("dice") && say("has-dice"),
  ].filter(isText);
  return lines.length ? lines : [say("has-nothing")];
}

/** The line about a rulebook next to its name. @param {Traits} traits */
export const traitLine = (traits) => [raiseKind(traits), say(`expose.${traits.expose}`)].join(" ");

/**
 * The differences of a table in a few words each: its Ante, its Raise and its side bets.
 * @param {import("../wire.js").Place} place
 * @param {Traits | undefined} traits
 * @param {boolean} bonus
 */
export const tableFeatures = ({ limits, offers, meters }, traits, bonus) =>
  [
    limits.ante && say("feature.ante", { amounts: say("amounts-short", limits.ante) }),
    traits && say(`feature.raise.${traits.kind}`, sizes(traits)),
    ...Object.keys(offers).map((wager) => sayWager({ wager, bonus })),
    Object.keys(meters).length > 1 && say("feature.levels", { levels: Object.keys(meters).length }),
    traits?.expose === "optional" && say("feature.keep"),
    traits?.expose === "required" && say("feature.show"),
  ].filter(isText);

/**
 * A table of all rulebooks. On a phone each rulebook is a separate block.
 * @param {Rulebook[]} books
 * @param {string} caption
 */
export function comparison(books, caption) {
  const heads = COLUMNS.map(([code]) => h("th", { scope: "col", role: "columnheader" }, say(`compared.${code}`)));
  const rows = books.map((book) =>
    h(
      "tr",
      { role: "row" },
      h("th", { scope: "row", role: "rowheader" }, h("a", { href: `/rules/${book.name}` }, book.title)),
      COLUMNS.map(([code, linesOf]) => {
        const lines = linesOf(book.traits);
        return h(
          "td",
          { role: "cell", "data-of": say(`compared.${code}`) },
          lines.length ? lines.map((line) => h("p", line)) : h("p.quiet", say("compared-none")),
        );
      }),
    ),
  );
  return h(
    "table.comparison",
    { role: "table" },
    h("caption.seen-not", caption),
    h(
      "thead",
      { role: "rowgroup" },
      h("tr", { role: "row" }, h("th", { scope: "col", role: "columnheader" }, say("compared.rulebook")), heads),
    ),
    h("tbody", { role: "rowgroup" }, rows),
  );
}
