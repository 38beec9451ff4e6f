// The pages' labels in English, by code. Sentences about a round come from the server as text.
import { parseCards, RANKS } from "../core/hands.js";
import { formatDollars } from "../core/numbers.js";

/** @param {number} count @param {string} one @param {string} [many] */
const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

// --- cards, wagers and errors --------------------------------------------------------------------

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven"];
const RANK_NAMES = "two three four five six seven eight nine ten jack queen king ace".split(" ");
/** @type {Record<string, string>} */
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
/** @type {Record<string, string>} */
const WAGERS = {
  ante: "Ante",
  raise: "Raise",
  flush: "Flush Bonus",
  "straight-flush": "Straight Flush Bonus",
  progressive: "Progressive",
  envy: "Envy Pays",
  bonus: "Bonus Jackpot",
  main: "Ante and Raise",
};

/** `spades`, or `spade` for one card. @param {string} suit @param {number} count */
const suitNoun = (suit, count) => (count === 1 ? suit.slice(0, -1) : suit);
/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** `level 1` of `level-1`. @param {string} code */
const withSpaces = (code) => code.replaceAll("-", " ");
/** A rank as printed on a card. @param {string} rank */
const sign = (rank) => (rank === "T" ? "10" : rank);
/** `A♥ K♥ 10♥`. @param {string} text */
const cardSigns = (text) =>
  parseCards(text)
    .map(([rank, suit]) => sign(rank) + { c: "♣", d: "♦", h: "♥", s: "♠" }[suit])
    .join(" ");

/**
 * Errors that the page itself reports, and refusals whose message is written for the operator. The server's message is
 * shown for all others.
 * @type {Record<string, string>}
 */
const ERRORS = {
  "store-failed": "The house cannot write its books now. Nothing was done.",
  "store-busy": "The house is busy. Nothing was done; try again in a moment.",
  sealed: "The house cannot open its sealed data. Nothing was done.",
  foreign: "This request came from another page and was refused.",
  server: "The server answered with an error. Try again in a moment.",
  offline: "The server cannot be reached. Try again in a moment.",
  "signed-out": "You are signed out. Load the page again to come back.",
};

/** @type {Record<string, string>} */
const PHASES = {
  none: "No round yet",
  betting: "Place your bets",
  locked: "Bets are closed",
  dealt: "Cards are dealt",
  acting: "Players decide",
  showdown: "Showdown",
  settled: "Settled",
  void: "Round void",
};

/**
 * Entries with a common prefix: `error.busy`.
 * @template T
 * @param {string} name
 * @param {Record<string, T>} entries
 * @returns {Record<string, T>}
 */
const under = (name, entries) =>
  Object.fromEntries(Object.entries(entries).map(([code, entry]) => [`${name}.${code}`, entry]));

// --- lists of names -------------------------------------------------------------------------------

/** A list in words: `a, b or c`. @param {(string | number)[]} items @param {string} [word] */
const joinWords = (items, word = "and") =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
/** The number of a table for one player; null for a shared table. @param {string} name */
const numberAlone = (name) => /^alone-(\d+)$/.exec(name)?.[1] ?? null;
/** `Jackpot 1` of `jackpot-1`, `Solo Table 2` of `alone-2`. @param {string} name */
const tableName = (name) =>
  numberAlone(name) ? `Solo Table ${numberAlone(name)}` : name.split("-").map(capital).join(" ");

const WIRE = {
  ...under("error", ERRORS),
  ...under("phase", PHASES),
  ...under("wager", WAGERS),
  ...under("suit", SUITS),
  ...under("rank", Object.fromEntries([...RANKS].map((rank, i) => [rank, RANK_NAMES[i]]))),
};

// --- the lobby and the rules ---------------------------------------------------------------------

