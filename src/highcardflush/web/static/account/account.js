// The player's own page: the graded session, the bankroll chart, mistakes to drill, history, statement, a break.
import { get, post } from "../core/api.js";
import { bankrollChart } from "./chart.js";
import { fill, find, h } from "../core/dom.js";
import { drill } from "./drill.js";
import * as money from "../core/money.js";
import { complain, greet, open, sayFailure, showPurse } from "../core/page.js";
import { signing } from "./signing.js";
import { say, sayWager } from "../core/words.js";
import { sayAntes, sayCost } from "../core/worths.js";

/**
 * @typedef {import("../wire.js").Me} Me
 * @typedef {import("../wire.js").GradedSession} Session
 * @typedef {import("../wire.js").GradedRound} GradedRound
 * @typedef {import("../wire.js").OwnRound} OwnRound
 * @typedef {import("../wire.js").OwnLine} OwnLine
 */

const HOUR_MS = 3_600_000;
/** @type {Record<string, number>} */
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, all: Infinity };
const BREAK_MINUTES = [15, 60, 24 * 60, 7 * 24 * 60];
const MOST_MISTAKES = 10;
const PAGE = 20;

const clock = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});
/** @param {number} ms */
const sayTime = (ms) => h("time", { datetime: new Date(ms).toISOString() }, clock.format(ms));
/** @param {string} table @param {number} number */
const linkRound = (table, number) =>
  h("a", { href: `/round/${encodeURIComponent(table)}/${number}` }, say("own.round", { table, number }));
/** @param {number} cents */
const net = (cents) =>
  h("span", { class: cents > 0 ? "net up" : cents < 0 ? "net down" : "net" }, money.sayNet(Math.round(cents)));

// --- the session ---------------------------------------------------------------------------------

const span = h(
  "select",
  { "aria-label": say("own.span"), onchange: () => showSession().catch(tell) },
  ...Object.keys(SPANS).map((each) => h("option", { value: each }, say(`own.span.${each}`))),
);
span.value = "day";
const equation = h("dl.equation");
const luck = h("p.quiet");
const chart = bankrollChart();
const mistakes = h("ol.mistakes");
const facts = h("ul.facts");
const noRounds = h("p.nothing", say("own.none"));
const graded = h("div.graded", { hidden: true }, equation, luck, chart.element);
/** The rounds to drill, the worst mistake first. @type {GradedRound[]} */
let worst = [];
const again = h("button.main-action", { type: "button", onclick: () => drillThem() });
const listed = h("div", h("p.quiet", say("own.drill.why")), again, mistakes);
const lesson = drill(() => {
  listed.hidden = false;
  again.focus();
});
const drilling = h("section.panel", { hidden: true }, h("h2", say("own.drill")), listed, lesson.element);

function drillThem() {
  listed.hidden = true;
  return lesson.begin(worst);
}

/** @param {string} code @param {number} cents @param {string} sign */
const term = (code, cents, sign) =>
  h("div", { class: `term ${code}` }, h("dt", say(`own.${code}`)), h("dd", sign && h("span.sign", sign), net(cents)));

async function showSession() {
  const since = SPANS[span.value] === Infinity ? 0 : Date.now() - SPANS[span.value];
  /** @type {Session} */
  const session = await get(`/me/session?since_ms=${Math.max(0, Math.floor(since))}`);
  const some = session.rounds.length > 0;
  noRounds.hidden = some;
  graded.hidden = !some;
  const worse = session.rounds
    .filter((each) => each.severity !== "best")
    .sort((one, other) => other.cost_cents - one.cost_cents);
  worst = worse.slice(0, MOST_MISTAKES);
  drilling.hidden = !worst.length;
  fill(again, say("own.drill.begin", { count: worst.length }));
  // rounded so that the parts add up to the result that was paid
  const [expected, cost] = [Math.round(session.expected_cents), Math.round(session.cost_cents)];
  fill(
    equation,
    term("result", session.net_cents, ""),
    term("expectation", expected, "="),
    term("mistakes", -cost, "+"),
    term("luck", session.net_cents - expected + cost, "+"),
  );
  fill(luck, say("own.z", { z: session.z.toFixed(2).replace("-", "−") }), " ", session.luck.text);
  chart.show(session.rounds);
  fill(mistakes, ...worst.map(drawMistake));
  fill(facts, ...tellFacts(session).map((words) => h("li", words)));
}

