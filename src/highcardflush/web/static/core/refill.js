// An offer of new play money for a player who cannot pay the smallest Ante any more.
import { get, post } from "./api.js";
import { h } from "./dom.js";
import { complain, sayFailure } from "./page.js";
import { say } from "./words.js";

/**
 * @typedef {import("../wire.js").Me} Me
 * @typedef {import("../wire.js").Place} Place
 */

/** The smallest Ante of the open tables, in cents. @param {Place[]} places */
export const smallestAnte = (places) =>
  Math.min(
    ...places.filter((place) => place.open && place.limits.ante).map((place) => place.limits.ante.minimum_cents),
  );

/** @param {(who: Me) => void} onRefill gets the person with the new balance */
export function refillOffer(onRefill) {
  const button = h("button.main-action", { type: "button", onclick: refill }, say("refill.get"));
  const element = h("p.refill", { role: "status", hidden: true }, h("strong", say("refill.broke")), " ", button);

  async function refill() {
    button.disabled = true;
    try {
      await post("/refill");
      onRefill(await get("/me"));
      complain("");
    } catch (error) {
      complain(sayFailure(error));
    }
    button.disabled = false;
  }

  /** Show the offer if the balance is too small. @param {Me | null} who @param {number} least_cents */
  function show(who, least_cents) {
    element.hidden = who?.balance_cents === undefined || who.balance_cents >= least_cents;
  }

  return { element, show };
}