/** @type {Record<string, string | ((values: any) => string)>} */
const LOBBY = {
  "hero-text": "Seven cards each. Have more cards of one suit than the dealer, and you win. Free to play, no sign-up.",
  alone: "Play alone",
  "start-here": "Start here",
  "alone-text": "Your own table. No clock and no waiting: the next hand is dealt when you press Deal.",
  "alone-rules": "Rules of",
  "your-seats": "Your seats",
  "back-to-table": ({ name }) => (numberAlone(name) ? "Back to your table" : `Back to your table, ${tableName(name)}`),
  "back-to-seat": "Back to your table",
  "you-here": "you",
  "refill.broke": "You are out of chips.",
  "refill.get": "Get new chips",
  players: ({ names }) => (names.length ? capital(joinWords(names)) : "Nobody sits here yet."),
  "rules-at": ({ name }) => `Rules at ${tableName(name)}`,
  "feature.ante": ({ amounts }) => `Ante ${amounts}`,
  "feature.raise.exact": ({ most }) => `Raise set by your flush, 1x to ${most}x`,
  "feature.raise.multiples": ({ most }) => `Raise in whole Antes up to ${most}x`,
  "feature.raise.between": ({ least, most }) => `Raise ${least}x to ${most}x`,
  "feature.raise.steps": ({ most }) => `Raise up to ${most}x`,
  "feature.levels": ({ levels }) => `${capital(NUMBERS[levels])} jackpots with one bet`,
  "feature.keep": "You choose the suit to keep",
  "feature.show": "Lay straight flushes face up",
  "hero-rules": "How to play",
  "last-hit": ({ amount_cents, table, at }) => {
    const day = at.toLocaleDateString("en", { dateStyle: "medium" });
    return `Last won: ${formatDollars(amount_cents)} at ${tableName(table)}, ${day}`;
  },
  "fed.progressive": ({ tables }) => `Grows with every bet on it at ${joinWords(tables.map(tableName))}.`,
  "fed.bonus": ({ tables }) => `Offered at ${joinWords(tables.map(tableName))}.`,
  "amounts-short": ({ minimum_cents: low, maximum_cents: high, step_cents: step }) => {
    if (low === high) return formatDollars(low);
    if (high === null || high === undefined)
      return step > 1
        ? low === step
          ? `steps of ${formatDollars(step)}`
          : `from ${formatDollars(low)}, by ${formatDollars(step)}`
        : low === 1
          ? "any amount"
          : `from ${formatDollars(low)}`;
    return `${formatDollars(low)} to ${formatDollars(high)}${step > 1 ? `, by ${formatDollars(step)}` : ""}`;
  },
  "no-tables": "No table is open now. A table that opens appears here.",
  tables: "Tables with other players",
  "table-name": ({ name }) => tableName(name),
  "sit-at": ({ name }) => `Sit down at ${tableName(name)}`,
  "watch-at": ({ name }) => `Watch ${tableName(name)}`,
  closed: "Closed",
  "why.closed": "This table is closed.",
  "why.full": "All seats are taken.",
  "why.physical": "Played with real cards in the casino.",
  "door.closed": "Closed",
  "door.full": "Full",
  "door.physical": "In the casino",
  "meter-name": ({ kind, level }) =>
    (kind === "bonus" ? "Bonus Jackpot" : "Progressive") + (level === "progressive" ? "" : `, ${withSpaces(level)}`),
  apart: "Five rulebooks, one game",
  "apart-text": "Casinos differ in how much you may raise, which cards you show and which side bets they offer.",
  "compared.rulebook": "Rulebook",
  "compared.raise": "Raise",
  "compared.hand": "Your cards",
  "compared.jackpot": "Jackpot",
  "compared.extras": "Special",
  "compared.printed": "Printed limits",
  "compared-none": "None printed",
  "raise-kind.exact": ({ most }) => `Your flush sets your Raise: 1x to ${most}x your Ante.`,
  "raise-kind.multiples": ({ most }) => `Raise in whole Antes, up to ${most}x with a long flush.`,
  "raise-kind.between": ({ least, most }) =>
    `Raise any amount from ${least}x to ${most}x your Ante. The longer your flush, the more you may raise.`,
  "raise-kind.steps": ({ most, step }) => `Raise in steps of ${step}x your Ante, up to ${most}x with a long flush.`,
  "raise-open": "The casino sets the smallest Raise.",
  "expose.refused": "Your best suit is used automatically.",
  "expose.optional": "Your best suit is kept unless you choose another.",
  "expose.required": "A straight flush is paid only if you keep it or lay it face up.",
  "paid-at-once": "A straight flush laid face up with a Raise is paid at once, unless a payout limit could cut it.",
  "jackpot.none": "None",
  "jackpot.progressive": "Progressive",
  "jackpot.bonus": "Bonus Jackpot, set and paid by the casino",
  "has-envy": "Envy Pays for others' great hands",
  "has-dynamic": "Dynamic Pays, drawn each round",
  "has-levels": ({ levels }) => `Up to ${NUMBERS[levels]} jackpots`,
  "has-dice": "Dealing by dice",
  "has-nothing": "None",
  "rules-title": "The rules of High Card Flush",
  "rules-lead": "The hand with more cards of one suit wins. At equal length the highest card decides.",
  "rules-learn": "Learn it in one hand",
  "rules-all": "All rulebooks",
  "rules-unknown": "There is no such rulebook.",
  "step.bet": "Bet",
  "step-text.bet": "Place an Ante, and side bets if you like.",
  "step.look": "Look",
  "step-text.look": "You and the dealer get seven cards each. Your longest suit is your flush.",
  "step.raise": "Fold or raise",
  "step-text.raise":
    "Fold and lose the Ante, or raise by one more Ante. With five or more cards of one suit you may raise more.",
  "step.show": "Showdown",
  "step-text.show":
    "If the dealer has less than three suited cards, nine high, your Ante wins and your Raise is returned.",
  "step.pay": "Get paid",
  "step-text.pay": "The better flush wins even money on Ante and Raise. Side bets pay by their pay tables.",
  source: ({ name, source, version, authority }) =>
    `${[source.document, source.publisher, source.place, source.edition].filter(Boolean).join(", ")}. ` +
    `Rulebook ${name}, version ${version}.${authority ? ` Changes are approved by the ${authority}.` : ""}`,
  "played-at": "Played at",
  contents: "On this page",
  "part.play": "The rules of play",
  "part.raise": "The Raise",
  "part.bets": "Side bets and pay tables",
  "part.limits": "Limits",
  "part.posted": "Posted at this table",
  "part.settings": "Settings of this table",
  "part.notices": "Notices",
  "part.procedure": "How a round goes",
  "part.irregularities": "When something goes wrong",
  "part.record": "On record",
  "when.side-bets": "with side bets",
  "when.to-1": "with side bets that pay to 1",
  "when.progressive": "with a jackpot",
  "when.envy": "with Envy Pays",
  "when.dynamic": "with Dynamic Pays",
  "when.levels": "with several meters",
  "when.limits": "with limits",
  "when.choice": "where side bets are optional",
  "when.printed": "as printed",
  "column.flush": "Cards of one suit",
  "column.raise": "Raise, in Antes",
  "column.line": ({ noun }) => capital(noun),
  "column.pays": ({ pays }) => `Pays ${pays}`,
  "column.envy": "Envy Pay",
  "column.dynamic": "Dynamic Pays",
  "column-none": "none",
  "tables-of": ({ count, offered }) =>
    offered ? "offered" : `${plural(count, "pay table")}; the casino offers one of them`,
  "pays-for": ({ modes }) => {
    const bonus = " Run as a Bonus Jackpot, a percentage is of the display, which the house sets and pays.";
    return `Dollars are for each $1 that you bet.${modes.includes("bonus") ? bonus : ""}`;
  },
  "limits-none": "This rulebook prints no amounts.",
  "limits-table": "Each table posts its smallest and its largest bets.",
  "notice-bonus": "This notice is next to the amount of a Bonus Jackpot:",
  clauses: "The dealer's steps. The small marks name the clauses of the rules.",
  "procedure.opening": "Opening",
  "procedure.wagers": "Wagers",
  "procedure.deal": "The deal",
  "procedure.decisions": "Decisions",
  "procedure.showdown": "Showdown",
  "procedure.settlement": "Settlement",
  "procedure.closing": "Closing",
  "procedure.irregularities": "Irregularities",
  irregularity: ({ meaning, voids, after_warning }) =>
    `${meaning}: the ${voids === "round" || voids === "hand" ? voids : "hand or the round"} is void` +
    `${after_warning ? ", after a warning" : ""}.`,
};

