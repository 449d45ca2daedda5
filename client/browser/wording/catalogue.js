/**
 * The texts of one language, the same as in `client/wording/catalogue.py`. Figures are computed
 * from the integers that the mechanism uses, never from a text or a float.
 */

import { threshold } from "../core/primitives/channel.js";
import { decimalText, MILLION } from "../core/primitives/values.js";
import { WORD_RANGE } from "../core/primitives/words.js";
import { direction } from "./languages.js";

const RANGE = BigInt(WORD_RANGE);
const PLACEHOLDER = /\{([a-z_]+)\}/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}]/u;
// First strong isolate, and its end: the text between them does not reorder its surroundings.
const [ISOLATE, END] = ["\u2068", "\u2069"];
// The same, but always from right to left.
const ISOLATE_RIGHT_TO_LEFT = "\u2067";
// The fixed scale of level words, each with the largest total epsilon it covers.
const LEVELS = [[1n, "strong"], [2n, "good"], [4n, "moderate"]];
// Epsilons that differ by a step never read the same; the epsilon itself shows finer differences.
const STEPS = [MILLION, MILLION / 10n, MILLION / 100n];
// Whether others can see an answer: a bare "no" where a 50:50 guess improves to at most 75:25.
const VERDICTS = [[75n, "no"], [90n, "guess"]];
const OTHERS = ["researchers", "burglar", "readers"];

/** Return `part` / `whole` of `people`, rounded to the nearest, ties to even as in Python. */
function rounded(part, whole, people) {
  const floor = (part * people) / whole;
  const twice = 2n * ((part * people) % whole);
  const up = twice > whole || (twice === whole && floor % 2n === 1n);
  return floor + (up ? 1n : 0n);
}

/**
 * Return p and q as natural frequencies, such as 73 and 27 of 100. The whole is the smallest of
 * 100, 1,000, 10,000, ... for which neither number rounds to nobody or to everybody, and the pair
 * differs within itself and from the others.
 * @param {import("../core/mechanisms/two_level.js").Support} support
 * @param {...import("../core/mechanisms/two_level.js").Support} others
 */
export function frequencies(support, ...others) {
  for (let people = 100n; ; people *= 10n) {
    const count = ({ p, q, whole }) => [rounded(p, whole, people), rounded(q, whole, people)];
    const [many, few] = count(support);
    const within = (number) => 0n < number && number < people;
    const differs = ([otherMany, otherFew]) => otherMany !== many || otherFew !== few;
    // A narrow window contains the report less often than not, so `few` may be the larger number.
    const apart = many !== few || support.p === support.q;
    if (within(many) && within(few) && apart && others.map(count).every(differs)) {
      return { many: Number(many), few: Number(few), whole: Number(people) };
    }
  }
}

/**
 * Return epsilon minus and plus one unit of its last decimal, or 0.01 if it has more. All chances
 * grow or shrink with epsilon, so what differs from both neighbours differs from all.
 * @param {bigint} epsilon in millionths
 */
export function neighbours(epsilon) {
  const step = STEPS.find((size) => epsilon % size === 0n) ?? STEPS.at(-1);
  return [epsilon - step, epsilon + step].filter((neighbour) => 0n < neighbour);
}

/** The texts of one language. */
export class Wording {
  #texts;
  #plurals;

  /**
   * @param {string} language
   * @param {Record<string, string>} texts the catalogue, by key
   */
  constructor(language, texts) {
    this.language = language;
    this.direction = direction(language);
    this.#texts = texts;
    this.#plurals = new Intl.PluralRules(language);
  }

  /**
   * Return the text under `key` with its {placeholders} filled in; throw if one is unknown. If a
   * text has several forms, such as `key.one` and `key.other`, `count` decides among them.
   * @param {string} key
   * @param {Record<string, string | number>} [values]
   */
  say = (key, values = {}) => {
    const text = this.#texts[key] ?? this.#form(key, values);
    return text.replace(PLACEHOLDER, (_, name) => {
      if (!(name in values)) throw new RangeError(`${key} needs ${name}`);
      return this.#written(values[name]);
    });
  };

  /**
   * Return whether there is such a text, and `values` fill all its placeholders.
   * @param {string} key
   * @param {Record<string, string | number>} [values]
   */
  canSay = (key, values = {}) => {
    const names = this.#texts[key]?.match(PLACEHOLDER) ?? [];
    return key in this.#texts && names.every((name) => name.slice(1, -1) in values);
  };

