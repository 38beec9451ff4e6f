// The meters of a table. A bonus jackpot always has its own name, and its notice is next to its amount.
import { fill, h } from "../core/dom.js";
import { formatMeter } from "../core/numbers.js";
import { odometer } from "../core/odometer.js";
import { say } from "../core/words.js";
import { isBonus, microsOf, noticeOf } from "./state.js";

/** @typedef {import("./state.js").State} State */

/** @param {State["levels"]} levels */
export function meters(levels) {
  const lines = Object.entries(levels).map(([level, meter]) => {
    const name = h("span.meter-name");
    const wheels = odometer(meter.amount_micros);
    return { level, name, wheels, element: h("p.meter", { "data-meter": meter.name }, name, wheels.element) };
  });
  const notice = h("p.notice");
  const element = h(
    "div.meters",
    { hidden: !lines.length },
    lines.map((line) => line.element),
    notice,
  );

  /** @param {State} state */
  function draw(state) {
    for (const { level, name, wheels } of lines) {
      wheels.draw(microsOf(state, level));
      fill(name, nameOf(state, level));
    }
    fill(notice, noticeOf(state) ?? "");
    notice.hidden = !isBonus(state);
  }

  return { element, draw };
}

/** The meters in a sentence. @param {State} state */
export function sayMeters(state) {
  const amounts = Object.keys(state.levels).map(
    (level) => `${nameOf(state, level)} ${formatMeter(microsOf(state, level))}`,
  );
  return [amounts.join(", ") || say("no-meters"), isBonus(state) ? noticeOf(state) : ""].filter(Boolean).join(". ");
}

/** @param {State} state @param {string} level */
const nameOf = (state, level) => say("meter-name", { kind: isBonus(state) ? "bonus" : "progressive", level });