/** @param {GradedRound} round */
function drawMistake(round) {
  const kinds = round.mistakes.map((mistake) => say(`mistake.${mistake.kind}`)).join(", ");
  return h(
    "li",
    h("span", { class: `grade ${round.severity}` }, say(`severity.${round.severity}`)),
    h("span.kinds", kinds),
    h("span.price", say("own.cost", { cost: sayCost(round.cost_cents), antes: sayAntes(-round.cost_antes) })),
    linkRound(round.table, round.number),
  );
}

/** Facts about the session, a sentence each. @param {Session} session */
function tellFacts(session) {
  const { rounds } = session;
  if (!rounds.length) return [say("own.facts.none")];
  const minutes = Math.max(1, Math.round((rounds[rounds.length - 1].at_ms - rounds[0].at_ms) / 60_000));
  const each = session.expected_cents / rounds.length;
  return [
    say("own.facts.time", { rounds: rounds.length, minutes }),
    say("own.facts.result", { result: money.sayNet(session.net_cents) }),
    say("own.facts.price", { cents: money.say(Math.abs(Math.round(each))), costs: each < 0 }),
  ];
}

// --- lists ---------------------------------------------------------------------------------------

/**
 * A list that is fetched page by page, the newest entry first.
 * @template T
 * @param {string} path
 * @param {HTMLElement} place
 * @param {(data: any) => T[]} rows the oldest first
 * @param {(row: T) => HTMLElement} draw
 */
function paged(path, place, rows, draw) {
  /** @type {number | null} */
  let before = null;
  const more = h("button", { type: "button", onclick: () => older(), hidden: true }, say("own.older"));
  async function next() {
    const data = await get(`${path}?last=${PAGE}${before ? `&before=${before}` : ""}`);
    before = data.before;
    const drawn = rows(data).reverse().map(draw);
    place.append(...drawn);
    return drawn;
  }
  /** Load the next page and move the focus to its first row. */
  async function older() {
    more.disabled = true;
    try {
      const [first] = await next();
      first?.setAttribute("tabindex", "-1");
      first?.focus();
      more.hidden = !before;
    } catch (error) {
      tell(error);
    }
    more.disabled = false;
  }
  return {
    more,
    /** Load the first page; true if there is any entry. */
    async begin() {
      before = null;
      fill(place);
      const drawn = await next();
      more.hidden = !before;
      return drawn.length > 0;
    },
  };
}

/** @param {unknown} error */
const tell = (error) => complain(sayFailure(error));

const unplayed = h(
  "p.nothing",
  { hidden: true },
  say("own.no-rounds"),
  " ",
  h("a", { href: "/" }, say("own.to-tables")),
);
const rounds = h("ul.rounds");
const history = paged("/me/rounds", rounds, (data) => data.rounds, drawRound);

/** @param {OwnRound} round */
function drawRound(round) {
  const wagers = round.results.map(({ wager }) => sayWager({ wager, bonus: round.bonus })).join(", ");
  return h(
    "li",
    linkRound(round.table, round.number),
    h("span.quiet", round.outcome === "void" ? say("own.void") : wagers),
    sayTime(round.at_ms),
    net(round.net_cents),
  );
}

const lines = h("tbody", { role: "rowgroup" });
const statement = paged("/me/statement", lines, (data) => data.lines, drawLine);

