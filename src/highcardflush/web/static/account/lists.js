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
    const data = await get(`${path}?last=${PAGE}${before ? `&before=${before}` : ""}`);
    before = data.before;
    const rows = rowsOf(data).reverse().map(draw);
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

// --- the statement -------------------------------------------------------------------------------

/** The number of lines in a page. A round has two to four lines. */
const LINES = 60;
/** The columns of the statement, with true for numbers. @type {Record<string, boolean>} */
const COLUMNS = { when: false, what: false, round: false, amount: true, balance: true };
/** The kinds of events that end a round for a player. */
const ENDS = new Set(["settle", "void", "vote"]);

/**
 * @typedef {import("../wire.js").OwnLine} OwnLine
 * @typedef {OwnLine[]} Entry the lines of a round, or one other line, oldest first
 */

/** One entry for each round and for each other line, oldest first. @param {OwnLine[]} lines @returns {Entry[]} */
function entriesOf(lines) {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  lines.forEach((line, at) => {
    const key = line.round ? `${line.stream} ${line.round}` : String(at);
    entries.set(key, [...(entries.get(key) ?? []), line]);
  });
  return [...entries.values()];
}

/** @param {(error: unknown) => void} onError */
export function statement(onError) {
  const rows = h("tbody", { role: "rowgroup" });
  const more = h("button", { type: "button", onclick: older, hidden: true }, say("own.older"));
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
  /** The loaded lines, oldest first. @type {OwnLine[]} */
  let lines = [];
  /** @type {number | null} */
  let before = null;

  /** Load a page and draw all entries again, because a round may begin on an older page than it ends. */
  async function next() {
    const count = rows.children.length;
    do await loadPage();
    while (before && complete().length <= count);
    fill(rows, complete().reverse().map(drawEntry));
    more.hidden = !before;
  }

  async function loadPage() {
    /** @type {import("../wire.js").OwnStatement} */
    const data = await get(`/me/statement?last=${LINES}${before ? `&before=${before}` : ""}`);
    before = data.before;
    lines = [...data.lines, ...lines];
  }

  /** All entries but the oldest one while its first line may be on the next page. */
  const complete = () => entriesOf(lines).slice(before ? 1 : 0);

  /** Load the next page and move the focus to its first row. */
  async function older() {
    more.disabled = true;
    const count = rows.children.length;
    try {
      await next();
      const row = rows.children[count];
      row?.setAttribute("tabindex", "-1");
      if (row instanceof HTMLElement) row.focus();
    } catch (error) {
      onError(error);
    }
    more.disabled = false;
  }

  function load() {
    [lines, before] = [[], null];
    fill(rows);
    return next();
  }

  return { element, load };
}

/** @param {Entry} entry */
function drawEntry(entry) {
  const { stream, round, at_ms, balance_cents } = entry[entry.length - 1];
  const amount = entry.reduce((sum, line) => sum + line.amount_cents, 0);
  const pending = entry.reduce((sum, line) => sum + line.pending_cents, 0);
  return h(
    "tr",
    { role: "row" },
    cell("when", drawTime(at_ms)),
    cell("what", sayEntry(entry, amount), pending > 0 && ` ${say("own.pending", { amount: formatDollars(pending) })}`),
    cell("round", round ? linkRound(stream.slice("table/".length), round) : null),
    cell("amount", drawNet(amount)),
    cell("balance", formatDollars(balance_cents)),
  );
}

/** The result of a round, or the text of another line. @param {Entry} entry @param {number} amount */
function sayEntry(entry, amount) {
  const { round, what } = entry[entry.length - 1];
  if (!round || what.code === "void") return what.text;
  if (!ENDS.has(what.code)) return say("statement.in-play");
  return say(`statement.${amount > 0 ? "won" : amount < 0 ? "lost" : "even"}`);
}

/** @param {string} column @param {...import("../core/dom.js").Child} children */
const cell = (column, ...children) =>
  h(
    "td",
    { role: "cell", class: `${column}${COLUMNS[column] ? " number" : ""}`, "data-of": say(`statement.${column}`) },
    ...children,
  );
