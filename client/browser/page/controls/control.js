/**
 * The control that a kind of question is answered with. Every control has a `node`, an `answer`
 * (undefined while there is none), a `problem` (why what is there is no answer, or ""), `focus`,
 * `give`, which answers, `clear`, and `adopt`, which takes over what the same control holds in another
 * language.
 *
 * @typedef {object} Place
 * @property {string} id unique on the page
 * @property {string} heading the id of the element that names the question
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
  const settled = () => place.changed(true);
  if (kind instanceof AnyOf) return new Boxes(kind, wording, settled);
  if (kind instanceof Cross) {
    return new OrSilence((inner) => new CrossChoices(kind, inner), kind, place);
  }
  const levels = kind instanceof Scale ? kind.ownLabels.length : 0;
  if (kind instanceof NumberOnGrid || levels > MOST_LEVELS) {
    const { grid, unit = "" } = kind;
    return new OrSilence((inner) => new NumberBox(grid, unit, wording, inner), kind, place);
  }
  if (levels > 0) {
    const choices = new Choices(kind.labels, settled, { inRow: levels });
    choices.node.prepend(...ends(kind));
    return choices;
  }
  if (kind.ownLabels.length > MOST_RADIOS) {
    return new OrSilence((inner) => new SearchBox(kind.ownLabels, wording, inner), kind, place);
  }
  return new Choices(kind.labels, settled);
}

/** What the lowest and the highest level of a scale mean. */
function ends({ lo, hi, lo_label: low, hi_label: high }) {
  if (!low && !high) return [];
  const end = (level, text) =>
    element("span", {}, ...(text ? [element("b", {}, String(level)), ` ${text}`] : []));
  return [element("p", { class: "ends" }, end(lo, low), end(hi, high))];
}
