// Cards in words and as drawings. hands.js finds the flushes of a hand.
import { h, svg } from "./dom.js";
import { bySuit, parseCards, playingFlush, straightFlush } from "./hands.js";
import { say } from "./words.js";

export * from "./hands.js";

const PIPS = /** @type {Record<string, string>} */ ({
  s:
    "M50 8C38 26 14 36 14 58c0 14 11 22 21 22 5 0 9-2 12-5-1 " +
    "9-5 15-12 19h30c-7-4-11-10-12-19 3 3 7 5 12 5 10 0 21-8 21-22C86 36 62 26 50 8Z",
  h: "M50 90C24 68 8 52 8 34 8 21 17 12 29 12c9 0 17 5 21 13 4-8 12-13 21-13 12 0 21 9 21 22 0 18-16 34-42 56Z",
  d: "M50 6 86 50 50 94 14 50Z",
  c:
    "M50 8c-12 0-21 9-21 20 0 6 3 11 7 15-3-1-6-2-9-2C16 41 8 50 8 60s8 19 19 19c8 " +
    "0 15-4 19-10 0 11-5 19-13 25h34c-8-6-13-14-13-25 4 6 11 10 19 10 11 0 19-9 19-19s-8-19-19-19c-3 0-6 1-9 2 " +
    "4-4 7-9 7-15 0-11-9-20-21-20Z",
});

/** @param {string} rank */
const sayRank = (rank) => say(`rank.${rank}`);
/** @param {string[]} cards */
const sayRanks = (cards) => cards.map((card) => sayRank(card[0])).join(", ");

/** @param {string} card */
export const sayCard = (card) => say("card", { rank: sayRank(card[0]), suit: say(`suit.${card[1]}`) });

/** `hearts four: king, nine, five, two`, suit by suit, the longest first. @param {string[]} cards */
export const sayCards = (cards) =>
  bySuit(cards)
    .map((flush) => say("suit-of", { suit: say(`suit.${flush[0][1]}`), count: flush.length, ranks: sayRanks(flush) }))
    .join("; ");

/** The flush that plays, in words. @param {string[]} cards @param {string | null} [keep] */
export function sayFlush(cards, keep = null) {
  const flush = playingFlush(cards, keep);
  return flush.length
    ? say("flush-of", { count: flush.length, suit: say(`suit.${flush[0][1]}`), ranks: sayRanks(flush) })
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
  const original = drawings.get(card) ?? svg("svg", CARD_BOX, ...(card ? face(card) : back()));
  drawings.set(card, original);
  return original.cloneNode(true);
}

/** @param {string} card */
function face(card) {
  const rank = card[0] === "T" ? "10" : card[0];
  const pip = (/** @type {string} */ place) => svg("path", { d: PIPS[card[1]], transform: place, class: "pip" });
  return [
    svg("rect", { x: 1.5, y: 1.5, width: 97, height: 137, rx: 9, class: "paper" }),
    svg("text", { x: 8, y: 38, class: "rank", "text-anchor": "start" }, rank),
    pip("translate(8 44) scale(.26)"),
    pip("translate(28 62) scale(.62)"),
    svg("text", { x: 92, y: 132, class: "letter", "text-anchor": "end" }, say(`letter.${card[1]}`)),
  ];
}

function back() {
  const lines = [];
  for (let at = -120; at < 110; at += 14) lines.push(`M${at} 132 ${at + 124} 8`, `M${at} 8 ${at + 124} 132`);
  return [
    svg("rect", { x: 1.5, y: 1.5, width: 97, height: 137, rx: 9, class: "paper" }),
    svg(
      "svg",
      { x: 8, y: 8, width: 84, height: 124, viewBox: "8 8 84 124" },
      svg("rect", { x: 8, y: 8, width: 84, height: 124, rx: 5, class: "field" }),
      svg("path", { d: lines.join(""), class: "lattice" }),
    ),
  ];
}
