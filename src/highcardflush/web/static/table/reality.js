// A reality check after every hour of play: the player's net, and a button to take a break. The browser stores when
// play began and with how much, for all pages and tables. Half an hour without play starts a new count.
import { post } from "../core/api.js";
import { h } from "../core/dom.js";
import { formatNet } from "../core/numbers.js";
import { say } from "../core/words.js";

const BREAK_MINUTES = 15;
const HOUR_MS = 3_600_000;
const AWAY_MS = HOUR_MS / 2;
const KEY = "hcf-play";

/**
 * @typedef {{name: string, cents: number}} Purse the player and the balance
 * @typedef {Purse & {start: number, lastSeen: number, hoursShown: number}} Play with the balance at its start, and the
 *   number of hours that the last reality check showed
 */

/**
 * The play, continued until now, or a new one.
 * @param {Play | null} play
 * @param {Purse} purse
 * @param {number} now
 * @returns {Play}
 */
export function continuePlay(play, purse, now) {
  const isSame = play && play.name === purse.name && now >= play.lastSeen && now - play.lastSeen < AWAY_MS;
  return isSame ? { ...play, lastSeen: now } : { ...purse, start: now, lastSeen: now, hoursShown: 0 };
}

/** The full hours of play, or 0 if they were shown before. @param {Play} play */
export function hoursOf(play) {
  const hours = Math.floor((play.lastSeen - play.start) / HOUR_MS);
  return hours > play.hoursShown ? hours : 0;
}

/** @returns {Play | null} */
function storedPlay() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Count the play, and show the reality check after every hour.
 * @param {Purse} purse
 * @param {() => Promise<unknown>} leave
 */
export function realityCheck(purse, leave) {
  const play = continuePlay(storedPlay(), purse, Date.now());
  const hours = hoursOf(play);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...play, hoursShown: hours || play.hoursShown }));
  } catch {
    return; // This browser stores nothing, so the page cannot count an hour.
  }
  if (hours && !document.querySelector("dialog[open]")) showCheck(hours, purse.cents - play.cents, leave);
}

/** @param {number} hours @param {number} net @param {() => Promise<unknown>} leave */
function showCheck(hours, net, leave) {
  const title = say("reality", { hours });
  const dialog = h(
    "dialog",
    { "aria-label": title },
    h("h2", title),
    h("p", say("reality-says", { net: formatNet(net) })),
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
