// The bets of one's own seat before the cards: chips by tap, drag or typing, on spots named as on the felt. What stands
// on the spots is the page's matter until it is placed; no side bet is made unless the player puts it there.
import { CHIPS } from "./chips.js";
import { arrows, fill, h, set } from "../core/dom.js";
import { draggable } from "./drag.js";
import * as money from "../core/money.js";
import { spots } from "./spots.js";
import { ownSeat } from "./store.js";
import { say, sayWager } from "../core/words.js";

/**
 * @typedef {import("./store.js").Table} Table
 * @typedef {import("../wire.js").Limit} Limit
 * @typedef {Record<string, number>} Slip
 */

const LAST = "hcf-last-bets";

/** @returns {Slip} */
function lastBets() {
  try {
    return JSON.parse(localStorage.getItem(LAST) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * The nearest amount that may be staked, not above what was asked for unless the least is.
 * @param {number} cents
 * @param {Limit} limit
 */
export function fit(cents, limit) {
  if (cents <= 0) return 0;
  const most = limit.maximum_cents ?? cents;
  const within = Math.max(limit.minimum_cents, Math.min(cents, most));
  return within - (within % Math.max(1, limit.step_cents));
}

/**
 * What is wrong with a slip; nothing if it may be placed.
 * @param {Slip} slip
 * @param {Record<string, Limit>} limits
 * @param {number | undefined} purse
 * @param {boolean} [bonus]
 */
export function wrong(slip, limits, purse, bonus = false) {
  for (const [wager, limit] of Object.entries(limits)) {
    const cents = slip[wager] ?? 0;
    const name = sayWager({ wager, bonus });
    if (!cents && limit.required) return say("bet-needed", { name, least: money.say(limit.minimum_cents) });
    if (!cents) continue;
    if (cents < limit.minimum_cents) return say("bet-least", { name, least: money.say(limit.minimum_cents) });
    if (limit.maximum_cents !== null && cents > limit.maximum_cents) return say("bet-most", { name, most: money.say(limit.maximum_cents) });
    if (cents % limit.step_cents) return say("bet-steps", { name, step: money.say(limit.step_cents) });
  }
  return purse !== undefined && total(slip) > purse ? say("bet-purse", { total: money.say(total(slip)), purse: money.say(purse) }) : "";
}

/** @param {Slip} slip */
const total = (slip) => Object.values(slip).reduce((sum, cents) => sum + cents, 0);

/**
 * @param {(wagers: Slip) => void} onPlace
 * @param {() => void} onClear
 */
export function betting(onPlace, onClear) {
  /** @type {Slip} */
  let slip = {};
  let chip = CHIPS[1];
  /** @type {Record<string, Limit>} */
  let limits = {};
  /** @type {number | undefined} */
  let purse;
  let round = -1;
  let placed = "";
  /** What is printed on the felt, and whether its jackpot is a bonus. @type {{offered: string[], bonus: boolean}} */
  let felt = { offered: [], bonus: false };

  const layout = spots((wager) => add(wager, chip), type);
  const rack = h("div", { class: "rack", role: "radiogroup", "aria-label": say("chips") });
  const advice = h("p", { class: "bet-advice", role: "status" });
  const place = h("button", { class: "main-action", "data-key": "b", onclick: send }, "");
  const rebet = h("button", { "data-key": "z", onclick: () => lay(lastBets()) }, say("rebet"));
  const double = h("button", { "data-key": "v", onclick: () => lay(Object.fromEntries(Object.entries(slip).map(([wager, cents]) => [wager, cents * 2]))) }, say("double"));
  const clear = h("button", { "data-key": "x", onclick: takeBack }, say("clear"));
  const keep = h("input", { type: "checkbox", id: "keep-sides" });
  const element = h(
    "section",
    { class: "betting", "aria-label": say("your-bets"), hidden: true },
    rack,
    h("div", { class: "actions" }, rebet, double, clear, h("label", { class: "keep" }, keep, say("keep-sides")), place),
    advice,
  );
  arrows(rack);
  for (const cents of CHIPS) {
    const button = h("button", { class: `chip chip-${cents}`, role: "radio", "aria-checked": cents === chip ? "true" : "false", onclick: () => pick(cents) }, money.say(cents));
    draggable(button, ".spot", (place) => add(place.dataset.wager ?? "", cents));
    rack.append(button);
  }

  /** @param {number} cents */
  function pick(cents) {
    chip = cents;
    [...rack.children].forEach((button, at) => set(button, { "aria-checked": CHIPS[at] === chip ? "true" : "false" }));
  }

  /** @param {string} wager @param {number} cents */
  function add(wager, cents) {
    const limit = limits[wager];
    if (!limit) return;
    const only = limit.maximum_cents === limit.minimum_cents;
    lay({ ...slip, [wager]: only ? (slip[wager] ? 0 : limit.minimum_cents) : fit((slip[wager] ?? 0) + cents, limit) });
  }

  /** @param {Slip} wanted */
  function lay(wanted) {
    slip = Object.fromEntries(Object.entries(wanted).filter(([wager, cents]) => limits[wager] && cents > 0).map(([wager, cents]) => [wager, fit(cents, limits[wager])]));
    show();
  }

  /** @param {string} wager @param {string} text */
  function type(wager, text) {
    const cents = text.trim() ? money.parse(text) : 0;
    if (cents === null) fill(advice, say("no-amount", { text }));
    else {
      slip = { ...slip, [wager]: cents };
      show();
    }
  }

  function show() {
    layout.draw({ ...felt, limits, stakes: slip, nets: {} });
    const error = wrong(slip, limits, purse, felt.bonus);
    const same = placed !== "" && JSON.stringify(sorted(slip)) === placed;
    place.disabled = Boolean(error) || same;
    fill(place, same ? say("bets-placed", { total: money.say(total(slip)) }) : say("place-bets", { total: money.say(total(slip)) }));
    fill(advice, error && total(slip) ? error : "");
    rebet.disabled = !Object.keys(lastBets()).length;
    double.disabled = clear.disabled = !total(slip);
  }

  function send() {
    const wagers = sorted(slip);
    if (wrong(wagers, limits, purse)) return;
    try {
      localStorage.setItem(LAST, JSON.stringify(wagers));
    } catch {
      // rebet then knows nothing
    }
    onPlace(wagers);
  }

  function takeBack() {
    slip = {};
    if (placed) onClear();
    show();
  }

  /** Time to bet. @param {Table} table @param {Record<string, Limit>} open what may be staked @param {typeof felt} printed */
  function draw(table, open, printed) {
    const stands = ownSeat(table)?.wagers ?? {};
    felt = printed;
    limits = open;
    purse = (table.balance_cents ?? 0) + total(stands);
    if (table.round && table.round.number !== round && round < 0) round = table.round.number;
    else if (table.round && table.round.number !== round) {
      round = table.round.number;
      const last = lastBets();
      slip = keep.checked ? Object.fromEntries(Object.entries(last).filter(([wager]) => wager !== "ante")) : {};
      placed = "";
    }
    const now = Object.keys(stands).length ? JSON.stringify(sorted(stands)) : "";
    if (now !== placed) {
      placed = now;
      if (now) slip = { ...stands };
    }
    show();
  }

  return { element, layout, draw, add: (/** @type {string} */ wager) => add(wager, chip), pick: (/** @type {number} */ at) => CHIPS[at] && pick(CHIPS[at]) };
}

/** Without what is not staked, always in the same order. @param {Slip} slip @returns {Slip} */
const sorted = (slip) => Object.fromEntries(Object.entries(slip).filter(([, cents]) => cents > 0).sort(([a], [b]) => a.localeCompare(b)));
