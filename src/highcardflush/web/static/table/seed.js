// The player's own seed for the shuffle. The page generates one, and the player may change it until the wagers lock.
import { RefusalError } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { say, sayError } from "../core/words.js";

const random = () =>
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

/** @param {(seed: string) => Promise<unknown>} onName */
export function seed(onName) {
  const input = h("input", {
    value: random(),
    "aria-label": say("seed"),
    maxlength: 2 * MOST_BYTES,
    spellcheck: "false",
    autocomplete: "off",
  });
  const state = h("span.quiet", { role: "status" });
  const name = h("button", { onclick: () => send() }, say("seed-name"));
  const fresh = h("button", { onclick: () => (input.value = random()) }, say("seed-new"));
  const element = h("section.seed", h("p.quiet", say("seed-why")), input, h("div.actions", name, fresh), state);
  async function send() {
    const hex = seedOf(input.value.trim());
    if (!hex) return fill(state, say("seed-long"));
    try {
      await onName(hex);
      fill(state, say("seed-named", { seed: hex }));
    } catch (error) {
      fill(state, error instanceof RefusalError ? sayError(error.error) : String(error));
    }
  }

  return {
    element,
    /** Send the seed; called before the wagers of a round. */
    send,
    /** @param {import("./state.js").State} state */
    draw(state) {
      name.disabled = !state.you || state.view?.phase !== "betting";
    },
  };
}
