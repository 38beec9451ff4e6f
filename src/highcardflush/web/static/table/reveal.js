// The moment of truth: the dealer's cards are turned suit by suit, then the results are shown. Lines that belong to a
// later moment wait until then, so that nothing is announced before it is seen.
import { prefs } from "../core/prefs.js";
import { dealerSuits, isRevealed, revealAll, revealNext } from "./state.js";

/** The time from the first suit to the results, at normal speed. */
const WHOLE_MS = 900;

/** @param {import("./actions.js").Store} store */
export function reveal(store) {
  /** @type {number | undefined} */
  let timer;
  /** What waits for the results. @type {(() => void)[]} */
  const waiting = [];

  /** Turn the dealer's cards, at the speed that the player has chosen. */
  function begin() {
    if (timer !== undefined || isRevealed(store.state)) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const suits = dealerSuits(store.state).length;
    if (!prefs.speed || calm || !suits) finish();
    else step(WHOLE_MS / suits / prefs.speed);
  }

  /** @param {number} beat */
  function step(beat) {
    store.update(revealNext);
    if (isRevealed(store.state)) finish();
    else timer = setTimeout(step, beat, beat);
  }

  function finish() {
    clearTimeout(timer);
    timer = undefined;
    if (!isRevealed(store.state)) store.update(revealAll);
    flush();
  }

  function flush() {
    for (const act of waiting.splice(0)) act();
  }

  return {
    begin,
    finish,
    /** Do something now, or once the results are shown. @param {() => void} act */
    then(act) {
      waiting.push(act);
      if (isRevealed(store.state)) flush();
    },
  };
}
