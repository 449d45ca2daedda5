/** Kinds whose answers have an order and a distance: rating scales and numbers on a grid. */

import { Choice, Levels, MAX_TOP } from "../primitives/domain.js";
import { require } from "../primitives/refusal.js";
import { checkText, decimalText, MILLION, parseDecimal } from "../primitives/values.js";
import { DISTRIBUTION, Kind, MEAN, SHARES } from "./kind.js";

const MAX_SCALE = 101;
const MAX_END = 1000;
const MAX_DISTRIBUTION = 1000;

/** Whole levels from lo to hi, with a label at each end. The goal is the shares or the mean. */
export class Scale extends Kind {
  static kind = "scale";
  static canReverse = true;
  static fields = [...Kind.fields, "lo", "hi", "lo_label", "hi_label", "goal"];
  static texts = [...Kind.texts, "lo_label", "hi_label"];

  check() {
    for (const field of ["lo", "hi"]) {
      const fits = Number.isInteger(this[field]) && Math.abs(this[field]) <= MAX_END;
      require(fits, "bad_scale", `${field} must be a whole number`);
    }
    checkText(this.lo_label, "lo_label", false);
    checkText(this.hi_label, "hi_label", false);
    checkGoal(this, [SHARES, MEAN]);
    const levels = this.hi - this.lo;
    const fits = 1 <= levels && levels < MAX_SCALE;
    require(fits, "bad_scale", `hi must be above lo, by at most ${MAX_SCALE - 1}`);
  }

  get ownLabels() {
    return Array.from({ length: this.hi - this.lo + 1 }, (_, i) => String(this.lo + i));
  }

  get domain() {
    if (this.goal === SHARES) return new Choice(this.labels.length);
    return new Levels(this.hi - this.lo, this.silence.length);
  }

  /** The grid in millionths, as for a number. */
  get grid() {
    return { lo: BigInt(this.lo) * MILLION, hi: BigInt(this.hi) * MILLION, step: MILLION };
  }
}

/** A number from lo to hi in steps. The goal is the mean or the whole distribution. */
export class NumberOnGrid extends Kind {
  static kind = "number";
  static fields = [...Kind.fields, "lo", "hi", "step", "unit", "goal"];
  static texts = [...Kind.texts, "unit"];

  /** @param {Record<string, unknown>} values */
  constructor({ lo, hi, step, ...values }) {
    super({
      ...values,
      lo: parseDecimal(lo, "lo"),
      hi: parseDecimal(hi, "hi"),
      step: parseDecimal(step, "step"),
    });
  }

  check() {
    const { lo, hi, step } = this;
    require(step > 0n, "bad_number", "step must be above 0");
    checkText(this.unit, "unit", false);
    checkGoal(this, [MEAN, DISTRIBUTION]);
    require(lo < hi, "bad_number", "hi must be above lo");
    require((hi - lo) % step === 0n, "bad_number", "step must divide the range from lo to hi");
    const most = this.goal === MEAN ? MAX_TOP : MAX_DISTRIBUTION;
    const rule = `the grid may have at most ${most} steps for this goal`;
    require(this.top <= most, "bad_number", rule);
  }

  get top() {
    return Number((this.hi - this.lo) / this.step);
  }

  get ownLabels() {
    return [];
  }

  get domain() {
    return new Levels(this.top, this.silence.length);
  }

  get hiddenAnswer() {
    return this.domain.count - 1;
  }

  get grid() {
    return { lo: this.lo, hi: this.hi, step: this.step };
  }

  asJson() {
    const { lo, hi, step } = this.grid;
    const grid = { lo: decimalText(lo), hi: decimalText(hi), step: decimalText(step) };
    return { ...super.asJson(), ...grid };
  }
}

function checkGoal(kind, goals) {
  require(goals.includes(kind.goal), "bad_goal", `goal must be ${goals.join(" or ")}`);
}
