// A meter as an odometer: whole cents, on wheels that roll to a new digit. Screen readers get the amount as a label,
// without announcements of changes.
import { drawIfChanged, fill, h, set } from "./dom.js";
import { formatMeter } from "./numbers.js";

const DIGITS = [..."0123456789"];

/** @param {number} micros @param {string} [size] a class for its size */
export function odometer(micros, size = "") {
  const element = h("span", { class: `odometer ${size}`.trim(), role: "img" });

  /** @param {number} now micro-dollars */
  function draw(now) {
    const text = formatMeter(now);
    set(element, { "aria-label": text });
    // If the number of digits changes, all wheels are new and show their digits without rolling.
    drawIfChanged(element, text.length, () => {
      fill(element, [...text].map(wheel));
      element.style.setProperty("--signs", String(text.length)); // style sheets size it by this
    });
    [...text].forEach((sign, at) => turn(/** @type {HTMLElement} */ (element.children[at]), sign));
  }

  draw(micros);
  return { element, draw };
}

/** A wheel with ten digits, or a sign that does not turn. @param {string} sign */
function wheel(sign) {
  if (!DIGITS.includes(sign)) return h("span.sign", { "aria-hidden": "true" }, sign);
  const strip = h("span.strip", ...DIGITS.map((digit) => h("span", digit)));
  return h("span.wheel", { "aria-hidden": "true" }, strip);
}

/** @param {HTMLElement} wheel @param {string} sign */
function turn(wheel, sign) {
  if (wheel.classList.contains("wheel")) wheel.style.setProperty("--digit", sign);
}
