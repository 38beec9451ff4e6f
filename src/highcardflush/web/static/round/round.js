// The page of a finished round: its replay, the reason for every result, the value of every decision, and the proof,
// checked in the browser.
import { get, RefusalError } from "../core/api.js";
import { drawTable, fill, find, h } from "../core/dom.js";
import { formatDollars, formatNet } from "../core/numbers.js";
import { backToTable, complain, greet, open, sayFailure } from "../core/page.js";
import { netOf, outcome, ownFirst } from "../core/seats.js";
import { nameSideBets, say, sayWager, sayWords } from "../core/words.js";
import { decisionPanels } from "../core/worths.js";
import { proofChecks } from "./proved.js";
import { replay } from "./replay.js";

/** @typedef {import("../wire.js").Record} Round */
/** @typedef {import("../wire.js").Steps} Steps */
/** @typedef {import("../wire.js").Result} Result */
/** @typedef {{previous: number | null, next: number | null}} Neighbours numbers of finished rounds */

const [table, number] = location.pathname.split("/").slice(2).map(decodeURIComponent);
const path = `/rounds/${encodeURIComponent(table)}/${number}`;

async function load() {
  try {
    const [round, playback, neighbours] = await Promise.all([get(path), get(`${path}/steps`), neighboursOf()]);
    nameSideBets(playback.side_bets);
    await draw(round, playback, neighbours);
  } catch (error) {
    if (error instanceof RefusalError && error.status === 404) fill(find("#main"), notOver());
    else complain(sayFailure(error));
  }
}

/** The previous and the next finished round of the table, or null. */
async function neighboursOf() {
  const here = Number(number);
  const { round, phase } = await get(`/tables/${encodeURIComponent(table)}`);
  const newest = round && (phase === "settled" || phase === "void") ? round.number : (round?.number ?? 1) - 1;
  return { previous: here > 1 ? here - 1 : null, next: here < newest ? here + 1 : null };
}

const notOver = () => [
  h("h1", say("round.title", { table, number })),
  h("p", say("round.not-over")),
  h("p", h("a.button", { href: `/table/${encodeURIComponent(table)}` }, say("round.to-table", { table }))),
];

/** @param {Round} round @param {Steps} playback @param {Neighbours} neighbours */
async function draw(round, playback, neighbours) {
  const last = playback.steps.length - 1;
  const first = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) - 1 : last;
  const player = replay(playback, first, (at) =>
    history.replaceState(null, "", at === last ? location.pathname : `#${at + 1}`),
  );
  const publication = { ...round, table, number: Number(number), rules: playback.rules, side_bets: playback.side_bets };
  const proof = proofChecks(publication, playback.bonus);
  const short = h("a.short-verdict", { href: "#h-proof" }, say("round.checking"));
  const decisions = playback.steps.flatMap((step) => step.weighed ?? []);
  fill(
    find("#main"),
    head(round, playback.you, neighbours, short),
    section("replay", h("p.quiet.open", say("round.open"), h("span.keys", ` ${say("round.keys")}`)), player.element),
    h(
      "div",
      { class: decisions.length === 1 ? "columns even" : "columns whole" },
      section("results", results(round.results, playback)),
      decisions.length > 0 &&
        section(
          "decisions",
          h("p.quiet", say("round.decisions-why")),
          h("div.panels", decisionPanels(decisions, playback.you)),
        ),
    ),
    h(
      "div.columns",
      section(
        "proof",
        h("p.quiet", say("round.proof-why")),
        proof.verdict,
        proof.list,
        limitsOfProof(),
        copyButton("round.copy-proof", round.proof),
      ),
      section(
        "notation",
        h("p.quiet", say("round.notation-why")),
        notation(round.notation),
        copyButton("round.copy", round.notation),
      ),
    ),
  );
  const isProven = await proof.run();
  short.dataset.state = isProven ? "good" : "bad";
  fill(short, say(isProven ? "round.holds" : "round.fails"));
}

/** @param {string} name @param {...(Node | false)} content */
const section = (name, ...content) =>
  h(
    "section",
    { class: name, "aria-labelledby": `h-${name}` },
    h("h2", { id: `h-${name}` }, say(`round.${name}`)),
    ...content,
  );

// --- the head ------------------------------------------------------------------------------------

