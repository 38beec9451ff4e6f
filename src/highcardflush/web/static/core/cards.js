// Cards in words and as elements. hands.js finds the flushes of a hand, card-art.js draws the cards.
import { drawBack, drawFace } from "./card-art.js";
import { h, svg } from "./dom.js";
import { bySuit, parseCards, playingFlush, straightFlush } from "./hands.js";
import { say } from "./words.js";

export * from "./hands.js";

/** @param {string} rank */
const sayRank = (rank) => say(`rank.${rank}`);
/** @param {string[]} cards */
const sayRanks = (cards) => cards.map((card) => sayRank(card[0])).join(", ");

/** @param {string} card */
export const sayCard = (card) => say("card", { rank: sayRank(card[0]), suit: say(`suit.${card[1]}`) });

/** `four hearts: king, nine, five, two`, suit by suit, the longest first. @param {string[]} cards */
export const sayCards = (cards) =>
  bySuit(cards)
    .map((flush) => say("suit-of", { suit: say(`suit.${flush[0][1]}`), count: flush.length, ranks: sayRanks(flush) }))
    .join("; ");

/** The flush that plays: `two spades, queen high`. @param {string[]} cards @param {string | null} [keep] */
export function sayFlush(cards, keep = null) {
  const flush = playingFlush(cards, keep);
  return flush.length
    ? say("flush-of", { count: flush.length, suit: say(`suit.${flush[0][1]}`), top: sayRank(flush[0][0]) })
    : "";
}

/** A straight flush of at least three cards, in words; empty if there is none. @param {string[]} cards */
export function sayStraight(cards) {
  const run = straightFlush(cards);
  return run.length >= 3
    ? say("straight-of", { count: run.length, suit: say(`suit.${run[0][1]}`), top: sayRank(run[0][0]) })
    : "";
}

/**
 * The visible cards of a hand, and backs for the others. The flush that plays is lifted.
 * @param {import("../wire.js").Hand | null | undefined} hand
 * @param {string | null} [keep] the suit that the player keeps
 */
export function handCards(hand, keep = null) {
  if (!hand) return [];
  const visibleCards = bySuit(parseCards(hand.seen)).flat();
  const flush = visibleCards.length === hand.cards ? playingFlush(visibleCards, keep) : [];
  const backs = Array.from({ length: hand.cards - visibleCards.length }, () => card(null));
  return [...visibleCards.map((each) => card(each, { isLifted: flush.includes(each) })), ...backs];
}

/**
 * @param {string | null} card null for a card that lies face down
 * @param {{isLifted?: boolean, isExposed?: boolean}} [options]
 */
export function card(card, { isLifted = false, isExposed = false } = {}) {
  const name = card ? sayCard(card) : say("face-down");
  const suit = card ? `suit-${card[1]}` : "back";
  return h(
    "span",
    {
      class: `card ${suit}${isLifted ? " lifted" : ""}${isExposed ? " exposed" : ""}`,
      role: "img",
      "aria-label": name,
      "data-card": card ?? "",
    },
    drawCard(card),
  );
}

const CARD_BOX = { viewBox: "0 0 100 140", "aria-hidden": "true" };

/** The drawing of each card. The page shows copies of it. @type {Map<string | null, SVGSVGElement>} */
const drawings = new Map();

/** @param {string | null} card */
function drawCard(card) {
  const original = drawings.get(card) ?? svg("svg", CARD_BOX, ...(card ? drawFace(card) : drawBack()));
  drawings.set(card, original);
  return original.cloneNode(true);
}
