// The table: it puts the parts together, hands them what the server says, and sends what the player does. What is known is one
// plain state (store.js); each part draws what it needs of it.
import { Refused, get, meOrGuest } from "../core/api.js";
import { betting } from "./betting.js";
import { handCards, parseCards, sayCards } from "../core/cards.js";
import { celebration } from "./celebration.js";
import { CHIPS } from "./chips.js";
import { clock } from "./clock.js";
import { Coach } from "./coach.js";
import { deciding } from "./deciding.js";
import { fill, find, h, set, svg } from "../core/dom.js";
import { keys, spotKeys } from "./keys.js";
import { meters } from "./meters.js";
import * as money from "../core/money.js";
import { ownHand } from "./own-hand.js";
import { complain, open, showPurse } from "../core/page.js";
import { offered } from "../core/paytable.js";
import { prefs } from "../core/prefs.js";
import { results } from "./results.js";
import { seats, stakesOf } from "./seats.js";
import { seed } from "./seed.js";
import { Line } from "../core/socket.js";
import * as store from "./store.js";
import { telling } from "./telling.js";
import { nameSideBets, say, sayError, sayWager } from "../core/words.js";

/**
 * @typedef {import("../wire.js").TableNow} Place
 * @typedef {import("../wire.js").Meter} Meter
 * @typedef {import("../wire.js").PlayerCommand} Command
 */

const TICK_MS = 250;
const WIDE_PX = 1088;

const name = decodeURIComponent(location.pathname.split("/").at(-1) ?? "");
const path = `/tables/${encodeURIComponent(name)}`;

