// The player's bets before the cards: the chips to tap or drag, and the buttons. The page never adds a side bet by
// itself.
import { addArrowKeys, drawIfChanged, fill, h, set } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { say } from "../core/words.js";
import { CHIPS } from "../core/chips.js";
import { draggable } from "./drag.js";
import { total, wrong } from "./slip.js";
import { sortSlip } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {object} Bets
 * @property {(cents: number) => void} pick
 * @property {(wager: string, cents?: number) => void} addChip
 * @property {() => void} rebet
 * @property {() => void} double
 * @property {() => void} clearBets
 * @property {() => void} placeBets
 * @property {(keep: boolean) => void} keepSides
 */

/** @param {Bets} bets */
export function betting(bets) {
  const chips = rack(bets);
  const advice = h("p.bet-advice", { role: "status" });
  const place = h("button.main-action", { "data-key": "b", onclick: bets.placeBets }, "");
  const rebet = h("button", { "data-key": "z", onclick: bets.rebet }, say("rebet"));
  const double = h("button", { "data-key": "v", onclick: bets.double }, say("double"));
  const clear = h("button", { "data-key": "x", onclick: bets.clearBets }, say("clear"));
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
    const isPlaced = sum > 0 && JSON.stringify(sortSlip(state.slip)) === JSON.stringify(state.betsInPlay);
    chips.draw(state);
    place.disabled = Boolean(error) || isPlaced;
    fill(place, say(isPlaced ? "bets-placed" : "place-bets", { total: formatDollars(sum) }));
    fill(advice, state.unread ? say("no-amount", { text: state.unread }) : sum ? error : "");
    rebet.disabled = !Object.keys(state.last).length;
    double.disabled = clear.disabled = !sum;
  }

  return { element, draw };
}

/** The chips to pick from. @param {Bets} bets */
function rack({ pick, addChip }) {
  const element = h("div.rack", { role: "radiogroup", "aria-label": say("chips") });
  for (const cents of CHIPS) {
    const chip = h(
      "button",
      { class: `chip chip-${cents}`, role: "radio", onclick: () => pick(cents) },
      formatDollars(cents),
    );
    draggable(chip, ".spot", (spot) => addChip(spot.dataset.wager ?? "", cents));
    element.append(chip);
  }
  addArrowKeys(element);

  /** @param {State} state */
  const draw = ({ chip }) =>
    drawIfChanged(element, chip, () =>
      [...element.children].forEach((button, at) => set(button, { "aria-checked": String(CHIPS[at] === chip) })),
    );
  return { element, draw };
}
