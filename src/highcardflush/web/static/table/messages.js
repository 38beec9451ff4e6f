// Reactions to the server's messages, apart from drawing: the reveal of a settled round, announcements, sounds, prizes,
// and the reality check.
import { prefs } from "../core/prefs.js";
import { say, sayFact } from "../core/words.js";
import { levelOf } from "./celebration.js";
import { after, mayDecide, noticeOf, withLines } from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../wire.js").ToldMessage} ToldMessage
 * @typedef {import("../wire.js").Fact} Fact
 */

/** Facts that the cards show anyway. */
const SILENT = new Set(["HandDealt"]);

/**
 * @param {import("./actions.js").Store} store
 * @param {ReturnType<typeof import("./view.js").view>} view
 * @param {ReturnType<typeof import("./actions.js").actions>} actions
 * @param {import("../wire.js").Me} who
 * @param {ReturnType<typeof import("./reveal.js").reveal>} show
 */
export function messages(store, view, actions, who, show) {
  /** Sounds play one after the other, the first as soon as its module is loaded. */
  let sounds = Promise.resolve();

  /** @param {import("../wire.js").ServerSays} message */
  function receive(message) {
    store.update((state) => after(state, message, performance.now()));
    const { state } = store;
    if (!("table" in message) || message.table !== state.name) return;
    if (message.type === "told") tell(message, state);
    else if (message.type === "table") begin(message);
    else if (message.type === "win" && message.seat === state.you?.seat) view.prize.tellWin(message);
    actions.noteSeat();
    actions.placeQueued();
  }

  /** @param {import("../wire.js").TableMessage} message */
  function begin(message) {
    show.finish();
    store.update((now) => withLines(now, [], say(`phase.${message.view?.phase ?? "none"}`)));
    actions.takeSeat().then(view.focusIf);
  }

  /** @param {ToldMessage} message @param {State} state */
  function tell({ kind, told: facts }, state) {
    const you = state.you?.seat ?? state.finished?.seat ?? 0;
    const lines = facts.map((fact) => (SILENT.has(fact.type) ? "" : sayFact(fact, you))).filter(Boolean);
    const shown = facts.find((fact) => fact.type === "DealerShown");
    const last = kind === "settle" ? "" : (lines.at(-1) ?? "");
    const says = shown ? sayFact(shown, you) : last;
    const isOpening = kind === "open";
    show.begin();
    show.then(() => {
      // The dealer's hand stays in the bubble as long as the finished round is on the felt.
      store.update((now) => withLines(now, lines, isOpening && now.finished ? now.says : says));
      if (lines.length) view.announce(lines.join(" "));
      const level = kind === "settle" ? levelOf(facts, you) : "";
      view.prize.celebrate(facts, you, noticeOf(state), level);
      const tone = level || toneOf(kind, netOf(facts, you), mayDecide(state));
      if (tone && prefs.sounds)
        sounds = sounds.then(async () => (await import("./sounds.js")).play(tone, view.caption));
      if (isOpening) checkReality(state); // between rounds, so that it disturbs no decision
    });
  }

  /** @param {State} state */
  async function checkReality({ you, balance_cents: cents }) {
    if (!you || cents === undefined) return;
    const { realityCheck } = await import("./reality.js");
    realityCheck({ name: who.name, cents }, actions.leave);
  }

  return receive;
}

/** The player's net in a settlement. @param {Fact[]} facts @param {number} you */
const netOf = (facts, you) =>
  facts.reduce(
    (net, fact) => (fact.type === "WagerSettled" && fact.result.seat === you ? net + fact.result.net_cents : net),
    0,
  );

/** @param {string} kind @param {number} net @param {boolean} isTurn */
function toneOf(kind, net, isTurn) {
  if (kind === "settle") return net < 0 ? "lose" : "";
  if (kind === "deal") return isTurn ? "turn" : "deal";
  return kind === "wagers" ? "bet" : "";
}
