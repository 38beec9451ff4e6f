// The user's preferences, stored in the browser and never sent.

const KEY = "hcf";

/**
 * `coach`: off, ask, warn or grade. `speed`: of the announcements after a round; 0 announces all at once. `deck`: four
 * or two colours. `order`: the player's cards by suit or by rank. `keepBets`: the bets stay on the spots from round to
 * round. `bestStreak`: the most right answers in a row in practice.
 */
const DEFAULTS = {
  coach: "ask",
  speed: 1,
  deck: "four",
  palette: "usual",
  order: "suit",
  keepBets: true,
  hasHeardOfSounds: false,
  sounds: false,
  theme: "system",
  bestStreak: 0,
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
    // This browser stores nothing, so the preferences last only while the page is open.
  }
  show();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener */
export const onChoice = (listener) => listeners.add(listener);

/** Set the preferences that the style sheets use, as attributes of the root element. */
function show() {
  const { dataset } = document.documentElement;
  dataset.theme = prefs.theme;
  dataset.deck = prefs.deck;
  dataset.palette = prefs.palette;
}

show();
