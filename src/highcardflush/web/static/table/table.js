// The page of a table: load it, then connect the server's messages, the state, the view and the player's actions.
import { get, meOrGuest } from "../core/api.js";
import { everyFrame } from "../core/dom.js";
import { complain, open, sayFailure, showPurse } from "../core/page.js";
import { prefs } from "../core/prefs.js";
import { Connection } from "../core/socket.js";
import { nameSideBets, say } from "../core/words.js";
import { actions, remembered } from "./actions.js";
import { messages } from "./messages.js";
import { reveal } from "./reveal.js";
import { start } from "./state.js";
import { view } from "./view.js";

const name = decodeURIComponent(location.pathname.split("/").at(-1) ?? "");
const path = `/tables/${encodeURIComponent(name)}`;

/**
 * @param {import("../wire.js").TableNow} tableInfo
 * @param {any} rules
 * @param {State["levels"]} levels
 * @param {import("../wire.js").Me} who
 */
function begin(tableInfo, rules, levels, who) {
  /** @type {{minimum_antes: number, maximum_antes: number}[]} */
  const raises = rules.traits.raises;
  const setup = {
    name,
    levels,
    seats: tableInfo.seats,
    spotWagers: Object.keys(tableInfo.limits),
    mustShow: rules.expose === "required",
    least_raise_antes: Math.min(...raises.map(({ minimum_antes }) => minimum_antes)),
    most_raise_antes: Math.max(...raises.map(({ maximum_antes }) => maximum_antes)),
    limits: tableInfo.limits,
    posted: rules.posted,
  };
  const frame = everyFrame(() => page.draw(store.state));
  const housePlayers = tableInfo.house_players;
  const break_ends_ms = who.break_until_ms ?? null;
  const first = start(setup, { ...remembered(name), keepBets: prefs.keepBets, housePlayers, break_ends_ms });
  const store = storeOf(first, frame.request);
  const acts = actions(store, (command) => connection.do(`table/${name}`, command));
  const show = reveal(store);
  const page = view(store, acts, tableInfo, rules, { name: who.name, flush: frame.flush, skip: show.finish });
  const connection = new Connection(messages(store, page, acts, who, show), (status, reason) => {
    const isOnline = status === "open";
    page.showConnection(isOnline, isOnline ? "" : say(reason === "signed-out" ? "error.signed-out" : `line.${status}`));
    if (isOnline) complain("");
    store.update((state) => ({ ...state, isOnline }));
  });
  connection.watch(name);
}

/** @typedef {import("./state.js").State} State */

/** The state of the page. @param {State} first @param {() => void} draw @returns {import("./actions.js").Store} */
function storeOf(first, draw) {
  const store = {
    state: first,
    update(/** @type {(state: State) => State} */ change) {
      store.state = change(store.state);
      draw();
    },
  };
  return store;
}

open(say("table-name", { name }));
try {
  const who = await meOrGuest();
  showPurse(who);
  const [tableInfo, rules] = await Promise.all([get(path), get(`${path}/rules`)]);
  nameSideBets(rules.side_bets);
  const meters = Object.entries(tableInfo.meters).map(async ([level, meter]) => [
    level,
    await get(`/meters/${encodeURIComponent(meter)}`),
  ]);
  begin(tableInfo, rules, Object.fromEntries(await Promise.all(meters)), who);
} catch (error) {
  complain(sayFailure(error));
}
