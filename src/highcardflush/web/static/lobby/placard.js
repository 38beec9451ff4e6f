// A table in the lobby: what makes it different, its meters, who sits there, and the ways to sit down or watch.
import { fill, h, set } from "../core/dom.js";
import { odometer } from "../core/odometer.js";
import { tableFeatures } from "../core/traits.js";
import { say } from "../core/words.js";
import { seatArc } from "./seat-arc.js";

/**
 * @typedef {import("../wire.js").Place} Place
 * @typedef {import("../wire.js").Meter} Meter
 * @typedef {import("../wire.js").Traits} Traits
 */

/**
 * @param {Place} place
 * @param {Map<string, Meter>} meters by name
 * @param {Traits | undefined} traits of its rulebook
 * @param {(name: string) => void} sit
 */
export function placard(place, meters, traits, sit) {
  const { name } = place;
  const arc = seatArc(place.seats);
  const own = Object.entries(place.meters).map(([level, meter]) => meterLine(level, meters.get(meter)));
  const status = h("p.free");
  const players = h("p.players");
  const button = h("button", { type: "button" });
  const watch = h(
    "a.button",
    { href: `/table/${encodeURIComponent(name)}`, "aria-label": say("watch-at", { name }) },
    say("watch"),
  );
  const rules = h(
    "a.button",
    {
      href: `/rules/${encodeURIComponent(place.rulebook)}?table=${encodeURIComponent(name)}`,
      "aria-label": say("rules-at", { name }),
    },
    say("rules"),
  );
  const back = h("a.button.main-action", { href: `/table/${encodeURIComponent(name)}` }, say("back-to-seat"));
  button.addEventListener("click", () => sit(name));
  const bonus = Object.values(place.meters).some((meter) => meters.get(meter)?.kind === "bonus");
  const card = h(
    "li.placard",
    { "data-table": name },
    h(
      "article",
      { "aria-label": say("table-name", { name }) },
      h("div.name", h("h3", say("table-name", { name })), status),
      h("p.features", tableFeatures(place, traits, bonus).join(" · ")),
      own.length > 0 && h("div.meters", ...own.map((line) => line.element)),
      h("div.sitters", arc.element, players),
      h("div.doors", back, button, watch, rules),
    ),
  );

  /** @param {Place} now @param {string | null} you the player's name */
  function update(now, you) {
    const freeSeats = now.seats - Object.keys(now.taken).length;
    const isOwn = you !== null && Object.values(now.taken).includes(you);
    arc.update(now.taken, you);
    fill(players, say("players", { names: namesOf(now.taken, you) }));
    const reason = now.physical ? "physical" : !now.open ? "closed" : freeSeats ? "" : "full";
    fill(status, reason ? say(`why.${reason}`) : say("free", { free: freeSeats }));
    fill(button, say(reason ? `door.${reason}` : "sit"));
    set(button, { disabled: Boolean(reason), "aria-label": reason ? null : say("sit-at", { name }) });
    button.hidden = isOwn;
    watch.hidden = isOwn;
    back.hidden = !isOwn;
    set(card, { "data-shut": reason || null, "data-own": isOwn, "data-empty": freeSeats === now.seats });
  }

  /** @param {Meter} meter */
  function tick(meter) {
    for (const line of own) line.update(meter);
  }

  return { card, update, tick };
}

/** The names of the players in the order of their seats, the player's own as "you". @param {Place["taken"]} taken
 * @param {string | null} you
 */
const namesOf = (taken, you) => Object.values(taken).map((name) => (name === you ? say("you-here") : name));

/**
 * A meter with its name, and with everything that is posted with its amount, such as the notice of a bonus jackpot.
 * @param {string} level
 * @param {Meter | undefined} meter
 */
export function meterLine(level, meter) {
  if (!meter) return { element: null, update: () => {} };
  const wheels = odometer(meter.amount_micros);
  const posted = h("div.posted");
  const show = (/** @type {Meter} */ now) => {
    wheels.draw(now.amount_micros);
    fill(posted, drawPosted(now));
  };
  show(meter);
  const element = h(
    "div.meter",
    { "data-meter": meter.name },
    h("p.meter-name", say("meter-name", { kind: meter.kind, level })),
    wheels.element,
    posted,
  );
  return { element, update: (/** @type {Meter} */ now) => now.name === meter.name && show(now) };
}

/** The lines that are posted with a meter's amount. @param {Meter} meter */
export const drawPosted = (meter) => meter.posted.map(({ code, short }) => h("p", { class: code }, short));
