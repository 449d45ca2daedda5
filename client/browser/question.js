/** Question: what is asked, how it is answered, and the mechanism that protects the answer. */

import { checkThreshold } from "./channel.js";
import { decimalText } from "./decimals.js";
import { require } from "./refusal.js";
import { checkPattern, checkText } from "./text.js";

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

  asJson() {
    return {
      id: this.id,
      kind: this.kind.name,
      prompt: this.prompt,
      epsilon: decimalText(this.epsilon),
      mechanism: this.mechanism.asJson(),
      show_if: this.showIf,
      ...this.kind.asJson(),
    };
  }
}
