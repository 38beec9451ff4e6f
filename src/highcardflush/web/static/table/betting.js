// The player's bets before the cards: chips by tap, drag or typing. No side bet is made unless the player puts it
// there.
import { arrows, changed, fill, h, set } from "../core/dom.js";
import * as money from "../core/money.js";
import { say } from "../core/words.js";
import { CHIPS } from "./chips.js";
import { draggable } from "./drag.js";
import { total, wrong } from "./slip.js";
import { sorted } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {object} Bets
 * @property {(cents: number) => void} pick
 * @property {(wager: string, cents?: number) => void} add
 * @property {() => void} rebet
 * @property {() => void} double
 * @property {() => void} clear
 * @property {() => void} place
 * @property {(keep: boolean) => void} keepSides
 */

/** @param {Bets} bets */
export function betting(bets) {
  const chips = rack(bets);
  const advice = h("p.bet-advice", { role: "status" });
  const place = h("button.main-action", { "data-key": "b", onclick: bets.place }, "");
  const rebet = h("button", { "data-key": "z", onclick: bets.rebet }, say("rebet"));
  const double = h("button", { "data-key": "v", onclick: bets.double }, say("double"));
  const clear = h("button", { "data-key": "x", onclick: bets.clear }, say("clear"));
  const keep = h("input", { type: "checkbox", id: "keep-sides", onchange: () => bets.keepSides(keep.checked) });
  const element = h(
    "section.betting",
    { "aria-label": say("your-bets"), hidden: true },
    chips.element,
    h("div.actions", rebet, double, clear, h("label.keep", keep, say("keep-sides")), place),
    advice,
  );

  /** @param {State} state */
  function draw(state) {
    const error = wrong(state);
    const sum = total(state.slip);
    const isPlaced = sum > 0 && JSON.stringify(sorted(state.slip)) === JSON.stringify(state.placed);
    chips.draw(state);
    place.disabled = Boolean(error) || isPlaced;
    fill(place, say(isPlaced ? "bets-placed" : "place-bets", { total: money.say(sum) }));
    fill(advice, state.unread ? say("no-amount", { text: state.unread }) : sum ? error : "");
    rebet.disabled = !Object.keys(state.last).length;
    double.disabled = clear.disabled = !sum;
  }

  return { element, draw };
}

/** The chips of the house, one of which is picked. @param {Bets} bets */
function rack({ pick, add }) {
  const element = h("div.rack", { role: "radiogroup", "aria-label": say("chips") });
  for (const cents of CHIPS) {
    const chip = h(
      "button",
      { class: `chip chip-${cents}`, role: "radio", onclick: () => pick(cents) },
      money.say(cents),
    );
    draggable(chip, ".spot", (spot) => add(spot.dataset.wager ?? "", cents));
    element.append(chip);
  }
  arrows(element);

  /** @param {State} state */
  const draw = ({ chip }) =>
    changed(element, chip, () =>
      [...element.children].forEach((button, at) => set(button, { "aria-checked": String(CHIPS[at] === chip) })),
    );
  return { element, draw };
}