/** @param {Place} place @param {any} rules @param {Record<string, Meter>} found its meters by level @param {import("../wire.js").Me} who */
function begin(place, rules, found, who) {
  let table = store.empty(name);
  let sending = false;
  /** The sounds so far. */
  let heard = Promise.resolve();
  /** Whether the line is open: what is done else is sent when it is. */
  let online = false;
  /** The round for which one's seed was named. */
  let seeded = 0;
  const own = () => table.you?.seat ?? 0;
  const bonus = () => shown.isBonus(table);

  // --- the parts ---------------------------------------------------------------------------------

  const shown = meters(found);
  const teller = telling(draw);
  const around = seats(place.seats, (seat) => act({ type: "Sit", seat }));
  const bets = betting(placeBets, () => act({ type: "ClearWagers", seat: own() }));
  const coach = new Coach();
  const choice = deciding(decide, rules.expose === "required");
  const hand = ownHand(choice, draw);
  const came = results();
  const prize = celebration();
  const time = clock();
  const seedBox = seed((text) => line.do(`table/${name}`, { type: "NameSeed", seat: own(), seed: text }));
  const dealer = h("div", { class: "hand dealer-hand", "data-name": say("dealer") });
  const banner = h("p", { class: "banner", role: "status", hidden: true });
  const wait = h("p", { class: "wait" });
  const caption = h("p", { class: "caption", "aria-hidden": "true" });
  const leave = h("button", { class: "leave", hidden: true, onclick: stand }, say("leave"));
  const pays = h("div", { class: "pays" });
  const lastRound = h("a", { href: "#", hidden: true }, "");
  const controls = h("div", { class: "controls", role: "group", "aria-label": say("your-place"), tabindex: -1 }, time.element, wait, teller.skipping, bets.layout.element, h("div", { class: "own-row" }, hand.element, came.element, bets.element, choice.element));
  const offers = Object.keys(place.limits);
  const printed = [offers[0], "raise", ...offers.slice(1)];
  const help = keys([
    ["h", () => say("key.h"), () => teller.repeat(hand.words(table))],
    ["w", () => say("key.w"), () => teller.repeat(sayStakes())],
    ["m", () => say("key.m"), () => teller.repeat(shown.words(table))],
    ["l", () => say("key.l"), () => teller.repeat(came.words(table, bonus()))],
    ["k", () => say("key.k"), () => choice.chooseNext()],
    ...CHIPS.map((cents, at) => /** @type {import("./keys.js").Key} */ ([String(at + 1), () => say("key.chip", { amount: money.say(cents) }), () => bets.pick(at)])),
    ...Object.entries(spotKeys(offers, rules.side_bets))
      .map(([wager, key]) => /** @type {import("./keys.js").Key} */ ([key, () => say("key.on", { name: sayWager({ wager, bonus: bonus() }) }), () => bets.add(wager)])),
  ]);

  /** @param {string} code @param {boolean} isOpen @param {...import("../core/dom.js").Child} inside */
  const panel = (code, isOpen, ...inside) => h("details", { class: "panel", open: isOpen }, h("summary", {}, say(code)), ...inside);
  const wide = innerWidth > WIDE_PX;
  /** @type {string[]} */
  const notices = rules.notices_in_force;
  const posted = panel("notices", wide, h("p", {}, place.title), ...notices.map((notice) => h("p", {}, notice)));
  const paid = panel("pay-tables", wide, pays);
  /** @param {HTMLDetailsElement} chosen */
  const show = (chosen) => {
    chosen.open = true;
    chosen.scrollIntoView();
    find("summary", chosen).focus();
  };
  const chosen = panel("settings", false);
  chosen.addEventListener("toggle", async () => chosen.append((await import("./settings.js")).settings()), { once: true });
  fill(
    find("main"),
    banner,
    h("div", { class: "room" },
      h("section", { class: "felt", "aria-label": say("table-of", { name }) },
        h("div", { class: "felt-head" }, h("h1", {}, say("table-name", { name }), h("span", { class: "title" }, place.title)),
          h("p", { class: "links" },
            h("a", { href: `/rules/${encodeURIComponent(place.rulebook)}`, title: place.title }, say("rules")),
            h("button", { class: "to-pays", onclick: () => show(paid) }, say("pay-tables"))),
          shown.element,
          notices.length > 0 && h("button", { class: "posted", onclick: () => show(posted) }, notices.join(" · "))),
        h("div", { class: "round-table" },
          h("div", { class: "dealer" }, h("h2", { class: "seen-not" }, say("dealer")), dealer, teller.says, caption),
          print(say("qualifier", rules.qualifier)),
          around.element),
        prize.element,
        prize.win,
        controls),
      h("aside", { class: "side" },
        coach,
        paid,
        posted,
        panel("seed", false, seedBox.element),
        panel("log", false, lastRound, teller.log),
        chosen,
        h("div", { class: "actions" }, leave, h("button", { onclick: () => help.show() }, say("keys"), h("kbd", {}, "?"))))),
    teller.aloud,
  );
  choice.element.addEventListener("kept", draw);

  const line = new Line(hear, (state, reason) => {
    online = state === "open";
    banner.hidden = online;
    fill(banner, reason === "signed-out" ? say("signed-out") : state === "open" ? "" : say(`line.${state}`));
    if (online) complain("");
    draw();
  });
  line.watch(name);
  setInterval(() => time.draw(table.clock, performance.now()), TICK_MS);

  // --- what the server says ----------------------------------------------------------------------

  /** @param {import("../wire.js").ServerSays} message */
  function hear(message) {
    const before = table;
    table = store.after(table, message, performance.now());
    if (message.type === "told" || message.type === "table") {
      coach.consider(message, name);
      if (table.you && (!before.you || table.round?.number !== before.round?.number)) coach.bets(name);
    }
    if (message.type === "told" && message.table === name) {
      tell(message);
      if (message.kind === "open") checkReality(); // between rounds: nobody is disturbed at a decision
    } else if (message.type === "table") {
      teller.know(message.view?.results ?? []);
      teller.begin(say(`phase.${message.view?.phase ?? "none"}`));
      takeSeat();
    } else if (message.type === "hello" || message.type === "balance") showPurse({ name: who.name, balance_cents: table.balance_cents });
    else if (message.type === "win" && message.table === name && message.seat === own()) prize.tellWin(message);
    draw();
  }

  /** @param {import("../wire.js").ToldMessage} message */
  function tell({ kind, told }) {
    const base = rules.offers.find((/** @type {{wager: string}} */ offer) => offer.wager === "progressive")?.base_cents ?? 100;
    teller.tell(told, kind === "settle", { you: own(), bonus: bonus(), base_cents: base });
    const great = prize.celebrate(told, own(), shown.noticeOf(table));
    const mine = told.reduce((net, fact) => (fact.type === "WagerSettled" && fact.result.seat === own() ? net + fact.result.net_cents : net), 0);
    if (great) sound("jackpot");
    else if (kind === "settle" && mine) sound(mine > 0 ? "win" : "lose");
    else if (kind === "deal") sound(store.options(table, "Fold").length ? "turn" : "deal");
    else if (kind === "wagers") sound("bet");
  }

  /** One after the other, also while the first waits for its module. @param {string} tone */
  function sound(tone) {
    if (prefs.sounds) heard = heard.then(async () => (await import("./sounds.js")).play(tone, caption));
  }

  // --- what the player does ----------------------------------------------------------------------

  /** @param {Command} command */
  async function act(command) {
    sending = true;
    draw();
    try {
      await line.do(`table/${name}`, command);
      complain("");
      if (command.type === "Sit") controls.focus({ preventScroll: true }); // the button that was pressed is gone
    } catch (error) {
      if (error instanceof Refused) complain(sayError(error.error));
      else throw error;
    } finally {
      sending = false;
      draw();
    }
  }

  function stand() {
    return act({ type: "Leave", seat: own() });
  }

  /** Who came to sit is given the first free seat, once. */
  function takeSeat() {
    if (!new URLSearchParams(location.search).has("sit") || table.you) return;
    const free = Array.from({ length: place.seats }, (_, at) => at + 1).find((seat) => !table.taken[seat]);
    history.replaceState(null, "", location.pathname);
    if (free) act({ type: "Sit", seat: free });
    else complain(say("full"));
  }

  /** @param {Record<string, number>} wagers */
  function placeBets(wagers) {
    if (seeded !== table.round?.number) seedBox.send();
    seeded = table.round?.number ?? 0;
    act({ type: "PlaceWagers", seat: own(), wagers });
  }

  /** @param {import("./deciding.js").Choice} made */
  async function decide(made) {
    if (!(await coach.warn(made))) return;
    await act({ ...made, seat: own() });
    coach.grade(made);
  }

  async function checkReality() {
    if (!table.you || table.balance_cents === undefined) return;
    const { realityCheck } = await import("./reality.js");
    realityCheck({ name: who.name, cents: table.balance_cents }, stand);
  }

  // --- what is seen ------------------------------------------------------------------------------

  function draw() {
    const mayBet = store.options(table, "PlaceWagers")[0];
    const mayDecide = store.options(table, "Fold").length > 0;
    around.draw(table, { bonus: bonus(), telling: teller.seat, isTold: teller.isTold });
    shown.draw(table);
    drawDealer();
    if (mayDecide) choice.draw(table); // before the hand, which shows what is chosen
    hand.draw(table, mayDecide);
    came.draw(table, bonus(), teller.isTold);
    bets.element.hidden = !mayBet;
    bets.layout.element.hidden = !table.you;
    if (mayBet) bets.draw(table, mayBet.wagers ?? {}, { offered: printed, bonus: bonus() });
    else bets.layout.draw({ offered: printed, limits: null, stakes: Object.fromEntries(stakesOf(store.ownSeat(table))), nets: ownNets(), bonus: bonus() });
    choice.element.hidden = !mayDecide;
    const later = sending && !online;
    for (const part of [choice.element, bets.element]) part.inert = later;
    seedBox.draw(table);
    leave.hidden = !table.you;
    fill(wait, later ? say("sent-later") : mayBet || mayDecide ? (table.clock || !came.element.hidden ? "" : say("waits-for-bet")) : waitingFor());
    set(controls, { "aria-busy": sending ? "true" : null });
    drawPays();
    drawLastRound();
    time.draw(table.clock, performance.now());
  }

  function drawDealer() {
    const held = table.view?.dealer;
    const now = `${held?.seen} ${held?.cards}`;
    if (dealer.dataset.shown === now) return;
    dealer.dataset.shown = now;
    fill(dealer, handCards(held));
    set(dealer, { role: held ? "group" : null, "aria-label": held ? say("dealer-hand", { cards: sayCards(parseCards(held.seen)) }) : null });
  }

  function drawPays() {
    const now = { bonus: bonus(), drawn: table.view?.dynamic };
    const key = JSON.stringify(now);
    if (pays.dataset.drawn !== key) fill(pays, ...offered(rules, now));
    pays.dataset.drawn = key;
  }

  function drawLastRound() {
    lastRound.hidden = !(table.view?.phase === "settled" && table.round);
    if (!table.round) return;
    set(lastRound, { href: `/round/${encodeURIComponent(name)}/${table.round.number}` });
    fill(lastRound, say("round-page", { number: table.round.number }));
  }

  /** What one's own wagers have come to, as far as it is told. */
  function ownNets() {
    const told = (table.view?.results ?? []).filter(({ seat, wager }) => seat === own() && teller.isTold(seat, wager));
    return Object.fromEntries(told.map(({ wager, net_cents }) => [wager, net_cents]));
  }

  function waitingFor() {
    if (!table.you) return Object.keys(table.taken).length < place.seats ? say("take-a-seat") : say("full");
    const phase = table.view?.phase;
    if (!phase || phase === "settled" || phase === "void") return say("next-round");
    return store.ownSeat(table) ? say(`wait.${phase}`, {}, say("wait")) : say("not-in");
  }

  function sayStakes() {
    const stakes = stakesOf(store.ownSeat(table)).map(([wager, cents]) => `${sayWager({ wager, bonus: bonus() })} ${money.say(cents)}`);
    return stakes.join(", ") || say("no-bets");
  }
}

/** What is printed on the felt, in an arc: for the eye, the rules say it too. @param {string} text */
const print = (text) =>
  svg("svg", { class: "print", viewBox: "0 0 800 64", "aria-hidden": "true" },
    svg("path", { id: "arc", d: "M-20 4Q400 88 820 4", class: "line" }),
    svg("text", { "text-anchor": "middle", dy: "-7" }, svg("textPath", { href: "#arc", startOffset: "50%" }, text)));

open(say("table-name", { name }));
try {
  const who = await meOrGuest();
  showPurse(who);
  const [place, rules] = /** @type {[Place, any]} */ (await Promise.all([get(path), get(`${path}/rules`)]));
  const levels = await Promise.all(Object.entries(place.meters).map(async ([level, meter]) => [level, await get(`/meters/${encodeURIComponent(meter)}`)]));
  nameSideBets(rules.side_bets);
  begin(place, rules, Object.fromEntries(levels), who);
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  complain(sayError(error.error));
}
