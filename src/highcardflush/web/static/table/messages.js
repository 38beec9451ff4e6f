// Reactions to the server's messages, apart from drawing: announcements, sounds, prizes, and the reality check.
import { showPurse } from "../core/page.js";
import { prefs } from "../core/prefs.js";
import { say } from "../core/words.js";
import { after, mayDecide, noticeOf } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").ToldMessage} ToldMessage
 */

/**
 * @param {import("./actions.js").Store} store
 * @param {ReturnType<typeof import("./view.js").view>} view
 * @param {ReturnType<typeof import("./actions.js").actions>} actions
 * @param {import("../wire.js").Me} who
 */
export function messages(store, view, actions, who) {
  const { teller, prize } = view;
  /** Sounds play one after the other, the first as soon as its module is loaded. */
  let sounds = Promise.resolve();

  /** @param {import("../wire.js").ServerSays} message */
  function receive(message) {
    // Finish first, because a new round forgets the announcements.
    if (message.type === "told" || message.type === "table") teller.finish();
    store.update((state) => after(state, message, performance.now()));
    const { state } = store;
    if (message.type === "hello" || message.type === "balance")
      showPurse({ name: who.name, balance_cents: state.balance_cents });
    if (!("table" in message) || message.table !== state.name) return;
    if (message.type === "told") tell(message, state);
    else if (message.type === "table") {
      teller.begin(say(`phase.${message.view?.phase ?? "none"}`));
      actions.takeSeat().then(view.focusIf);
    } else if (message.type === "win" && message.seat === state.you?.seat) prize.tellWin(message);
  }

  /** @param {ToldMessage} message @param {State} state */
  function tell({ kind, told: facts }, state) {
    const you = state.you?.seat ?? 0;
    teller.tell(facts, kind === "settle", you);
    const isGreat = prize.celebrate(facts, you, noticeOf(state));
    const tone = isGreat ? "jackpot" : toneOf(kind, netOf(facts, you), mayDecide(state));
    if (tone && prefs.sounds) sounds = sounds.then(async () => (await import("./sounds.js")).play(tone, view.caption));
    if (kind === "open") checkReality(state); // between rounds, so that it disturbs no decision
  }

  /** @param {State} state */
  async function checkReality({ you, balance_cents: cents }) {
    if (!you || cents === undefined) return;
    const { realityCheck } = await import("./reality.js");
    realityCheck({ name: who.name, cents }, actions.leave);
  }

  return receive;
}

/** The player's net in a settlement. @param {ToldMessage["told"]} facts @param {number} you */
const netOf = (facts, you) =>
  facts.reduce(
    (net, fact) => (fact.type === "WagerSettled" && fact.result.seat === you ? net + fact.result.net_cents : net),
    0,
  );

/** @param {string} kind @param {number} net @param {boolean} isTurn */
function toneOf(kind, net, isTurn) {
  if (kind === "settle") return net > 0 ? "win" : net < 0 ? "lose" : "";
  if (kind === "deal") return isTurn ? "turn" : "deal";
  return kind === "wagers" ? "bet" : "";
}
