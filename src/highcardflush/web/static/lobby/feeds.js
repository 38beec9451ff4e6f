// Updates of the lobby while the page is visible: meters by their public feeds, tables by polling. The page fetches
// everything as soon as it becomes visible again. Visitors have no session, so they cannot use the live connection.
import { get } from "../core/api.js";

/** @typedef {import("../wire.js").Meter} Meter */

const MOST_LINES = 3; // a browser opens six connections to a server, and some must stay free
const POLL_MS = 5000;

/** Begin when the page becomes visible, end when it is hidden. @param {() => void} begin @param {() => void} end */
function whileVisible(begin, end) {
  document.addEventListener("visibilitychange", () => (document.hidden ? end() : begin()));
  window.addEventListener("pagehide", end);
  window.addEventListener("pageshow", (event) => event.persisted && begin());
  if (!document.hidden) begin();
}

/** Repeat an action every few seconds, and whenever the page becomes visible. @param {() => Promise<void>} act */
export function repeat(act) {
  let timer = 0;
  let turn = 0;
  let first = true;
  /** @param {number} own */
  const next = async (own) => {
    await act();
    if (own === turn) timer = window.setTimeout(next, POLL_MS, own);
  };
  const end = () => {
    clearTimeout(timer);
    turn += 1;
  };
  whileVisible(() => {
    end();
    if (first) timer = window.setTimeout(next, POLL_MS, turn);
    else next(turn);
    first = false;
  }, end);
}

/**
 * Follow meters; the returned function sets their names.
 * @param {(meter: Meter) => void} onMeter
 * @returns {(names: string[]) => void}
 */
export function followMeters(onMeter) {
  /** @type {Map<string, EventSource>} */
  const lines = new Map();
  /** @type {string[]} */
  let followedNames = [];

  /** @param {string[]} names */
  const hold = (names) => {
    for (const [name, line] of lines) {
      if (names.includes(name)) continue;
      line.close();
      lines.delete(name);
    }
    for (const name of names) if (!lines.has(name)) lines.set(name, open(name));
  };
  /** @param {string} name */
  const open = (name) => {
    const line = new EventSource(`/api/v1/meters/${encodeURIComponent(name)}/live`);
    line.onmessage = (event) => event.data && onMeter(JSON.parse(event.data)); // a heartbeat has no data
    return line;
  };
  const begin = () => hold(followedNames.slice(0, MOST_LINES));
  whileVisible(begin, () => hold([]));
  repeat(async () => {
    const rest = followedNames.slice(MOST_LINES);
    if (!rest.length) return;
    const meters = /** @type {Meter[]} */ (await get("/meters").catch(() => []));
    for (const meter of meters) if (rest.includes(meter.name)) onMeter(meter);
  });
  return (now) => {
    followedNames = now;
    if (!document.hidden) begin();
  };
}
