// Parts of the lists on the player's page: a time, a link to a round, and an amount won or lost.
import { h } from "../core/dom.js";
import { formatNet } from "../core/numbers.js";
import { say } from "../core/words.js";

const FORMAT = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

/** @param {number} ms */
export const formatTime = (ms) => FORMAT.format(ms);

/** @param {number} ms */
export const drawTime = (ms) => h("time", { datetime: new Date(ms).toISOString() }, formatTime(ms));

/** @param {string} table @param {number} number */
export const linkRound = (table, number) =>
  h("a", { href: `/round/${encodeURIComponent(table)}/${number}` }, say("own.round", { table, number }));

/** @param {number} cents */
export const drawNet = (cents) =>
  h("span", { class: cents > 0 ? "net up" : cents < 0 ? "net down" : "net" }, formatNet(Math.round(cents)));
