// The page of the table: built once, then drawn from the state.
import { handCards, parseCards, sayCards } from "../core/cards.js";
import { drawIfChanged, fill, find, h, set, svg } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { offeredPayTables } from "../core/paytable.js";
import { stakesOf } from "../core/seats.js";
import { say, sayWager } from "../core/words.js";
import { betting } from "./betting.js";
import { celebration } from "./celebration.js";
import { CHIPS } from "../core/chips.js";
import { clock } from "./clock.js";
import { coach } from "./coach.js";
import { deciding } from "./deciding.js";
import { keys, spotKeys } from "./keys.js";
import { meters, sayMeters } from "./meters.js";
import { ownHand, sayOwnHand } from "./own-hand.js";
import { results, sayResults } from "./results.js";
import { seats } from "./seats.js";
import { seed } from "./seed.js";
import { spots } from "./spots.js";
import { announce, endAnnouncement, isBonus, isDelayed, limitsNow, mayDecide, ownSeat } from "./state.js";
import { telling } from "./telling.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../core/dom.js").Child} Child
 * @typedef {ReturnType<typeof import("./actions.js").actions>} Actions
 */

const TICK_MS = 250;
const WIDE_PX = 1088;

/**
 * @param {import("./actions.js").Store} store
 * @param {Actions} actions
 * @param {import("../wire.js").TableNow} tableInfo
 * @param {any} rules the rulebook in force
 * @param {() => void} flush draw the newest state now
 */
export function view(store, actions, tableInfo, rules, flush) {
  const { state } = store;
  const teller = telling(
    (fact) => store.update((now) => announce(now, fact)),
    () => store.update(endAnnouncement),
  );
  const advice = coach(tableInfo.name);
  const seedBox = seed((text) => actions.sendSeed(text));
  const prize = celebration();
  const own = ownPlace(actions, { advice, seedBox, skipping: teller.skipping });
  const pays = payTables(rules);
  const table = felt(actions, tableInfo, rules, state.levels, { teller, prize, own, showPays: () => show(pays.panel) });
  const log = logPanel(tableInfo.name, teller.log);
  const leave = h("button.leave", { hidden: true, onclick: actions.leave }, say("leave"));
  const help = keys(shortcuts(store, actions, rules, teller.repeat), flush);
  const banner = h("p.banner", { role: "status", hidden: true });
  const side = h(
    "aside.side",
    advice.element,
    pays.panel,
    table.noticesPanel,
    panel("seed", false, seedBox.element),
    log.panel,
    settingsPanel(),
    h("div.actions", leave, h("button", { onclick: () => help.show() }, say("keys"), h("kbd", "?"))),
  );
  fill(find("main"), banner, h("div.room", table.element, side), teller.aloud);

  const parts = [table, own, advice, seedBox, pays, log];
  setInterval(() => own.tick(store.state), TICK_MS);

  /** @param {State} now */
  function draw(now) {
    for (const part of parts) part.draw(now);
    leave.hidden = !now.you;
  }

  /** Show the state of the connection. @param {boolean} isOnline @param {string} text */
  function showConnection(isOnline, text) {
    banner.hidden = isOnline;
    fill(banner, text);
  }

  draw(state);
  return { draw, showConnection, teller, prize, caption: table.caption, focusIf: own.focusIf };
}

// --- the felt ------------------------------------------------------------------------------------

/**
 * @param {Actions} actions
 * @param {import("../wire.js").TableNow} tableInfo
 * @param {any} rules
 * @param {State["levels"]} levels
 * @param {{teller: ReturnType<typeof telling>, prize: ReturnType<typeof celebration>, own: ReturnType<typeof ownPlace>,
 *   showPays: () => void}} parts
 */
function felt(actions, tableInfo, rules, levels, { teller, prize, own, showPays }) {
  const { name, title, rulebook } = tableInfo;
  /** @type {string[]} */
  const notices = rules.notices_in_force;
  const noticesPanel = panel("notices", isWide(), h("p", title), ...notices.map((notice) => h("p", notice)));
  const display = meters(levels);
  const around = seats(tableInfo.seats, (seat) => actions.sit(seat).then(own.focusIf));
  const dealer = h("div.hand.dealer-hand", { "data-name": say("dealer") });
  const caption = h("p.caption", { "aria-hidden": "true" });
  const element = h(
    "section.felt",
    { "aria-label": say("table-of", { name }) },
    h(
      "div.felt-head",
      h("h1", say("table-name", { name }), h("span.title", title)),
      h(
        "p.links",
        h("a", { href: `/rules/${encodeURIComponent(rulebook)}`, title }, say("rules")),
        h("button.to-pays", { onclick: showPays }, say("pay-tables")),
      ),
      display.element,
      notices.length > 0 && h("button.posted", { onclick: () => show(noticesPanel) }, notices.join(" · ")),
    ),
    h(
      "div.round-table",
      h("div.dealer", h("h2.seen-not", say("dealer")), dealer, teller.says, caption),
      feltText(rules.qualifier.text),
      around.element,
    ),
    prize.element,
    prize.win,
    own.element,
  );

  /** @param {State} state */
  function draw(state) {
    around.draw(state);
    display.draw(state);
    drawIfChanged(dealer, state.view?.dealer ?? null, () => drawDealer(dealer, state.view?.dealer));
  }
  return { element, noticesPanel, caption, draw };
}

