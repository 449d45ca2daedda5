/** A question: what is asked, how it is answered, and the mechanism that protects the answer. */

import { canonical } from "./primitives/canonical.js";
import { checkThreshold } from "./primitives/channel.js";
import { require } from "./primitives/refusal.js";
import { checkPattern, checkText, decimalText } from "./primitives/values.js";

const QUESTION_ID = /^[a-z][a-z0-9_]{0,31}$/;

/** One question of a survey, checked at birth. Options are numbered from 0. */
export class Question {
  /**
   * @param {object} fields
   * @param {string} fields.id
   * @param {string} fields.prompt
   * @param {import("./kinds/kind.js").Kind} fields.kind
   * @param {bigint} fields.epsilon in millionths
   * @param {import("./mechanisms/two_level.js").TwoLevel} fields.mechanism
   * @param {{question: string, options: readonly number[]} | null} fields.showIf skip logic: show
   *   if an earlier question has one of these options
   */
  constructor({ id, prompt, kind, epsilon, mechanism, showIf }) {
    checkPattern(id, QUESTION_ID, "id");
    checkText(prompt, `${id}.prompt`);
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
    Object.assign(this, { id, prompt, kind, epsilon, mechanism, showIf });
    Object.freeze(this);
  }

  get domain() {
    return this.kind.domain;
  }

  get options() {
    return this.kind.labels;
  }

  /** All that people read of this question, by field. */
  get texts() {
    return { prompt: this.prompt, ...this.kind.texts };
  }

  /**
   * The same question in other words: what is a list stays as long, what is empty empty.
   * @param {Record<string, unknown>} texts by field
   */
  retold({ prompt, ...texts }) {
    for (const [name, own] of Object.entries(this.texts)) {
      const other = name === "prompt" ? prompt : texts[name];
      const rule = `${this.id}.${name} must have as many texts as in the survey's own language`;
      require(alike(own, other), "bad_translation", rule);
    }
    return new Question({ ...this, prompt, kind: this.kind.retold(texts) });
  }

  asJson() {
    return {
      ...this.#asked(),
      epsilon: decimalText(this.epsilon),
      mechanism: this.mechanism.asJson(),
      show_if: this.showIf,
    };
  }

  /**
   * Is the same asked in the same words, with the same answers, whatever protects them?
   * @param {Question} other
   */
  asksTheSameAs(other) {
    return canonical(this.#asked()) === canonical(other.#asked());
  }

  #asked() {
    return { id: this.id, kind: this.kind.name, prompt: this.prompt, ...this.kind.asJson() };
  }
}

function alike(own, other) {
  if (Array.isArray(own)) return Array.isArray(other) && other.length === own.length;
  // What is no text is refused as such.
  return typeof other !== "string" || (other === "") === (own === "");
}

/**
 * Whether the answers so far let a question appear; a hidden decider hides it too.
 * @param {Question} question
 * @param {ReadonlyMap<string, unknown>} answers by question id
 */
export function isShown({ showIf }, answers) {
  return showIf === null || showIf.options.includes(answers.get(showIf.question));
}
