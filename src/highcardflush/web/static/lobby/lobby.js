// The lobby: all tables with their meters, a comparison of the rulebooks, and buttons that take a seat in one click.
import { get, meOrGuest } from "../core/api.js";
import { card } from "../core/cards.js";
import { fill, find, h, set } from "../core/dom.js";
import { followMeters, repeat } from "./feeds.js";
import { odometer } from "../core/odometer.js";
import { complain, greet, open, sayFailure } from "../core/page.js";
import { placard } from "./placard.js";
import { comparison } from "../core/traits.js";
import { say } from "../core/words.js";

/**
 * @typedef {import("../wire.js").Place} Place
 * @typedef {import("../wire.js").Meter} Meter
 * @typedef {import("../wire.js").Listed} Rulebook
 */

/** The hand that decorates the lobby: five hearts of seven cards. */
const FAN = ["Ah", "Kh", "Th", "7h", "4h", "Js", "3c"];

/** Go to a table and take a seat. A visitor without a session becomes a guest first. @param {string} name */
async function sit(name) {
  complain("");
  const buttons = document.querySelectorAll("button.main-action:not(:disabled)");
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
 * The table for a newcomer: the one with the most players, if possible among the tables of the meter at the top.
 * @param {Place[]} places
 * @param {Meter | undefined} meter
 */
function bestSeat(places, meter) {
  const players = (/** @type {Place} */ place) => Object.keys(place.taken).length;
  const free = places.filter((place) => place.open && !place.physical && players(place) < place.seats);
  const linked = free.filter((place) => meter?.tables.includes(place.name));
  return (linked.length ? linked : free).sort((a, b) => players(b) - players(a))[0];
}

/** The decorative hand above the meter. */
function fan() {
  const cards = FAN.map((text, i) => {
    const element = card(text, { isLifted: text[1] === "h" });
    element.style.setProperty("--place", String(i - (FAN.length - 1) / 2));
    return element;
  });
  return h("div.fan", { "aria-hidden": "true" }, cards);
}

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

/** @param {Meter | undefined} meter */
function hero(meter) {
  const wheels = meter && odometer(meter.amount_micros, "great");
  const last = h("p.last-hit");
  const button = h("button.gold-action");
  let name = "";
  button.addEventListener("click", () => sit(name));
  const element = h(
    "section.hero",
    { "aria-labelledby": "tagline" },
    h(
      "div.welcome",
      h("h1", { id: "tagline" }, say("tagline")),
      h("p", say("hero-text")),
      h("p.ways", button, h("a.button.ghost", { href: "/rules" }, say("hero-rules"))),
    ),
    h(
      "div.prize",
      fan(),
      meter &&
        h(
          "div.jackpot",
          { "data-meter": meter.name },
          h("p.meter-name", say("meter-name", { kind: meter.kind, level: "progressive" })),
          wheels?.element,
          h("p.fed", say(`fed.${meter.kind}`, { tables: meter.tables })),
          meter.notice && h("p.notice", meter.notice),
          last,
        ),
    ),
  );
  /** @param {Place[]} places */
  function seatAt(places) {
    const best = bestSeat(places, meter);
    name = best?.name ?? "";
    fill(button, best ? say("sit-at", { name }) : say("nowhere"));
    set(button, { disabled: !best });
  }
  /** @param {Meter} now */
  function tick(now) {
    if (!wheels || now.name !== meter.name) return;
    wheels.draw(now.amount_micros);
    const hit = now.last_hits[0];
    fill(last, hit ? say("last-hit", { ...hit, at: new Date(hit.at_ms) }) : "");
    last.hidden = !hit;
  }
  if (meter) tick(meter);
  return { name: meter?.name, element, seatAt, tick };
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

  /** @param {Place[]} places @param {Map<string, Meter>} meters */
  function show(places, meters) {
    const sortedPlaces = inOrder(places, meters);
    for (const name of [...cards.keys()].filter((each) => !places.some((place) => place.name === each))) remove(name);
    sortedPlaces.forEach((place, i) => {
      const key = keyOf(place);
      if (cards.get(place.name)?.key !== key) remove(place.name);
      const entry = cards.get(place.name) ?? { key, ...placard(place, meters, traits.get(place.rulebook), sit) };
      cards.set(place.name, entry);
      entry.update(place);
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

async function main() {
  open(say("lobby"));
  const page = find("#main");
  fill(page, h("p.quiet", say("loading")));
  const who = greet();
  const books = /** @type {Rulebook[]} */ (await get("/rulebooks"));
  const tables = floor(new Map(books.map((book) => [book.name, book.traits])));
  /** @type {Map<string, Meter>} */
  let meters = new Map();
  let top = hero(undefined);
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
    const great = greatest([...meters.values()]);
    if (great?.name !== top.name) {
      const before = top.element;
      top = hero(great);
      before.replaceWith(top.element);
    }
    tables.show(places, meters);
    top.seatAt(places);
  }

  await look();
  fill(
    page,
    top.element,
    h("section", { "aria-labelledby": "tables" }, h("h2", { id: "tables" }, say("tables")), tables.none, tables.list),
    h(
      "section",
      { "aria-labelledby": "books" },
      h("h2", { id: "books" }, say("apart")),
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
  await who;
}

main().catch((error) => complain(sayFailure(error)));
