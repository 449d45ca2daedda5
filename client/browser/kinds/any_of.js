/** Any number of answers out of several: check-boxes. */

import { Checks, MAX_BOXES } from "../domain.js";
import { require } from "../refusal.js";
import { checkLabels } from "../text.js";
import { Kind } from "./kind.js";

/** Up to 200 boxes of which `at_most` can be ticked; 0 means all of them. */
export class AnyOf extends Kind {
  static kind = "any_of";
  static fields = [...Kind.fields, "options", "at_most"];
  static texts = [...Kind.texts, "options"];

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
