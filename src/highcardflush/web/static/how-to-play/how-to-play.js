// How to play: a hand played together with the coach, two rules in pictures, and practice with close decisions.
import { card, parseCards } from "../core/cards.js";
import { fill, find, h } from "../core/dom.js";
import { complain, greet, open, sayFailure } from "../core/page.js";
import { say } from "../core/words.js";
import { guidedHand } from "./guided-hand.js";
import { practice } from "./practice.js";

/** Two hands each, the better one first. */
const COMPARED = /** @type {const} */ ([
  ["longer", "9h7h5h2h", "AsKsQs"],
  ["higher", "AdTd4d", "KcQcJc"],
]);

/** The better of two flushes, in pictures. */
const ranking = () =>
  h(
    "section.ranking",
    { "aria-labelledby": "ranking-head" },
    h("h2", { id: "ranking-head" }, say("learn.ranking")),
    h(
      "div.pairs",
      COMPARED.map(([code, better, worse]) =>
        h(
          "figure",
          h("div.pair", drawCards(better), h("span.beats", say("learn.beats")), drawCards(worse)),
          h("figcaption", say(`learn.${code}`)),
        ),
      ),
    ),
    h("ul.facts", h("li", say("learn.qualify")), h("li", say("learn.raise")), h("li", say("learn.sides"))),
  );

/** @param {string} cards */
const drawCards = (cards) =>
  h(
    "div.hand",
    parseCards(cards).map((each) => card(each)),
  );

async function main() {
  open(say("learn"));
  const drill = practice();
  const hand = guidedHand(() => {
    location.hash = "practice";
    drill.begin();
  });
  fill(
    find("#main"),
    h("h1", say("learn.title")),
    h("p.lead", say("learn.lead")),
    hand.element,
    ranking(),
    drill.element,
    h("p.more-rules", h("a.button", { href: "/rules" }, say("learn.rules"))),
  );
  if (location.hash === "#practice") drill.element.scrollIntoView();
  await greet();
}

main().catch((error) => complain(sayFailure(error)));
