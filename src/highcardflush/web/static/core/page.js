// The head and the foot of every page: links, settings, the player's name and balance, the way back to the table, and
// the notice about play money.
import { me, RefusalError } from "./api.js";
import { fill, find, h, svg } from "./dom.js";
import { icon } from "./icons.js";
import { formatDollars } from "./numbers.js";
import "./prefs.js";
import { say, sayError } from "./words.js";

/** The tabs: the icon, the address, and the first parts of the paths at which a tab is the current one. */
const TABS = /** @type {const} */ ([
  ["tables", "/", ["", "table"]],
  ["learn", "/how-to-play", ["how-to-play", "rules"]],
  ["you", "/account", ["account"]],
]);
/** Where the name of the last visited table is stored, for the way back to it. */
const LAST_TABLE = "hcf-table";

/**
 * @param {string} title
 * @param {{back?: {href: string, text: string} | null}} [options] the way back; by default to the last visited table
 */
export function open(title, { back = wayBack() } = {}) {
  document.title = `${title} · ${say("title")}`;
  const [, part] = location.pathname.split("/");
  fill(
    find("header"),
    h("a.brand", { href: "/" }, mark(), h("span", say("title"))),
    h(
      "nav",
      { "aria-label": say("nav") },
      TABS.map(([name, href, parts]) => {
        const isHere = /** @type {readonly string[]} */ (parts).includes(part);
        const current = isHere && (location.pathname === href ? "page" : "true");
        return h("a.tab", { href, "aria-current": current }, icon(name), h("span", say(`tab.${name}`)));
      }),
    ),
    h("p.purse", { "aria-live": "off" }),
    h(
      "button.plain.to-settings",
      { type: "button", "aria-label": say("settings"), title: say("settings"), onclick: showSettings },
      icon("settings"),
    ),
  );
  document.querySelector("body > .way-back")?.remove();
  if (back) find("header").after(h("nav.way-back", { "aria-label": say("back") }, backLink(back)));
  fill(find("footer"), h("p", say("play-money")));
}

/** @param {{href: string, text: string}} back */
const backLink = ({ href, text }) => h("a", { href }, icon("back"), text);

/** A link back to a table. @param {string} name */
export const backToTable = (name) => ({
  href: `/table/${encodeURIComponent(name)}`,
  text: say("back-to", { place: say("table-name", { name }) }),
});

/** The way back to the last visited table. The lobby has its own one. */
function wayBack() {
  const [, part, name] = location.pathname.split("/");
  if (part === "table") visit(decodeURIComponent(name));
  const last = lastTable();
  return part && part !== "table" && last !== null ? backToTable(last) : null;
}

/** Store the table that was visited last in this tab. @param {string} name */
function visit(name) {
  try {
    sessionStorage.setItem(LAST_TABLE, name);
  } catch {
    // This browser stores nothing, so other pages have no way back to the table.
  }
}

/** The table that was visited last in this tab, or null. */
export function lastTable() {
  try {
    return sessionStorage.getItem(LAST_TABLE);
  } catch {
    return null;
  }
}

/** The brand's mark: a spade on a card. */
const mark = () =>
  svg(
    "svg",
    { viewBox: "0 0 32 32", class: "brand-mark", "aria-hidden": "true" },
    svg("rect", { width: 32, height: 32, rx: 7, class: "mark-field" }),
    svg("path", {
      class: "mark-pip",
      d: "M16 6c-4 5-9 7-9 12a4.600 4.600 0 0 0 7.600 3.400L13 26h6l-1.600-4.600A4.600 4.600 0 0 0 25 18c0-5-5-7-9-12z",
    }),
  );

async function showSettings() {
  const { openSettings } = await import("./settings.js");
  openSettings();
}

/** Show the player's name and balance in the head. @param {{name: string, balance_cents?: number} | null} who */
export function showPurse(who) {
  const cents = who?.balance_cents;
  fill(
    find("header .purse"),
    who && h("a.who", { href: "/account" }, who.name),
    cents !== undefined && h("strong", formatDollars(cents)),
  );
}

/** Show the signed-in person in the head, and return that person, or null. */
export async function greet() {
  const who = await me();
  showPurse(who);
  return who;
}

/** Show an error at the top of the page until it is dismissed, or hide it if the text is empty. @param {string} text */
export function complain(text) {
  const place = find("#notice");
  const close = h("button.plain.dismiss", { "aria-label": say("close"), onclick: () => complain("") }, icon("close"));
  fill(place, text && [h("span", text), close]);
  place.hidden = !text;
}

/**
 * The text for a call that failed. An error that is neither a refusal nor a lost connection is thrown, as a bug.
 * @param {unknown} error
 */
export function sayFailure(error) {
  if (error instanceof RefusalError) return sayError(error.error);
  if (error instanceof TypeError) return say("error.offline");
  throw error;
}
