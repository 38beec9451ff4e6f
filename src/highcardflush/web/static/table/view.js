// The page of the table: built once, then drawn from the state.
import { drawIfChanged, fill, find, h, set } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { offeredPayTables } from "../core/paytable.js";
import { stakesOf } from "../core/seats.js";
import { say, sayWager } from "../core/words.js";
import { board } from "./board.js";
import { celebration } from "./celebration.js";
import { CHIPS } from "../core/chips.js";
import { coach } from "./coach.js";
import { keys, spotKeys } from "./keys.js";
import { leaving } from "./leaving.js";
import { meters, sayMeters } from "./meters.js";
import { sayResults } from "./outcome.js";
import { sayOwnHand } from "./own-hand.js";
import { ownPlace } from "./place.js";
import { posted, postedTexts } from "./posted.js";
import { purse } from "./purse.js";
import { seed } from "./seed.js";
import { sheets } from "./sheets.js";
import { isBonus, ownSeat } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {ReturnType<typeof import("./actions.js").actions>} Actions
 */

const TICK_MS = 250;

/**
 * @param {import("./actions.js").Store} store
 * @param {Actions} actions
 * @param {import("../wire.js").TableNow} tableInfo
 * @param {any} rules the rulebook in force
 * @param {{name: string, flush: () => void, skip: () => void}} page the player's name, a function that draws the newest
 *   state now, and one that ends the reveal
 */
export function view(store, actions, tableInfo, rules, { name, flush, skip }) {
  const { state } = store;
  const panels = sheets();
  const aloud = h("p.seen-not", { role: "status", "aria-live": "polite" });
  const coachSheet = panels.sheet("coach");
  const advice = coach(store, coachSheet.show);
  coachSheet.fill(advice.element);
  const prize = celebration();
  const banner = h("p.banner", { role: "status", hidden: true });
  const reasons = panels.sheet("results");
  const own = ownPlace(actions, { advice, skip, showReasons: reasons.show });
  reasons.fill(own.reasons);
  const help = keys(shortcuts(store, actions, rules, repeat), flush, panels.sheet("keys"));
  const display = meters(state.levels);
  const texts = panels.sheet("notices", ...postedTexts(rules.posted, tableInfo.title));
  const menu = headOf(store, actions, tableInfo, rules, panels, help.show);
  const table = board(tableInfo, rules, {
    head: menu.element,
    posted: posted(rules.posted, display.element, texts.show),
    place: own.element,
    banner,
    prize: prize.element,
    win: prize.win,
    light: prize.light,
    onSit: (seat) => actions.sit(seat).then(own.focusIf),
  });
  fill(find("main"), table.element, panels.element, advice.question, menu.dialog, aloud);

  const parts = [table, own, advice, display, menu, purse(name)];
  setInterval(() => own.tick(store.state), TICK_MS);

  /** @param {State} now */
  function draw(now) {
    for (const part of parts) part.draw(now);
  }

  /** Announce a text to screen readers. @param {string} text */
  const announce = (text) => fill(aloud, text);

  /** Announce a text, even if it is the same as before. @param {string} text */
  function repeat(text) {
    fill(aloud, "");
    requestAnimationFrame(() => fill(aloud, text));
  }

  /** Show the state of the connection. @param {boolean} isOnline @param {string} text */
  function showConnection(isOnline, text) {
    banner.hidden = isOnline;
    fill(banner, text);
  }

  draw(state);
  return { draw, showConnection, announce, prize, caption: table.caption, focusIf: own.focusIf };
}

// --- the head of the felt ------------------------------------------------------------------------

/**
 * The table's name, and the buttons that open sheets.
 * @param {import("./actions.js").Store} store
 * @param {Actions} actions
 * @param {import("../wire.js").TableNow} tableInfo
 * @param {any} rules
 * @param {ReturnType<typeof sheets>} panels
 * @param {() => void} showKeys
 */