// --- the table -----------------------------------------------------------------------------------

/** @type {Record<string, string | ((values: any) => string)>} */
const TABLE = {
  table: "Table",
  round: "Round",
  dealer: "Dealer",
  seats: "Seats",
  you: "You",
  empty: "free",
  chips: "Chip that a tap lays down",
  log: "Round log",
  menu: "More",
  keys: "Keys",
  notices: "Posted at this table",
  "pay-tables": "Pay tables",
  "table-of": ({ name }) => `Table ${name}`,
  "seat-of": ({ seat, name }) => `Seat ${seat}: ${name}`,
  "sit-here": ({ seat }) => `Sit at ${seat}`,
  "alone-here": "Your table",
  "sit-short": "Sit",
  leave: "Leave",
  "leave-after": "Leave after this hand",
  "leave-now": "Take back and leave",
  stay: "Stay",
  "take-back-and-leave": ({ total }) => `Take back ${total} and leave?`,
  "leaves-after": "You leave as soon as this hand is over.",
  "seat-lost": "You lost your seat while you were away.",
  "sit-again": "Sit down again",
  "watch-on": "Just watch",
  "out-of-chips": "You are out of chips.",
  refill: "Get new chips",
  "sound-offer": "Sound on?",
  yes: "Yes",
  no: "No",
  full: "Every seat is taken. A house player leaves between rounds: look again in a moment.",
  "take-a-seat": "You are watching. Take a free seat to play.",
  "next-round": "The next round opens in a moment.",
  "not-in": "You sat this round out. You can bet in the next one.",
  "waits-for-bet": "Take your time. The clock starts when someone bets.",
  "first-bet.chip": "1. Pick a chip.",
  "first-bet.ante": "2. Tap the Ante spot to put the chip on it.",
  "first-bet.deal": "3. Press the golden button to get your cards.",
  "first-decision": "Fold: lose the Ante. Raise: bet that you win. The coach helps.",
  "sent-later": "Kept, and sent as soon as the connection is back.",
  wait: "Waiting for the other players.",
  "wait.betting": "Waiting for the other players.",
  "wait.queued": "Your bets are placed when the next round opens.",
  "wait.locked": "Cards are coming.",
  "wait.showdown": "The dealer shows.",
  "clock.betting": ({ seconds }) => `${seconds} s to bet`,
  "clock.decision": ({ seconds }) => `${seconds} s to decide`,
  "clock.others": ({ seconds }) => `Others decide: ${seconds} s`,
  "clock.pause": ({ seconds }) => `Next round: ${seconds} s`,
  "line.connecting": "Connecting…",
  "line.lost": "The connection is lost. Your seat and your bets are safe; the page reconnects automatically.",
  "line.ended": "This connection has ended.",
  "your-place": "Your place",
  "your-bets": "Your bets",
  "your-spots": "Your betting spots",
  "your-decision": "Your decision",
  "your-turn-later": "Not your turn",
  "place-bets": ({ total }) => `Bet ${total}`.trim(),
  "bets-placed": ({ total }) => `${total} placed`,
  "bets-queued": ({ total }) => `${total} next round`,
  rebet: ({ total }) => `Rebet and deal ${total}`,
  deal: ({ total }) => `Deal ${total}`.trim(),
  "skip-pause": "Skip",
  double: "Double",
  clear: "Clear",
  "keep-bets": "Keep my bets",
  "stake-of": ({ name }) => `${name}, dollars`,
  "bet-needed": ({ name, least }) => `${name} needs ${least} or more.`,
  "bet-least": ({ name, least }) => `${name}: the minimum is ${least}.`,
  "bet-most": ({ name, most }) => `${name}: the maximum is ${most}.`,
  "bet-steps": ({ name, step }) => `${name}: in steps of ${step}.`,
  "leaves-no-raise": ({ left, raise }) => `This leaves you ${left}: too little for a Raise of ${raise}.`,
  "leaves-less-raise": ({ left, raise }) => `This leaves you ${left}: too little for the largest Raise of ${raise}.`,
  "bet-purse": ({ total, purse }) => `These bets are ${total}, and you have ${purse}.`,
  "no-amount": ({ text }) => `${text} is not an amount in dollars.`,
  fold: "Fold",
  folded: "folded",
  raised: "raised",
  "hand-void": "hand void",
  "raise-to": ({ amount }) => `Raise ${amount}`,
  "raise-span": ({ least, most }) => (least === most ? `${most}x Ante` : `${least}x to ${most}x`),
  "raise-too-much": "You have too little for this Raise.",
  "raise-other": "Another amount",
  "raise-this": "Raise this",
  "raise-unread": ({ text }) => `“${text}” is not an amount in dollars.`,
  "raise-outside": ({ amount }) => `${amount} cannot be raised here.`,
  "raise-limits": ({ least, most }) => `A Raise is ${least} to ${most}.`,
  "by-default": ({ what }) => `If the clock runs out: ${what}.`,
  "keep-which": "The flush you keep",
  "keep-another": "Keep another suit",
  "keep-suit": ({ suit, count }) => `Keep ${suit} (${count})`,
  "lies-face-up": ({ cards, folded }) =>
    [
      cards && `Face up: ${cardSigns(cards)}.`,
      folded && folded !== cards && `If you fold, face up: ${cardSigns(folded)}.`,
    ]
      .filter(Boolean)
      .join(" ") || "Nothing lies face up.",
  "turn-up": "Lay the straight flush face up",
  "turn-down": "Turn it face down",
  "throws-away": "This gives up a winning straight flush. Press again to do it anyway.",
  "no-straight-flush": "no straight flush",
  regroup: "By suit or rank",
  skip: "Skip",
  results: "Your result",
  "result.won": ({ amount }) => `You win ${amount}`,
  "result.lost": ({ amount }) => `You lose ${amount}`,
  "result.even": "Push",
  "timed-out": "Time ran out.",
  why: "Why?",
  net: ({ net }) => `This round ${net}`,
  "win.waiting": ({ amount }) => `Your win of ${amount} waits for a supervisor, and is paid then.`,
  "win.paid": ({ amount }) => `Your win of ${amount} is paid.`,
  "win.returned": ({ amount }) => `Your win of ${amount} was refused, and went back to the meter.`,
  "jackpot.own": ({ name }) => `You won the ${name}!`,
  "jackpot.other": ({ name, seat }) => `Seat ${seat} won the ${name}!`,
  "jackpot-why": "The share of the meter that the pay table gives for this hand. The meter continues from there.",
  "jackpot-why.bonus": "The share of the displayed amount that the pay table gives for this hand, paid by the house.",
  "envy-own": "Envy Pay!",
  "envy-why": "Somebody else's great hand pays everybody who has bet on it, you too.",
  card: ({ rank, suit }) => `${rank} of ${suit}`,
  "face-down": "card face down",
  "suit-of": ({ suit, count, ranks }) => `${NUMBERS[count]} ${suitNoun(suit, count)}: ${ranks}`,
  "flush-of": ({ suit, count, top }) => `${NUMBERS[count]} ${suitNoun(suit, count)}, ${top} high`,
  "straight-of": ({ count, suit, top }) => `${NUMBERS[count]}-card straight flush, ${top} high, ${suit}`,
  "own-hand": ({ cards }) => `Your hand: ${cards}`,
  "dealer-hand": ({ cards }) => (cards ? `Dealer's hand: ${cards}` : "Dealer's hand, face down"),
  "no-hand": "You have no cards.",
  "no-bets": "You have no bets.",
  "no-meters": "This table has no meter.",
  "no-result": "No result yet.",
  "dynamic-now": ({ pay }) => `now ${pay}`,
  "round-short": "Replay and proof",
  "round-page": ({ number }) => `Round ${number}: replay, reasons, proof`,
  seed: "Your seed",
  "seed-why": "Your seed is mixed into the shuffle so that nobody can rig it. Change it before betting closes.",
  "seed-name": "Use this seed",
  "seed-new": "Another",
  "seed-long": "A seed has 1 to 64 bytes.",
  "seed-named": ({ seed }) => `In this round: ${seed}`,
  heard: ({ what }) => `♪ ${what}`,
  "sound.bet": "chips",
  "sound.deal": "cards",
  "sound.turn": "your turn",
  "sound.win": "you win",
  "sound.lose": "you lose",
  "sound.jackpot": "jackpot",
  reality: ({ hours }) => `You have played for ${hours === 1 ? "an hour" : `${hours} hours`}`,
  "reality-says": ({ net }) => `Since you began: ${net} in play money.`,
  "go-on": "Go on",
  "take-break": "Take a break",
  "key.b": "place the bets, or deal",
  "key.z": "place the last bets again",
  "key.v": "double the bets",
  "key.x": "clear the bets",
  "key.s": "skip the reveal or the pause",
  "key.f": "fold",
  "key.r": "raise the smallest amount",
  "key.d": "raise the second amount",
  "key.t": "raise the third amount",
  "key.e": "turn a straight flush up or down",
  "key.g": "sort my cards by suit or rank",
  "key.c": "ask the coach",
  "key.h": "say my hand",
  "key.w": "say my bets",
  "key.m": "say the meters",
  "key.l": "say the last result",
  "key.k": "keep the next suit",
  "key.on": ({ name }) => `chip on ${name}`,
  "key.chip": ({ amount }) => `chip of ${amount}`,
  "key.?": "this list",
  "spot.ante": "Ante",
  "spot.raise": "Raise",
  "spot.flush": "Flush",
  "spot.straight-flush": "Straight Flush",
  "spot.progressive": "Progressive",
  "spot.bonus": "Bonus Jackpot",
};

