/** A control with options for silence next to it: using one clears the other. */

import { Levels } from "../../core/primitives/domain.js";
import { element } from "../dom.js";
import { Choices } from "./choices.js";

export class OrSilence {
  role = "group";
  #control;
  #silence;
  #first;

  /**
   * @param {(place: import("./control.js").Place) => object} make the control
   * @param {import("../../core/kinds/kind.js").Kind} kind
   * @param {import("./control.js").Place} place
   */
  constructor(make, kind, place) {
    const { domain } = kind;
    this.#first = domain instanceof Levels ? domain.top + 1 : kind.ownLabels.length;
    this.#control = make({
      ...place,
      changed: (settled) => {
        this.#silence?.clear();
        place.changed(settled);
      },
    });
    this.node = element("div", {}, this.#control.node);
    if (kind.silence.length) this.#offer(kind.silence, place);
  }

  /** @returns {number | undefined} */
  get answer() {
    const silent = this.#silence?.answer;
    return silent === undefined ? this.#control.answer : this.#first + silent;
  }

  get problem() {
    return this.#control.problem;
  }

  focus() {
    this.#control.focus();
  }

  /** @param {OrSilence} before */
  adopt(before) {
    this.#control.adopt(before.#control);
    if (before.#silence) this.#silence.adopt(before.#silence);
  }

  give(answer) {
    if (this.#silence && answer >= this.#first) this.#silence.give(answer - this.#first);
    else this.#control.give(answer);
  }

  clear() {
    this.#control.clear();
    this.#silence?.clear();
  }

  #offer(labels, { heading, changed }) {
    this.#silence = new Choices(labels, () => {
      this.#control.clear();
      changed(true);
    });
    this.node.append(this.#silence.named(heading));
  }
}
