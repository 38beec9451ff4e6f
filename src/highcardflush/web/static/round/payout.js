// The net of each wager of a round: the main game and every pay of a fixed amount, from the record, its rulebook and
// the rules of its side bets. `hcf verify` also checks shares of a meter, Envy Pays, wins that a cap may cut, and side
// bets without a known rule. This module does not use the page.

import { RANKS } from "../core/hands.js";
import { SUITS } from "./chance.js";

const ACE = 12;
/** Three cards, nine high: the minimum to qualify, unless a rulebook has another. */
const QUALIFIER = (3 << 13) | (1 << RANKS.indexOf("9"));

/** @typedef {import("./record.js").Round} Round */
/** @typedef {import("./record.js").Decision} Decision */
/** @typedef {import("../wire.js").SideBetRule} SideBetRule */
/** @typedef {Record<string, SideBetRule>} SideBets by wager */
/** @typedef {{cards: number, pay: number | string, "ace-high"?: boolean, dynamic?: number[]}} Line */
/** @typedef {{wager: string, pays: "to 1" | "for 1", lines: Line[]}} PayTable */
/**
 * @typedef {object} Rules the part of a rulebook that decides results
 * @property {string} name
 * @property {"refused" | "optional" | "required"} expose
 * @property {Record<string, PayTable>} paytables
 * @property {{wager: string, paytable: string}[]} [offers]
 * @property {{caps?: Record<string, Record<string, number>>, qualifier?: number}} [settings]
 * @property {boolean} [exposing-ends-bet]
 */
/** @typedef {Map<string, number | null>} Nets in cents by `SEAT WAGER`; null where this module cannot tell */

// --- hands ---------------------------------------------------------------------------------------

/** The ranks of a suit as bits, of which the two is the lowest. @param {string[]} cards @param {string} suit */
const mask = (cards, suit) =>
  cards.filter((card) => card[1] === suit).reduce((bits, card) => bits | (1 << RANKS.indexOf(card[0])), 0);

/**
 * The strength of the best suit as a number: length first, then ranks. The higher number wins.
 * @param {string[]} cards
 */
function flush(cards) {
  const suits = [...SUITS].map((suit) => (cards.filter((card) => card[1] === suit).length << 13) | mask(cards, suit));
  return Math.max(...suits);
}

/** The number of cards and the top rank of the longest run in a suit, or the highest such run. @param {number} ranks */
function run(ranks) {
  let runs = (ranks << 1) | (ranks >> ACE);
  let [length, tops] = [0, 0];
  while (runs) {
    [length, tops] = [length + 1, runs];
    runs &= runs << 1;
  }
  return { cards: length, top: 31 - Math.clz32(tops) - 1 };
}

/**
 * @typedef {{cards: number, top: number}} Match the number of cards that a side bet counts, 0 for no match, and
 *   their highest rank
 */

/** The best match of a side bet in one suit. @param {SideBetRule} rule @param {string[]} cards @returns {Match} */
export function match(rule, cards) {
  const countingCards = cards.filter((card) => rule.ranks.includes(card[0]));
  const matches = [...SUITS].map((suit) => {
    if (rule.counts === "cards") return { cards: countingCards.filter((card) => card[1] === suit).length, top: 0 };
    const longest = run(mask(countingCards, suit));
    return longest.cards >= rule.smallest ? longest : { cards: 0, top: 0 };
  });
  return matches.reduce((best, each) => (isBetter(each, best) ? each : best));
}

/** @param {Match} one @param {Match} other */
const isBetter = (one, other) => (one.cards - other.cards || one.top - other.top) > 0;

/** @param {PayTable} table @param {Match} match */
const lineFor = (table, match) =>
  table.lines.find(
    (line) => match.cards > line.cards || (match.cards === line.cards && (!line["ace-high"] || match.top === ACE)),
  );

/** @param {Line} line */
const nameOf = (line) => `${line.cards}-card${line["ace-high"] ? "-ace-high" : ""}`;

// --- pay tables ----------------------------------------------------------------------------------

/**
 * The pay table of a side bet at the round's table.
 * @param {Round} round
 * @param {Map<string, Rules>} books by name
 * @param {string} wager
 * @returns {PayTable | undefined}
 */
export function payTable(round, books, wager) {
  const rules = /** @type {Rules} */ (books.get(round.rulebook));
  const offers = round.offers.length ? round.offers : (rules.offers ?? []);
  const name = offers.find((offer) => offer.wager === wager)?.paytable;
  if (name === undefined) return undefined;
  const slash = name.indexOf("/");
  return rules.paytables[name] ?? books.get(name.slice(0, slash))?.paytables[name.slice(slash + 1)];
}

/** The lines that have Dynamic Pays. @param {PayTable | undefined} table */
export const dynamicLines = (table) =>
  (table?.lines ?? [])
    .filter((line) => line.dynamic)
    .map((line) => ({ name: nameOf(line), dynamic: line.dynamic ?? [] }));

// --- results -------------------------------------------------------------------------------------

/**
 * The net of every wager of a finished round.
 * @param {Round} round
 * @param {Map<string, Rules>} books the round's rulebook, and the rulebooks whose pay tables it uses
 * @param {SideBets} bets
 * @returns {Nets}
 */
