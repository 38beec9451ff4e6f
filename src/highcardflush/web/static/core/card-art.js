// The drawings of cards: an index in two corners, pips by rank, and a court figure for jack, queen and king. A figure
// is one half, drawn a second time upside down, so that it looks alike from both ends. Style sheets give the colours.
import { svg } from "./dom.js";

const PIPS = /** @type {Record<string, string>} */ ({
  s:
    "M50 8C38 26 14 36 14 58c0 14 11 22 21 22 5 0 9-2 12-5-1 " +
    "9-5 15-12 19h30c-7-4-11-10-12-19 3 3 7 5 12 5 10 0 21-8 21-22C86 36 62 26 50 8Z",
  h: "M50 90C24 68 8 52 8 34 8 21 17 12 29 12c9 0 17 5 21 13 4-8 12-13 21-13 12 0 21 9 21 22 0 18-16 34-42 56Z",
  d: "M50 6 86 50 50 94 14 50Z",
  c:
    "M50 8c-12 0-21 9-21 20 0 6 3 11 7 15-3-1-6-2-9-2C16 41 8 50 8 60s8 19 19 19c8 " +
    "0 15-4 19-10 0 11-5 19-13 25h34c-8-6-13-14-13-25 4 6 11 10 19 10 11 0 19-9 19-19s-8-19-19-19c-3 0-6 1-9 2 " +
    "4-4 7-9 7-15 0-11-9-20-21-20Z",
});

/** The columns of the pips. @type {Record<string, number>} */
const COLUMNS = { l: 37, m: 50, r: 63 };
const CENTRE = 70;
/** Column and height of each pip in the upper half and in the centre, by rank. The lower half repeats the upper one. */
const PLACES = /** @type {Record<string, string>} */ ({
  2: "m25",
  3: "m25 m70",
  4: "l25 r25",
  5: "l25 r25 m70",
  6: "l25 r25 l70 r70",
  7: "l25 r25 l70 r70 m47",
  8: "l25 r25 l70 r70 m47",
  9: "l25 r25 l55 r55 m70",
  T: "l25 r25 l55 r55 m40",
});
/** The rank whose middle pip has no counterpart in the lower half. */
const UNEVEN = "7";
const PIP = 0.19;
const ACE = 0.52;
const UPSIDE_DOWN = "rotate(180 50 70)";

/** @param {string} suit @param {number} x its centre @param {number} y its centre @param {number} scale */
const pip = (suit, x, y, scale) =>
  svg("path", { d: PIPS[suit], class: "pip", transform: `translate(${x} ${y}) scale(${scale}) translate(-50 -50)` });

/** The same drawing twice: upright, and upside down. @param {(half: SVGGElement) => unknown} draw */
function twice(draw) {
  const half = svg("g");
  draw(half);
  const other = /** @type {SVGGElement} */ (half.cloneNode(true));
  other.setAttribute("transform", UPSIDE_DOWN);
  return [half, other];
}

/** @param {string} card such as `Ts` @returns {SVGElement[]} in a box of 100 by 140 */
export function drawFace([rank, suit]) {
  return [paper(), ...twice((half) => half.append(...index(rank, suit))), ...centre(rank, suit)];
}

