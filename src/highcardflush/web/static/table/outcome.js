// The line above the player's cards: the hand that plays, and after the reveal the player's own result, large, with the
// net of each wager and the grade of the decision. It stays until the player bets again. A sheet gives the reasons.
import { sayFlush, sayStraight, straightFlush } from "../core/cards.js";
import { drawIfChanged, fill, h, set } from "../core/dom.js";
import { formatDollars, formatNet } from "../core/numbers.js";
import { outcome as kindOf } from "../core/seats.js";
import { say, sayWager, sayWords } from "../core/words.js";
import { handOf } from "./own-hand.js";
import { isBonus, isRevealed, ownNet, ownResults } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").Result} Result
 */

const SHORTEST_RUN = 3;

/**
 * @param {Element} grade the chip with the grade of the decision
 * @param {() => void} onRegroup
 * @param {() => void} showReasons
 */
export function outcome(grade, onRegroup, showReasons) {
  const title = h("p.own-name");
  const nets = h("span.nets");
  const why = h("button.why-result", { onclick: showReasons }, say("why"));
  const regroup = h("button.regroup", { "data-key": "g", onclick: onRegroup }, say("regroup"));
  const straight = h("span.straight");
  const more = h("div.outcome-more", straight, nets, why, grade, regroup);
  const element = h("div.outcome", { role: "group", "aria-label": say("results") }, title, more);
  const reasons = h("div.reasons");

  /** @param {State} state */
  function draw(state) {
    const results = ownResults(state);
    const { cards, keep } = handOf(state);
    const bonus = isBonus(state);
    const hasResult = results.length > 0;
    const timedOut = hasResult ? state.finished?.timedOut : state.timedOut;
    element.classList.toggle("results", hasResult);
    why.hidden = nets.hidden = !hasResult;
    regroup.hidden = hasResult || !cards.length;
    fill(straight, hasResult ? "" : sayStraight(cards));
    drawIfChanged(title, [results, cards, keep, timedOut, titleOf(state)], () => {
      set(title, { class: hasResult ? `own-name sum ${kindOf(ownNet(state))}` : "own-name" });
      if (hasResult) fill(title, h("strong", titleOf(state)), timedOut && h("span.quiet", ` ${say("timed-out")}`));
      else if (timedOut) fill(title, say("timed-out"));
      else fill(title, cards.length ? sayFlush(cards, keep) : titleOf(state));
    });
    drawIfChanged(nets, [results, bonus], () =>
      fill(
        nets,
        results.map((result) => h("span", { class: kindOf(result.net_cents) }, sayNet(result, bonus, "spot"))),
      ),
    );
    drawIfChanged(reasons, [results, bonus, cards], () => fill(reasons, drawReasons(state)));
  }

  return { element, reasons, draw };
}

/** `You win $50`, or what the table waits for. @param {State} state */
function titleOf(state) {
  if (!ownResults(state).length) {
    const phase = isRevealed(state) ? state.view?.phase : "showdown";
    return say(`phase.${phase ?? "none"}`);
  }
  const net = ownNet(state);
  return say(`result.${kindOf(net)}`, { amount: formatDollars(Math.abs(net)) });
}

/** Each wager with its reason, and a link to the round. @param {State} state */
function drawReasons(state) {
  const bonus = isBonus(state);
  const results = ownResults(state);
  const number = state.finished?.number ?? 0;
  if (!results.length) return [h("p", say("no-result"))];
  return [
    h("p.sum", h("strong", { class: kindOf(ownNet(state)) }, say("net", { net: formatNet(ownNet(state)) }))),
    h(
      "ul.reason-list",
      byReason(state, results).map(([why, some]) =>
        h(
          "li",
          h(
            "span.nets",
            some.map((result) => h("strong", { class: kindOf(result.net_cents) }, sayNet(result, bonus))),
          ),
          h("span.why", why),
        ),
      ),
    ),
    h("a", { href: `/round/${encodeURIComponent(state.name)}/${number}`, target: "_blank" }, say("round-short")),
  ];
}

/** The player's last results in a sentence. @param {State} state */
export const sayResults = (state) =>
  ownResults(state)
    .map((result) => `${sayNet(result, isBonus(state))}, ${whyOf(state, result)}`)
    .join(". ") || say("no-result");

/** Results grouped by their reason. @param {State} state @param {Result[]} results */
function byReason(state, results) {
  /** @type {Map<string, Result[]>} */
  const groups = new Map();
  for (const result of results) {
    const why = whyOf(state, result);
    groups.set(why, [...(groups.get(why) ?? []), result]);
  }
  return [...groups];
}

/**
 * The reason of a result. If the hand held no straight flush at all, nothing was forgotten.
 * @param {State} state
 * @param {Result} result
 */
function whyOf(state, { reason, seat }) {
  const isNone = reason.code === "none-shown" && straightFlush(handOf(state).cards).length < SHORTEST_RUN;
  return isNone ? say("no-straight-flush") : sayWords(reason, seat);
}

/** @param {Result} result @param {boolean} bonus @param {"wager" | "spot"} [family] */
const sayNet = ({ wager, net_cents }, bonus, family = "wager") =>
  `${sayWager({ wager, bonus }, family)} ${formatNet(net_cents)}`;
