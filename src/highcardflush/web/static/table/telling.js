// The dealer's announcements: each fact of a round as a line. A settlement is announced one result after the other, and
// the player may skip the rest. Screen readers get all lines of a message together.
import { fill, h } from "../core/dom.js";
import { prefs } from "../core/prefs.js";
import { say, sayFact } from "../core/words.js";

/**
 * @typedef {import("../wire.js").Fact} Fact
 */

const BEAT_MS = 650;
/** A settlement is announced within the pause that follows it. */
const WHOLE_MS = 4000;
/** The player's own results stay this many times as long. */
const OWN_BEATS = 3;
/** Facts that the cards show anyway. */
const SILENT = new Set(["HandDealt"]);
const MOST_LINES = 60;

/** @param {Fact} fact @param {number} you */
const lineOf = (fact, you) => (SILENT.has(fact.type) ? "" : sayFact(fact, you));

/** @param {Fact} fact @param {number} you */
const beatsOf = (fact, you) => (fact.type === "WagerSettled" && fact.result.seat === you ? OWN_BEATS : 1);

/** The length of each beat, so that all lines fit into the pause. @param {Fact[]} facts @param {number} you */
function beatMs(facts, you) {
  const beats = facts.filter((fact) => lineOf(fact, you)).reduce((sum, fact) => sum + beatsOf(fact, you), 0);
  return Math.min(BEAT_MS, WHOLE_MS / Math.max(1, beats));
}

/** @param {(fact: Fact) => void} onFact called for each fact when it is announced @param {() => void} onEnd */
export function telling(onFact, onEnd) {
  const says = h("p.says");
  const log = h("ol.log", { "aria-label": say("log") });
  const aloud = h("p.seen-not", { role: "status", "aria-live": "polite" });
  const skipping = h("button.skip", { "data-key": "s", onclick: finish, hidden: true }, say("skip"));
  /** The facts that wait for their announcement. @type {Fact[]} */
  let queue = [];
  /** The player's seat. */
  let you = 0;
  let beat = BEAT_MS;
  /** @type {number | undefined} */
  let timer;

  /** @param {Fact[]} facts @param {boolean} slowly one after the other @param {number} seat the player's */
  function tell(facts, slowly, seat) {
    finish();
    you = seat;
    beat = beatMs(facts, you);
    queue = [...facts];
    const lines = facts.map((fact) => lineOf(fact, you)).filter(Boolean);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (slowly && prefs.speed && !calm) step();
    else finish();
    if (lines.length) fill(aloud, lines.join(" "));
  }

  function step() {
    const fact = queue.shift();
    if (!fact) return stop();
    const isSpoken = utter(fact);
    skipping.hidden = !queue.length;
    timer = setTimeout(step, isSpoken ? (beat * beatsOf(fact, you)) / prefs.speed : 0);
  }

  /** Announce a fact; true if there is a line for it. @param {Fact} fact */
  function utter(fact) {
    onFact(fact);
    const text = lineOf(fact, you);
    if (!text) return false;
    fill(says, text);
    log.prepend(h("li", text));
    while (log.children.length > MOST_LINES) log.lastElementChild?.remove();
    return true;
  }

  function finish() {
    for (const fact of queue.splice(0)) utter(fact);
    stop();
  }

  function stop() {
    clearTimeout(timer);
    skipping.hidden = true;
    onEnd();
  }

  return {
    says,
    log,
    aloud,
    skipping,
    tell,
    finish,
    /** Show a line without announcing it. @param {string} text */
    begin: (text) => fill(says, text),
    /** Announce a text to screen readers, even if it is the same as before. @param {string} text */
    repeat(text) {
      fill(aloud, "");
      requestAnimationFrame(() => fill(aloud, text));
    },
  };
}
