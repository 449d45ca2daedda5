/**
 * What every kind of question has: a domain of answers, labels for them, and room for silence.
 * "Prefer not to say" and "does not apply" are options like any other and are randomized like any
 * other: a question that could be skipped would tell by its absence (math 0.6).
 */

import { Choice } from "../primitives/domain.js";
import { checkLabels, checkText } from "../primitives/values.js";

export const [SHARES, MEAN, DISTRIBUTION] = ["shares", "mean", "distribution"];

export class Kind {
  /** The name in a document. */
  static kind = "";
  /** The keys that a question of this kind has in a document. */
  static fields = ["decline", "not_applicable"];
  /** Those of them that people read, which are others in other languages. */
  static texts = ["decline", "not_applicable"];

  /** @param {Record<string, unknown>} values of the fields */
  constructor(values) {
    this.name = new.target.kind;
    for (const field of new.target.fields) this[field] = frozen(values[field]);
    checkText(this.decline, "decline", false);
    checkText(this.not_applicable, "not_applicable", false);
    this.check();
    /** All options in the order of their numbers; none where an answer is a number. */
    this.labels = Object.freeze([...this.ownLabels, ...this.silence]);
    if (this.labels.length) checkLabels(this.labels, 1, this.labels.length, "options");
    Object.freeze(this);
  }

  /** The options for silence, the last ones; empty text: no such option. */
  get silence() {
    return [this.decline, this.not_applicable].filter((label) => label !== "");
  }

  /** @returns {import("../primitives/domain.js").Domain} */
  get domain() {
    return new Choice(this.labels.length);
  }

  /** The answer that a question hidden by skip logic gives. */
  get hiddenAnswer() {
    return this.labels.length - 1;
  }

  /** All that people read of a question of this kind but its prompt, by field. */
  get texts() {
    return Object.fromEntries(this.constructor.texts.map((field) => [field, this[field]]));
  }

  /**
   * The same kind in other words.
   * @param {Record<string, unknown>} texts
   */
  retold(texts) {
    return new this.constructor({ ...this.asJson(), ...texts });
  }

  /** The kind's own fields as they stand in a document. */
  asJson() {
    return Object.fromEntries(this.constructor.fields.map((field) => [field, this[field]]));
  }
}

function frozen(value) {
  return Array.isArray(value) ? Object.freeze([...value]) : value;
}
