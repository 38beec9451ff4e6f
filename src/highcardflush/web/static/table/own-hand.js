// The player's cards, large, by suit or by rank. The flush that plays is lifted. The player taps cards to choose.
import { card, parseCards, playingFlush, sayCards, sortCards } from "../core/cards.js";
import { drawIfChanged, fill, h, set } from "../core/dom.js";
import { prefs } from "../core/prefs.js";
import { isFolded } from "../core/seats.js";
import { say } from "../core/words.js";
import { faceUp, keptSuit, raiseOf } from "./choice.js";
import { boardSeat, mayDecide } from "./state.js";

/** @typedef {import("./state.js").State} State */

/** The length of the animation that deals the cards. */
const DEAL_MS = 1200;

/** @param {(card: string) => void} onTap */
export function ownHand(onTap) {
  const element = h("div.hand.own-hand", { onclick: tapCard });
  let hadCards = false;

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
    if (!hadCards && cards.length) deal();
    hadCards = cards.length > 0;
    element.classList.toggle("folded", hasFolded);
    const flush = playingFlush(cards, keep);
    fill(
      element,
      sortCards(cards, /** @type {import("../core/hands.js").Order} */ (order)).map((text) =>
        card(text, { isLifted: flush.includes(text), isExposed: faceUpCards.includes(text) }),
      ),
    );
    set(element, { role: cards.length ? "group" : null, "aria-label": cards.length ? sayHand(cards) : null });
  }

  function deal() {
    element.classList.add("dealing");
    setTimeout(() => element.classList.remove("dealing"), DEAL_MS);
  }

  return { element, draw };
}

/** The cards, with the decision or the choices so far. @param {State} state */
export function handOf(state) {
  const seat = boardSeat(state);
  const decides = mayDecide(state);
  return {
    cards: parseCards(seat?.hand?.seen ?? ""),
    keep: decides ? keptSuit(state) : (seat?.decision?.keep ?? null),
    faceUpCards: decides ? faceUp(state, raiseOf(state)) : parseCards(seat?.decision?.expose ?? ""),
    hasFolded: isFolded(seat ?? null),
  };
}

/** @param {string[]} cards */
const sayHand = (cards) => (cards.length ? say("own-hand", { cards: sayCards(cards) }) : say("no-hand"));

/** The player's hand in a sentence. @param {State} state */
export const sayOwnHand = (state) => sayHand(handOf(state).cards);
