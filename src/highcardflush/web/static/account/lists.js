// The player's rounds and statement, loaded page by page, the newest entry first.
import { get } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { say, sayWager } from "../core/words.js";
import { drawNet, drawTime, linkRound } from "./parts.js";

const PAGE = 20;

/**
 * A list that is loaded page by page.
 * @template T
 * @param {string} path
 * @param {HTMLElement} list
 * @param {(data: any) => T[]} rowsOf the oldest first
 * @param {(row: T) => HTMLElement} draw
 * @param {(error: unknown) => void} onError
 */
function pages(path, list, rowsOf, draw, onError) {
  /** @type {number | null} */
  let before = null;
  const more = h("button", { type: "button", onclick: older, hidden: true }, say("own.older"));

  async function next() {
    /** @type {HTMLElement[]} */
    let rows = [];
    do {
      const data = await get(`${path}?last=${PAGE}${before ? `&before=${before}` : ""}`);
      before = data.before;
      rows = rowsOf(data).reverse().map(draw);
    } while (!rows.length && before); // a page may contain only a part of a round
    list.append(...rows);
    more.hidden = !before;
    return rows;
  }

  /** Load the next page and move the focus to its first row. */
  async function older() {
    more.disabled = true;
    try {
      const [first] = await next();
      first?.setAttribute("tabindex", "-1");
      first?.focus();
    } catch (error) {
      onError(error);
    }
    more.disabled = false;
  }

  /** Load the first page, and return true if there is any entry. */
  async function load() {
    before = null;
    fill(list);
    return (await next()).length > 0;
  }

  return { more, load };
}

/** @param {(error: unknown) => void} onError */
export function history(onError) {
  const list = h("ul.rounds");
  const none = h("p.nothing", { hidden: true }, say("own.no-rounds"), " ", h("a", { href: "/" }, say("own.to-tables")));
  const { more, load } = pages("/me/rounds", list, (data) => data.rounds, drawRound, onError);
  return {
    element: h("section.panel", h("h2", say("own.history")), h("p.quiet", say("own.play-money")), none, list, more),
    load: async () => (none.hidden = await load()),
  };
}

/** @param {import("../wire.js").OwnRound} round */
function drawRound(round) {
  const wagers = round.results.map(({ wager }) => sayWager({ wager, bonus: round.bonus })).join(", ");
  return h(
    "li",
    linkRound(round.table, round.number),
    h("span.quiet", round.outcome === "void" ? say("own.void") : wagers),
    drawTime(round.at_ms),
    drawNet(round.net_cents),
  );
}

/** The columns of the statement, with true for numbers. @type {Record<string, boolean>} */
const COLUMNS = { when: false, what: false, round: false, amount: true, balance: true };

/** @param {(error: unknown) => void} onError */
export function statement(onError) {
  const rows = h("tbody", { role: "rowgroup" });
  const { more, load } = pages("/me/statement", rows, (data) => data.entries, drawEntry, onError);
  const heads = Object.entries(COLUMNS).map(([code, isNumber]) =>
    h("th", { scope: "col", role: "columnheader", class: isNumber ? "number" : null }, say(`statement.${code}`)),
  );
  const table = h("table", { role: "table" }, h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads)), rows);
  const element = h(
    "details.panel.statement",
    h("summary", h("h2", say("own.statement"))),
    h("div.scroll", { tabindex: "0", role: "region", "aria-label": say("own.statement") }, table),
    more,
  );
  return { element, load };
}

/** @param {import("../wire.js").OwnEntry} entry */
function drawEntry({ stream, round, what, pending_cents: pending, at_ms, net_cents: net, balance_cents }) {
  const result = say(`statement.${net > 0 ? "won" : net < 0 ? "lost" : "even"}`);
  const text = what.code === "round" ? result : say(`statement.${what.code}`, {}, what.text);
  return h(
    "tr",
    { role: "row" },
    cell("when", drawTime(at_ms)),
    cell("what", text, pending > 0 && ` ${say("own.pending", { amount: formatDollars(pending) })}`),
    cell("round", round ? linkRound(stream.slice("table/".length), round) : null),
    cell("amount", drawNet(net)),
    cell("balance", formatDollars(balance_cents)),
  );
}

/** @param {string} column @param {...import("../core/dom.js").Child} children */
const cell = (column, ...children) =>
  h(
    "td",
    { role: "cell", class: `${column}${COLUMNS[column] ? " number" : ""}`, "data-of": say(`statement.${column}`) },
    ...children,
  );