function headOf(store, actions, { name, seats, title, rulebook }, rules, panels, showKeys) {
  const pays = h("div.pays");
  const log = h("ol.log", { "aria-label": say("log") });
  const link = h("a", { href: "#", hidden: true, target: "_blank" }, "");
  const seedBox = seed(actions);
  const exit = leaving(store, actions.leave);
  const paysSheet = panels.sheet("pay-tables", pays);
  const logSheet = panels.sheet("log", link, log);
  const seedSheet = panels.sheet("seed", seedBox.element);
  const rulesLink = h(
    "a.button",
    { href: `/rules/${encodeURIComponent(rulebook)}`, title, target: "_blank" },
    say("rules"),
  );
  const items = [
    h("button", { onclick: logSheet.show }, say("log")),
    h("button", { onclick: seedSheet.show }, say("seed")),
    h("button", { onclick: showKeys }, say("keys"), h("kbd", "?")),
  ];
  const list = h("div.menu-items", { hidden: true }, items);
  const more = h("button.more", { "aria-expanded": "false", "aria-label": say("menu"), onclick: toggle }, "☰");
  const element = h(
    "div.felt-head",
    h("h1", seats === 1 ? say("alone-here") : say("table-name", { name }), h("span.title", title)),
    h(
      "div.tools-head",
      exit.button,
      rulesLink,
      h("button.to-pays", { onclick: paysSheet.show }, say("pay-tables")),
      h("div.menu", more, list),
    ),
  );

  function toggle() {
    list.hidden = !list.hidden;
    set(more, { "aria-expanded": String(!list.hidden) });
  }
  element.addEventListener("click", (event) => {
    if (event.target instanceof Element && list.contains(event.target)) toggle();
  });

  /** @param {State} state */
  function draw(state) {
    const terms = { bonus: isBonus(state), dynamicPays: state.view?.dynamic };
    drawIfChanged(pays, terms, () => fill(pays, ...offeredPayTables(rules, terms)));
    drawIfChanged(log, state.log, () =>
      fill(
        log,
        state.log.map((line) => h("li", line)),
      ),
    );
    const number = state.finished?.number;
    link.hidden = !number;
    if (number) {
      set(link, { href: `/round/${encodeURIComponent(name)}/${number}` });
      fill(link, say("round-page", { number }));
    }
    seedBox.draw(state);
    exit.draw(state);
  }
  return { element, dialog: exit.dialog, draw };
}

// --- keys ----------------------------------------------------------------------------------------

/**
 * The keys that have no button.
 * @param {import("./actions.js").Store} store
 * @param {Actions} actions
 * @param {any} rules
 * @param {(text: string) => void} speak
 * @returns {import("./keys.js").Key[]}
 */
function shortcuts(store, actions, rules, speak) {
  /** @type {[string, (state: State) => string][]} */
  const sentences = [
    ["h", sayOwnHand],
    ["w", sayStakes],
    ["m", sayMeters],
    ["l", sayResults],
  ];
  const onSpots = Object.entries(spotKeys(store.state.spotWagers, rules.side_bets));
  return [
    ...sentences.map(([key, text]) => ({ key, label: () => say(`key.${key}`), act: () => speak(text(store.state)) })),
    { key: "k", label: () => say("key.k"), act: actions.chooseNext },
    { key: "z", label: () => say("key.z"), act: actions.placeBets },
    ...CHIPS.map((cents, at) => ({
      key: String(at + 1),
      label: () => say("key.chip", { amount: formatDollars(cents) }),
      act: () => actions.pick(cents),
    })),
    ...onSpots.map(([wager, key]) => ({
      key,
      label: () => say("key.on", { name: sayWager({ wager, bonus: isBonus(store.state) }) }),
      act: () => actions.addChip(wager),
    })),
  ];
}

/** The player's stakes in a sentence. @param {State} state */
function sayStakes(state) {
  const stakes = stakesOf(ownSeat(state)).map(
    ([wager, cents]) => `${sayWager({ wager, bonus: isBonus(state) })} ${formatDollars(cents)}`,
  );
  return stakes.join(", ") || say("no-bets");
}
