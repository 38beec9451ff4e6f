// The icons of the pages, each one path in a box of 24 by 24. They are decoration: a text is always next to them.
import { svg } from "./dom.js";

const ICONS = {
  tables: "M3 8h18M5 8c0 6 3 9 7 9s7-3 7-9M12 17v4M8 21h8",
  learn: "M12 6c-2-2-5-2-9-2v14c4 0 7 0 9 2 2-2 5-2 9-2V4c-4 0-7 0-9 2v14",
  you: "M12 12a4 4 0 1 0-.1 0ZM4 21c0-4 3-6 8-6s8 2 8 6",
  settings:
    "M4 7h9M19 7h1M4 17h1M11 17h9M13.500 7a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0" +
    "M5.500 17a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0",
  back: "M10 5l-7 7 7 7M3 12h18",
  close: "M6 6l12 12M18 6 6 18",
};

/** @param {keyof typeof ICONS} name */
export const icon = (name) =>
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, svg("path", { d: ICONS[name] }));
