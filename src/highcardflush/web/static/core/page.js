// The head and the foot of every page: the player's name and balance, links, and the notice about play money.
import { me, RefusalError } from "./api.js";
import { fill, find, h } from "./dom.js";
import { formatDollars } from "./numbers.js";
import "./prefs.js";
import { say, sayError } from "./words.js";

/** @param {string} title */
export function open(title) {
  document.title = `${title} · ${say("title")}`;
  fill(
    find("header"),
    h("a.brand", { href: "/" }, say("title")),
    h(
      "nav",
      { "aria-label": say("nav") },
      h("a", { href: "/" }, say("lobby")),
      h("a", { href: "/rules" }, say("rules")),
      h("a", { href: "/account" }, say("account")),
    ),
    h("p.purse", { "aria-live": "off" }),
  );
  fill(find("footer"), h("p", say("play-money")));
}

/** Show the player's name and balance in the head. @param {{name: string, balance_cents?: number} | null} who */
export function showPurse(who) {
  const cents = who?.balance_cents;
  fill(find("header .purse"), who && h("span.who", who.name), cents !== undefined && h("strong", formatDollars(cents)));
}

/** Show the signed-in person in the head, and return that person, or null. */
export async function greet() {
  const who = await me();
  showPurse(who);
  return who;
}

/** Show an error at the top of the page, or hide it if the text is empty. @param {string} text */
export function complain(text) {
  const place = find("#notice");
  fill(place, text);
  place.hidden = !text;
}

/**
 * The text for a call that failed. An error that is neither a refusal nor a lost connection is thrown, as a bug.
 * @param {unknown} error
 */
export function sayFailure(error) {
  if (error instanceof RefusalError) return sayError(error.error);
  if (error instanceof TypeError) return say("error.offline");
  throw error;
}