export function payout(round, books, bets) {
  /** @type {Nets} */
  const nets = new Map();
  for (const [seat, wagers] of round.seats) {
    const decision = round.decisions.get(seat);
    if (round.void || round.voids.has(seat)) {
      const stakes = decision?.raise ? new Map([...wagers, ["raise", decision.raise]]) : wagers;
      for (const [wager, stake] of stakes) nets.set(`${seat} ${wager}`, voidNet(round, seat, stake));
    } else {
      if (wagers.has("ante")) mainGame(nets, round, books.get(round.rulebook)?.settings?.qualifier ?? QUALIFIER, seat);
      for (const [wager, stake] of wagers)
        if (wager !== "ante") nets.set(`${seat} ${wager}`, sideBet(round, books, bets[wager], seat, wager, stake));
    }
  }
  return dropCapped(nets, round, books);
}

/** @param {Round} round @param {number} seat @param {number} stake */
const voidNet = (round, seat, stake) => (round.void || round.voids.get(seat) === "return" ? 0 : -stake);

/** @param {Nets} nets @param {Round} round @param {number} qualifier @param {number} seat */
function mainGame(nets, round, qualifier, seat) {
  const { raise, keep } = round.decisions.get(seat) ?? { raise: 0, keep: null };
  const ante = round.seats.get(seat)?.get("ante") ?? 0;
  const hand = round.hands.get(seat) ?? [];
  const dealer = flush(round.hands.get(0) ?? []);
  const own = flush(keep ? hand.filter((card) => card[1] === keep) : hand);
  const [anteGains, raiseGains] = !raise
    ? [-1, 0]
    : dealer < qualifier
      ? [1, 0]
      : own > dealer
        ? [1, 1]
        : own < dealer
          ? [-1, -1]
          : [0, 0];
  nets.set(`${seat} ante`, ante * anteGains);
  if (raise) nets.set(`${seat} raise`, raise * raiseGains);
}

/**
 * @param {Round} round
 * @param {Map<string, Rules>} books
 * @param {SideBetRule | undefined} rule
 * @param {number} seat
 * @param {string} wager
 * @param {number} stake
 */
function sideBet(round, books, rule, seat, wager, stake) {
  const table = payTable(round, books, wager);
  if (!table || !rule?.counts) return null;
  const line = round.hands.has(seat) && lineFor(table, countingMatch(round, books, seat, rule, table));
  if (!line) return -stake;
  if (typeof line.pay === "string") return null;
  const dynamicPay = rule.jackpot ? new Map(round.dynamic ?? []).get(nameOf(line)) : undefined;
  return stake * (dynamicPay ?? line.pay) - (table.pays === "for 1" ? stake : 0);
}

/**
 * The match in the cards that count: all seven, or only those kept or laid face up if the rulebook requires it.
 * @param {Round} round
 * @param {Map<string, Rules>} books
 * @param {number} seat
 * @param {SideBetRule} rule
 * @param {PayTable} table
 */
function countingMatch(round, books, seat, rule, table) {
  const hand = round.hands.get(seat) ?? [];
  const rules = /** @type {Rules} */ (books.get(round.rulebook));
  const { raise, keep, expose } = round.decisions.get(seat) ?? { raise: 0, keep: null, expose: [] };
  const exposedMatch = match(rule, expose);
  if (rule.shown && rules["exposing-ends-bet"] && raise && lineFor(table, exposedMatch)) return exposedMatch;
  if (!rule.shown || rules.expose !== "required") return match(rule, hand);
  const suit = raise ? (keep ?? bestSuit(hand, expose)) : null;
  const own = match(
    rule,
    hand.filter((card) => card[1] === suit),
  );
  return isBetter(own, exposedMatch) ? own : exposedMatch;
}

/**
 * The suit that plays if the player chooses none: the best suit, preferably one without cards face up.
 * @param {string[]} hand
 * @param {string[]} expose
 */
function bestSuit(hand, expose) {
  const best = flush(hand);
  const suits = [...SUITS].reverse().filter((suit) => flush(hand.filter((card) => card[1] === suit)) === best);
  return suits.find((suit) => !expose.some((card) => card[1] === suit)) ?? suits[0];
}

/**
 * Drop wins that a cap may have cut.
 * @param {Nets} nets
 * @param {Round} round
 * @param {Map<string, Rules>} books
 * @returns {Nets}
 */
function dropCapped(nets, round, books) {
  const printedCaps = Object.values(books.get(round.rulebook)?.settings?.caps ?? {}).flatMap(Object.values);
  const caps = [...round.settings].filter(([key]) => key.startsWith("cap-")).map(([, value]) => Number(value) * 100);
  const least = Math.min(Infinity, ...printedCaps, ...caps.filter((cap) => cap > 0));
  const stakes = [...round.seats.values()].flatMap((wagers) => [...wagers.values()]);
  const envy = [...round.results.values()].map((results) => results.get("envy") ?? 0);
  const most = [...nets.values(), ...stakes, ...envy].reduce(
    (/** @type {number} */ sum, cents) => sum + Math.max(cents ?? 0, 0),
    0,
  );
  return most <= least ? nets : new Map([...nets].map(([key, net]) => [key, net !== null && net < 0 ? net : null]));
}
