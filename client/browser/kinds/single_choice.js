/** One answer out of several: yes/no, and a list of options. */

import { MAX_OPTIONS } from "../domain.js";
import { checkLabels } from "../text.js";
import { Kind } from "./kind.js";

/** One of 2 to 20,000 options. */
export class OneOf extends Kind {
  static kind = "one_of";
  static fields = [...Kind.fields, "options"];
  static texts = [...Kind.texts, "options"];

  check() {
    checkLabels(this.options, 2, MAX_OPTIONS, "options");
  }

  get ownLabels() {
    return this.options;
  }
}

/** Two options, the one for no first. */
export class YesNo extends OneOf {
  static kind = "yes_no";

  check() {
    checkLabels(this.options, 2, 2, "options");
  }
}
