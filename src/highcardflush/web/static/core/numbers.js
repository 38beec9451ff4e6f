// Every number that the pages show: dollars, values in Antes, percentages. Amounts are cents or micro-dollars.

/** The sign before every amount. */
const CURRENCY = "$";
const MICROS_PER_CENT = 10_000;
const PERCENT_PLACES = 1;
const ANTES_PLACES = 2;
const EXACT_ANTES_PLACES = 4;

/** Values in Antes that differ by less are shown with more places. */
export const CLOSE_ANTES = 0.02;

/** `$5`, `$5.50`, `$12,000`. @param {number} cents */
export function formatDollars(cents) {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? "−" : ""}${CURRENCY}${whole}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

/** With a sign: `+$5`, `−$5`, `$0`. @param {number} cents */
export const formatNet = (cents) => (cents > 0 ? `+${formatDollars(cents)}` : formatDollars(cents));

/** A meter's amount in whole cents, always with two places. @param {number} micros */
export function formatMeter(micros) {
  const cents = Math.floor(micros / MICROS_PER_CENT);
  return `${CURRENCY}${Math.trunc(cents / 100).toLocaleString("en-US")}.${String(cents % 100).padStart(2, "0")}`;
}

/** `1.50`, `−1.50`. @param {number} value @param {number} places */
export const formatDecimal = (value, places) => value.toFixed(places).replace("-", "−");

/** With a sign: `+0.42`, or `+0.4210` if it must be exact. @param {number} antes @param {boolean} [isExact] */
export const formatAntes = (antes, isExact = false) =>
  `${antes > 0 ? "+" : ""}${formatDecimal(antes, isExact ? EXACT_ANTES_PLACES : ANTES_PLACES)}`;

/** Without a sign: `0.4210`. @param {number} antes */
export const formatAntesCost = (antes) => formatDecimal(antes, EXACT_ANTES_PLACES);

/** `14.1 %`. @param {number} fraction */
export const formatPercent = (fraction) => `${formatDecimal(100 * fraction, PERCENT_PLACES)} %`;

/** Read a typed amount in cents; null if it is not an amount. @param {string} text */
export function parseDollars(text) {
  const amount = text.trim().replace(CURRENCY, "").trim();
  const match = /^(\d{1,9}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(amount);
  return match ? Number(match[1].replaceAll(",", "")) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
}
