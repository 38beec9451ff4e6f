// The list of a proof's checks, each shown when it is done, and the verdict above them.
import { fill, h, svg } from "../core/dom.js";
import { say, sayWager } from "../core/words.js";
import { checks } from "./proof.js";

/** @typedef {import("./proof.js").Check} Check */

const MARKS = { good: "M4 13l5 5L20 6", bad: "M6 6l12 12M18 6 6 18", none: "M5 12h14" };

/** @param {Check} check @returns {keyof typeof MARKS} */
const state = ({ good }) => (good === null ? "none" : good ? "good" : "bad");

/** @param {keyof typeof MARKS} name */
const mark = (name) =>
  svg(
    "svg",
    { viewBox: "0 0 24 24", class: "mark", role: "img", "aria-label": say(`round.mark.${name}`) },
    svg("path", { d: MARKS[name] }),
  );

/**
 * @param {import("./proof.js").Published} publication
 * @param {boolean} bonus true if the jackpot was a bonus jackpot
 */
export function proofChecks(publication, bonus) {
  const verdict = h("p.verdict", { role: "status" });
  const list = h("ol.checks");

  /** Make and show every check, and return true if the proof holds. */
  async function run() {
    if (!globalThis.crypto?.subtle) {
      fill(verdict, say("round.no-crypto"));
      return false;
    }
    fill(verdict, say("round.checking"));
    /** @type {Check[]} */
    const results = [];
    for await (const check of checks(publication)) {
      results.push(check);
      list.append(row(check, bonus));
    }
    return drawVerdict(verdict, results);
  }

  return { verdict, list, run };
}

/** Show the verdict, and return true if the proof holds. @param {HTMLElement} verdict @param {Check[]} results */
function drawVerdict(verdict, results) {
  const wrong = results.findIndex((check) => check.good === false);
  const hasHands = results.some((check) => check.code === "hands" && check.good);
  verdict.dataset.state = wrong >= 0 ? "bad" : "good";
  const code = wrong >= 0 ? "round.refused" : hasHands ? "round.verified" : "round.verified-rules";
  const what = wrong >= 0 ? say(`round.check.${results[wrong].code}`, results[wrong].values) : "";
  fill(verdict, say(code, { steps: results.length, step: wrong + 1, what }));
  return wrong < 0;
}

/** @param {Check} check @param {boolean} bonus */
function row(check, bonus) {
  const { code } = check;
  const { wager, ...rest } = check.values;
  const values = wager ? { ...rest, wager: sayWager({ wager, bonus }) } : rest;
  const result = state(check);
  const why = { good: `round.proved.${code}`, bad: "round.wrong", none: `round.nothing.${code}` }[result];
  return h(
    "li",
    { class: `check ${result}`, "data-check": code },
    mark(result),
    h("div", h("strong", say(`round.check.${code}`, values)), h("p", say(why, values)), evidence(check)),
  );
}

/** The values of a check, for comparison. @param {Check} check */
function evidence({ code, good, values }) {
  if (good === false) return h("dl", pair("read", values.read), values.expected && pair("expected", values.expected));
  if (code === "commitment" || (code === "player-commitment" && good))
    return h("dl", pair("seed", values.seed), pair("sha256", values.commitment));
  if (code === "rules") return h("dl", pair("sha256", values.hash));
  if (code === "player-seeds" && good)
    return h(
      "dl",
      values.seeds.map((/** @type {{seat: number, seed: string}} */ { seat, seed }) =>
        h("div", h("dt", say("round.seat", { seat })), h("dd", seed || say("round.no-seed"))),
      ),
    );
  if (code === "deck") return h("details", h("summary", say("round.deck")), h("p.deck", values.deck.join(" ")));
  return null;
}

/** @param {string} name @param {string} text */
const pair = (name, text) => h("div", h("dt", say(`round.${name}`)), h("dd", text));
