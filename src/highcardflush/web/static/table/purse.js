// The purse in the head of the page. It counts up to a new amount, so that a win is seen.
import { showPurse } from "../core/page.js";

const COUNT_MS = 700;

/** @param {string} name of the player */
export function purse(name) {
  /** The amounts that are shown and to be shown. @type {number | undefined} */
  let shown;
  /** @type {number | undefined} */
  let goal;
  let start = { cents: 0, ms: 0 };

  /** @param {number} cents */
  function show(cents) {
    shown = cents;
    showPurse({ name, balance_cents: cents });
  }

  /** @param {number} now */
  function count(now) {
    if (goal === undefined) return;
    const part = Math.min(1, (now - start.ms) / COUNT_MS);
    const eased = 1 - (1 - part) ** 3;
    show(part < 1 ? Math.round((start.cents + (goal - start.cents) * eased) / 100) * 100 : goal);
    if (part < 1) requestAnimationFrame(count);
  }

  /** @param {Pick<import("./state.js").State, "purse_cents">} state */
  function draw({ purse_cents: cents }) {
    if (cents === undefined || cents === goal) return;
    goal = cents;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (shown === undefined || cents < shown || calm) return show(cents);
    start = { cents: shown, ms: performance.now() };
    requestAnimationFrame(count);
  }
  return { draw };
}
