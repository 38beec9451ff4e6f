// The meters of a table. A bonus jackpot never passes for a progressive: it is called by its name wherever it is spoken of, and
// its notice stands word for word wherever its amount does.
import { fill, h, set } from "../core/dom.js";
import * as money from "../core/money.js";
import { odometer } from "../core/odometer.js";
import { say } from "../core/words.js";

/**
 * @typedef {import("./store.js").Table} Table
 * @typedef {import("../wire.js").Meter} Meter
 */

/** @param {Record<string, Meter>} found the meters by level, as the page found them */
export function meters(found) {
  const levels = Object.entries(found).map(([level, meter]) => ({ level, meter, shown: odometer(meter.amount_micros) }));
  const names = levels.map(() => h("span", { class: "meter-name" }));
  const notice = h("p", { class: "notice" });
  const lines = levels.map(({ meter, shown }, at) => h("p", { class: "meter", "data-meter": meter.name }, names[at], shown));
  const element = h("div", { class: "meters", hidden: !levels.length }, lines, notice);

  /** The notice of a bonus jackpot; null where there is none. @param {Table} table */
  const noticeOf = (table) => (table.view ? table.view.notice : (levels.find(({ meter }) => meter.notice)?.meter.notice ?? null));

  /** @param {Table} table */
  const isBonus = (table) => levels.length > 0 && (table.view ? Boolean(table.view.notice) : levels.some(({ meter }) => meter.kind === "bonus"));

  /** @param {Table} table @param {string} level */
  const name = (table, level) => say("meter-name", { kind: isBonus(table) ? "bonus" : "progressive", level });

  /** @param {Table} table @param {{level: string, meter: Meter}} of */
  const micros = (table, { level, meter }) => table.meters[meter.name] ?? table.view?.meters[level]?.amount_micros ?? meter.amount_micros;

  return {
    element,
    isBonus,
    noticeOf,
    /** @param {Table} table */
    draw(table) {
      levels.forEach((each, at) => {
        set(each.shown, { value: micros(table, each) });
        fill(names[at], name(table, each.level));
      });
      fill(notice, noticeOf(table) ?? "");
      notice.hidden = !isBonus(table);
    },
    /** @param {Table} table */
    words(table) {
      const said = levels.map((each) => `${name(table, each.level)} ${money.sayMeter(micros(table, each))}`).join(", ");
      return [said || say("no-meters"), isBonus(table) ? noticeOf(table) : ""].filter(Boolean).join(". ");
    },
  };
}
