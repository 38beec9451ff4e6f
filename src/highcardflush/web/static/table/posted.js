// What is posted at the table, in every phase and to everybody: the meters, each with the notice of a bonus jackpot,
// and one short line for each cap, rule and notice. The limits of a wager are printed on its spot. A tap on the lines
// opens the full texts.
import { h } from "../core/dom.js";
import { say } from "../core/words.js";

/** @typedef {import("../wire.js").Posted} Posted */

/** Lines with another place: on the spots, and in full next to the amount of a bonus jackpot. */
const ELSEWHERE = ["limit", "raise", "bonus-notice"];

/** @param {Posted[]} lines @param {Element} meters @param {() => void} showTexts */
export function posted(lines, meters, showTexts) {
  const short = lines.filter(({ code }) => !ELSEWHERE.includes(code));
  return h(
    "div.posted",
    meters,
    short.length > 0 &&
      h(
        "button.posted-lines",
        { onclick: showTexts, title: say("notices") },
        short.map((line) => h("span.posted-line", { "data-posted": line.code }, line.short, " ")),
      ),
  );
}

/** The full texts. @param {Posted[]} lines @param {string} title */
export const postedTexts = (lines, title) => [
  h("p", h("strong", title)),
  h(
    "ul.posted-texts",
    lines.map(({ code, text }) => h("li", { "data-posted": code }, text)),
  ),
];