// --- the coach, and the player's page ------------------------------------------------------------

/** @type {Record<string, string | ((values: any) => string)>} */
const OWN = {
  coach: "Coach",
  antes: ({ antes }) => `${antes} antes`,
  "met.not_qualified": "Not qualified",
  "met.win": "You win",
  "met.tie": "Tie",
  "met.lose": "You lose",
  "severity.best": "Best",
  "severity.inaccuracy": "Inaccuracy",
  "severity.mistake": "Mistake",
  "severity.blunder": "Blunder",
  "mistake.fold": "folded a hand you should raise",
  "mistake.raise": "raised a hand you should fold",
  "mistake.amount": "raised the wrong amount",
  "mistake.keep": "kept a worse flush",
  "mistake.hidden": "did not show a straight flush",
  "mistake.short": "had too little left for the best Raise",
  "coach.mode": "The coach helps",
  "coach.mode.off": "Off",
  "coach.mode.ask": "On request",
  "coach.mode.warn": "With a warning before a mistake",
  "coach.mode.grade": "With a grade after each decision",
  "coach.ask": "Coach: what is best?",
  "coach.silent": "The coach has nothing to say here.",
  "coach.fold": "fold",
  "coach.raise": ({ amount, keep }) => (keep ? `raise ${amount}, keep ${keep}` : `raise ${amount}`),
  "coach.thinks": "One moment…",
  "coach.numbers": "Show numbers",
  "coach.grade": ({ severity, cost }) => `${severity}, −${cost} · why?`,
  "coach.best": ({ option, type, difference, gain }) => {
    const than = type === "Fold" ? "by raising" : "by folding";
    const compared = gain
      ? `On average you win ${gain}, which is ${difference} better than ${than.slice(3)}.`
      : `On average you lose ${difference} less than ${than}.`;
    return `${capital(option)}. ${difference ? compared : ""}`.trim();
  },
  "coach.best-is": ({ option }) => `Best is: ${option}.`,
  "coach.values": "Value of each decision",
  "coach.decision": "Decision",
  "coach.antes": "Antes",
  "coach.money": "Money",
  "coach.cost": "Costs",
  "coach.nothing": "nothing",
  "coach.under-a-cent": "under 1 ¢",
  "coach.if-you-raise": "If you raise, of all the hands that the dealer can hold:",
  "coach.gave-away": ({ cost, antes, option }) => `That gave away ${cost} on average (${antes}). Best was: ${option}.`,
  "coach.show-it": "A straight flush is paid only if you lay it face up.",
  "coach.well-done": "Nothing was given away.",
  "coach.back": "Think again",
  "coach.anyway": "Do it anyway",
  "coach.bets": "House edge of the side bets",
  "coach.bet": ({ wager, stake }) => `${wager}, ${stake}`,
  "coach.costs": ({ value, edge }) => `costs ${value} a round on average (${edge})`,
  "coach.gives": ({ value, edge }) => `gives ${value} a round on average (${edge})`,
  "coach.favour": "★ in your favour",
  "coach.break-even": ({ meter, now, least }) => `${meter}${now ? ` ${now}` : ""}: in your favour from ${least} on.`,
  "chart.result": "your result",
  "chart.expected": "expected with best play",
  "chart.band": "range of 19 of 20 players",
  "chart.start": "start",
  "chart.rounds": ({ rounds }) => plural(rounds, "round"),
  "chart.words": ({ rounds, result, low, high }) =>
    `Your result after ${plural(rounds, "round")}: ${result}. The band ends between ${low} and ${high}.`,
  "own.who": "Your account",
  "own.guest": "Guest chips expire. Create a free account to keep them.",
  "own.named": ({ name }) => `You play as ${name}.`,
  "own.nobody": "You are not signed in. Play as a guest or sign in.",
  "own.balance": "Your chips:",
  "own.session": "Your session",
  "own.span": "Period",
  "own.span.hour": "Last hour",
  "own.span.day": "Last 24 hours",
  "own.span.all": "Last 200 rounds",
  "own.none": "No rounds yet in this period.",
  "own.no-rounds": "You have not played a round yet.",
  "own.to-tables": "To the tables",
  "own.result": "Your result",
  "own.expectation": "Expected with best play",
  "own.mistakes": "Cost of mistakes",
  "own.luck": "Luck",
  "own.z": ({ z }) => `z = ${z}: the distance of your result from the expected one, in standard deviations.`,
  "own.drill": "Practise your mistakes",
  "own.drill.why": "The costliest comes first. Decide again, and see the best decision and why.",
  "own.drill.begin": ({ count }) => `Practise ${count === 1 ? "this decision" : `these ${count} decisions`}`,
  "drill.count": ({ at, of }) => `Decision ${at} of ${of}`,
  "drill.spot": ({ table, number, ante }) =>
    `${tableName(table)}, round ${number}. Your Ante is ${ante}. What do you do?`,
  "drill.seen": ({ cards }) => `Face up at other seats: ${cards}.`,
  "drill.face-up": "I lay my straight flush face up.",
  "drill.ask": "What do you do?",
  "drill.right": ({ choice }) => `Right: ${choice} is best.`,
  "drill.wrong": ({ choice, best, money, antes }) =>
    `${choice} costs ${money} on average (${antes} Antes). Best: ${best}.`,
  "drill.hidden": ({ money }) => `But a straight flush is paid only if you lay it face up: hiding it costs ${money}.`,
  "drill.then": ({ choice }) => `At the table you chose: ${choice}.`,
  "drill.next": "Next",
  "drill.sum": "Show my score",
  "drill.again": "Try again",
  "drill.end": "Stop practising",
  "drill.done": ({ right, of }) => `${right} of ${of} right`,
  "drill.wrong-again": "Repeat the wrong ones",
  "own.cost": ({ cost, antes }) => `${cost} (${antes})`,
  "own.round": ({ table, number }) => `${tableName(table)}, round ${number}`,
  "own.history": "Your rounds",
  "own.play-money": "All amounts on this page are play money.",
  "own.void": "void, wagers returned",
  "own.older": "Older",
  "own.statement": "Statement",
  "own.pending": ({ amount }) => `${amount} is waiting for approval`,
  "own.facts": "Facts",
  "own.facts.none": "No rounds yet in this period.",
  "own.facts.time": ({ rounds, minutes }) =>
    `${plural(rounds, "round")} in ${minutes < 120 ? plural(minutes, "minute") : `${Math.round(minutes / 60)} hours`}.`,
  "own.facts.result": ({ result }) => `Your result is ${result} in play money.`,
  "own.facts.price": ({ cents, costs }) =>
    costs
      ? `With best play your wagers cost ${cents} a round on average.`
      : `With best play your wagers give ${cents} a round on average.`,
  "own.break": "Take a break",
  "own.break.why":
    "You cannot bet on any device until your break ends. You can make a break longer, but you cannot shorten it.",
  "own.break.take": ({ minutes }) =>
    minutes < 60 ? `${minutes} minutes` : minutes < 1440 ? plural(minutes / 60, "hour") : plural(minutes / 1440, "day"),
  "own.break.begin": "Take a break…",
  "own.break.longer": "Make the break longer…",
  "own.break.how-long": "For how long?",
  "own.break.long": "A long break",
  "own.break.confirm": ({ time }) => `You cannot bet until ${time}. A break cannot be shortened.`,
  "own.break.start": "Start the break",
  "own.break.cancel": "Cancel",
  "own.break.until": ({ time }) => `You are on a break until ${time}.`,
  "error.other": ({ message, expected }) =>
    message.endsWith(".") ? message : `${capital(message)}${expected ? ` must be ${expected}` : ""}.`,
  "statement.when": "When",
  "statement.what": "What",
  "statement.round": "Round",
  "statement.amount": "Amount",
  "statement.balance": "Balance",
  "statement.won": "Won",
  "statement.lost": "Lost",
  "statement.even": "Even",
  "statement.live": "In play",
  "statement.void": "Void, wagers returned",
  "sign.begin": "Sign up or sign in",
  "sign.name": "Name",
  "sign.password": "Password",
  "sign.register": "Create account",
  "sign.register.title": "Create account",
  "sign.register.why": "It is free. You keep your seat and your chips.",
  "sign.register.new": "It is free. You get chips to begin with, and they are kept for you.",
  "sign.login": "Sign in",
  "sign.login.title": "Sign in",
  "sign.login.why": "Your guest chips will not be moved to this account.",
  "sign.login.new": "Your chips and your rounds are as you left them.",
  "sign.logout": "Sign out",
};

