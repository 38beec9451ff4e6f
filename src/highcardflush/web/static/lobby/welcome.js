// The top of the lobby: the way back to the player's own seats, playing alone, new chips for a player without, and the
// greatest meter.
import { meOrGuest, post } from "../core/api.js";
import { card } from "../core/cards.js";
import { fill, h, set } from "../core/dom.js";
import { odometer } from "../core/odometer.js";
import { complain, sayFailure } from "../core/page.js";
import { refillOffer } from "../core/refill.js";
import { traitLine } from "../core/traits.js";
import { say } from "../core/words.js";
import { drawPosted } from "./placard.js";

/**
 * @typedef {import("../wire.js").Meter} Meter
 * @typedef {import("../wire.js").Listed} Rulebook
 * @typedef {import("../wire.js").Me} Me
 */

/** The hand that decorates the lobby: five hearts of seven cards. */
const FAN = ["Ah", "Kh", "Th", "7h", "4h", "Js", "3c"];
/** The rulebook of a table to play alone, unless the player chooses another. */
const DEFAULT = "oxford";

/** @param {Rulebook[]} books @param {(who: Me) => void} onRefill */
export function welcome(books, onRefill) {
  const seats = h("div.own-seats", { role: "group", "aria-label": say("your-seats"), hidden: true });
  const refill = refillOffer(onRefill);
  const element = h(
    "section.hero",
    { "aria-labelledby": "tagline" },
    h(
      "div.welcome",
      seats,
      h("h1", { id: "tagline" }, say("tagline")),
      h("p", say("hero-text")),
      refill.element,
      alone(books),
    ),
  );
  let prize = jackpot(undefined);
  element.append(prize.element);

  /** @param {string[]} tables at which the player sits */
  function sitsAt(tables) {
    seats.hidden = !tables.length;
    fill(
      seats,
      tables.map((name) =>
        h("a.button.gold-action", { href: `/table/${encodeURIComponent(name)}` }, say("back-to-table", { name })),
      ),
    );
  }

  /** @param {Meter | undefined} meter the greatest */
  function show(meter) {
    if (meter?.name === prize.name) return;
    const before = prize.element;
    prize = jackpot(meter);
    before.replaceWith(prize.element);
  }

  return { element, sitsAt, show, tick: (/** @type {Meter} */ meter) => prize.tick(meter), refill };
}

/** Play alone, by the rulebook of one's choice. @param {Rulebook[]} books */
function alone(books) {
  const hint = h("p.hint");
  const choice = h(
    "select",
    { id: "alone-rulebook", onchange: describe },
    books.map(({ name }) => h("option", { value: name, selected: name === DEFAULT }, say("table-name", { name }))),
  );
  const button = h("button.gold-action", { type: "button", onclick: begin }, say("alone"));

  function describe() {
    const book = books.find(({ name }) => name === choice.value);
    fill(hint, book ? traitLine(book.traits) : "");
  }

  async function begin() {
    complain("");
    set(button, { disabled: true });
    try {
      await meOrGuest();
      const { table } = await post("/alone", { rulebook: choice.value });
      location.assign(`/table/${encodeURIComponent(table)}?sit`);
    } catch (error) {
      complain(sayFailure(error));
      set(button, { disabled: false });
    }
  }

  describe();
  return h(
    "section.alone",
    { "aria-labelledby": "alone-head" },
    h("h2", { id: "alone-head" }, say("alone"), h("span.start", say("start-here"))),
    h("p", say("alone-text")),
    h("div.choose", h("label", { for: "alone-rulebook" }, say("alone-rules")), choice),
    hint,
    h("p.ways", button, h("a.button.ghost", { href: "/how-to-play" }, say("hero-rules"))),
  );
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

/** The greatest meter, with everything that is posted with it. @param {Meter | undefined} meter */
function jackpot(meter) {
  const wheels = meter && odometer(meter.amount_micros, "great");
  const posted = h("div.posted");
  const last = h("p.last-hit");
  const element = h(
    "div.prize",
    fan(),
    meter &&
      h(
        "div.jackpot",
        { "data-meter": meter.name },
        h("p.meter-name", say("meter-name", { kind: meter.kind, level: "progressive" })),
        wheels?.element,
        h("p.fed", say(`fed.${meter.kind}`, { tables: meter.tables })),
        posted,
        last,
      ),
  );

  /** @param {Meter} now */
  function tick(now) {
    if (!wheels || now.name !== meter.name) return;
    wheels.draw(now.amount_micros);
    fill(posted, drawPosted(now));
    const hit = now.last_hits[0];
    fill(last, hit ? say("last-hit", { ...hit, at: new Date(hit.at_ms) }) : "");
    last.hidden = !hit;
  }

  if (meter) tick(meter);
  return { name: meter?.name, element, tick };
}