/** @param {OwnLine} line */
function drawLine(line) {
  const table = line.round ? line.stream.slice("table/".length) : "";
  const placed = Object.entries(line.what.values).map(
    ([wager, cents]) => `${sayWager({ wager, bonus: line.bonus })} ${money.say(Number(cents))}`,
  );
  const wagers = placed.join(", ");
  const pending = line.pending_cents ? ` ${say("own.pending", { amount: money.say(line.pending_cents) })}` : "";
  return h(
    "tr",
    { role: "row" },
    cell("when", sayTime(line.at_ms)),
    cell("what", say(`statement.${line.what.code}`, { wagers }, line.what.text), pending),
    cell("round", line.round ? linkRound(table, line.round) : null),
    cell("amount", net(line.amount_cents)),
    cell("balance", money.say(line.balance_cents)),
  );
}

/** The columns of the statement, and which are numbers. @type {Record<string, boolean>} */
const COLUMNS = { when: false, what: false, round: false, amount: true, balance: true };

/** @param {string} column @param {...import("../core/dom.js").Child} children */
const cell = (column, ...children) =>
  h(
    "td",
    { role: "cell", class: `${column}${COLUMNS[column] ? " number" : ""}`, "data-of": say(`statement.${column}`) },
    ...children,
  );

// --- a break -------------------------------------------------------------------------------------

const resting = h("p.resting", { role: "status" });
const breaks = h(
  "div.breaks",
  ...BREAK_MINUTES.map((minutes) =>
    h("button", { type: "button", onclick: () => rest(minutes) }, say("own.break.take", { minutes })),
  ),
);

/** @param {number} minutes */
async function rest(minutes) {
  await post("/break", { minutes }).then(showBreak, tell);
}

/** @param {import("../wire.js").Break} taken */
function showBreak({ until_ms }) {
  fill(resting, until_ms ? say("own.break.until", { time: clock.format(until_ms) }) : "");
  resting.hidden = !until_ms;
}

// --- the page ------------------------------------------------------------------------------------

const who = h("div.who-is");
const own = h(
  "div.own",
  { hidden: true },
  h(
    "section.panel.session",
    { "aria-label": say("own.session") },
    h("div.head", h("h2", say("own.session")), span),
    noRounds,
    graded,
  ),
  drilling,
  h("section.panel", h("h2", say("own.history")), h("p.quiet", say("own.play-money")), unplayed, rounds, history.more),
  h(
    "section.panel",
    h("h2", say("own.facts")),
    facts,
    h("h3", say("own.break")),
    h("p.quiet", say("own.break.why")),
    resting,
    breaks,
  ),
  h(
    "details.panel.statement",
    h("summary", h("h2", say("own.statement"))),
    h(
      "div.scroll",
      { tabindex: "0", role: "region", "aria-label": say("own.statement") },
      h(
        "table",
        { role: "table" },
        h(
          "thead",
          { role: "rowgroup" },
          h(
            "tr",
            { role: "row" },
            Object.entries(COLUMNS).map(([code, number]) =>
              h(
                "th",
                { scope: "col", role: "columnheader", class: number ? "number" : null },
                say(`statement.${code}`),
              ),
            ),
          ),
        ),
        lines,
      ),
    ),
    statement.more,
  ),
);

/** @param {Me | null} person */
async function show(person) {
  showPurse(person);
  fill(
    who,
    h(
      "p",
      person ? say(person.kind === "guest" ? "own.guest" : "own.named", { name: person.name }) : say("own.nobody"),
    ),
    person?.balance_cents !== undefined &&
      h("p.balance", h("span", say("own.balance")), " ", h("strong", money.say(person.balance_cents))),
    !person && h("p.begin", h("a.button.main-action", { href: "/" }, say("own.to-tables"))),
    h(
      "details",
      { open: !person },
      h("summary", say(!person ? "sign.begin" : person.kind === "guest" ? "sign.keep" : "sign.out")),
      signing(person, show),
    ),
  );
  const plays = person?.role === "player";
  own.hidden = !plays;
  if (!plays) return;
  const anything = history.begin().then((some) => (unplayed.hidden = some));
  await Promise.all([showSession(), anything, statement.begin(), get("/break").then(showBreak)]).catch(tell);
}

open(say("account"));
fill(find("#main"), h("h1", say("account")), h("section.panel", { "aria-label": say("own.who") }, who), own);
await show(await greet());
