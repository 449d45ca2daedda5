/** Kinds whose answers have no order: yes/no, one of several, any of several, a cross table. */

import { Checks, MAX_BOXES, MAX_OPTIONS } from "../primitives/domain.js";
import { require } from "../primitives/refusal.js";
import { checkLabels, checkText } from "../primitives/values.js";
import { Kind } from "./kind.js";

/** One of 2 to 20,000 options. */
export class OneOf extends Kind {
  static kind = "one_of";
  static fields = [...Kind.fields, "options"];
  static texts = [...Kind.texts, "options"];
  static listFields = ["options"];

  check() {
    checkLabels(this.options, 2, MAX_OPTIONS, "options");
  }

  get ownLabels() {
    return this.options;
  }
}

/** Two options; the one that means no comes first. */
export class YesNo extends OneOf {
  static kind = "yes_no";

  check() {
    checkLabels(this.options, 2, 2, "options");
  }
}

/** Up to 200 boxes, of which at most `at_most` can be ticked; 0 means all of them. */
export class AnyOf extends Kind {
  static kind = "any_of";
  static fields = [...Kind.fields, "options", "at_most"];
  static texts = [...Kind.texts, "options"];
  static listFields = ["options"];

  check() {
    checkLabels(this.options, 1, MAX_BOXES - 2, "options");
    const fits =
      Number.isInteger(this.at_most) && 0 <= this.at_most && this.at_most <= this.options.length;
    require(fits, "bad_at_most", "at_most must be from 1 to the number of options, or 0 for all");
  }

  get ownLabels() {
    return this.options;
  }

  get domain() {
    return new Checks(this.labels.length, this.at_most || this.labels.length);
  }

  get hiddenAnswer() {
    return [this.labels.length - 1];
  }
}

const MAX_SIDE = 12;

/** Two questions answered as one: option i * columns + j means row i and column j. */
export class Cross extends Kind {
  static kind = "cross";
  static fields = [...Kind.fields, "row_prompt", "rows", "column_prompt", "columns"];
  static texts = Cross.fields;
  static listFields = ["rows", "columns"];

  check() {
    checkText(this.row_prompt, "row_prompt");
    checkLabels(this.rows, 2, MAX_SIDE, "rows");
    checkText(this.column_prompt, "column_prompt");
    checkLabels(this.columns, 2, MAX_SIDE, "columns");
  }

  get ownLabels() {
    return this.rows.flatMap((row) => this.columns.map((column) => `${row} / ${column}`));
  }
}
