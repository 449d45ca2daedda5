/**
 * A question: what is asked, how it can be answered, and the mechanism that protects the answer.
 */

import { canonical } from "./primitives/canonical.js";
import { checkThreshold } from "./primitives/channel.js";
import { require } from "./primitives/refusal.js";
import { checkPattern, checkText, decimalText } from "./primitives/values.js";

/** A document has these texts of a question only if they are not empty. */
export const OPTIONAL_QUESTION_TEXTS = ["heading", "hint"];
export const QUESTION_ID = /^[a-z][a-z0-9_]{0,31}$/;

/** One question of a survey, validated when it is made. Options are numbered from 0. */
export class Question {
  /**
   * @param {object} fields
   * @param {string} fields.id
   * @param {string} fields.prompt
   * @param {import("./kinds/kind.js").Kind} fields.kind
   * @param {bigint} fields.epsilon in millionths
   * @param {import("./mechanisms/two_level.js").TwoLevel} fields.mechanism
   * @param {import("./conditions.js").ShowIf | null} fields.showIf skip logic
   * @param {string} [fields.heading] of a section that begins with this question
   * @param {string} [fields.hint] a few words below the prompt
   */
  constructor({ id, prompt, kind, epsilon, mechanism, showIf, heading = "", hint = "" }) {
    checkPattern(id, QUESTION_ID, "id");
    checkText(prompt, `${id}.prompt`);
    checkText(heading, `${id}.heading`, false);
    checkText(hint, `${id}.hint`, false);
    require(
      mechanism.accepts(kind.domain),
      "mechanism_does_not_fit",
      `${id}: the mechanism ${mechanism.name} does not fit this question`,
    );
    checkThreshold(mechanism, epsilon, id);
    require(
      showIf === null || kind.not_applicable !== "",
      "no_room_for_silence",
      `${id}: a question that can be hidden needs the option not_applicable`,
    );
    Object.assign(this, { id, prompt, kind, epsilon, mechanism, showIf, heading, hint });
    Object.freeze(this);
  }

  get domain() {
    return this.kind.domain;
  }

  get options() {
    return this.kind.labels;
  }

  /** Every text of this question that people read, by field. */
  get texts() {
    return { prompt: this.prompt, ...this.#optionalTexts, ...this.kind.texts };
  }

  /**
   * Return the same question with the texts of another language: lists must be equally long, and
   * empty texts stay empty.
   * @param {Record<string, unknown>} texts by field
   */
  translated({ prompt, heading, hint, ...texts }) {
    const others = { prompt, heading, hint, ...texts };
    for (const [name, own] of Object.entries(this.texts)) {
      const other = others[name];
      const rule = `${this.id}.${name} must have as many texts as in the survey's own language`;
      require(alike(own, other), "bad_translation", rule);
    }
    return new Question({ ...this, prompt, heading, hint, kind: this.kind.translated(texts) });
  }

  asJson() {
    return {
      ...this.#asked(),
      epsilon: decimalText(this.epsilon),
      mechanism: this.mechanism.asJson(),
      show_if: this.showIf && this.showIf.asJson(),
    };
  }

  /**
   * Return whether `other` asks the same in the same words with the same answers, whatever protects
   * them.
   * @param {Question} other
   */
  asksTheSameAs(other) {
    return canonical(this.#asked()) === canonical(other.#asked());
  }

  #asked() {
    const { id, kind, prompt } = this;
    return { id, kind: kind.name, prompt, ...this.#optionalTexts, ...kind.asJson() };
  }

  get #optionalTexts() {
    const given = OPTIONAL_QUESTION_TEXTS.filter((name) => this[name] !== "");
    return Object.fromEntries(given.map((name) => [name, this[name]]));
  }
}

function alike(own, other) {
  if (Array.isArray(own)) return Array.isArray(other) && other.length === own.length;
  // A value that is not text is refused elsewhere, with a better reason.
  return typeof other !== "string" || (other === "") === (own === "");
}

/**
 * Return whether the answers so far show a question; a hidden decider hides it too.
 * @param {Question} question
 * @param {ReadonlyMap<string, unknown>} answers by question id
 */
export function isShown({ showIf }, answers) {
  return showIf === null || showIf.holds(answers);
}
