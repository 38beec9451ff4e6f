// The player's own seed for the shuffle. The page generates one, and the player may change it until the wagers lock.
import { fill, h } from "../core/dom.js";
import { say } from "../core/words.js";

export const randomSeed = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const MOST_BYTES = 64;
const HEX = /^(?:[0-9a-f]{2})+$/;

/** A seed in hex. Text that is not hex is encoded. Null if it is empty or too long. @param {string} text */
export function seedOf(text) {
  const hex = HEX.test(text)
    ? text
    : [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex && hex.length <= 2 * MOST_BYTES ? hex : null;
}

/** @param {{typeSeed: (text: string) => void, newSeed: () => void, sendSeed: () => unknown}} actions */
export function seed({ typeSeed, newSeed, sendSeed }) {
  const input = h("input", {
    "aria-label": say("seed"),
    maxlength: 2 * MOST_BYTES,
    spellcheck: "false",
    autocomplete: "off",
    oninput: () => typeSeed(input.value),
  });
  const note = h("span.quiet", { role: "status" });
  const name = h("button", { onclick: sendSeed }, say("seed-name"));
  const fresh = h("button", { onclick: newSeed }, say("seed-new"));
  const element = h("section.seed", h("p.quiet", say("seed-why")), input, h("div.actions", name, fresh), note);

  /** @param {import("./state.js").State} state */
  function draw({ seedText, seedNote, you, view }) {
    if (input.value !== seedText) input.value = seedText;
    fill(note, seedNote);
    name.disabled = !you || view?.phase !== "betting";
  }
  return { element, draw };
}
