/**
 * Any of d boxes: a report covers only `asked` of them, each by randomized response (math 3). The
 * choice of boxes does not depend on the answer and costs no privacy; the device may draw it or the
 * ticket may assign it (math 11).
 */

import { Checks, checkShape } from "../primitives/domain.js";
import { below, subset } from "../primitives/words.js";
import { OneBit } from "./two_level.js";

export class SampledChecks extends OneBit {
  static mechanism = "smp";
  static shape = ["options", "asked"];

  checkShape() {
    checkShape("asked", this.asked, 1, this.domain.options);
  }

  get domain() {
    return new Checks(this.options, this.options);
  }

  /** Each asked box is a separate draw, so each gets an equal part of epsilon. */
  get draws() {
    return this.asked;
  }

  get longest() {
    return Array.from({ length: this.asked }, (_, i) => [this.options - this.asked + i, 0]);
  }

  accepts(domain) {
    return domain instanceof Checks && domain.options === this.options;
  }

  get assignmentDraws() {
    return this.asked;
  }

  /**
   * Draw the boxes that a report is about.
   * @param {import("../primitives/words.js").Words} words
   * @returns {number[]}
   */
  drawAssignment(words) {
    if (this.asked === 1) return [below(words, this.options)];
    return subset(words, this.options, this.asked);
  }

  /**
   * @param {number[]} answer the ticked boxes, sorted
   * @param {import("../primitives/words.js").Words} words
   * @returns {number[][]} pairs of a box and a bit
   */
  randomize(answer, words) {
    return this.randomizeAssigned(answer, words, this.drawAssignment(words));
  }

  /**
   * @param {number[]} answer
   * @param {import("../primitives/words.js").Words} words
   * @param {number[]} boxes that the report is about
   */
  randomizeAssigned(answer, words, boxes) {
    return boxes.map((box) => [box, this.flip(answer.includes(box) ? 1 : 0, words)]);
  }
}
