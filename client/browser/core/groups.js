/**
 * Declared groups: factors with coarse levels that are sent as they are, so groups can be compared,
 * like `client/core/groups.py`. A group's code has one digit per factor, as in "0-2".
 */

import { require, within } from "./primitives/refusal.js";
import { checkLabels, checkPattern, checkText } from "./primitives/values.js";
import { QUESTION_ID } from "./question.js";

/** Who sets the group: the link that somebody was given, or the respondent. */
export const [BY_LINK, BY_CHOICE] = ["link", "choice"];
const MAX_FACTORS = 4;
/** With "prefer not to say" as the tenth, each level has one digit. */
const [MIN_LEVELS, MAX_LEVELS] = [2, 9];
const MAX_GROUPS = 50;
/** The column of an export that holds the whole group. */
export const RESERVED_ID = "group";

/** One thing that tells groups apart, such as the age band. */
export class Factor {
  /**
   * @param {object} fields as in a document
   * @param {string} fields.id
   * @param {string} fields.prompt
   * @param {readonly string[]} fields.levels
   * @param {string} fields.decline the last level if the respondent chooses, otherwise ""
   */
  constructor({ id, prompt, levels, decline }) {
    checkPattern(id, QUESTION_ID, "id");
    require(id !== RESERVED_ID, "bad_groups", `a factor must not be called ${RESERVED_ID}`);
    checkText(prompt, `${id}.prompt`);
    checkLabels(levels, MIN_LEVELS, MAX_LEVELS, `${id}.levels`);
    checkText(decline, `${id}.decline`, false);
    Object.assign(this, { id, prompt, levels: Object.freeze([...levels]), decline });
    Object.freeze(this);
    checkLabels(this.labels, MIN_LEVELS, MAX_LEVELS + 1, `${id}.levels`);
  }

  /** All levels in the order of their digits, with "prefer not to say" last. */
  get labels() {
    return this.decline === "" ? this.levels : [...this.levels, this.decline];
  }

  get texts() {
    const { prompt, levels, decline } = this;
    return { prompt, levels, decline };
  }

  /**
   * Return the same factor with the texts of another language.
   * @param {Record<string, unknown>} texts
   */
  translated(texts) {
    return within(this.id, () => {
      const { levels } = texts;
      const alike = Array.isArray(levels) && levels.length === this.levels.length;
      require(alike, "bad_translation", "levels must be as many as in the survey's own language");
      return new Factor({ ...this, ...texts });
    });
  }

  asJson() {
    return { id: this.id, ...this.texts };
  }
}

/** The factors of a survey, and who says which level of each somebody has. */
export class Groups {
  #codes;

  /**
   * @param {string} by
   * @param {readonly Factor[]} factors
   */
  constructor(by, factors) {
    const who = `groups must be set by ${BY_LINK} or by ${BY_CHOICE}`;
    require([BY_LINK, BY_CHOICE].includes(by), "bad_groups", who);
    const fits = 1 <= factors.length && factors.length <= MAX_FACTORS;
    require(fits, "bad_groups", `groups have between 1 and ${MAX_FACTORS} factors`);
    const ids = new Set(factors.map(({ id }) => id));
    require(ids.size === factors.length, "bad_groups", "the id of a factor appears twice");
    const isAsked = by === BY_CHOICE;
    const sound = factors.every(({ decline }) => (decline !== "") === isAsked);
    require(sound, "bad_groups", "exactly a factor that people choose has a level to decline");
    const count = factors.reduce((sum, { labels }) => sum * labels.length, 1);
    require(count <= MAX_GROUPS, "bad_groups", `there are more than ${MAX_GROUPS} groups`);
    this.by = by;
    this.factors = Object.freeze([...factors]);
    this.#codes = Object.freeze(codesOf(factors));
    Object.freeze(this);
    const labels = new Set(this.codes.map((code) => this.label(code)));
    require(labels.size === count, "bad_groups", "two groups would have the same name");
  }

  /** The codes of all groups, in order. */
  get codes() {
    return this.#codes;
  }

  /**
   * Refuse anything but the code of a group.
   * @param {unknown} code
   */
  check(code) {
    require(this.codes.includes(code), "bad_group", "the survey has no such group");
  }

  /**
   * Return the number of the level of each factor.
   * @param {string} code
   */
  levelsOf(code) {
    return code.split("-").map(Number);
  }

  /**
   * Return a group in words, such as "Under 30, north".
   * @param {string} code
   */
  label(code) {
    return this.levelsOf(code).map((level, i) => this.factors[i].labels[level]).join(", ");
  }

  /**
   * Return the same groups with the texts of another language.
   * @param {readonly Record<string, unknown>[]} texts
   */
  translated(texts) {
    return new Groups(this.by, this.factors.map((factor, i) => factor.translated(texts[i])));
  }

  asJson() {
    return { by: this.by, factors: this.factors.map((factor) => factor.asJson()) };
  }
}

function codesOf(factors) {
  const extend = (codes, { labels }) =>
    codes.flatMap((code) => labels.map((_, level) => [...code, level]));
  return factors.reduce(extend, [[]]).map((levels) => levels.join("-"));
}
