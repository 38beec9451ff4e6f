// A table in the lobby: its game, limits, players and meters, and the links to sit down or watch.
import { fill, h, set } from "../core/dom.js";
import { odometer } from "../core/odometer.js";
import { seatArc } from "./seat-arc.js";
import { traitLine } from "../core/traits.js";
import { say, sayWager } from "../core/words.js";

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
  const free = h("p.free");
  const button = h("button.main-action", { onclick: () => sit(name) });
  const watch = h(
    "a.button",
    { href: `/table/${encodeURIComponent(name)}`, "aria-label": say("watch-at", { name }) },
    say("watch"),
  );
  const bonus = Object.values(place.meters).some((meter) => meters.get(meter)?.kind === "bonus");
  const card = h(
    "li.placard",
    { "data-table": name },
    h(
      "article",
      { "aria-label": say("table-name", { name }) },
      h("div.felt", arc.place, own.length > 0 && h("div.meters", ...own.map((line) => line.element))),
      h(
        "div.about",
        h(
          "div",
          h("h3", say("table-name", { name })),
          h("p.quiet", h("a", { href: `/rules/${place.rulebook}` }, place.title)),
          traits && h("p.trait", traitLine(traits)),
        ),
        h("dl.bets", limits(place, bonus)),
      ),
      h("div.doors", free, button, watch),
    ),
  );

  /** @param {Place} now */
  function update(now) {
    const freeSeats = now.seats - Object.keys(now.taken).length;
    const lines = now.open
      ? [now.round && say("round-number", { number: now.round.number }), say(`phase.${now.phase ?? "none"}`)]
      : [say("closed")];
    arc.update(now.taken, /** @type {string[]} */ (lines.filter(Boolean)));
    const reason = now.physical ? "physical" : !now.open ? "closed" : freeSeats ? "" : "full";
    fill(free, reason ? say(`why.${reason}`) : say("free", { free: freeSeats }));
    fill(button, say(reason ? `door.${reason}` : "sit"));
    set(button, { disabled: Boolean(reason), "aria-label": reason ? null : say("sit-at", { name }) });
    set(card, { "data-shut": reason || null });
  }

  /** @param {Meter} meter */
  function tick(meter) {
    for (const line of own) line.update(meter);
  }

  update(place);
  return { card, update, tick };
}

/** The limits of the wagers, a line each. @param {Place} place @param {boolean} bonus */
function limits(place, bonus) {
  return Object.entries(place.limits).map(([wager, limit]) =>
    h("div", { "data-wager": wager }, h("dt", sayWager({ wager, bonus })), h("dd", say("amounts-short", limit))),
  );
}

/**
 * A meter with its name, and with its notice if it is a bonus jackpot.
 * @param {string} level
 * @param {Meter | undefined} meter
 */
export function meterLine(level, meter) {
  if (!meter) return { element: null, update: () => {} };
  const wheels = odometer(meter.amount_micros);
  const notice = h("p.notice");
  const show = (/** @type {Meter} */ now) => {
    wheels.draw(now.amount_micros);
    fill(notice, now.notice ?? "");
    notice.hidden = !now.notice;
  };
  show(meter);
  const element = h(
    "div.meter",
    { "data-meter": meter.name },
    h("p.meter-name", say("meter-name", { kind: meter.kind, level })),
    wheels.element,
    notice,
  );
  return { element, update: (/** @type {Meter} */ now) => now.name === meter.name && show(now) };
}
