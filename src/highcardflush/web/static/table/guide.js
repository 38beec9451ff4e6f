// The line above the buttons: what to do or to know now, one sentence at a time, with a button where one tap helps.
import { setPrefs, prefs } from "../core/prefs.js";
import { drawIfChanged, fill, h, set } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { say } from "../core/words.js";
import { betsToPlace, isBroke, tooLittleLeft, total, wrong } from "./slip.js";
import { isAlone, isBetweenRounds, isDelayed, isRevealed, limitsNow, mayDecide, ownNet, ownSeat } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {[code: string, act: () => unknown]} Button
 * @typedef {{text: string, isUrgent?: boolean, buttons?: Button[], step?: string}} Guidance `step` is the part of the
 *   place to which a newcomer is pointed
 * @typedef {{sitDown: () => unknown, refill: () => unknown, forgetSeat: () => unknown}} Helpers
 */

/** @param {Helpers} helpers */
export function guide(helpers) {
  const text = h("span.guide-text", { id: "guide", role: "status" });
  const buttons = h("span.guide-buttons");
  const element = h("div.guide", text, buttons);

  /** @param {State} state */
  function draw(state) {
    const { text: sentence, isUrgent = false, buttons: offered = [], step = "" } = guidance(state, helpers);
    set(element, { class: isUrgent ? "guide urgent" : "guide" });
    set(text, { "aria-live": isUrgent ? "assertive" : "polite" });
    fill(text, sentence);
    drawIfChanged(
      buttons,
      offered.map(([code]) => code),
      () =>
        fill(
          buttons,
          offered.map(([code, act]) => h("button", { onclick: act }, say(code))),
        ),
    );
    return step;
  }

  return { element, draw };
}

/** The first of these that applies. @param {State} state @param {Helpers} helpers @returns {Guidance} */
function guidance(state, helpers) {
  return (
    troubles(state, helpers) ??
    (mayDecide(state) ? ofDecision(state) : null) ??
    (state.you && limitsNow(state) ? ofBetting(state) : null) ??
    soundOffer(state) ?? { text: waitingFor(state) }
  );
}

/** @param {State} state @param {Helpers} helpers @returns {Guidance | null} */
function troubles(state, { sitDown, refill, forgetSeat }) {
  if (isDelayed(state)) return { text: say("sent-later"), isUrgent: true };
  if (state.lostSeat && !state.you && state.isOnline && state.seq)
    return {
      text: say("seat-lost"),
      buttons: [
        ["sit-again", sitDown],
        ["watch-on", forgetSeat],
      ],
    };
  if (state.you?.leaving) return { text: say("leaves-after") };
  if (isOnBreak(state) && !mayDecide(state))
    return { text: say("own.break.until", { time: formatTime(state.break_ends_ms ?? 0) }) };
  if (state.you && isBroke(state) && (limitsNow(state) || isBetweenRounds(state)) && isRevealed(state))
    return { text: say("out-of-chips"), buttons: [["refill", refill]] };
  return null;
}

/** @param {State} state */
export const isOnBreak = ({ break_ends_ms: end }) => end !== null && end > Date.now();

/** @param {number} ms */
const formatTime = (ms) => new Date(ms).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

/** @param {State} state @returns {Guidance | null} */
function ofDecision(state) {
  if (state.warning) return { text: say("throws-away"), isUrgent: true };
  if (state.raiseError) return { text: state.raiseError, isUrgent: true };
  if (state.isLearner) return { text: say("first-decision"), step: "decide" };
  const choice = state.you?.default;
  if (!choice || !state.clock) return { text: "" };
  const what =
    choice.type === "Fold" ? say("fold") : say("raise-to", { amount: formatDollars(choice.amount_cents ?? 0) });
  return { text: say("by-default", { what }) };
}

/** @param {State} state @returns {Guidance | null} */
function ofBetting(state) {
  if (state.unread) return { text: say("no-amount", { text: state.unread }), isUrgent: true };
  const sum = total(betsToPlace(state));
  const error = sum ? wrong(state, betsToPlace(state)) : "";
  if (error) return { text: error, isUrgent: true };
  const isPlaced = total(state.betsInPlay) > 0;
  const little = isPlaced ? "" : tooLittleLeft(state);
  if (little) return { text: little, isUrgent: true };
  if (state.isNewcomer && !isPlaced) return firstBet(state);
  return null;
}

/** @param {State} state @returns {Guidance} */
function firstBet(state) {
  if (state.slip.ante) return { text: say("first-bet.deal"), step: "deal" };
  return state.hasPicked
    ? { text: say("first-bet.ante"), step: "ante" }
    : { text: say("first-bet.chip"), step: "chip" };
}

/** Offer sounds once, after the first win. @param {State} state @returns {Guidance | null} */
function soundOffer(state) {
  if (prefs.hasHeardOfSounds || prefs.sounds || !state.finished || !isRevealed(state) || ownNet(state) <= 0)
    return null;
  const answer = (/** @type {boolean} */ sounds) => () => setPrefs({ sounds, hasHeardOfSounds: true });
  return {
    text: say("sound-offer"),
    buttons: [
      ["yes", answer(true)],
      ["no", answer(false)],
    ],
  };
}

/** The sentence about what the player waits for. @param {State} state */
function waitingFor(state) {
  if (!state.you) return say(Object.keys(state.taken).length < state.seats ? "take-a-seat" : "full");
  if (state.isQueued) return say("wait.queued");
  if (limitsNow(state) && total(state.betsInPlay)) return say("wait.betting");
  if (limitsNow(state)) return state.clock || isAlone(state) ? "" : say("waits-for-bet");
  if (isBetweenRounds(state)) return state.clock ? "" : say("next-round");
  return ownSeat(state) ? say(`wait.${state.view?.phase}`, {}, say("wait")) : say("not-in");
}
