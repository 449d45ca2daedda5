/** Skip logic: when a question is shown. The device decides, and nobody else can tell. */

import { exactKeys } from "./primitives/canonical.js";
import { Choice, Levels } from "./primitives/domain.js";
import { require } from "./primitives/refusal.js";

const MAX_CONDITIONS = 10;
const JOINED = {
  all: (conditions, holds) => conditions.every(holds),
  any: (conditions, holds) => conditions.some(holds),
};
const NEITHER = "show_if must name a question and its options, or its levels";

/** An earlier question has one of these options or, if it is about a number, such a level. */
class Condition {
  /**
   * @param {string} question
   * @param {readonly number[]} options
   * @param {readonly [number, number] | null} levels the lowest and the highest
   */
  constructor(question, options, levels = null) {
    require(typeof question === "string", "bad_show_if", NEITHER);
    Object.assign(this, { question, options: Object.freeze(options), levels });
    Object.freeze(this);
  }

  /** Whether a question with this domain can have what the condition asks for. */
  canBeDecidedBy(domain) {
    if (this.levels === null) {
      return domain instanceof Choice && areIntegers(this.options, domain.options - 1);
    }
    const [low, high] = this.levels;
    return domain instanceof Levels && areIntegers(this.levels, domain.top) && low <= high;
  }

  holds(answer) {
    if (this.levels === null) return this.options.includes(answer);
    return answer !== undefined && this.levels[0] <= answer && answer <= this.levels[1];
  }

  asJson() {
    const { question, options, levels } = this;
    return levels === null ? { question, options } : { question, from: levels[0], to: levels[1] };
  }
}

/** Whether there are values, all of them integers from 0 to high. */
function areIntegers(values, high) {
  const fits = (value) => Number.isInteger(value) && 0 <= value && value <= high;
  return values.length > 0 && values.every(fits);
}

/** Show a question if all of the conditions hold, or if any of them does. */
export class ShowIf {
  /**
   * @param {readonly Condition[]} conditions
   * @param {"all" | "any"} joined
   */
  constructor(conditions, joined = "all") {
    Object.assign(this, { conditions: Object.freeze(conditions), joined });
    Object.freeze(this);
  }

  /** @param {ReadonlyMap<string, unknown>} answers so far; a hidden decider has none */
  holds(answers) {
    return JOINED[this.joined](this.conditions, (each) => each.holds(answers.get(each.question)));
  }

  asJson() {
    const parts = this.conditions.map((each) => each.asJson());
    return parts.length === 1 ? parts[0] : { [this.joined]: parts };
  }
}

/**
 * Read the skip logic of a document's question.
 * @returns {ShowIf | null}
 */
export function readShowIf(value) {
  if (value === null) return null;
  const joined = Object.keys(JOINED).find((name) => Object.hasOwn(Object(value), name));
  if (joined === undefined) return new ShowIf([readCondition(value)]);
  const parts = exactKeys(value, [joined], "show_if")[joined];
  require(
    Array.isArray(parts) && parts.length >= 2 && parts.length <= MAX_CONDITIONS,
    "bad_show_if",
    `show_if must join from 2 to ${MAX_CONDITIONS} conditions`,
  );
  return new ShowIf(parts.map(readCondition), joined);
}

function readCondition(value) {
  if (Object.hasOwn(Object(value), "from")) {
    const { question, from, to } = exactKeys(value, ["question", "from", "to"], "show_if");
    return new Condition(question, [], Object.freeze([from, to]));
  }
  const { question, options } = exactKeys(value, ["question", "options"], "show_if");
  require(Array.isArray(options), "bad_show_if", NEITHER);
  return new Condition(question, [...options]);
}
