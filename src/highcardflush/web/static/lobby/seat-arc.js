// The seats of a table in an arc, as the players see them, with the players' initials.
import { fill, h, set, svg } from "../core/dom.js";
import { say } from "../core/words.js";

/** A small table with its seats. @param {number} count */
export function seatArc(count) {
  const seats = Array.from({ length: count }, (_, i) => {
    const seat = h("li");
    const angle = count === 1 ? 0.5 : i / (count - 1);
    // The seats lie along the lower half of an ellipse, with seat 1 on the right, at the dealer's left hand.
    const turn = Math.PI * (0.93 - 0.86 * angle);
    seat.style.setProperty("--x", `${50 - 45 * Math.cos(turn)}%`);
    seat.style.setProperty("--y", `${10 + 80 * Math.sin(turn)}%`);
    return seat;
  });
  const words = h("p.now");
  const list = h("ol.seat-arc", seats);
  const place = h("div.small-felt", h("div.seat-table", felt(), words, list));

  /** @param {Record<string, string>} players @param {string[]} now the lines about the round */
  function update(players, now) {
    seats.forEach((seat, i) => {
      const number = i + 1;
      const who = players[number];
      const text = who === undefined ? say("seat-free", { seat: number }) : say("seat-taken", { seat: number, who });
      set(seat, { title: text, "data-taken": who !== undefined });
      fill(
        seat,
        h("span", { "aria-hidden": "true" }, who === undefined ? "" : who.charAt(0).toUpperCase()),
        h("span.seen-not", text),
      );
    });
    fill(words, ...now.map((line) => h("span", line)));
    set(list, { "aria-label": say("seats-free", { free: count - Object.keys(players).length }) });
  }
  return { place, update };
}

function felt() {
  const rim = "M22 4H298Q314 4 311 22C297 98 236 124 160 124S23 98 9 22Q6 4 22 4Z";
  const cloth = "M30 4H290Q300 4 298 18C286 86 228 112 160 112S34 86 22 18Q20 4 30 4Z";
  return svg(
    "svg",
    { viewBox: "0 0 320 128", "aria-hidden": "true" },
    svg("path", { d: rim, class: "rim" }),
    svg("path", { d: cloth, class: "cloth" }),
    svg("path", { d: "M40 24C56 78 104 98 160 98S264 78 280 24", class: "line" }),
  );
}