// --- the page of a round -------------------------------------------------------------------------

/** @type {Record<string, string | ((values: any) => string)>} */
const ROUND = {
  "round.title": ({ table, number }) => `Round ${number} at ${tableName(table)}`,
  "round.by": "Rules:",
  "round.content": ({ hash }) => ` (SHA-256 ${hash.slice(0, 12)}…).`,
  "round.own": ({ seat, net }) => `You sat in seat ${seat}: ${net}.`,
  "round.not-over": "This round is not over yet, or it was never played. Its page appears when it is settled.",
  "round.to-table": ({ table }) => `Back to ${tableName(table)}`,
  "round.ways": "Other rounds, and sharing",
  "round.previous": ({ number }) => `← Round ${number}`,
  "round.next-round": ({ number }) => `Round ${number} →`,
  "round.share": "Share this round",
  "round.address-copied": "Address copied.",
  "round.copied": "Copied.",
  "round.not-copied": "Your browser does not let this page copy. Select the text and copy it.",
  "round.seat": ({ seat }) => (seat ? `Seat ${seat}` : "Dealer"),
  "round.replay": "Replay",
  "round.open": "All cards are open now.",
  "round.keys": "Use the arrow keys to step.",
  "round.first": "To the first step",
  "round.back": "One step back",
  "round.play": "Play",
  "round.pause": "Pause",
  "round.next": "One step on",
  "round.last": "To the last step",
  "round.slider": "Step of the round",
  "round.count": ({ at, of }) => `Step ${at} of ${of}`,
  "round.thinks": "Decides",
  "round.dice": ({ dice }) => `Dice ${dice.join(", ")}`,
  "round.dynamic": ({ pays, base_cents: base }) => {
    const texts = pays.map((/** @type {[string, number]} */ [line, pay]) => `${line} ${formatDollars(pay * base)}`);
    return `Dynamic Pays for ${formatDollars(base)}: ${texts.join(", ")}`;
  },
  "round.settled": ({ seats }) => {
    const nets = seats.map((/** @type {{seat: number, net: string}} */ { seat, net }) => `seat ${seat} ${net}`);
    return `Settled: ${nets.join(", ") || "nothing to pay"}.`;
  },
  "round.holds": "The proof holds",
  "round.fails": "The proof does not hold",
  "round.results": "Every wager, and why",
  "round.no-wagers": "Nobody had a wager in this round.",
  "round.column.wager": "Wager",
  "round.column.stake": "Stake",
  "round.column.net": "Net",
  "round.decisions": "Value of each decision",
  "round.decisions-why": "Exact values of Ante and Raise against every hand that the dealer could have had.",
  "round.choices": ({ seat }) => `Choices of seat ${seat}`,
  "round.raise": ({ amount, times, keep }) =>
    `Raise ${amount} (${Number(times.toFixed(2))}×)${keep ? `, keep ${SUITS[keep]}` : ""}`,
  "round.chosen": "chosen",
  "round.best": "best",
  "round.best-made": "The best choice.",
  "round.cost": ({ money, antes }) => `This cost ${money} on average (${antes} Antes).`,
  "round.proof": "Fairness proof",
  "round.proof-why": "Your browser checks this here, from the published seeds.",
  "round.checking": "Checking…",
  "round.no-crypto":
    "This browser cannot compute SHA-256 on this page, so nothing was checked. Use https, or hcf verify.",
  "round.verified": ({ steps }) => `It holds: the house kept to its commitment, and all ${steps} steps agree.`,
  "round.verified-rules": ({ steps }) =>
    `It holds as far as it goes: ${steps} steps agree. No cards of this round came from a seed.`,
  "round.refused": ({ step, what }) =>
    `The proof fails at step ${step}: “${what}”. This round is not what its proof says.`,
  "round.mark.good": "holds",
  "round.mark.bad": "does not hold",
  "round.mark.none": "nothing to check",
  "round.check.head": "The proof can be read and is of this round",
  "round.check.record": "It has the round that this page shows",
  "round.check.rules": "The rules are the ones on record",
  "round.check.commitment": "The house's seed is the one it had committed to",
  "round.check.by-hand": "Cards were dealt by hand",
  "round.check.lost": "The seed of this round was lost",
  "round.check.player-commitment": ({ seat }) =>
    seat ? `Seat ${seat} revealed the seed it had committed to` : "A seat kept its seed back",
  "round.check.player-seeds": "Every seat in play has its part in the chance",
  "round.check.dice": "The dice follow from the seeds",
  "round.check.dynamic": "The Dynamic Pays follow from the seeds",
  "round.check.deck": "The deck is shuffled from the seeds",
  "round.check.hands": "Every hand came from that deck",
  "round.check.results": "The wagers are paid as the cards say",
  "round.proved.head": ({ table, number }) => `Table ${tableName(table)}, round ${number}.`,
  "round.proved.record": ({ lines }) => `All ${lines} lines of the notation, and every result above, are the same.`,
  "round.proved.rules": ({ rulebook }) =>
    `SHA-256 of the rulebook ${rulebook}, computed here, is the hash in the record.`,
  "round.proved.commitment": "SHA-256 of the revealed seed is the commitment that the house published before the bets.",
  "round.proved.player-commitment": "SHA-256 of the revealed seed is the commitment that the player had published.",
  "round.proved.player-seeds": "These seeds are mixed into the shuffle, seat by seat.",
  "round.proved.dice": ({ dice }) => `HMAC-SHA256 of the seeds gives ${dice}.`,
  "round.proved.dynamic": ({ pays }) => `HMAC-SHA256 of the seeds gives ${pays.replaceAll("=", " ")}.`,
  "round.proved.deck": "HMAC-SHA256 of the seeds orders all 52 cards.",
  "round.proved.hands": ({ hands }) =>
    `${plural(hands, "hand")} of seven, from the top of the deck in the order of the deal.`,
  "round.proved.results": ({ checked, left }) => {
    const why = "shares of a meter, Envy Pays, what a cap cut, or a side bet that this page cannot check";
    const rest = left ? ` ${plural(left, "result")} not: ${why}; hcf verify does.` : "";
    return `${plural(checked, "result")} worked out here from the cards.${rest}`;
  },
  "round.nothing.by-hand": "No seed was used, so there is no draw to check.",
  "round.nothing.lost": "The round was void, and every wager was returned.",
  "round.nothing.player-commitment": "The seat did not reveal its seed in time, so the seed was left out.",
  "round.nothing.player-seeds": "No player's seed was used.",
  "round.nothing.hands": "No hand was dealt.",
  "round.wrong": ({ seat, wager }) => {
    const who = seat === undefined ? "" : seat ? `, seat ${seat}` : ", the dealer";
    return `This does not agree${who}${wager ? `, ${wager}` : ""}:`;
  },
  "round.read": "Read",
  "round.expected": "Expected",
  "round.seed": "Seed",
  "round.sha256": "SHA-256",
  "round.no-seed": "none named",
  "round.deck": "The deck, from the top",
  "round.unproved": "What this does not prove",
  "round.unproved.before":
    "That the house's commitment was there before the bets: note it when the round opens, and compare.",
  "round.unproved.chose":
    "That nobody chose: a house that has a seat itself could choose the last seed named in the open.",
  "round.unproved.meters": "Limits of the wagers, shares of a meter and caps: those are checked by hcf verify.",
  "round.unproved.server":
    "That this page is honest: it comes from the same server. " +
    "Copy the proof and check it with hcf verify, on your own machine.",
  "round.copy-proof": "Copy the proof",
  "round.notation": "Notation",
  "round.notation-box": "The round as text",
  "round.notation-why": "The whole round as text: hcf replay plays it again.",
  "round.copy": "Copy the notation",
};