  /** Return the plural form for a count; a language may not need one for each category. */
  #form(key, { count }) {
    const other = this.#texts[`${key}.other`];
    if (other === undefined) throw new RangeError(`no text for ${key}`);
    if (count === undefined) throw new RangeError(`${key} needs count`);
    return this.#texts[`${key}.${this.#plurals.select(count)}`] ?? other;
  }

  /** Group the digits of numbers; isolate texts that may run in the other direction. */
  #written(value) {
    if (typeof value === "number") return this.number(value);
    if (this.direction === "rtl" && value.startsWith(ISOLATE)) {
      // The isolates inside a list do not count as strong, so the list would run like digits do.
      return `${ISOLATE_RIGHT_TO_LEFT}${value}${END}`;
    }
    const apart = this.direction === "rtl" || RIGHT_TO_LEFT.test(value);
    return apart ? `${ISOLATE}${value}${END}` : value;
  }

  /**
   * Format a count, with its digits grouped in threes.
   * @param {number} value
   */
  number(value) {
    return String(value).replace(/\B(?=([0-9]{3})+$)/g, this.#texts["format.thousands"]);
  }

  /**
   * Format a figure without grouping, because it may be a year or a price.
   * @param {bigint} value in millionths
   */
  decimal(value) {
    const text = decimalText(value).replace(".", this.#texts["format.decimal"]);
    return text.replace("-", this.#texts["format.minus"]);
  }

  /**
   * Join texts into one list.
   * @param {string[]} texts
   */
  listed(texts) {
    return texts.map((text) => this.#written(text)).join(this.#texts["format.comma"]);
  }

  /**
   * Say how far anybody's even odds about one person can move, as odds for experts.
   * @param {bigint} totalEpsilon in millionths
   */
  bestGuess(totalEpsilon) {
    const { many, few, whole } = guesses(totalEpsilon);
    return this.say("guess", { half: whole / 2, many, few });
  }

  /**
   * Say how often a guess about one person can be right, with all that the person sends.
   * @param {number} questions
   * @param {bigint} totalEpsilon
   */
  wholeSurvey(questions, totalEpsilon) {
    const { many, whole } = guesses(totalEpsilon);
    return this.say("whole", { count: questions, many, whole, half: whole / 2 });
  }

  /**
   * Return the word for the level of a total epsilon.
   * @param {bigint} totalEpsilon
   */
  level(totalEpsilon) {
    return this.say(`level.${levelName(totalEpsilon)}`);
  }

  /**
   * Name the level and the number itself, so that no two epsilons read the same.
   * @param {bigint} totalEpsilon
   */
  levelSentence(totalEpsilon) {
    return this.say("level.sentence", {
      level: this.level(totalEpsilon),
      epsilon: this.decimal(totalEpsilon),
    });
  }

  /**
   * Say what the device does with an answer.
   * @param {bigint} totalEpsilon
   */
  process(totalEpsilon) {
    return this.say(isWeak(totalEpsilon) ? "process.weak" : "process");
  }

  /**
   * Return pairs: who could see the true answer; yes, no, or how well they can guess.
   * @param {bigint} totalEpsilon
   */
  consequences(totalEpsilon) {
    const others = this.say(`label.${verdict(totalEpsilon)}`);
    return [
      ...OTHERS.map((who) => [this.say(`label.${who}`), others]),
      [this.say("label.you"), this.say("label.yes")],
    ];
  }
}

/**
 * Return how often a guess can be right that would be right half of the time without reports: the
 * odds become e^epsilon to 1 at most (math 6).
 */
function bestChance(totalEpsilon) {
  const p = BigInt(threshold(totalEpsilon, 1n, 1n));
  return { p, q: RANGE - p, whole: RANGE };
}

/** Return how many guesses are right, wrong, and made, at most, about people like this one. */
function guesses(totalEpsilon) {
  return frequencies(bestChance(totalEpsilon), ...neighbours(totalEpsilon).map(bestChance));
}

/**
 * Return whether others can see an answer: no, guess or well.
 * @param {bigint} totalEpsilon
 */
export function verdict(totalEpsilon) {
  const { p, whole } = bestChance(totalEpsilon);
  return VERDICTS.find(([most]) => 100n * p <= most * whole)?.[1] ?? "well";
}

/**
 * Return the level of a total epsilon, on a scale that no author can change.
 * @param {bigint} totalEpsilon
 */
function levelName(totalEpsilon) {
  return LEVELS.find(([most]) => totalEpsilon <= most * MILLION)?.[1] ?? "weak";
}

/**
 * Return whether the level is weak: anybody who sees the report can guess the answer.
 * @param {bigint} totalEpsilon
 */
export function isWeak(totalEpsilon) {
  return levelName(totalEpsilon) === "weak";
}
