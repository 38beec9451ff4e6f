// The suits, the flush and the straight flush of a hand, from the text of its cards ("AsKs9s 6d"). cards.js puts cards
// into words and draws them.

export const RANKS = "23456789TJQKA";
const SUITS = "shdc";

/** @typedef {"suit" | "rank"} Order */

/** The cards of a text such as `AsKs9s 6d`. @param {string} text @returns {string[]} */
export const parseCards = (text) => text.match(/[2-9TJQKA][shdc]/g) ?? [];

/** @param {string} card */
export const rankOf = (card) => RANKS.indexOf(card[0]);

/** A number by which suits of equal length compare. @param {string[]} cards */
const strength = (cards) => cards.map(rankOf).reduce((sum, rank) => sum * 13 + rank, 0);

/**
 * The suits of a hand, the best flush first, each from its highest card.
 * @param {string[]} cards
 * @returns {string[][]}
 */
export function bySuit(cards) {
  const suits = [...SUITS].map((suit) =>
    cards.filter((card) => card[1] === suit).sort((a, b) => rankOf(b) - rankOf(a)),
  );
  return suits.filter((cards) => cards.length).sort((a, b) => b.length - a.length || strength(b) - strength(a));
}

/**
 * The flush that plays: the kept suit, or the best suit.
 * @param {string[]} cards
 * @param {string | null} [keep]
 * @returns {string[]}
 */
export function playingFlush(cards, keep = null) {
  const suits = bySuit(cards);
  return suits.find((suit) => suit[0][1] === keep) ?? suits[0] ?? [];
}

/** @param {string[]} cards @param {Order} order */
export const sortCards = (cards, order) =>
  order === "suit"
    ? bySuit(cards).flat()
    : [...cards].sort((a, b) => rankOf(b) - rankOf(a) || SUITS.indexOf(a[1]) - SUITS.indexOf(b[1]));

/**
 * The longest straight flush of at least two cards, and the highest of equal length. An ace is also low.
 * @param {string[]} cards
 * @returns {string[]}
 */
export function straightFlush(cards) {
  /** @type {string[]} */
  let best = [];
  for (const suit of bySuit(cards)) {
    const at = new Map(suit.map((card) => [rankOf(card), card]));
    const ace = at.get(12);
    if (ace) at.set(-1, ace);
    for (let top = 12; top >= 0; top--) {
      const run = [];
      for (let rank = top; at.has(rank); rank--) run.push(/** @type {string} */ (at.get(rank)));
      if (
        run.length >= 2 &&
        (run.length > best.length || (run.length === best.length && rankOf(run[0]) > rankOf(best[0])))
      )
        best = run;
    }
  }
  return best;
}
