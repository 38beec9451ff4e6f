// The player's own page: the account, the graded session, mistakes to drill, rounds, facts, a break, the statement.
import { get, isRegistered } from "../core/api.js";
import { fill, find, h } from "../core/dom.js";
import { formatDollars } from "../core/numbers.js";
import { complain, greet, open, sayFailure, showPurse } from "../core/page.js";
import { refillOffer, smallestAnte } from "../core/refill.js";
import { say } from "../core/words.js";
import { breakPanel } from "./break.js";
import { history, statement } from "./lists.js";
import { gradedSession } from "./session.js";
import { signInForms, signOutButton } from "./signing.js";

/** @typedef {import("../wire.js").Me} Me */

/** @param {unknown} error */
const showError = (error) => complain(sayFailure(error));

/** Who the player is, and the forms to sign up, in and out. @param {(person: Me | null) => void} onChange */
function identity(onChange) {
  const element = h("div.who-is");
  const refill = refillOffer(onChange);

  /** @param {Me | null} person */
  function show(person) {
    fill(
      element,
      h("p.name", person ? say("own.named", { name: person.name }) : say("own.nobody")),
      person?.balance_cents !== undefined &&
        h("p.balance", h("span", say("own.balance")), " ", h("strong", formatDollars(person.balance_cents))),
      person && isRegistered(person) && signOutButton(onChange),
      refill.element,
      person && !isRegistered(person) && h("p.expires", say("own.guest")),
      !person && h("p.begin", h("a.button.main-action", { href: "/" }, say("own.to-tables"))),
      !(person && isRegistered(person)) &&
        h("details", { open: !person }, h("summary", say("sign.begin")), signInForms(person, onChange)),
    );
  }

  /** Offer new chips to a player who cannot pay the smallest Ante. @param {Me | null} person */
  async function check(person) {
    refill.show(person, person ? smallestAnte(await get("/tables")) : 0);
  }

  return { element, show, check };
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
    h("section.panel", h("h2", say("own.facts")), session.facts),
    lines.element,
    h("section.panel", rest.elements),
  );
  fill(find("#main"), h("h1", say("account")), h("section.panel", { "aria-label": say("own.who") }, who.element), own);

  /** @param {Me | null} person */
  async function show(person) {
    showPurse(person);
    who.show(person);
    own.hidden = person?.role !== "player";
    const loads = own.hidden ? [] : [who.check(person), session.load(), rounds.load(), lines.load(), rest.load()];
    await Promise.all(loads).catch(showError);
  }

  await show(await greet());
}

main().catch(showError);
