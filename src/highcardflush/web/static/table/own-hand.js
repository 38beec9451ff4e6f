// The player's cards, large, by suit or by rank. The flush that plays is lifted and named. The player taps cards to
// choose.
import { card, parseCards, playingFlush, sayCards, sayFlush, sayStraight, sortCards } from "../core/cards.js";
import { drawIfChanged, fill, h, set } from "../core/dom.js";
import { prefs } from "../core/prefs.js";
import { isFolded } from "../core/seats.js";
import { say } from "../core/words.js";
import { faceUp, keptSuit, raiseOf } from "./choice.js";
import { mayDecide, ownSeat } from "./state.js";

/** @typedef {import("./state.js").State} State */

/** The length of the animation that deals the cards. */
const DEAL_MS = 1200;

/** @param {(card: string) => void} onTap @param {() => void} onRegroup */
export function ownHand(onTap, onRegroup) {
  const hand = h("div.hand.own-hand", { onclick: tapCard });
  const name = h("p.own-name");
  const regroup = h("button.regroup", { "data-key": "g", onclick: onRegroup }, say("regroup"));
  const element = h("div.own-area", { hidden: true }, hand, h("div.own-head", name, regroup));

  /** @param {MouseEvent} event */
  function tapCard(event) {
    const target = event.target instanceof Element ? event.target.closest("[data-card]") : null;
    if (target) onTap(target.getAttribute("data-card") ?? "");
  }

  /** @param {State} state */
  function draw(state) {
    const values = { ...handOf(state), order: prefs.order };
    drawIfChanged(element, values, () => show(values));
  }

  /** @param {ReturnType<typeof handOf> & {order: string}} values */
  function show({ cards, keep, faceUpCards, hasFolded, order }) {
    if (element.hidden && cards.length) deal();
    element.hidden = !cards.length;
    element.classList.toggle("folded", hasFolded);
    const flush = playingFlush(cards, keep);
    fill(
      hand,
      sortCards(cards, /** @type {import("../core/hands.js").Order} */ (order)).map((text) =>
        card(text, { isLifted: flush.includes(text), isExposed: faceUpCards.includes(text) }),
      ),
    );
    set(hand, { role: cards.length ? "group" : null, "aria-label": cards.length ? sayHand(cards) : null });
    const run = sayStraight(cards);
    fill(name, sayFlush(cards, keep), run && h("span.straight", ` · ${run}`));
  }

  function deal() {
    hand.classList.add("dealing");
    setTimeout(() => hand.classList.remove("dealing"), DEAL_MS);
  }

  return { element, draw };
}

/** The cards, with the decision or the choices so far. @param {State} state */
function handOf(state) {
  const seat = ownSeat(state);
  const decides = mayDecide(state);
  return {
    cards: parseCards(seat?.hand?.seen ?? ""),
    keep: decides ? keptSuit(state) : (seat?.decision?.keep ?? null),
    faceUpCards: decides ? faceUp(state, raiseOf(state)) : parseCards(seat?.decision?.expose ?? ""),
    hasFolded: isFolded(seat),
  };
}

/** @param {string[]} cards */
const sayHand = (cards) => (cards.length ? say("own-hand", { cards: sayCards(cards) }) : say("no-hand"));

/** The player's hand in a sentence. @param {State} state */
export const sayOwnHand = (state) => sayHand(handOf(state).cards);
