// The bankroll chart, as wide as the page: the result by round, the expectation, and the band of 19 in 20 players.
import { fill, h, svg } from "../core/dom.js";
import { formatNet } from "../core/numbers.js";
import { say } from "../core/words.js";

/** @typedef {import("../wire.js").GradedRound} GradedRound */

const HEIGHT = 240;
const LEFT = 64;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 28;

/** About five round amounts for an axis. @param {number} low @param {number} high */
function ticks(low, high) {
  const rough = Math.max(high - low, 100) / 5;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5, 10].find((each) => each * size >= rough) ?? 10);
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, at) => first + at * step);
}

/** @param {GradedRound[]} rounds @param {number} width */
function draw(rounds, width) {
  const points = [{ result_cents: 0, line_cents: 0, low_cents: 0, high_cents: 0 }, ...rounds];
  const all = points.flatMap((each) => [each.result_cents, each.low_cents, each.high_cents]);
  const low = Math.min(...all);
  const high = Math.max(...all, low + 100);
  const x = (/** @type {number} */ at) => LEFT + (at / Math.max(1, points.length - 1)) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ cents) => TOP + ((high - cents) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const line = (/** @type {(each: typeof points[number]) => number} */ cents) =>
    points.map((each, at) => `${x(at).toFixed(1)},${y(cents(each)).toFixed(1)}`);
  const band = [...line((each) => each.high_cents), ...line((each) => each.low_cents).reverse()];
  const last = points[points.length - 1];
  const words = say("chart.words", {
    rounds: rounds.length,
    result: formatNet(last.result_cents),
    low: formatNet(Math.round(last.low_cents)),
    high: formatNet(Math.round(last.high_cents)),
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": words },
    ...ticks(low, high).flatMap((cents) => [
      svg("line", { class: cents ? "grid" : "grid zero", x1: LEFT, x2: width - RIGHT, y1: y(cents), y2: y(cents) }),
      svg("text", { x: LEFT - 8, y: y(cents) + 4, "text-anchor": "end" }, formatNet(cents)),
    ]),
    svg("polygon", { class: "band", points: band.join(" ") }),
    svg("polyline", { class: "expected", points: line((each) => each.line_cents).join(" ") }),
    svg("polyline", { class: "result", points: line((each) => each.result_cents).join(" ") }),
    svg("circle", { class: "now", cx: x(points.length - 1), cy: y(last.result_cents), r: 4 }),
    svg("text", { x: LEFT, y: HEIGHT - 8 }, say("chart.start")),
    svg(
      "text",
      { x: width - RIGHT, y: HEIGHT - 8, "text-anchor": "end" },
      say("chart.rounds", { rounds: rounds.length }),
    ),
  );
}

/** @param {string} name */
const key = (name) =>
  h(
    "li",
    svg(
      "svg",
      { viewBox: "0 0 28 12", class: "key", "aria-hidden": "true" },
      name === "band"
        ? svg("rect", { class: "band", width: 28, height: 12 })
        : svg("line", { class: name, x1: 1, x2: 27, y1: 6, y2: 6 }),
    ),
    say(`chart.${name}`),
  );

/** The chart; `show` draws rounds. */
export function bankrollChart() {
  const place = h("div.chart-place");
  const element = h("figure.chart", place, h("ul.keys", key("result"), key("expected"), key("band")));
  /** @type {GradedRound[]} */
  let rounds = [];
  let width = 0;

  const redraw = () => fill(place, rounds.length > 0 && width > 0 && draw(rounds, width));

  new ResizeObserver(([entry]) => {
    const newWidth = Math.floor(entry.contentRect.width);
    if (newWidth === width) return;
    width = newWidth;
    redraw();
  }).observe(place);

  /** @param {GradedRound[]} newRounds */
  function show(newRounds) {
    rounds = newRounds;
    redraw();
  }

  return { element, show };
}
