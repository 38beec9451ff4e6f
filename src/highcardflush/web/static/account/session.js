// The graded session: the result as expectation, mistakes and luck, the bankroll chart, the drill and the facts.
import { get } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { formatDecimal, formatDollars, formatNet } from "../core/numbers.js";
import { say } from "../core/words.js";
import { sayAntes, sayCost } from "../core/worths.js";
import { bankrollChart } from "./chart.js";
import { drill } from "./drill.js";
import { drawNet, linkRound } from "./parts.js";

/**
 * @typedef {import("../wire.js").GradedSession} Session
 * @typedef {import("../wire.js").GradedRound} GradedRound
 */

const HOUR_MS = 3_600_000;
/** @type {Record<string, number>} */
const SPANS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, all: Infinity };
const MOST_MISTAKES = 10;

/** @param {(error: unknown) => void} onError */
export function gradedSession(onError) {
  const span = h(
    "select",
    { "aria-label": say("own.span"), onchange: () => load().catch(onError) },
    ...Object.keys(SPANS_MS).map((each) => h("option", { value: each }, say(`own.span.${each}`))),
  );
  span.value = "day";
  const noRounds = h("p.nothing", say("own.none"));
  const equation = h("dl.equation");
  const luck = h("p.quiet");
  const more = h("p.quiet");
  const chart = bankrollChart();
  const grades = h(
    "div.graded",
    { hidden: true },
    equation,
    luck,
    h("details.more", h("summary", say("more")), more),
    chart.element,
  );
  const mistakes = mistakeList();
  const facts = h("ul.facts");
  const element = h(
    "section.panel.session",
    { "aria-label": say("own.session") },
    h("div.head", h("h2", say("own.session")), span),
    noRounds,
    grades,
  );

  async function load() {
    const since = Math.max(0, Math.floor(Date.now() - SPANS_MS[span.value]));
    /** @type {Session} */
    const session = await get(`/me/session?since_ms=${since}`);
    noRounds.hidden = session.rounds.length > 0;
    grades.hidden = !session.rounds.length;
    fill(equation, drawEquation(session));
    fill(luck, session.luck.text);
    fill(more, say("own.z", { z: formatDecimal(session.z, 2) }));
    chart.show(session.rounds);
    mistakes.show(session.rounds);
    fill(facts, ...factsOf(session).map((text) => h("li", text)));
  }

  return { element, mistakes: mistakes.element, facts, load };
}

/** The result as a sum, whose terms are rounded so that they add up to the amount paid. @param {Session} session */
function drawEquation({ net_cents: net, expected_cents, cost_cents }) {
  const [expected, cost] = [Math.round(expected_cents), Math.round(cost_cents)];
  return [
    drawTerm("result", net, ""),
    drawTerm("expectation", expected, "="),
    drawTerm("mistakes", -cost, ""),
    drawTerm("luck", net - expected + cost, ""),
  ];
}

/** @param {string} code @param {number} cents @param {string} sign */
const drawTerm = (code, cents, sign) =>
  h(
    "div",
    { class: `term ${code}` },
    h("dt", say(`own.${code}`)),
    h("dd", sign && h("span.sign", sign), drawNet(cents)),
  );

/** The worst mistakes, and a drill of them. */
function mistakeList() {
  /** @type {GradedRound[]} */
  let worst = [];
  const begin = h("button.main-action", { type: "button", onclick: beginDrill });
  const list = h("ol.mistakes");
  const overview = h("div", h("p.quiet", say("own.drill.why")), begin, list);
  const lesson = drill(() => {
    overview.hidden = false;
    begin.focus();
  });
  const element = h("section.panel", { hidden: true }, h("h2", say("own.drill")), overview, lesson.element);

  function beginDrill() {
    overview.hidden = true;
    return lesson.begin(worst);
  }

  /** @param {GradedRound[]} rounds */
  function show(rounds) {
    worst = rounds
      .filter((round) => round.severity !== "best")
      .sort((one, other) => other.cost_cents - one.cost_cents)
      .slice(0, MOST_MISTAKES);
    element.hidden = !worst.length;
    fill(begin, say("own.drill.begin", { count: worst.length }));
    fill(list, ...worst.map(drawMistake));
  }

  return { element, show };
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
function factsOf({ rounds, expected_cents, net_cents }) {
  if (!rounds.length) return [say("own.facts.none")];
  const minutes = Math.max(1, Math.round((rounds[rounds.length - 1].at_ms - rounds[0].at_ms) / 60_000));
  const each = expected_cents / rounds.length;
  return [
    say("own.facts.time", { rounds: rounds.length, minutes }),
    say("own.facts.result", { result: formatNet(net_cents) }),
    say("own.facts.price", { cents: formatDollars(Math.abs(Math.round(each))), costs: each < 0 }),
  ];
}
