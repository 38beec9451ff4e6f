// A pay table: a line for each hand, best first, with its Envy and Dynamic Pays. The page of a table shows all of its
// pay tables with the pays of the round.
import { h } from "./dom.js";
import { formatDollars } from "./numbers.js";
import { say, sayNoun, sayWager } from "./words.js";

/**
 * @typedef {{line: string, label: string, cards: number, ace_high: boolean, pay: number | string, meter: string | null,
 *   meter_share: number | null, envy: number | null, dynamic: number[] | null}} Line
 * @typedef {{id: string, rulebook: string, wager: string, pays: string, lines: Line[],
 *   meters: {meter: string, seed_cents: number | null, rate: number | null, reserve_rate: number | null}[]}} PayTable
 * @typedef {{base_cents?: number, bonus?: boolean, dynamicPays?: Record<string, number> | null}} Terms the base bet for
 *   which dollars are printed, whether the jackpot is a bonus jackpot, and the Dynamic Pays of a round by line
 */

/**
 * The columns of a pay table, each with the text of its cells.
 * @param {PayTable} table
 * @param {Terms} terms
 * @returns {[string, (line: Line) => string][]}
 */
export function columns(table, terms) {
  /** @type {[string, (line: Line) => string][]} */
  const result = [
    ["line", (line) => say("line", line)],
    ["pays", (line) => say("pay", { ...line, wager: table.wager, pays: table.pays, ...terms })],
  ];
  if (table.lines.some((line) => line.envy))
    result.push(["envy", (line) => (line.envy ? say("pay.envy", { ...line, ...terms }) : "")]);
  if (table.lines.some((line) => line.dynamic))
    result.push(["dynamic", (line) => (line.dynamic ? say("pay.dynamic", { ...line, ...terms }) : "")]);
  return result;
}

/**
 * @param {PayTable} table
 * @param {Terms} [terms]
 * @param {string} [name] the name of its wager, if the page does not show it next to the table
 */
export function payTable(table, terms = {}, name = "") {
  const printedColumns = columns(table, terms);
  const hasId = table.id !== table.wager; // the sheets of the casinos print none
  return h(
    "table.paytable",
    { "data-paytable": table.id },
    h(
      "caption",
      name || (hasId ? "" : sayWager(table)),
      hasId && h("span", { class: name ? "id" : null }, `${name && " "}${table.id}`),
    ),
    h(
      "thead",
      h(
        "tr",
        printedColumns.map(([code]) =>
          h(
            "th",
            { scope: "col", class: code === "pays" || code === "envy" ? "number" : null },
            say(`column.${code}`, { ...table, noun: sayNoun(table.wager) }),
          ),
        ),
      ),
    ),
    h(
      "tbody",
      table.lines.map((line) =>
        h(
          "tr",
          { "data-line": line.line, class: terms.dynamicPays?.[line.line] ? "drawn" : null },
          printedColumns.map(([code, textOf], i) => {
            const text = textOf(line);
            return i === 0
              ? h("th", { scope: "row" }, text)
              : h(
                  "td",
                  { class: code === "dynamic" ? "dynamic" : "number" },
                  text || h("span.quiet", { "aria-label": say("column-none") }, "–"),
                  code === "pays" && now(line, terms),
                );
          }),
        ),
      ),
    ),
  );
}

/** The Dynamic Pay of a line in this round. @param {Line} line @param {Terms} terms */
function now(line, { dynamicPays, base_cents = 100 }) {
  const pay = dynamicPays?.[line.line];
  return pay !== undefined && h("strong.now", say("dynamic-now", { pay: formatDollars(pay * base_cents) }));
}

/**
 * The pay tables of a table, with the pays of this round.
 * @param {any} rules the rulebook in force there
 * @param {Terms} terms
 */
export function offeredPayTables(rules, terms) {
  return rules.offers.map((/** @type {{wager: string, paytable: string, base_cents: number}} */ offer) => {
    const paytable = rules.paytables.find(
      (/** @type {PayTable} */ table) => table.id === offer.paytable.split("/").at(-1),
    );
    const ownTerms = {
      ...terms,
      base_cents: offer.base_cents,
      dynamicPays: offer.wager === "progressive" ? terms.dynamicPays : null,
    };
    return paytable ? payTable(paytable, ownTerms, sayWager({ wager: offer.wager, bonus: terms.bonus })) : null;
  });
}

/** The sentences that a rulebook prints about its meters. @param {PayTable} table */
export const meterTexts = (table) => {
  const names = [...new Set(table.lines.map((line) => line.meter).filter((name) => name !== null))];
  return names.map((name) =>
    say("meter-plan", { meter: name, plan: table.meters.find((each) => each.meter === name) ?? null }),
  );
};
