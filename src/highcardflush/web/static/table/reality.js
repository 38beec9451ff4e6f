// A reality check after every hour of play: the player's net, and a break by one tap. The browser stores when play
// began and with how much, over all pages and tables. Play starts again after half an hour without any.
import { post } from "../core/api.js";
import { h } from "../core/dom.js";
import * as money from "../core/money.js";
import { say } from "../core/words.js";

const BREAK_MINUTES = 15;
const HOUR_MS = 3_600_000;
const AWAY_MS = HOUR_MS / 2;
const KEY = "hcf-play";

/**
 * @typedef {{name: string, cents: number}} Purse who plays, and with how much
 * @typedef {Purse & {began: number, seen: number, told: number}} Play since when, when it was last seen, and how many
 *   hours were told
 */

/**
 * The play so far, a moment later.
 * @param {Play | null} play
 * @param {Purse} purse
 * @param {number} now
 * @returns {Play}
 */
export function goOn(play, purse, now) {
  const same = play && play.name === purse.name && now >= play.seen && now - play.seen < AWAY_MS;
  return same ? { ...play, seen: now } : { ...purse, began: now, seen: now, told: 0 };
}

/** Full hours that were not announced yet. @param {Play} play */
export function hoursOf(play) {
  const hours = Math.floor((play.seen - play.began) / HOUR_MS);
  return hours > play.told ? hours : 0;
}

/** @returns {Play | null} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Note that somebody plays, and show the reality check after every hour.
 * @param {Purse} purse
 * @param {() => Promise<unknown>} leave
 */
export function realityCheck(purse, leave) {
  const play = goOn(kept(), purse, Date.now());
  const hours = hoursOf(play);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...play, told: hours || play.told }));
  } catch {
    return; // this browser stores nothing, so the page cannot count an hour
  }
  if (hours && !document.querySelector("dialog[open]")) tell(hours, purse.cents - play.cents, leave);
}

/** @param {number} hours @param {number} net @param {() => Promise<unknown>} leave */
function tell(hours, net, leave) {
  const title = say("reality", { hours });
  const dialog = h(
    "dialog",
    { "aria-label": title },
    h("h2", title),
    h("p", say("reality-says", { net: money.sayNet(net) })),
    h(
      "form",
      { method: "dialog" },
      h("button.main-action", say("go-on")),
      h("button", { onclick: takeBreak }, say("take-break")),
    ),
  );
  async function takeBreak() {
    await post("/break", { minutes: BREAK_MINUTES });
    await leave();
    location.href = "/";
  }
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
