// The rules: a comparison of the rulebooks, and a page for each, built from its data. With `?table=NAME` the page shows
// the rules and the settings in force at that table, also of a rulebook that is not packaged.
import { get, RefusalError } from "../core/api.js";
import { card, parseCards } from "../core/cards.js";
import { stack } from "../core/chips.js";
import { drawTable, fill, find, h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { backToTable, complain, greet, open, sayFailure } from "../core/page.js";
import { offeredPayTables, payTable } from "../core/paytable.js";
import { comparison, raiseKind } from "../core/traits.js";
import { nameSideBets, say, sayWager } from "../core/words.js";

/**
 * @typedef {import("../core/dom.js").Child} Child
 * @typedef {import("../wire.js").Place} Place
 * @typedef {import("../core/paytable.js").PayTable} PayTable
 * @typedef {string | {text: string, when: string}} Text
 */

/**
 * A part of the page with its heading. The contents at the top list all parts.
 * @param {string} code
 * @param {...(Child | Child[])} children
 */
const part = (code, ...children) => ({
  code,
  element: h(
    "section.part",
    { id: code, "aria-labelledby": `${code}-head` },
    h("h2", { id: `${code}-head` }, say(`part.${code}`)),
    ...children,
  ),
});

// --- all rulebooks -------------------------------------------------------------------------------

/** The pictures of the steps: an amount in chips, or cards. @type {Record<string, () => Child>} */
const PICTURES = {
  bet: () => stack(1000),
  look: () => drawCards("KsJs8s4sQh7d3c"),
  raise: () => stack(3000),
  show: () => drawCards("Qd9d5dAh8hTc2s"),
  pay: () => stack(6000),
};

/** @param {string} cards */
const drawCards = (cards) =>
  h(
    "div.hand",
    parseCards(cards).map((each) => card(each)),
  );

async function showAll() {
  open(say("rules"));
  const books = await get("/rulebooks");
  fill(
    find("#main"),
    h("h1", say("rules-title")),
    h("p.lead", say("rules-lead")),
    h(
      "ol.steps",
      ["bet", "look", "raise", "show", "pay"].map((step) =>
        h(
          "li",
          h("strong", say(`step.${step}`)),
          h("div.picture", { "aria-hidden": "true" }, PICTURES[step]()),
          h("span", say(`step-text.${step}`)),
        ),
      ),
    ),
    h("p", h("a.button.main-action", { href: "/how-to-play" }, say("rules-learn"))),
    h("h2", say("apart")),
    h("p.quiet", say("apart-text")),
    comparison(books, say("apart")),
  );
}

// --- one rulebook --------------------------------------------------------------------------------

/** A rulebook as it is printed, with the tables that use it. @param {string} name */
async function showOne(name) {
  const [book, places] = await Promise.all([get(`/rulebooks/${encodeURIComponent(name)}`), get("/tables")]);
  nameSideBets(book.side_bets);
  open(book.title);
  const tables = /** @type {Place[]} */ (places).filter((place) => place.rulebook === name);
  show(
    book,
    [
      h("h1", book.title),
      h("p.quiet", say("source", book)),
      tables.length > 0 &&
        h(
          "p.played-at",
          say("played-at"),
          tables.map((place) => h("a.button", { href: rulesAt(name, place.name) }, say("table-name", place))),
        ),
    ],
    [play(book), raises(book), bets(book), limits(book), notices(book)],
  );
}

/** @param {string} name @param {string} table */
const rulesAt = (name, table) => `/rules/${encodeURIComponent(name)}?table=${encodeURIComponent(table)}`;

/** The rules in force at a table, with everything that is posted there and its settings. @param {string} table */
async function showTable(table) {
  const book = await get(`/tables/${encodeURIComponent(table)}/rules`);
  nameSideBets(book.side_bets);
  open(say("rules-at", { name: table }), { back: backToTable(table) });
  show(
    book,
    [h("h1", say("rules-at", { name: table })), h("p.quiet", book.title, ". ", say("source", book))],
    [posted(book), play(book), raises(book), offered(book), settings(book)],
  );
}

/** @typedef {ReturnType<typeof part> | null} Part */

/**
 * Draw a page: its head, its own parts, and the parts that every page has.
 * @param {any} book
 * @param {Child[]} head
 * @param {Part[]} own
 */
function show(book, head, own) {
  const parts = [...own, procedure(book), irregularities(book), record(book)].filter((each) => each !== null);
  fill(
    find("#main"),
    h("p.crumbs", h("a", { href: "/rules" }, say("rules-all"))),
    head,
    h(
      "nav.contents",
      { "aria-label": say("contents") },
      parts.map(({ code }) => h("a", { href: `#${code}` }, say(`part.${code}`))),
    ),
    parts.map(({ element }) => element),
  );
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** Everything that is posted at a table. @param {any} book */
const posted = (book) =>
  part(
    "posted",
    h(
      "ul",
      book.posted.map((/** @type {import("../wire.js").Posted} */ { code, text }) => h("li", { class: code }, text)),
    ),
  );

/** The pay tables that a table offers. @param {any} book */
function offered(book) {
  if (!book.offers.length) return null;
  const bonus = book.settings.some((/** @type {any} */ { key, value }) => key === "jackpot" && value === "bonus");
  const tables = offeredPayTables(book, { bonus }).map((/** @type {Child} */ table) => h("div.panel", table));
  return part(
    "bets",
    h("p", say(`expose.${book.expose}`), " ", book.paid_at_once && say("paid-at-once")),
    h("div.paytables", tables),
  );
}

/** The settings of a table that are not the usual ones. @param {any} book */
function settings(book) {
  const changed = book.settings.filter((/** @type {any} */ setting) => setting.value !== setting.default);
  if (!changed.length) return null;
  const rows = changed.map((/** @type {any} */ { key, description, value, value_cents: cents }) =>
    h("div", { "data-setting": key }, h("dt", description), h("dd", cents ? formatDollars(cents) : value)),
  );
  return part("settings", h("dl.in-force", rows));
}

/** A rule or notice, with its condition if it has one. @param {Text} text */
const sentence = (text) =>
  typeof text === "string" ? h("li", text) : h("li", text.text, " ", h("small.when", say(`when.${text.when}`)));

/** @param {any} book */
const play = (book) => part("play", h("p.lead", book.qualifier.text), h("ol.rules", book.rules.map(sentence)));

/** The Raise for each length of the flush. @param {any} book */
function raises(book) {
  const rows = book.raise_sizes.map((/** @type {[string, string]} */ [cards, size]) =>
    h("tr", h("th", { scope: "row" }, cards), h("td.number", size)),
  );
  return part(
    "raise",
    h("p", raiseKind(book.traits), " ", book.raise.minimum_open && say("raise-open")),
    drawTable(
      "table.raises",
      say("part.raise"),
      [
        [say("column.flush"), false],
        [say("column.raise"), true],
      ],
      rows,
    ),
  );
}

/** @param {any} book */
function bets(book) {
  /** @type {Map<string, PayTable[]>} */
  const byWager = new Map();
  for (const table of book.paytables) byWager.set(table.wager, [...(byWager.get(table.wager) ?? []), table]);
  const offered = new Set(book.offers.map((/** @type {any} */ offer) => offer.paytable));
  const groups = [...byWager].map(([wager, tables]) =>
    h(
      "details",
      { open: true, "data-wager": wager },
      h(
        "summary",
        h("h3", sayWager({ wager })),
        h(
          "span.quiet",
          say("tables-of", { count: tables.length, offered: tables.some((table) => offered.has(table.id)) }),
        ),
      ),
      wager === "progressive" && h("p.quiet", say("pays-for", { modes: book.jackpot_modes })),
      h(
        "div.paytables",
        tables.map((table) =>
          h(
            "div.panel",
            payTable(table),
            table.meter_texts.map((text) => h("p.plan", text)),
          ),
        ),
      ),
    ),
  );
  return part("bets", h("p", say(`expose.${book.expose}`), " ", book.paid_at_once && say("paid-at-once")), groups);
}

/** @param {any} book */
function limits(book) {
  const { posted } = book.traits;
  const lines = posted.map((/** @type {import("../wire.js").Words} */ words) => h("li", words.text));
  return part("limits", posted.length ? h("ul", lines) : h("p", say("limits-none")), h("p.quiet", say("limits-table")));
}

/** @param {any} book */
function notices(book) {
  if (!book.notices.length && !book.notice) return null;
  return part(
    "notices",
    h("ul", book.notices.map(sentence)),
    book.notice && [h("p", say("notice-bonus")), h("blockquote", book.notice)],
  );
}

/** @param {any} book */
function procedure(book) {
  if (!book.procedure.length) return null;
  /** @type {{part: string, steps: any[]}[]} */
  const parts = [];
  for (const step of book.procedure) {
    if (parts.at(-1)?.part !== step.part) parts.push({ part: step.part, steps: [] });
    parts.at(-1)?.steps.push(step);
  }
  let number = 1;
  const sections = parts.map(({ part, steps }) => {
    const list = h(
      "ol",
      { start: number },
      steps.map((step) =>
        h("li", step.text, " ", step.clauses.length > 0 && h("small.clauses", step.clauses.join(", "))),
      ),
    );
    number += steps.length;
    return h("div.steps-of", h("h3", say(`procedure.${part}`, {}, part)), list);
  });
  return part("procedure", h("p.quiet", say("clauses")), sections);
}

/** @param {any} book */
function irregularities(book) {
  const rows = Object.entries(/** @type {Record<string, any>} */ (book.irregularities));
  if (!rows.length) return null;
  return part("irregularities", h("ul", ...rows.map(([, row]) => h("li", say("irregularity", row)))));
}

/** @param {any} book */
function record(book) {
  const items = book.record.map((/** @type {string} */ text) => h("li", text));
  return items.length ? part("record", h("ul", items)) : null;
}

async function main() {
  open(say("rules"));
  fill(find("#main"), h("p.quiet", say("loading")));
  const [, , name] = location.pathname.split("/");
  const table = new URLSearchParams(location.search).get("table");
  await (table ? showTable(table) : name ? showOne(decodeURIComponent(name)) : showAll());
  await greet();
}

main().catch((error) => {
  if (error instanceof RefusalError && error.status === 404)
    fill(find("#main"), h("h1", say("rules-unknown")), h("p", h("a", { href: "/rules" }, say("rules-all"))));
  else complain(sayFailure(error));
});
