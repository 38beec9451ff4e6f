// A small picture of a table with its seats: taken, free, or the player's own. The names are in the text next to it.
import { set, svg } from "../core/dom.js";

const [MIDDLE, RADIUS_X, RADIUS_Y] = [80, 68, 44];

/** @param {number} count */
export function seatArc(count) {
  const seats = Array.from({ length: count }, (_, i) => {
    const angle = count === 1 ? 0.5 : i / (count - 1);
    // The seats lie along the lower half of an ellipse, with seat 1 on the right, at the dealer's left hand.
    const turn = Math.PI * (0.95 - 0.9 * angle);
    return svg("circle", { cx: MIDDLE - RADIUS_X * Math.cos(turn), cy: 10 + RADIUS_Y * Math.sin(turn), r: 8 });
  });
  const element = svg(
    "svg",
    { class: "seat-arc", viewBox: "0 0 160 64", "aria-hidden": "true" },
    svg("path", { class: "rim", d: "M14 4H146Q154 4 152 14C145 44 116 58 80 58S15 44 8 14Q6 4 14 4Z" }),
    svg("path", { class: "cloth", d: "M20 4H140Q146 4 144 12C138 38 112 50 80 50S22 38 16 12Q14 4 20 4Z" }),
    ...seats,
  );

  /** @param {Record<string, string>} taken @param {string | null} you */
  function update(taken, you) {
    seats.forEach((seat, i) => {
      const name = taken[i + 1];
      set(seat, { class: name === undefined ? "seat free" : name === you ? "seat own" : "seat taken" });
    });
  }

  return { element, update };
}
