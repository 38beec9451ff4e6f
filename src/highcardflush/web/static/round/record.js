// Parsers for the text of a round (docs/notation.md) and of its proof, which is the same text below a head of seeds.
// This module does not use the page.

const FIRST = "# highcardflush proof 1";
const CARD = /[2-9TJQKA][cdhs]/g;

/**
 * @typedef {object} Decision
 * @property {number} raise in cents; 0 is a fold
 * @property {string | null} keep the suit that plays, `c`, `d`, `h` or `s`
 * @property {string[]} expose
 *
 * @typedef {object} Round
 * @property {string} rulebook
 * @property {string} hash
 * @property {{wager: string, paytable: string}[]} offers
 * @property {Map<string, string>} settings
 * @property {Map<number, Map<string, number>>} seats wagers in cents
 * @property {boolean} locked
 * @property {number[] | null} dice
 * @property {boolean} clockwise
 * @property {[string, number][] | null} dynamic
 * @property {Map<number, string[]>} hands 0 is the dealer's
 * @property {Map<number, Decision>} decisions
 * @property {Map<number, string>} voids `return` or `forfeit`
 * @property {boolean} void
 * @property {Map<number, Map<string, number>>} results nets in cents
 *
 * @typedef {object} Proof
 * @property {string} table
 * @property {number} number
 * @property {string} commitment hex, or `none` if dealt by hand
 * @property {string} seed hex, `none`, or `lost`
 * @property {Map<number, string>} playerSeeds hex; empty if a seat has named none
 * @property {Map<number, string>} playerCommitments
 * @property {string | null} rules the record's own, as JSON
 * @property {string} text the round
 */

/** @param {string} text such as `25`, `-12.50` or `+3` */
function cents(text) {
  const match = /^([+-]?)(\d+)(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) throw new Error(text);
  const amount = Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return match[1] === "-" ? -amount : amount;
}

/** @param {string[]} words @returns {Map<string, number>} */
function amounts(words) {
  const pairs = new Map();
  for (let i = 0; i < words.length; i += 2) pairs.set(words[i], cents(words[i + 1] ?? ""));
  return pairs;
}

/** @param {string} text */
const cards = (text) => text.match(CARD) ?? [];

/** Parse a round. A line that cannot be read is thrown as an error. @param {string} text @returns {Round} */
export function parseRound(text) {
  /** @type {Round} */
  const round = {
    rulebook: "",
    hash: "",
    offers: [],
    settings: new Map(),
    seats: new Map(),
    locked: false,
    dice: null,
    clockwise: false,
    dynamic: null,
    hands: new Map(),
    decisions: new Map(),
    voids: new Map(),
    void: false,
    results: new Map(),
  };
  const [first, ...lines] = text.trimEnd().split("\n");
  if (first !== "hcf 1") throw new Error(first);
  for (const line of lines) {
    try {
      readLine(round, line.split(" "));
    } catch {
      throw new Error(line);
    }
  }
  return round;
}

/** @param {Round} round @param {string[]} words of a line */
function readLine(round, [word, ...rest]) {
  const seat = Number(rest[0]);
  if (/^\d+$/.test(word)) round.decisions.set(Number(word), decision(rest));
  else if (word === "rulebook") [round.rulebook, round.hash] = [rest[0], (rest[1] ?? "").slice(1)];
  else if (word === "offer") round.offers.push({ wager: rest[0], paytable: rest[1] });
  else if (word === "set") round.settings.set(rest[0], rest[1]);
  else if (word === "seat") round.seats.set(seat, amounts(rest.slice(1)));
  else if (word === "dice") [round.dice, round.clockwise] = [rest.slice(0, 3).map(Number), rest[3] === "clockwise"];
  else if (word === "lock") round.locked = true;
  else if (word === "dynamic") round.dynamic = rest.map(pay);
  else if (word === "deal") round.hands.set(rest[0] === "dealer" ? 0 : seat, cards(rest.slice(1).join("")));
  else if (word === "void" && /^(return|forfeit)$/.test(rest[1] ?? "")) round.voids.set(seat, rest[1]);
  else if (word === "void") round.void = true;
  else if (word === "=" && rest[0] !== "meter") round.results.set(seat, amounts(rest.slice(1)));
  else if (word !== "meter" && word !== "=") throw new Error(word);
  round.locked ||= round.dynamic !== null || round.hands.size > 0;
}

/** @param {string} text such as `5-card=200` @returns {[string, number]} */
function pay(text) {
  const [name, amount] = text.split("=");
  return [name, Number(amount)];
}

/** @param {string[]} words after the seat's number @returns {Decision} */
function decision(words) {
  const after = (/** @type {string} */ word) => (words.includes(word) ? words.slice(words.indexOf(word) + 1) : []);
  const [keep] = after("keep");
  return {
    raise: words[0] === "raise" ? cents(words[1]) : 0,
    keep: keep ? keep[0] : null,
    expose: cards(after("expose").join("")),
  };
}

/** Parse a proof. A line that cannot be read is thrown as an error. @param {string} text @returns {Proof} */
export function parseProof(text) {
  const at = text.indexOf("\nhcf 1\n") + 1;
  const [first, ...lines] = text.slice(0, at).trimEnd().split("\n");
  if (!at || first !== FIRST) throw new Error(first.slice(0, 80));
  /** @type {Proof} */
  const proof = {
    table: "",
    number: 0,
    commitment: "",
    seed: "",
    playerSeeds: new Map(),
    playerCommitments: new Map(),
    rules: null,
    text: text.slice(at),
  };
  for (const line of lines) {
    const [, word, rest] = /^# ([a-z-]+) (.+)$/.exec(line) ?? ["", "", ""];
    const space = rest.lastIndexOf(" ");
    if (word === "round") [proof.table, proof.number] = [rest.slice(0, space), Number(rest.slice(space + 1))];
    else if (word === "commitment" || word === "seed" || word === "rules") proof[word] = rest;
    else if (word === "player-seed")
      proof.playerSeeds.set(Number(rest.slice(0, space)), rest.slice(space + 1).replace(/^-$/, ""));
    else if (word === "player-commitment")
      proof.playerCommitments.set(Number(rest.slice(0, space)), rest.slice(space + 1));
    else throw new Error(line.slice(0, 80));
  }
  if (formatProof(proof) !== text) throw new Error(lines[0].slice(0, 80));
  return proof;
}

/** The text of a proof. Each proof has only one text, so every change is visible. @param {Proof} proof */
export function formatProof(proof) {
  const lines = (/** @type {string} */ word, /** @type {Map<number, string>} */ seats) =>
    [...seats].sort(([a], [b]) => a - b).map(([seat, value]) => `# ${word} ${seat} ${value || "-"}\n`);
  return [
    `${FIRST}\n# round ${proof.table} ${proof.number}\n# commitment ${proof.commitment}\n# seed ${proof.seed}\n`,
    ...lines("player-seed", proof.playerSeeds),
    ...lines("player-commitment", proof.playerCommitments),
    proof.rules === null ? "" : `# rules ${proof.rules}\n`,
    proof.text,
  ].join("");
}
