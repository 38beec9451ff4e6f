// Amounts in words: cents and micro-dollars in, dollars out.

/** Sign before every amount. */
const CURRENCY = "$";
const MICROS_PER_CENT = 10_000;

/** `$5`, `$5.50`, `$12,000`. @param {number} cents */
export function say(cents) {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? "−" : ""}${CURRENCY}${whole}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

/** With a sign: `+$5`, `−$5`, `$0`. @param {number} cents */
export const sayNet = (cents) => (cents > 0 ? `+${say(cents)}` : say(cents));

/** A meter's amount in whole cents, always with two places. @param {number} micros */
export function sayMeter(micros) {
  const cents = Math.floor(micros / MICROS_PER_CENT);
  return `${CURRENCY}${Math.trunc(cents / 100).toLocaleString("en-US")}.${String(cents % 100).padStart(2, "0")}`;
}

/**
 * Read a typed amount in cents; null if it is not an amount.
 * @param {string} text
 */
export function parse(text) {
  const amount = text.trim().replace(CURRENCY, "").trim();
  const match = /^(\d{1,9}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(amount);
  return match ? Number(match[1].replaceAll(",", "")) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
}
