// The player's own place: the result and the cards, the betting spots, and below them the dock with the clock, a line
// of guidance and the buttons. Every part has its place in all phases, so that nothing moves under a finger.
import { h, set } from "../core/dom.js";
import { say } from "../core/words.js";
import { betting } from "./betting.js";
import { clock } from "./clock.js";
import { deciding } from "./deciding.js";
import { guide, isOnBreak } from "./guide.js";
import { outcome } from "./outcome.js";
import { ownHand } from "./own-hand.js";
import { spots } from "./spots.js";
import { isBetweenRounds, isDelayed, isRevealed, limitsNow, mayDecide } from "./state.js";

/** @typedef {import("./state.js").State} State */

/**
 * @param {ReturnType<typeof import("./actions.js").actions>} actions
 * @param {{advice: ReturnType<typeof import("./coach.js").coach>, skip: () => void, showReasons: () => void}} parts
 */
export function ownPlace(actions, { advice, skip, showReasons }) {
  const time = clock();
  const help = guide(actions);
  const layout = spots(actions.addChip, actions.type);
  const bets = betting(actions);
  const choice = deciding({ ...actions, decide, raiseTyped }, advice.ask);
  const idle = waiting({ ...actions, sitDown: () => actions.sitDown().then(focusIf), skip });
  const hand = ownHand(actions.tapCard);
  const result = outcome(advice.chip, actions.regroup, showReasons);
  const element = h(
    "div.place",
    { role: "group", "aria-label": say("your-place"), tabindex: -1 },
    h("div.own-area", result.element, hand.element, layout.element),
    h(
      "div.dock",
      h("div.status", help.element, time.element),
      h("div.buttons", bets.element, choice.element, idle.element),
    ),
  );

  /** @param {import("./choice.js").Choice} choice */
  function decide(choice) {
    return actions.decide(choice, advice);
  }

  function raiseTyped() {
    const choice = actions.typedRaise();
    if (choice) decide(choice);
  }

  /** @param {State} state */
  function draw(state) {
    const decides = mayDecide(state);
    const bettable = isRevealed(state) && (limitsNow(state) !== null || isBetweenRounds(state));
    const isBetting = !decides && state.you !== null && bettable && !isOnBreak(state);
    choice.element.hidden = !decides;
    bets.element.hidden = !isBetting;
    idle.element.hidden = decides || isBetting;
    for (const part of [hand, result, layout, bets, idle]) part.draw(state);
    if (decides) choice.draw(state);
    bets.element.inert = choice.element.inert = isDelayed(state);
    set(element, { "aria-busy": state.isSending ? "true" : null, "data-step": help.draw(state) || null });
    tick(state);
  }

  /** @param {State} state */
  const tick = (state) => time.draw(state, performance.now());
  /** Move the focus here, because the button that had it has disappeared. @param {boolean} isSeated */
  const focusIf = (isSeated) => isSeated && element.focus({ preventScroll: true });
  return { element, reasons: result.reasons, draw, tick, focusIf };
}

/**
 * The buttons while the player neither bets nor decides: take a seat, or skip the reveal.
 * @param {{sitDown: () => unknown, skip: () => unknown}} actions
 */
function waiting({ sitDown, skip }) {
  const skipping = h("button.skip", { "data-key": "s", onclick: skip }, say("skip"));
  const sit = h("button.main-action.sit-down", { onclick: sitDown }, say("sit"));
  const element = h("section.waiting", { "aria-label": say("your-turn-later") }, h("div.actions", skipping, sit));

  /** @param {State} state */
  function draw(state) {
    const hasSeat = Object.keys(state.taken).length < state.seats;
    skipping.hidden = isRevealed(state);
    sit.hidden = Boolean(state.you) || !hasSeat || !state.isOnline;
  }
  return { element, draw };
}
