/**
 * What all kinds of question share: a domain of answers, labels, and options for silence. "Prefer
 * not to say" and "does not apply" are options like any other and are randomized like any other: if
 * a question could be left out, its absence would reveal something (math 0.6).
 */

import { Choice } from "../primitives/domain.js";
import { checkLabels, checkText } from "../primitives/values.js";

export const [SHARES, MEAN, DISTRIBUTION] = ["shares", "mean", "distribution"];

export class Kind {
  /** The name in a document. */
  static kind = "";
  /** The keys that a question of this kind has in a document. */
  static fields = ["decline", "not_applicable"];
  /** The fields that people read, which therefore differ between languages. */
  static texts = ["decline", "not_applicable"];
  /** The lists of options that can be shown in any order. */
  static listFields = [];
  /** Whether its options are levels, which can be shown from the highest to the lowest. */
  static canReverse = false;

  /** @param {Record<string, unknown>} values of the fields */
  constructor(values) {
    this.name = new.target.kind;
    for (const field of new.target.fields) this[field] = frozen(values[field]);
    checkText(this.decline, "decline", false);
    checkText(this.not_applicable, "not_applicable", false);
    this.check();
    /** All options in the order of their numbers; of a number, only those for silence. */
    this.labels = Object.freeze([...this.ownLabels, ...this.silence]);
    if (this.labels.length) checkLabels(this.labels, 1, this.labels.length, "options");
    Object.freeze(this);
  }

  /** The options for silence, which come last; an empty text means no such option. */
  get silence() {
    return [this.decline, this.not_applicable].filter((label) => label !== "");
  }

  /** The length of each list of options that can be shown in any order. */
  get lists() {
    return this.constructor.listFields.map((field) => this[field].length);
  }

  /** @returns {import("../primitives/domain.js").Domain} */
  get domain() {
    return new Choice(this.labels.length);
  }

  /** The answer recorded for a question that skip logic hides. */
  get hiddenAnswer() {
    return this.labels.length - 1;
  }

  /** The texts of this kind that people read, by field, without the prompt. */
  get texts() {
    return Object.fromEntries(this.constructor.texts.map((field) => [field, this[field]]));
  }

  /**
   * Return the same kind with the texts of another language.
   * @param {Record<string, unknown>} texts
   */
  translated(texts) {
    return new this.constructor({ ...this.asJson(), ...texts });
  }

  /** Return the kind's own fields as they appear in a document. */
  asJson() {
    return Object.fromEntries(this.constructor.fields.map((field) => [field, this[field]]));
  }
}

function frozen(value) {
  return Array.isArray(value) ? Object.freeze([...value]) : value;
}