/** @param {Round} round @param {number | null} you @param {Neighbours} neighbours @param {Node} verdict */
function head(round, you, { previous, next }, verdict) {
  const status = h("span.quiet", { role: "status" });
  const own = round.results.filter((result) => result.seat === you);
  return h(
    "div.round-head",
    h(
      "div",
      h("h1", say("round.title", { table, number })),
      h(
        "p.quiet",
        say("round.by"),
        " ",
        h(
          "a",
          { href: `/rules/${encodeURIComponent(round.rulebook)}?table=${encodeURIComponent(table)}` },
          say("table-name", { name: round.rulebook }),
        ),
        say("round.content", { hash: round.sha256 }),
        " ",
        verdict,
      ),
      own.length > 0 && h("p", say("round.own", { seat: you, net: formatNet(netOf(own)) })),
    ),
    h(
      "nav.ways",
      { "aria-label": say("round.ways") },
      way(previous, "previous"),
      way(next, "next-round"),
      h("button.main-action.share", { type: "button", onclick: () => share(status) }, say("round.share")),
      status,
    ),
  );
}

/** @param {number | null} to @param {string} code */
const way = (to, code) =>
  to !== null &&
  h(
    "a.button",
    { href: `/round/${encodeURIComponent(table)}/${to}`, rel: code === "previous" ? "prev" : "next" },
    say(`round.${code}`, { number: to }),
  );

/** @param {HTMLElement} status */
async function share(status) {
  const url = location.origin + location.pathname + location.hash;
  if (navigator.share) {
    await navigator.share({ title: document.title, url }).catch(() => undefined); // the user may cancel
    return;
  }
  fill(status, say((await copyText(url)) ? "round.address-copied" : "round.not-copied"));
}

// --- results -------------------------------------------------------------------------------------

/** The results by seat, the player's own first. @param {Result[]} results @param {Steps} playback */
function results(results, playback) {
  const seats = ownFirst([...new Set(results.map((result) => result.seat))], playback.you);
  const panels = seats.map((seat) =>
    seatPanel(
      seat,
      results.filter((result) => result.seat === seat),
      playback,
    ),
  );
  return h("div.panels.settled", panels.length ? panels : h("p", say("round.no-wagers")));
}

/** @param {number} seat @param {Result[]} results @param {Steps} played */
function seatPanel(seat, results, { you, bonus }) {
  const own = seat === you;
  const total = netOf(results);
  const rows = results.flatMap((result, i) => wager(result, results[i + 1], bonus));
  const heads = ["wager", "stake", "net"].map(
    (name, i) => /** @type {[string, boolean]} */ ([say(`round.column.${name}`), i > 0]),
  );
  return h(
    "section",
    { class: `panel${own ? " own" : ""}`, "data-seat": seat },
    h(
      "h3",
      say("round.seat", { seat }),
      own && h("span.badge", say("you")),
      h("span", { class: `net ${outcome(total)}` }, formatNet(total)),
    ),
    drawTable("table", "", heads, rows),
  );
}

/**
 * The row of a wager, and a row for its reason, which several wagers may share.
 * @param {Result} result
 * @param {Result | undefined} next
 * @param {boolean} bonus
 */
function wager(result, next, bonus) {
  const why = sayWords(result.reason);
  return [
    h(
      "tr",
      { "data-wager": result.wager },
      h("th", { scope: "row" }, sayWager({ wager: result.wager, bonus })),
      h("td.number", result.stake_cents ? formatDollars(result.stake_cents) : "–"),
      h("td", { class: `number net ${outcome(result.net_cents)}` }, formatNet(result.net_cents)),
    ),
    ...(next && sayWords(next.reason) === why ? [] : [h("tr.why", h("td", { colspan: 3 }, sentence(why)))]),
  ];
}

/** @param {string} text */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

// --- text to copy --------------------------------------------------------------------------------

/** @param {string} text */
const notation = (text) =>
  h("pre.notation", { tabindex: 0, role: "region", "aria-label": say("round.notation-box") }, text);

const limitsOfProof = () =>
  h(
    "details.unproved",
    h("summary", say("round.unproved")),
    h("ul", ...["before", "chose", "meters", "server"].map((each) => h("li", say(`round.unproved.${each}`)))),
  );

/** @param {string} code @param {string} text */
function copyButton(code, text) {
  const status = h("span.quiet", { role: "status" });
  const button = h(
    "button",
    {
      type: "button",
      onclick: async () => fill(status, say((await copyText(text)) ? "round.copied" : "round.not-copied")),
    },
    say(code),
  );
  return h("p.copying", button, status);
}

/** @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // this browser does not let pages copy
  }
}

open(say("round.title", { table, number }), { back: backToTable(table) });
fill(find("#main"), h("p.quiet", say("loading")));
await Promise.all([greet(), load()]);
