// What the dealer says, one fact after the other: in the line beside the cards, in the log, and to who listens. A
// settlement is told seat by seat; its results count as told one by one, and whoever is in a hurry skips the rest.
import { fill, h } from "../core/dom.js";
import { prefs } from "../core/prefs.js";
import { say, sayTold } from "../core/words.js";

/** @typedef {import("../wire.js").Fact} Fact */

const BEAT_MS = 650;
/** A settlement is told within the pause that follows it. */
const WHOLE_MS = 4000;
/** What is one's own is told for so many times as long as the rest. */
const OWN_BEATS = 3;
/** Facts that the cards show anyway. */
const SILENT = new Set(["HandDealt"]);
const MOST_LINES = 60;

/** @typedef {{you: number, bonus: boolean, base_cents: number}} Around who listens, and what the jackpot is */

/** A fact in words; nothing for what is not said. @param {Fact} fact @param {Around} around */
const line = (fact, around) => (SILENT.has(fact.type) ? "" : sayTold(fact, around));

/** @param {() => void} onStep called whenever something more has been told */
export function telling(onStep) {
  const says = h("p", { class: "says" });
  const log = h("ol", { class: "log", "aria-label": say("log") });
  const aloud = h("p", { class: "seen-not", role: "status", "aria-live": "polite" });
  const skipping = h("button", { class: "skip", "data-key": "s", onclick: skip, hidden: true }, say("skip"));
  /** @type {Fact[]} */
  let waiting = [];
  /** @type {Set<string>} */
  let told = new Set();
  /** @type {number | undefined} */
  let timer;
  let beat = BEAT_MS;
  let around = { you: 0, bonus: false, base_cents: 100 };
  /** The seat whose wager is told now. */
  let at = 0;

  /** @param {Fact[]} facts @param {boolean} slowly @param {Around} listening */
  function tell(facts, slowly, listening) {
    finish();
    around = listening;
    waiting = [...facts];
    if (facts.some((fact) => fact.type === "RoundOpened")) told = new Set();
    const lines = facts.map((fact) => line(fact, around)).filter(Boolean);
    const beats = facts.reduce((sum, fact) => sum + (line(fact, around) ? beatsOf(fact) : 0), 0);
    beat = Math.min(BEAT_MS, WHOLE_MS / Math.max(1, beats));
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!slowly || !prefs.speed || calm) finish();
    else step();
    if (lines.length) fill(aloud, lines.join(" "));
  }

  function step() {
    const fact = waiting.shift();
    if (!fact) {
      stop();
      return onStep();
    }
    skipping.hidden = !waiting.length;
    const spoken = utter(fact);
    timer = setTimeout(step, spoken ? (beat * beatsOf(fact)) / prefs.speed : 0);
    onStep();
  }

  /** @param {Fact} fact */
  const beatsOf = (fact) => (fact.type === "WagerSettled" && fact.result.seat === around.you ? OWN_BEATS : 1);

  /** @param {Fact} fact */
  function utter(fact) {
    if (fact.type === "WagerSettled") told.add(`${fact.result.seat} ${fact.result.wager}`);
    at = fact.type === "WagerSettled" ? fact.result.seat : 0;
    const text = line(fact, around);
    if (!text) return false;
    fill(says, text);
    log.prepend(h("li", {}, text));
    while (log.children.length > MOST_LINES) log.lastElementChild?.remove();
    return true;
  }

  function finish() {
    clearTimeout(timer);
    for (const fact of waiting.splice(0)) utter(fact);
    stop();
  }

  function stop() {
    clearTimeout(timer);
    timer = undefined;
    at = 0;
    skipping.hidden = true;
  }

  function skip() {
    finish();
    onStep();
  }

  return {
    says, log, aloud, skipping, tell, skip,
    /** All results of a view that came whole count as told. @param {import("../wire.js").Result[]} results */
    know(results) {
      for (const result of results) told.add(`${result.seat} ${result.wager}`);
    },
    /** What stands beside the dealer before anything is told. @param {string} text */
    begin: (text) => fill(says, text),
    /** @param {number} seat @param {string} wager */
    isTold: (seat, wager) => told.has(`${seat} ${wager}`),
    /** The seat that is being settled; 0 if none is. */
    get seat() {
      return at;
    },
    /** Say something again, or besides. @param {string} text */
    repeat(text) {
      fill(aloud, "");
      requestAnimationFrame(() => fill(aloud, text));
    },
  };
}
