// The time left to bet or to decide, in words and as a bar.
import { fill, h } from "../core/dom.js";
import { say } from "../core/words.js";

const SHORT_MS = 5000;

export function clock() {
  const text = h("span.clock-text");
  const bar = h("progress", { max: 1, value: 1, "aria-hidden": "true" });
  const element = h("p.clock", text, bar);

  /** @param {import("./state.js").Clock | null} current @param {number} now */
  function draw(current, now) {
    element.hidden = !current || current.for === "pause";
    if (!current || element.hidden) return;
    const leftMs = Math.max(0, current.ends - now);
    fill(text, say(`clock.${current.for}`, { seconds: Math.ceil(leftMs / 1000) }));
    bar.value = Math.min(1, leftMs / current.whole);
    element.classList.toggle("short", leftMs < SHORT_MS);
  }

  return { element, draw };
}
