// Pay tables: a line for each hand, best first, with its Envy and Dynamic Pays.
import { drawHead, h } from "./dom.js";
import { formatDollars } from "./numbers.js";
import { say, sayNoun, sayWager } from "./words.js";

/**
 * @typedef {{line: string, label: string, cards: number, ace_high: boolean, pay: number | string, meter: string | null,
 *   meter_share: number | null, envy: number | null, dynamic: number[] | null,
 *   text: {pays: string, envy?: string, dynamic?: string}}} Line
 * @typedef {{id: string, rulebook: string, wager: string, pays: string, lines: Line[], meter_texts: string[]}} PayTable
 * @typedef {{base_cents?: number, bonus?: boolean, dynamicPays?: Record<string, number> | null}} Terms the base bet,
 *   whether the jackpot is a bonus jackpot, and the Dynamic Pays of a round by line
 */

/**
 * The columns of a pay table, each with the text of its cells.
 * @param {PayTable} table
 * @returns {[string, (line: Line) => string][]}
 */
export const columns = ({ lines }) => [
  ["line", (line) => line.label],
  .../** @type {(keyof Line["text"])[]} */ (Object.keys(lines[0].text)).map(
    (code) => /** @type {[string, (line: Line) => string]} */ ([code, (line) => line.text[code] ?? ""]),
  ),
];

/**
 * @param {PayTable} table
 * @param {Terms} [terms]
 * @param {string} [name] the name of its wager, if the page does not show it next to the table
 */
export function payTable(table, terms = {}, name = "") {
  const cells = columns(table);
  const hasId = table.id !== table.wager; // the pay sheets of casinos print no id
  const caption = h(
    "caption",
    name || (hasId ? "" : sayWager(table)),
    hasId && h("span", { class: name ? "id" : null }, `${name && " "}${table.id}`),
  );
  const noun = sayNoun(table.wager);
  const heads = cells.map(([code]) => drawHead(say(`column.${code}`, { ...table, noun }), /pays|envy/.test(code)));
  const rows = table.lines.map((line) => drawLine(line, cells, terms));
  return h("table.paytable", { "data-paytable": table.id }, caption, h("thead", h("tr", heads)), h("tbody", rows));
}

/** @param {Line} line @param {ReturnType<typeof columns>} cells @param {Terms} terms */
function drawLine(line, [[, name], ...cells], terms) {
  const numbers = cells.map(([code, textOf]) =>
    h(
      "td",
      { class: code === "dynamic" ? "dynamic" : "number" },
      textOf(line) || h("span.quiet", { "aria-label": say("column-none") }, "–"),
      code === "pays" && now(line, terms),
    ),
  );
  const isDrawn = terms.dynamicPays?.[line.line];
  return h(
    "tr",
    { "data-line": line.line, class: isDrawn ? "drawn" : null },
    h("th", { scope: "row" }, name(line)),
    numbers,
  );
}

/** The Dynamic Pay of a line in this round. @param {Line} line @param {Terms} terms */
function now(line, { dynamicPays, base_cents = 100 }) {
  const pay = dynamicPays?.[line.line];
  return pay !== undefined && h("strong.now", say("dynamic-now", { pay: formatDollars(pay * base_cents) }));
}

/**
 * All pay tables that a table offers, with the Dynamic Pays of this round.
 * @param {any} rules the rulebook in force there
 * @param {Terms} terms
 */
export function offeredPayTables(rules, terms) {
  return rules.offers.map((/** @type {{wager: string, paytable: string, base_cents: number}} */ offer) => {
    const paytable = rules.paytables.find(
      (/** @type {PayTable} */ table) => table.id === offer.paytable.split("/").at(-1),
    );
    const dynamicPays = offer.wager === "progressive" ? terms.dynamicPays : null;
    const ownTerms = { ...terms, base_cents: offer.base_cents, dynamicPays };
    return paytable ? payTable(paytable, ownTerms, sayWager({ wager: offer.wager, bonus: terms.bonus })) : null;
  });
}
