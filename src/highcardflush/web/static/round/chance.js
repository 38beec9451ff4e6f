// The house's random numbers, drawn again from the same seeds, byte for byte, so that anybody can check a round. The
// layout is in docs/fairness.md. This module does not use the page.
import { RANKS } from "../core/hands.js";

const LABEL = "highcardflush 1 ";
const WORDS = 2 ** 32;
const DECK = 52;
/** The suits in the order of a new deck. */
export const SUITS = "cdhs";
const HAND = 7;
/** The seats and the dealer. */
const POSITIONS = 7;

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {() => Promise<number>} Words the next word of a stream */
/** @typedef {{name: string, dynamic: number[]}} DynamicLine */

/** The bytes of a text in lower-case hex; null for any other text. @param {string} text @returns {Bytes | null} */
export function fromHex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** @param {ArrayBuffer | Bytes} bytes */
export const toHex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {Bytes} bytes */
export const sha256 = async (bytes) => toHex(await crypto.subtle.digest("SHA-256", bytes));

/** @param {string} text */
export const utf8 = (text) => /** @type {Bytes} */ (new TextEncoder().encode(text));

/**
 * The endless stream of words for one purpose: HMAC-SHA256 under the house's seed, block by block, eight words of 32
 * bits each.
 * @param {Bytes} seed
 * @param {"deck" | "dynamic" | "dice"} purpose
 * @param {Bytes[]} playerSeeds of the seats in play, in seat order
 * @returns {Promise<Words>}
 */
export async function stream(seed, purpose, playerSeeds) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const head = [...utf8(`${LABEL}${purpose}\n`), ...playerSeeds.flatMap((each) => [each.length, ...each])];
  let block = 0;
  /** @type {number[]} */
  let words = [];
  return async () => {
    if (!words.length) {
      const message = new Uint8Array(head.length + 8);
      message.set(head);
      new DataView(message.buffer).setBigUint64(head.length, BigInt(block++));
      const signature = new DataView(await crypto.subtle.sign("HMAC", key, message));
      words = Array.from({ length: 8 }, (_, i) => signature.getUint32(4 * i));
    }
    return /** @type {number} */ (words.shift());
  };
}

/**
 * A uniform number below n. Words above the last whole multiple of n are rejected.
 * @param {Words} next
 * @param {number} n
 */
async function below(next, n) {
  const limit = WORDS - (WORDS % n);
  let word = await next();
  while (word >= limit) word = await next();
  return word % n;
}

/** @param {Words} next @param {number} n */
async function order(next, n) {
  const places = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = await below(next, i + 1);
    [places[i], places[j]] = [places[j], places[i]];
  }
  return places;
}

/** The 52 cards in the order of the deal. @param {Bytes} seed @param {Bytes[]} playerSeeds */
export async function shuffle(seed, playerSeeds) {
  const places = await order(await stream(seed, "deck", playerSeeds), DECK);
  return places.map((card) => RANKS[card % 13] + SUITS[Math.floor(card / 13)]);
}

/** @param {Bytes} seed @param {Bytes[]} playerSeeds */
export async function rollDice(seed, playerSeeds) {
  const next = await stream(seed, "dice", playerSeeds);
  return [1 + (await below(next, 6)), 1 + (await below(next, 6)), 1 + (await below(next, 6))];
}

/**
 * The round's Dynamic Pays, from the top of the pay table: `[["5-card", 200], ...]`.
 * @param {Bytes} seed
 * @param {Bytes[]} playerSeeds
 * @param {DynamicLine[]} lines those of the pay table that have any
 * @returns {Promise<[string, number][]>}
 */
export async function drawDynamic(seed, playerSeeds, lines) {
  const next = await stream(seed, "dynamic", playerSeeds);
  const count = 1 + (await below(next, lines.length - 1));
  const picks = (await order(next, lines.length)).slice(0, count).sort((a, b) => a - b);
  /** @type {[string, number][]} */
  const pays = [];
  for (const place of picks) {
    const { name, dynamic } = lines[place];
    pays.push([name, dynamic[await below(next, dynamic.length)]]);
  }
  return pays;
}

/**
 * The seats in the order of their packets; 0 is the dealer. With dice every position gets a packet.
 * @param {number[]} seats in play
 * @param {number[] | null} dice
 * @param {boolean} clockwise
 */
export function dealOrder(seats, dice, clockwise) {
  if (!dice) return [...seats, 0];
  const first = (dice.reduce((sum, die) => sum + die, 0) - 1) % POSITIONS;
  const positions = Array.from({ length: POSITIONS }, (_, i) => ((first + i) % POSITIONS) + 1);
  return positions.map((position) => (position === 1 ? 0 : clockwise ? position - 1 : POSITIONS + 1 - position));
}

/**
 * The hands by seat. @param {string[]} deck @param {number[]} seats in the order of their packets
 * @returns {Map<number, string[]>}
 */
export const dealHands = (deck, seats) => new Map(seats.map((seat, i) => [seat, deck.slice(i * HAND, (i + 1) * HAND)]));