// --- how to play ---------------------------------------------------------------------------------

/** @type {Record<string, string | ((values: any) => string)>} */
const LEARN = {
  learn: "How to play",
  "learn.title": "Learn it in one hand",
  "learn.lead": "Play this hand with the coach. It takes 90 seconds, and no chips.",
  "learn.hand": "A hand with the coach",
  "learn.steps": "Steps of the hand",
  "learn.step.bet": "Bet",
  "learn.step.look": "Look",
  "learn.step.decide": "Fold or raise",
  "learn.step.compare": "Compare",
  "learn.your-hand": "Your hand",
  "learn.bet": ({ ante }) => `You bet before you see any cards. Your main bet is the Ante. Put ${ante} on it.`,
  "learn.place": ({ ante }) => `Place the Ante: ${ante}`,
  "learn.look":
    "You and the dealer get seven cards each. Only one suit counts: the one of which you hold the most cards. " +
    "Which is yours?",
  "learn.wrong-suit": ({ suit }) => `You hold fewer ${suit}. Look for the suit with the most cards.`,
  "learn.decide": ({ flush, ante }) =>
    `Right: ${flush}. That is your flush. Fold and lose the Ante, or raise: ` +
    `bet another ${ante} that your flush beats the dealer's.`,
  "learn.raise-it": ({ ante }) => `Raise ${ante}`,
  "learn.chose.raise": ({ beaten, gain }) =>
    `Well chosen. Raising wins against ${beaten} of all hands the dealer can have. On average you gain ${gain}.`,
  "learn.chose.fold": ({ beaten, loss, gain }) =>
    `Folding loses ${loss} for certain. Raising wins against ${beaten} of all hands the dealer can have, ` +
    `and gains ${gain} on average. So this time we raise.`,
  "learn.reveal": "Show the dealer's cards",
  "learn.compare": ({ dealers, yours, won }) =>
    `The dealer has ${dealers}; you have ${yours}. The longer flush wins, and Ante and Raise pay even money: ` +
    `you win ${won}. That is the whole game.`,
  "learn.play": "Play alone",
  "learn.practise": "Practise close decisions",
  "learn.again": "See it again",
  "learn.ranking": "What beats what",
  "learn.beats": "beats",
  "learn.longer": "More cards of one suit win, whatever the ranks.",
  "learn.higher": "With equally many cards, the highest card decides, then the next one.",
  "learn.qualify":
    "If the dealer has less than three suited cards, nine high, your Ante wins and your Raise is returned.",
  "learn.raise":
    "Your Raise equals your Ante. With five cards of one suit it may be twice the Ante, with six or seven three times.",
  "learn.sides": "Side bets pay for long flushes and straight flushes, also when the dealer wins.",
  "learn.rules": "The rules of five casinos",
  practice: "Practise close decisions",
  "practice.text": ({ ante }) =>
    `Your Ante is ${ante}. These hands are so close that most players get some of them wrong.`,
  "practice.begin": "Deal me a hand",
  "practice.score": ({ right, answered, streak, best }) =>
    `${right} of ${answered} right · ${streak} in a row · best ${best}`,
  "practice.right": "Right",
  "practice.wrong": "Wrong",
  "practice.why.raise": ({ raise, fold, saves }) =>
    `Raise. On average you lose ${raise} by raising and ${fold} by folding, so raising saves ${saves}.`,
  "practice.why.fold": ({ raise, fold, saves }) =>
    `Fold. On average you lose ${raise} by raising and ${fold} by folding, so folding saves ${saves}.`,
  "practice.next": "Next hand",
};

