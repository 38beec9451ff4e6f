// A meter as an odometer: `<hcf-odometer value="30000230000">` in micro-dollars, whole cents shown. Digits roll to what is new.
// Its text is its label; nothing is announced when it changes.
import { h, set } from "./dom.js";
import { sayMeter } from "./money.js";

const DIGITS = [..."0123456789"];

export class Odometer extends HTMLElement {
  static observedAttributes = ["value"];

  /** What it shows. */
  #text = "";

  connectedCallback() {
    set(this, { role: "img" });
    this.#show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#show();
  }

  #show() {
    const text = sayMeter(Number(this.getAttribute("value") ?? 0));
    if (text === this.#text) return;
    set(this, { "aria-label": text });
    const signs = [...text];
    // with a digit more or less all wheels are new, and stand at once where they must
    if (signs.length !== this.#text.length) {
      this.replaceChildren(...signs.map(wheel));
      this.style.setProperty("--signs", String(signs.length)); // a page may size it by that
    }
    signs.forEach((sign, i) => turn(/** @type {HTMLElement} */ (this.children[i]), sign));
    this.#text = text;
  }
}

/** A wheel with ten digits, or a sign that stands still. @param {string} sign */
function wheel(sign) {
  if (!DIGITS.includes(sign)) return h("span", { class: "sign", "aria-hidden": "true" }, sign);
  const strip = h("span", { class: "strip" }, DIGITS.map((digit) => h("span", {}, digit)));
  return h("span", { class: "wheel", "aria-hidden": "true" }, strip);
}

/** @param {HTMLElement} place @param {string} sign */
function turn(place, sign) {
  if (place.classList.contains("wheel")) place.style.setProperty("--digit", sign);
}

customElements.define("hcf-odometer", Odometer);

/** @param {number} micros @param {string} [name] a class */
export function odometer(micros, name = "") {
  const made = document.createElement("hcf-odometer");
  set(made, { value: micros, class: name || null });
  return made;
}
