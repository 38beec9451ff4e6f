// The choices of the user, stored in the browser and never sent.

const KEY = "hcf";

/**
 * `coach`: off, ask, warn or grade. `speed`: how fast a settlement is told, 0 is at once. `deck`: four or two colours.
 * `order`: own cards by suit or by rank.
 */
const DEFAULTS = {
  coach: "ask",
  speed: 1,
  deck: "four",
  palette: "usual",
  order: "suit",
  sounds: false,
  theme: "system",
};

/** @typedef {typeof DEFAULTS} Prefs */

/** @returns {Prefs} */
function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export const prefs = read();

/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {Partial<Prefs>} changes */
export function setPrefs(changes) {
  Object.assign(prefs, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // this browser stores nothing: the choice holds until the page is left
  }
  show();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener */
export const onChoice = (listener) => listeners.add(listener);

/** Set the choices that the style sheets need at the root of the page. */
function show() {
  const { dataset } = document.documentElement;
  dataset.theme = prefs.theme;
  dataset.deck = prefs.deck;
  dataset.palette = prefs.palette;
}

show();
