// The lobby: the way back to a seat, playing alone, all shared tables with their meters, and the rulebooks compared.
import { get, meOrGuest } from "../core/api.js";
import { fill, find, h, set } from "../core/dom.js";
import { complain, greet, lastTable, open, sayFailure, showPurse } from "../core/page.js";
import { smallestAnte } from "../core/refill.js";
import { comparison } from "../core/traits.js";
import { say } from "../core/words.js";
import { followMeters, repeat } from "./feeds.js";
import { placard } from "./placard.js";
import { welcome } from "./welcome.js";

/**
 * @typedef {import("../wire.js").Place} Place
 * @typedef {import("../wire.js").Meter} Meter
 * @typedef {import("../wire.js").Listed} Rulebook
 * @typedef {import("../wire.js").Me} Me
 */

/** Go to a table and take a seat. A visitor without a session becomes a guest first. @param {string} name */
async function sit(name) {
  complain("");
  const buttons = document.querySelectorAll(".placard button:not(:disabled)");
  for (const button of buttons) set(button, { disabled: true });
  try {
    await meOrGuest();
    location.assign(`/table/${encodeURIComponent(name)}?sit`);
  } catch (error) {
    complain(sayFailure(error));
    for (const button of buttons) set(button, { disabled: false });
  }
}

/**
 * The meter at the top of the lobby: a progressive if there is one, then the meter with the most tables, then the
 * largest.
 * @param {Meter[]} meters
 */
function greatest(meters) {
  const rank = (/** @type {Meter} */ meter) => [
    meter.kind === "progressive" ? 1 : 0,
    meter.tables.length,
    meter.amount_micros,
  ];
  return [...meters].sort((a, b) => compare(rank(b), rank(a)))[0];
}

/** @param {number[]} one @param {number[]} other */
const compare = (one, other) => one.map((value, i) => value - other[i]).find((difference) => difference !== 0) ?? 0;

/**
 * Tables with a progressive, then with a bonus jackpot, then the others, each kind by name.
 * @param {Place[]} places
 * @param {Map<string, Meter>} meters
 */
function inOrder(places, meters) {
  const kinds = ["progressive", "bonus", undefined];
  const rank = (/** @type {Place} */ place) => kinds.indexOf(meters.get(Object.values(place.meters)[0])?.kind);
  return [...places].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/**
 * A card for each table, built when the table appears or gets another game, and removed with the table.
 * @param {Map<string, import("../wire.js").Traits>} traits by rulebook
 */
function floor(traits) {
  const list = h("ul.placards");
  const none = h("p.nothing", say("no-tables"));
  /** @type {Map<string, {key: string} & ReturnType<typeof placard>>} */
  const cards = new Map();

  /** @param {Place[]} places @param {Map<string, Meter>} meters @param {string | null} you */
  function show(places, meters, you) {
    const sortedPlaces = inOrder(places, meters);
    for (const name of [...cards.keys()].filter((each) => !places.some((place) => place.name === each))) remove(name);
    sortedPlaces.forEach((place, i) => {
      const key = keyOf(place);
      if (cards.get(place.name)?.key !== key) remove(place.name);
      const entry = cards.get(place.name) ?? { key, ...placard(place, meters, traits.get(place.rulebook), sit) };
      cards.set(place.name, entry);
      entry.update(place, you);
      if (list.children[i] !== entry.card) list.insertBefore(entry.card, list.children[i] ?? null);
    });
    none.hidden = places.length > 0;
  }
  /** @param {string} name */
  function remove(name) {
    cards.get(name)?.card.remove();
    cards.delete(name);
  }
  /** @param {Meter} meter */
  function tick(meter) {
    for (const card of cards.values()) card.tick(meter);
  }
  return { list, none, show, tick };
}

/** The data of a table that its card draws only once. @param {Place} place */
const keyOf = ({ rulebook, title, physical, seats, limits, offers, meters }) =>
  JSON.stringify([rulebook, title, physical, seats, limits, offers, meters]);

/** The names of the meters of these tables. @param {Place[]} places */
const metersOf = (places) => new Set(places.flatMap((place) => Object.values(place.meters)));

/** The last visited table, if it is not in the list of shared tables and the player still sits there.
 * @param {Place[]} places
 * @param {string} you
 * @returns {Promise<Place[]>}
 */
async function ownTable(places, you) {
  const name = lastTable();
  if (name === null || places.some((place) => place.name === name)) return [];
  const place = /** @type {Place | null} */ (await get(`/tables/${encodeURIComponent(name)}`).catch(() => null));
  return place && isAt(place, you) ? [place] : [];
}

/** @param {Place} place @param {string} you */
const isAt = (place, you) => Object.values(place.taken).includes(you);

async function main() {
  open(say("lobby"));
  const page = find("#main");
  fill(page, h("p.quiet", say("loading")));
  const [books, person] = /** @type {[Rulebook[], Me | null]} */ (await Promise.all([get("/rulebooks"), greet()]));
  let who = person?.role === "player" ? person : null;
  const tables = floor(new Map(books.map((book) => [book.name, book.traits])));
  const top = welcome(books, (now) => {
    who = now;
    showPurse(who);
    top.refill.show(who, 0);
  });
  /** @type {Map<string, Meter>} */
  let meters = new Map();
  const follow = followMeters((meter) => {
    meters.set(meter.name, meter);
    top.tick(meter);
    tables.tick(meter);
  });

  async function look() {
    const places = /** @type {Place[]} */ (await get("/tables"));
    if ([...metersOf(places)].some((name) => !meters.has(name))) {
      meters = new Map(/** @type {Meter[]} */ (await get("/meters")).map((meter) => [meter.name, meter]));
      follow([...meters.keys()]);
    }
    top.show(greatest([...meters.values()]));
    const you = who?.name ?? null;
    tables.show(places, meters, you);
    const own = you === null ? [] : places.filter((place) => isAt(place, you));
    if (you !== null) own.push(...(await ownTable(places, you)));
    top.sitsAt(own.map(({ name }) => name));
    top.refill.show(own.length ? null : who, smallestAnte(places));
  }

  await look();
  fill(
    page,
    top.element,
    h("section", { "aria-labelledby": "tables" }, h("h2", { id: "tables" }, say("tables")), tables.none, tables.list),
    h(
      "details.compared",
      h("summary", h("h2", say("apart"))),
      h("p.quiet", say("apart-text")),
      comparison(books, say("apart")),
    ),
  );
  let silent = false;
  repeat(async () => {
    try {
      await look();
      if (silent) complain("");
      silent = false;
    } catch (error) {
      silent = true;
      complain(sayFailure(error));
    }
  });
}

main().catch((error) => complain(sayFailure(error)));
