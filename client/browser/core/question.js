/**
 * A question: what is asked, how it can be answered, and the mechanism that protects the answer.
 */

import { canonical } from "./primitives/canonical.js";
import { checkThreshold } from "./primitives/channel.js";
import { require } from "./primitives/refusal.js";
import { checkFlag, checkPattern, checkText, decimalText } from "./primitives/values.js";

/** A document has these texts of a question only if they are not empty. */
export const OPTIONAL_QUESTION_TEXTS = ["heading", "hint"];
/** How the options are shown; a document has these only if they are not the defaults. */
export const ORDER_KEYS = ["shuffle", "anchored", "reverse"];
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
   * @param {boolean} [fields.shuffle] the device shows the options in random order
   * @param {readonly number[]} [fields.anchored] the options that stay in their place even so
   * @param {boolean} [fields.reverse] the device turns the scale around for half of the people
   */
  constructor({ id, prompt, kind, epsilon, mechanism, showIf, heading = "", hint = "", ...order }) {
    checkPattern(id, QUESTION_ID, "id");
    checkText(prompt, `${id}.prompt`);
    checkText(heading, `${id}.heading`, false);
    checkText(hint, `${id}.hint`, false);
    const { shuffle = false, anchored = [], reverse = false } = order;
    checkFlag(shuffle, `${id}.shuffle`);
    checkFlag(reverse, `${id}.reverse`);
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
    checkOrder(kind, { shuffle, anchored, reverse });
    Object.assign(this, { id, prompt, kind, epsilon, mechanism, showIf, heading, hint });
    Object.assign(this, { shuffle, anchored: Object.freeze([...anchored]), reverse });
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
      ...(this.shuffle ? { shuffle: true } : {}),
      ...(this.anchored.length ? { anchored: this.anchored } : {}),
      ...(this.reverse ? { reverse: true } : {}),
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

function checkOrder({ lists, constructor: Kind }, { shuffle, anchored, reverse }) {
  require(!shuffle || lists.length > 0, "bad_shuffle", "this kind has no list of options");
  require(!reverse || Kind.canReverse, "bad_reverse", "this kind has no levels to turn around");
  const rule = "anchored must name options of one list that is shuffled, and leave two to move";
  require(Array.isArray(anchored), "bad_anchored", rule);
  if (anchored.length === 0) return;
  // Two lists would need anchors of their own.
  const options = lists.length === 1 ? lists[0] : 0;
  const isOption = (item) => Number.isInteger(item) && 0 <= item && item < options;
  const increases = anchored.every((item, i) => i === 0 || anchored[i - 1] < item);
  const someMove = anchored.length <= options - 2;
  require(shuffle && anchored.every(isOption) && increases && someMove, "bad_anchored", rule);
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