const paper = () => svg("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "paper" });

/** The rank and the suit in a corner. @param {string} rank @param {string} suit */
function index(rank, suit) {
  const isTen = rank === "T";
  const text = svg(
    "text",
    {
      x: 15,
      y: 33,
      class: "rank",
      "text-anchor": "middle",
      ...(isTen && { textLength: 23, lengthAdjust: "spacingAndGlyphs" }),
    },
    isTen ? "10" : rank,
  );
  return [text, pip(suit, 16.5, 47, 0.21)];
}

/** @param {string} rank @param {string} suit */
function centre(rank, suit) {
  if (rank === "A") return [pip(suit, COLUMNS.m, CENTRE, ACE)];
  if (COURT[rank]) return court(rank, suit);
  const pips = PLACES[rank].split(" ").map((place) => ({ column: place[0], y: Number(place.slice(1)) }));
  const draw = (/** @type {typeof pips} */ some) => some.map(({ column, y }) => pip(suit, COLUMNS[column], y, PIP));
  const upper = pips.filter(({ y }) => y !== CENTRE);
  const lower = upper.filter(({ column }) => rank !== UNEVEN || column !== "m");
  return [...draw(pips), svg("g", { transform: UPSIDE_DOWN }, ...draw(lower))];
}

// --- court figures -------------------------------------------------------------------------------

/** @typedef {[kind: string, path: string]} Stroke a class, which names the colour, and a path */

/** @type {Stroke[]} */
const HEAD = [
  ["skin", "M46 40h8v9h-8Z"],
  [
    "skin",
    "M50 23.500c5.200 0 7.800 4 7.800 9 0 6.500-3.300 11.500-7.800 11.500s-7.800-5-7.800-11.500c0-5 2.600-9 7.800-9Z",
  ],
  ["ink line", "M44.500 31.200q2-1.300 4 0M51.500 31.200q2-1.300 4 0M50 33v4l-1.300.8M47.800 40.600q2.200 1 4.400 0"],
  ["ink", "M46.500 32.300a1 1.100 0 1 0 .1 0ZM53.500 32.300a1 1.100 0 1 0 .1 0Z"],
];
/** @type {Stroke[]} */
const ROBE = [
  ["suit", "M28 70V60C30 52 40 49 50 49s20 3 22 11v10Z"],
  ["gold line", "M33 70V58M38.500 70V55M61.500 70V55M67 70V58"],
];
/** @type {Stroke[]} */
const COLLAR = [
  ["gold", "M38.500 50.500 50 67l11.500-16.500C58 47.500 55 47 54 47l-4 7-4-7c-1 0-4 .5-7.500 3.500Z"],
  ["gold", "M47.500 63.500h5V70h-5Z"],
];
/** The half figure of each court card, from the back to the front. @type {Record<string, Stroke[]>} */
const COURT = {
  J: [
    ["gold line thick", "M67.500 70V24"],
    ["gold", "M67.500 13l3.600 8.500-3.600 5.500-3.600-5.500Z"],
    [
      "hair",
      "M40 27c-3 6-2.500 13-4 18 4 1.500 7 .5 8.500-2L46 30h8l1.500 13c1.500 2.500 4.500 3.500 8.500 " +
        "2-1.500-5-1-12-4-18Z",
    ],
    ...ROBE,
    ...COLLAR,
    ...HEAD,
    ["hair", "M42 31c0-5 3-8 8-8s8 3 8 8c-2-3.500-4-4.500-8-4.500s-6 1-8 4.500Z"],
    ["suit", "M38.500 26.500c-2-8 5-12.500 13-11.500 8 .8 11.500 5.500 9.800 11.500Z"],
    ["gold", "M39 25h22.500v3.600H39Z"],
    ["paper-fill", "M57 24c1-6 .5-9.500-4-12.500 8 0 11 5 8 12.500Z"],
  ],
  Q: [
    ["hair", "M50 21c-11 0-12.500 9-12.500 17 0 5-1.500 9-4 12h33c-2.500-3-4-7-4-12 0-8-1.500-17-12.500-17Z"],
    ...ROBE,
    ...COLLAR,
    ...HEAD,
    ["hair", "M42 33c0-6 3-9.500 8-9.500s8 3.500 8 9.500c-2-4-4.500-6-8-6s-6 2-8 6Z"],
    ["ink line", "M44 48.500q6 5 12 0"],
    ["gold", "M39.500 26 38 17.500l5 3.500 2.800-6.500L50 20l4.200-5.500L57 21l5-3.500-1.500 8.500c-6-2-15-2-21 0Z"],
    [
      "paper-fill",
      "M38 15.500a1.700 1.700 0 1 0 .1 0ZM45.800 12.500a1.700 1.700 0 1 0 .1 0ZM54.200 12.500a1.700 " +
        "1.700 0 1 0 .1 0ZM62 15.500a1.700 1.700 0 1 0 .1 0Z",
    ],
    ["ink line", "M67.500 66V36"],
    [
      "suit",
      "M67.500 25.500a3 3 0 0 1 2.700 4.200 3 3 0 1 1-.5 5.600 2.400 2.400 0 0 1-4.400 0 3 3 0 1 " +
        "1-.5-5.600 3 3 0 0 1 2.700-4.200Z",
    ],
    ["gold", "M67.500 30.500a1.900 1.900 0 1 0 .1 0Z"],
  ],
  K: [
    ["gold line thick", "M67.500 70V27"],
    ["gold", "M67.500 18.500a4 4 0 1 0 .1 0ZM66.600 13h1.800v6h-1.800ZM65 14.600h5v1.800h-5Z"],
    [
      "hair",
      "M40.500 27c-3 7-2.500 13-5 18.500 5 1 8-.5 9.500-2.500h10c1.500 2 4.500 3.500 9.500 " +
        "2.500-2.500-5.500-2-11.500-5-18.500Z",
    ],
    ...ROBE,
    ...COLLAR,
    ...HEAD,
    [
      "hair",
      "M42.300 34c0 13 3.200 19 7.700 19s7.700-6 7.700-19c-1.200 3.800-2.700 4.800-4.700 " +
        "4.500-2-.3-2.200-.3-3-.3s-1 0-3 .3c-2 .3-3.500-.7-4.700-4.500Z",
    ],
    ["paper-fill", "M47.500 41h5q-.5 1.800-2.500 1.800T47.500 41Z"],
    ["gold", "M39.500 28 37 14.500l6.800 5.500L50 11.500l6.200 8.500 6.800-5.500L60.500 28Z"],
    ["suit", "M39.300 25h21.400v3.600H39.300Z"],
    [
      "gold",
      "M50 25.500l1.800 1.300-1.800 1.300-1.800-1.300ZM43.500 25.700a1 1 0 1 0 .1 0ZM56.500 25.700a1 1 0 1 0 .1 0Z",
    ],
  ],
};

/** @param {string} rank @param {string} suit */
const court = (rank, suit) => [
  svg("rect", { x: 28, y: 10, width: 44, height: 120, rx: 2.5, class: "frame" }),
  ...twice((half) =>
    half.append(
      ...COURT[rank].map(([kind, path]) => svg("path", { d: path, class: kind })),
      pip(suit, 33.2, 16.2, 0.085),
    ),
  ),
  svg("path", { d: "M28 70h44", class: "sash" }),
];

// --- the back ------------------------------------------------------------------------------------

/** @returns {SVGElement[]} */
export function drawBack() {
  const lines = [];
  for (let at = -120; at < 110; at += 14) lines.push(`M${at} 132 ${at + 124} 8`, `M${at} 8 ${at + 124} 132`);
  return [
    paper(),
    svg(
      "svg",
      { x: 8, y: 8, width: 84, height: 124, viewBox: "8 8 84 124" },
      svg("rect", { x: 8, y: 8, width: 84, height: 124, rx: 5, class: "field" }),
      svg("path", { d: lines.join(""), class: "lattice" }),
    ),
    svg("rect", { x: 12, y: 12, width: 76, height: 116, rx: 4, class: "hem" }),
    svg("path", { d: "M50 44 68 70 50 96 32 70Z", class: "medal" }),
    svg("g", { class: "medal-pip" }, pip("s", 50, 70, 0.2)),
  ];
}
