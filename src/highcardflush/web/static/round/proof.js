// The checks of a round's proof: the house's seed matches its commitment, the cards, dice and Dynamic Pays follow from
// the seeds, and the wagers are paid as the cards say. The page shows each check, but this module does not use the
// page.
import { dealHands, dealOrder, drawDynamic, fromHex, rollDice, sha256, shuffle, utf8 } from "./chance.js";
import { dynamicLines, payTable, payout } from "./payout.js";
import { parseProof, parseRound } from "./record.js";

/** @typedef {import("./record.js").Round} Round */
/** @typedef {import("./record.js").Proof} Proof */
/** @typedef {import("./payout.js").Rules} Rules */
/** @typedef {import("./chance.js").Bytes} Bytes */

/**
 * @typedef {object} Published the server's data about a round
 * @property {string} table
 * @property {number} number
 * @property {string} notation
 * @property {string} proof
 * @property {{seat: number, wager: string, net_cents: number}[]} results
 * @property {Record<string, string>} rules rulebooks as JSON, by name
 * @property {import("./payout.js").SideBets} side_bets
 *
 * @typedef {object} Check `good` is null if there is nothing to check
 * @property {string} code
 * @property {boolean | null} good
 * @property {Record<string, any>} values
 */

/** A check that failed, with the text that was read and the text that was expected. */
class Wrong extends Error {
  /** @param {string} read @param {string} expected @param {Record<string, any>} [values] */
  constructor(read, expected, values = {}) {
    super(read);
    this.values = { read, expected, ...values };
  }
}

/** @param {string} read @param {string} expected @param {Record<string, any>} [values] */
function same(read, expected, values) {
  if (read !== expected) throw new Wrong(read, expected, values);
}

/**
 * The checks of a proof, one after the other. A failed check does not stop the others, unless the text cannot be
 * read.
 * @param {Published} publication
 * @returns {AsyncGenerator<Check>}
 */
export async function* checks(publication) {
  /** @type {{proof: Proof, round: Round} | null} */
  let parts = null;
  yield await check("head", () => {
    parts = readProof(publication);
    return { table: publication.table, number: publication.number };
  });
  if (parts === null) return;
  const { proof, round } = /** @type {{proof: Proof, round: Round}} */ (parts);
  yield await check("record", () => checkRecord(publication, proof, round));
  /** @type {Map<string, Rules>} */
  const books = new Map();
  yield await check("rules", () => checkRules(publication, proof, round, books));
  yield* chance(proof, round, books);
  yield await check("results", () => checkResults(round, books, publication.side_bets));
}

/** All checks, and their verdict. @param {Published} publication */
export async function verify(publication) {
  /** @type {Check[]} */
  const results = [];
  for await (const each of checks(publication)) results.push(each);
  return { good: results.every((each) => each.good !== false), checks: results };
}

/**
 * @param {string} code
 * @param {() => Record<string, any> | null | Promise<Record<string, any> | null>} make its values; null if there is
 *   nothing to check
 * @returns {Promise<Check>}
 */
async function check(code, make) {
  try {
    const values = await make();
    return { code, good: values === null ? null : true, values: values ?? {} };
  } catch (error) {
    return {
      code,
      good: false,
      values:
        error instanceof Wrong ? error.values : { read: String(/** @type {Error} */ (error).message), expected: "" },
    };
  }
}

// --- the record ----------------------------------------------------------------------------------

/** @param {Published} published */
function readProof({ proof: text, table, number }) {
  const proof = parseProof(text);
  same(`${proof.table} ${proof.number}`, `${table} ${number}`);
  return { proof, round: parseRound(proof.text) };
}

/**
 * Check that the proof belongs to the round on the page.
 * @param {Published} published
 * @param {Proof} proof
 * @param {Round} round
 */
function checkRecord({ notation, results }, proof, round) {
  const [proofLines, pageLines] = [proof.text.split("\n"), notation.split("\n")];
  pageLines.forEach((line, i) => same(proofLines[i] ?? "", line));
  same(proof.text, notation);
  for (const { seat, wager, net_cents } of results)
    same(String(round.results.get(seat)?.get(wager)), String(net_cents), { seat, wager });
  return { lines: pageLines.length - 1 };
}

/**
 * Check that the rules have the hash in the record. Other rulebooks are only used for their pay tables.
 * @param {Published} published @param {Proof} proof @param {Round} round @param {Map<string, Rules>} books to be filled
 */
async function checkRules({ rules }, proof, round, books) {
  for (const [name, text] of Object.entries(rules)) books.set(name, JSON.parse(text));
  const own = proof.rules ?? rules[round.rulebook];
  if (own === undefined) throw new Wrong(round.rulebook, Object.keys(rules).join(", "));
  const { sha256: statedHash, "table-hash": tableHash, ...content } = JSON.parse(own);
  same(content.name, round.rulebook);
  same(statedHash, round.hash);
  same(tableHash, round.hash);
  same(await sha256(utf8(JSON.stringify(sortKeys(content)))), round.hash);
  books.set(round.rulebook, content);
  return { rulebook: round.rulebook, hash: round.hash };
}

