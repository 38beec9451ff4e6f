// A table as this page knows it: what the last message said, and nothing else. Pure; the page draws it.

/** What a message may have taken on its way. */
const SAME_MS = 1500;

/**
 * @typedef {import("../wire.js").ServerSays} ServerSays
 * @typedef {{for: "betting" | "decision" | "pause", ends: number, whole: number}} Clock when it ends by this page's own clock, and how long it
 *   runs in all, as far as was seen: what the operator has set is not said
 * @typedef {object} Table
 * @property {string} name
 * @property {number} seq
 * @property {import("../wire.js").Round | null} round
 * @property {Record<string, string>} taken
 * @property {import("../wire.js").View | null} view
 * @property {import("../wire.js").You | null} you
 * @property {Clock | null} clock
 * @property {number | undefined} balance_cents
 * @property {Record<string, number>} meters what each meter shows, in micro-dollars
 */

/** @param {string} name @returns {Table} */
export const empty = (name) => ({
  name,
  seq: 0,
  round: null,
  taken: {},
  view: null,
  you: null,
  clock: null,
  balance_cents: undefined,
  meters: {},
});

/**
 * The table after a message.
 * @param {Table} table
 * @param {ServerSays} message
 * @param {number} now
 * @returns {Table}
 */
export function after(table, message, now) {
  switch (message.type) {
    case "table":
    case "told": {
      if (message.table !== table.name) return table;
      const { seq, round, taken, view, you, clock } = message;
      return {
        ...table,
        seq,
        round: round ?? null,
        taken: taken ?? {},
        view: view ?? null,
        you: you ?? null,
        clock: clock ? running(table.clock, clock, now) : null,
      };
    }
    case "hello":
      return { ...table, balance_cents: message.balance_cents };
    case "balance":
      return { ...table, balance_cents: message.balance_cents };
    case "meter":
      return { ...table, meters: { ...table.meters, [message.name]: message.amount_micros } };
    default:
      return table;
  }
}

/** A clock that goes on is known by its end. @param {Clock | null} before @param {import("../wire.js").Clock} clock @param {number} now @returns {Clock} */
function running(before, clock, now) {
  const ends = now + clock.ends_in_ms;
  const same = before?.for === clock.for && Math.abs(before.ends - ends) < SAME_MS;
  return { for: clock.for, ends, whole: same ? before.whole : clock.ends_in_ms };
}

/** The option of a kind that one has now. @param {Table} table @param {import("../wire.js").Option["type"]} type */
export const options = (table, type) => (table.you?.legal ?? []).filter((option) => option.type === type);

/** One's own seat in the round, if one has wagers in it. @param {Table} table */
export const ownSeat = (table) => table.view?.seats.find((seat) => seat.number === table.you?.seat) ?? null;
