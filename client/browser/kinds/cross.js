/** Two questions to be cross-tabulated, asked as one (math 8): far less noise than two apart. */

import { checkLabels, checkText } from "../text.js";
import { Kind } from "./kind.js";

const MAX_SIDE = 12;

/** Option i * columns + j is row i and column j. */
export class Cross extends Kind {
  static kind = "cross";
  static fields = [...Kind.fields, "row_prompt", "rows", "column_prompt", "columns"];
  static texts = Cross.fields;

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