/** A value with its keys sorted, as it is hashed. @param {any} value @returns {any} */
function sortKeys(value) {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key])]),
  );
}

// --- chance --------------------------------------------------------------------------------------

/** @param {Proof} proof @param {Round} round @param {Map<string, Rules>} books @returns {AsyncGenerator<Check>} */
async function* chance(proof, round, books) {
  if (proof.commitment === "none" || proof.seed === "lost") {
    yield await check(proof.commitment === "none" ? "by-hand" : "lost", () => checkNoSeed(proof, round));
    return;
  }
  yield await check("commitment", async () => {
    same(await sha256(bytes(proof.seed, 32)), proof.commitment);
    return { seed: proof.seed, commitment: proof.commitment };
  });
  for (const [seat, commitment] of proof.playerCommitments)
    yield await check("player-commitment", () => checkCommitment(proof, seat, commitment));
  yield await check("player-seeds", () => checkSeats(proof, round));
  const seeds = () => [...proof.playerSeeds].sort(([a], [b]) => a - b).map(([, seed]) => bytes(seed));
  if (round.dice)
    yield await check("dice", async () => {
      const dice = (await rollDice(bytes(proof.seed, 32), seeds())).join(" ");
      same((round.dice ?? []).join(" "), dice);
      return { dice };
    });
  if (round.dynamic) yield await check("dynamic", () => checkDynamic(proof, round, books, seeds()));
  /** @type {string[]} */
  let deck = [];
  yield await check("deck", async () => {
    deck = await shuffle(bytes(proof.seed, 32), seeds());
    return { deck };
  });
  if (deck.length) yield await check("hands", () => checkHands(round, deck));
}

/** @param {string} hex @param {number} [length] */
function bytes(hex, length) {
  const data = fromHex(hex);
  if (!data || (length !== undefined && data.length !== length))
    throw new Wrong(hex, `${length ?? ""} bytes in hex`.trim());
  return data;
}

/** @param {Proof} proof @param {Round} round */
function checkNoSeed({ commitment, seed }, round) {
  if (commitment === "none") same(seed, "none");
  else if (!round.void) throw new Wrong(seed, "void");
  return null;
}

/** @param {Proof} proof @param {number} seat @param {string} commitment */
async function checkCommitment({ playerSeeds }, seat, commitment) {
  const seed = playerSeeds.get(seat);
  if (seed === undefined) throw new Wrong(`${seat}`, [...playerSeeds.keys()].join(" "), { seat });
  if (!seed) return null;
  if (seed.length < 32) throw new Wrong(seed, "16 bytes or more", { seat });
  same(await sha256(bytes(seed)), commitment, { seat });
  return { seat, seed, commitment };
}

/** @param {Proof} proof @param {Round} round */
function checkSeats({ playerSeeds }, round) {
  const [read, expected] = [playerSeeds, round.seats].map((seats) => [...seats.keys()].sort((a, b) => a - b).join(" "));
  if (round.locked && playerSeeds.size) same(read, expected);
  return playerSeeds.size ? { seeds: [...playerSeeds].map(([seat, seed]) => ({ seat, seed })) } : null;
}

/** @param {Proof} proof @param {Round} round @param {Map<string, Rules>} books @param {Bytes[]} seeds */
async function checkDynamic(proof, round, books, seeds) {
  const lines = dynamicLines(payTable(round, books, "progressive"));
  if (lines.length < 2) throw new Wrong(String(lines.length), "2");
  const say = (/** @type {[string, number][]} */ pays) => pays.map(([name, pay]) => `${name}=${pay}`).join(" ");
  const expected = say(await drawDynamic(bytes(proof.seed, 32), seeds, lines));
  same(say(round.dynamic ?? []), expected);
  return { pays: expected };
}

/** @param {Round} round @param {string[]} deck */
function checkHands(round, deck) {
  const seats = [...round.seats.keys()].sort((a, b) => a - b);
  const expectedHands = dealHands(deck, dealOrder(seats, round.dice, round.clockwise));
  for (const [seat, hand] of round.hands)
    same([...hand].sort().join(" "), [...(expectedHands.get(seat) ?? [])].sort().join(" "), { seat });
  return round.hands.size ? { hands: round.hands.size } : null;
}

// --- results -------------------------------------------------------------------------------------

/** @param {Round} round @param {Map<string, Rules>} books @param {import("./payout.js").SideBets} bets */
function checkResults(round, books, bets) {
  const nets = payout(round, books, bets);
  let checkCount = 0;
  for (const [key, net] of nets) {
    const [seat, wager] = key.split(" ");
    const net_cents = round.results.get(Number(seat))?.get(wager);
    if (net !== null || net_cents === undefined) same(String(net_cents), String(net), { seat: Number(seat), wager });
    checkCount += net === null ? 0 : 1;
  }
  for (const [seat, wagers] of round.results)
    for (const [wager, net] of wagers)
      if (!nets.has(`${seat} ${wager}`) && wager !== "envy") throw new Wrong(String(net), "undefined", { seat, wager });
  const resultCount = [...round.results.values()].reduce((sum, wagers) => sum + wagers.size, 0);
  return { checked: checkCount, left: resultCount - checkCount };
}
