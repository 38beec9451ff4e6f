// The player's bets before the cards: the chips to tap or drag, and the buttons. The page never adds a side bet by
// itself.
import { addArrowKeys, drawIfChanged, fill, h, set } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { say } from "../core/words.js";
import { CHIPS } from "../core/chips.js";
import { draggable } from "./drag.js";
import { isOnBreak } from "./guide.js";
import { betsToPlace, isPlaced, sayPlacing, total, wrong } from "./slip.js";
import { isOnlyPerson, isBetweenRounds, limitsNow } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {object} Bets
 * @property {(cents: number) => void} pick
 * @property {(wager: string, cents?: number) => void} addChip
 * @property {() => void} double
 * @property {() => void} clearBets
 * @property {() => void} placeBets
 * @property {() => void} skipPause
 * @property {(keep: boolean) => void} keepBets
 */

/** @param {Bets} bets */
export function betting(bets) {
  const chips = rack(bets);
  const place = h("button.main-action", { "data-key": "b", onclick: bets.placeBets }, "");
  const double = h("button", { "data-key": "v", onclick: bets.double }, say("double"));
  const clear = h("button", { "data-key": "x", onclick: bets.clearBets }, say("clear"));
  const skip = h("button", { "data-key": "s", onclick: bets.skipPause }, say("skip-pause"));
  const keep = h("input", { type: "checkbox", id: "keep-bets", onchange: () => bets.keepBets(keep.checked) });
  const element = h(
    "section.betting",
    { "aria-label": say("your-bets"), hidden: true },
    h("div.tools", chips.element, h("label.keep", keep, h("span", say("keep-bets")))),
    h("div.actions", clear, double, skip, place),
  );

  /** @param {State} state */
  function draw(state) {
    const isOpen = limitsNow(state) !== null;
    const mayPlace = (isOpen || isBetweenRounds(state)) && !isOnBreak(state);
    const slip = betsToPlace(state);
    chips.draw(state);
    place.disabled = !mayPlace || !total(slip) || Boolean(wrong(state, slip)) || isPlaced(state) || state.isQueued;
    fill(place, sayPlacing(state));
    skip.hidden = state.clock?.for !== "pause" || !isOnlyPerson(state) || state.isQueued;
    double.disabled = clear.disabled = !isOpen || !total(state.slip);
    keep.checked = state.keepBets;
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
