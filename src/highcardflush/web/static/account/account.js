// The player's own page: the graded session, mistakes to drill, rounds, facts, a break, the statement.
import { get, post } from "../core/api.js";
import { fill, find, h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { complain, greet, open, sayFailure, showPurse } from "../core/page.js";
import { say } from "../core/words.js";
import { history, statement } from "./lists.js";
import { formatTime } from "./parts.js";
import { gradedSession } from "./session.js";
import { signInForms } from "./signing.js";

/** @typedef {import("../wire.js").Me} Me */

const BREAK_MINUTES = [15, 60, 24 * 60, 7 * 24 * 60];

/** @param {unknown} error */
const showError = (error) => complain(sayFailure(error));

/** Who the player is, with the forms to sign in or out. @param {(person: Me | null) => void} onChange */
function identity(onChange) {
  const element = h("div.who-is");

  /** @param {Me | null} person */
  function show(person) {
    const isGuest = person?.kind === "guest";
    fill(
      element,
      h("p", person ? say(isGuest ? "own.guest" : "own.named", { name: person.name }) : say("own.nobody")),
      person?.balance_cents !== undefined &&
        h("p.balance", h("span", say("own.balance")), " ", h("strong", formatDollars(person.balance_cents))),
      !person && h("p.begin", h("a.button.main-action", { href: "/" }, say("own.to-tables"))),
      h(
        "details",
        { open: !person },
        h("summary", say(!person ? "sign.begin" : isGuest ? "sign.keep" : "sign.out")),
        signInForms(person, onChange),
      ),
    );
  }

  return { element, show };
}

/** A break from betting. */
function breakPanel() {
  const status = h("p.resting", { role: "status" });
  const buttons = BREAK_MINUTES.map((minutes) =>
    h("button", { type: "button", onclick: () => take(minutes) }, say("own.break.take", { minutes })),
  );
  const elements = [h("h3", say("own.break")), h("p.quiet", say("own.break.why")), status, h("div.breaks", buttons)];

  /** @param {number} minutes */
  const take = (minutes) => post("/break", { minutes }).then(show, showError);

  /** @param {import("../wire.js").Break} current */
  function show({ until_ms }) {
    fill(status, until_ms ? say("own.break.until", { time: formatTime(until_ms) }) : "");
    status.hidden = !until_ms;
  }

  return { elements, load: () => get("/break").then(show) };
}

async function main() {
  open(say("account"));
  const session = gradedSession(showError);
  const rounds = history(showError);
  const lines = statement(showError);
  const rest = breakPanel();
  const who = identity(show);
  const own = h(
    "div.own",
    { hidden: true },
    session.element,
    session.mistakes,
    rounds.element,
    h("section.panel", h("h2", say("own.facts")), session.facts, rest.elements),
    lines.element,
  );
  fill(find("#main"), h("h1", say("account")), h("section.panel", { "aria-label": say("own.who") }, who.element), own);

  /** @param {Me | null} person */
  async function show(person) {
    showPurse(person);
    who.show(person);
    own.hidden = person?.role !== "player";
    if (!own.hidden) await Promise.all([session.load(), rounds.load(), lines.load(), rest.load()]).catch(showError);
  }

  await show(await greet());
}

main().catch(showError);