// --- the head of every page, and the settings ----------------------------------------------------

/** @type {Record<string, string | ((values: any) => string)>} */
const PAGE = {
  title: "High Card Flush",
  tagline: "The longest suit in seven cards wins.",
  "play-money": "Play money only. Nothing here is worth anything, and nothing can be paid in or out.",
  nav: "Pages",
  "tab.tables": "Tables",
  "tab.learn": "Learn",
  "tab.you": "You",
  lobby: "Lobby",
  rules: "Rules",
  account: "Your play",
  back: "Back",
  "back-to": ({ place }) => `Back to ${place}`,
  close: "Close",
  loading: "One moment…",
  settings: "Settings",
  more: "More",
  "settings-stay": "Settings are stored on this device.",
  theme: "Light or dark",
  "theme.system": "Automatic",
  "theme.light": "Light",
  "theme.dark": "Dark",
  sounds: "Sounds",
  "sounds.hint": "Each sound also has a caption.",
  "sounds.false": "Off",
  "sounds.true": "On",
  deck: "Deck",
  "deck.hint": "Suits decide this game, so each of the four has its own colour.",
  "deck.four": "Four colours",
  "deck.two": "Red and black",
  palette: "Colours",
  "palette.usual": "Usual",
  "palette.safe": "For red-green blindness",
  speed: "Result speed",
  "speed.0": "Instant",
  "speed.2": "Fast",
  "speed.1": "Normal",
  "speed.0.5": "Slow",
};

/** @type {Record<string, string | ((values: any) => string)>} */
export default {
  ...PAGE,
  ...LEARN,
  ...WIRE,
  ...LOBBY,
  ...TABLE,
  ...OWN,
  ...ROUND,
  sit: "Sit down",
  watch: "Watch",
  free: ({ free }) => (free ? `${plural(free, "seat")} free` : "no seat free"),
};