/** @param {Element} element @param {import("../wire.js").Hand | null | undefined} hand */
function drawDealer(element, hand) {
  fill(element, handCards(hand));
  set(element, {
    role: hand ? "group" : null,
    "aria-label": hand ? say("dealer-hand", { cards: sayCards(parseCards(hand.seen)) }) : null,
  });
}

/** Text printed on the felt, in an arc. It is decoration, and the rules say the same. @param {string} text */
const feltText = (text) =>
  svg(
    "svg",
    { class: "print", viewBox: "0 0 800 64", "aria-hidden": "true" },
    svg("path", { id: "arc", d: "M-20 4Q400 88 820 4", class: "line" }),
    svg("text", { "text-anchor": "middle", dy: "-7" }, svg("textPath", { href: "#arc", startOffset: "50%" }, text)),
  );

// --- the player's place --------------------------------------------------------------------------

/**
 * @param {Actions} actions
 * @param {{advice: ReturnType<typeof coach>, seedBox: ReturnType<typeof seed>, skipping: Node}} parts
 */
function ownPlace(actions, { advice, seedBox, skipping }) {
  const time = clock();
  const wait = h("p.wait");
  const layout = spots(actions.addChip, actions.type);
  const bets = betting({ ...actions, placeBets: () => actions.placeBets(seedBox.send) });
  const choice = deciding({ ...actions, decide, raiseTyped });
  const hand = ownHand(actions.tapCard, actions.regroup);
  const outcome = results();
  const element = h(
    "div.controls",
    { role: "group", "aria-label": say("your-place"), tabindex: -1 },
    time.element,
    wait,
    skipping,
    layout.element,
    h("div.own-row", hand.element, outcome.element, bets.element, choice.element),
  );

  /** @param {import("./choice.js").Choice} choice */
  function decide(choice) {
    return actions.decide(choice, advice);
  }

  /** @param {string} text */
  function raiseTyped(text) {
    const choice = actions.typedRaise(text);
    if (choice) decide(choice);
  }

  /** @param {State} state */
  function draw(state) {
    const mayBet = limitsNow(state) !== null;
    hand.draw(state);
    outcome.draw(state);
    bets.element.hidden = !mayBet;
    layout.element.hidden = !state.you;
    choice.element.hidden = !mayDecide(state);
    layout.draw(state);
    if (mayBet) bets.draw(state);
    if (mayDecide(state)) choice.draw(state);
    bets.element.inert = choice.element.inert = isDelayed(state);
    fill(wait, waitingFor(state, !outcome.element.hidden));
    set(element, { "aria-busy": state.isSending ? "true" : null });
    tick(state);
  }

  /** @param {State} state */
  const tick = (state) => time.draw(state.clock, performance.now());
  /** Move the focus here, because the button that had it has disappeared. @param {boolean} isSeated */
  const focusIf = (isSeated) => isSeated && element.focus({ preventScroll: true });
  return { element, draw, tick, focusIf };
}

/** The sentence about what the player waits for. @param {State} state @param {boolean} hasResults */
function waitingFor(state, hasResults) {
  if (isDelayed(state)) return say("sent-later");
  if (limitsNow(state) || mayDecide(state)) return state.clock || hasResults ? "" : say("waits-for-bet");
  if (!state.you) return say(Object.keys(state.taken).length < state.seats ? "take-a-seat" : "full");
  const phase = state.view?.phase;
  if (!phase || phase === "settled" || phase === "void") return say("next-round");
  return ownSeat(state) ? say(`wait.${phase}`, {}, say("wait")) : say("not-in");
}

// --- panels next to the felt ---------------------------------------------------------------------

const isWide = () => innerWidth > WIDE_PX;

/** @param {string} code @param {boolean} isOpen @param {...Child} inside */
const panel = (code, isOpen, ...inside) => h("details.panel", { open: isOpen }, h("summary", say(code)), ...inside);

/** @param {HTMLDetailsElement} details */
function show(details) {
  details.open = true;
  details.scrollIntoView();
  find("summary", details).focus();
}

/** The pay tables with the pays of this round. @param {any} rules */
function payTables(rules) {
  const element = h("div.pays");
  /** @param {State} state */
  function draw(state) {
    const terms = { bonus: isBonus(state), dynamicPays: state.view?.dynamic };
    drawIfChanged(element, terms, () => fill(element, ...offeredPayTables(rules, terms)));
  }
  return { panel: panel("pay-tables", isWide(), element), draw };
}

/** The announcements so far, and a link to the finished round. @param {string} table @param {Element} log */
function logPanel(table, log) {
  const link = h("a", { href: "#", hidden: true }, "");
  /** @param {State} state */
  function draw({ view, round }) {
    link.hidden = !(view?.phase === "settled" && round);
    if (!round) return;
    set(link, { href: `/round/${encodeURIComponent(table)}/${round.number}` });
    fill(link, say("round-page", { number: round.number }));
  }
  return { panel: panel("log", false, link, log), draw };
}

function settingsPanel() {
  const element = panel("settings", false);
  element.addEventListener("toggle", async () => element.append((await import("./settings.js")).settings()), {
    once: true,
  });
  return element;
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
