/**
 * The control that answers a kind of question. Every control has a `node`, an `answer` (undefined
 * while there is none), a `problem` (why the input is not an answer, or ""), `focus`, `give` (sets
 * an answer), `clear`, and `adopt` (takes over the input of the same control in another language).
 *
 * @typedef {object} Place
 * @property {string} id unique on the page
 * @property {string} heading the id of the element that names the question
 * @property {readonly (readonly number[])[]} orders of each list of options, by their numbers
 * @property {(settled: boolean) => void} changed `settled`: not in the middle of typing
 */

import { AnyOf, Cross } from "../../core/kinds/choice.js";
import { NumberOnGrid, Scale } from "../../core/kinds/ordinal.js";
import { element } from "../dom.js";
import { Boxes } from "./boxes.js";
import { Choices } from "./choices.js";
import { CrossChoices } from "./cross_choices.js";
import { NumberBox } from "./number_box.js";
import { OrSilence } from "./or_silence.js";
import { SearchBox } from "./search_box.js";

const MOST_RADIOS = 12;
const MOST_LEVELS = 21;

/**
 * @param {import("../../core/question.js").Question} question
 * @param {import("../../wording/catalogue.js").Wording} wording
 * @param {Place} place
 */
export function controlFor({ kind }, wording, place) {
  return (CONTROLS.get(kind.name) ?? oneOf)(kind, wording, place);
}

/** Choose one of the labels: radio buttons, or a search box if there are many. */
function oneOf(kind, wording, place) {
  if (kind.ownLabels.length > MOST_RADIOS) {
    return new OrSilence((inner) => new SearchBox(kind.ownLabels, wording, inner), kind, place);
  }
  return new Choices(kind.labels, () => place.changed(true), { order: place.orders[0] });
}

function anyOf(kind, wording, place) {
  return new Boxes(kind, wording, () => place.changed(true), place.orders[0]);
}

function scale(kind, wording, place) {
  const levels = kind.ownLabels.length;
  if (levels > MOST_LEVELS) return number(kind, wording, place);
  const [order] = place.orders;
  const choices = new Choices(kind.labels, () => place.changed(true), { inRow: levels, order });
  choices.node.prepend(...ends(kind, order[0] > 0));
  return choices;
}

function number(kind, wording, place) {
  const { grid, unit = "" } = kind;
  return new OrSilence((inner) => new NumberBox(grid, unit, wording, inner), kind, place);
}

function cross(kind, wording, place) {
  return new OrSilence((inner) => new CrossChoices(kind, inner), kind, place);
}

/** The kinds whose answer is not simply one of the labels. */
const CONTROLS = new Map([
  [AnyOf.kind, anyOf],
  [Scale.kind, scale],
  [NumberOnGrid.kind, number],
  [Cross.kind, cross],
]);

/** Show what the lowest and the highest level of a scale mean, in the order of the levels. */
function ends({ lo, hi, lo_label: low, hi_label: high }, isReversed) {
  if (!low && !high) return [];
  const end = (level, text) =>
    element("span", {}, ...(text ? [element("b", {}, String(level)), ` ${text}`] : []));
  const both = [end(lo, low), end(hi, high)];
  return [element("p", { class: "ends" }, ...(isReversed ? both.reverse() : both))];
}
