/** Two groups of radio buttons, one answer: a cell of a table (math 8). */

import { element } from "../dom.js";
import { Choices } from "./choices.js";

export class CrossChoices {
  problem = "";
  #rows;
  #columns;
  #width;

  /**
   * @param {import("../../core/kinds/choice.js").Cross} kind
   * @param {import("./control.js").Place} place
   */
  constructor(kind, { id, changed, orders: [rows, columns] }) {
    this.#rows = new Choices(kind.rows, () => changed(true), { order: rows });
    this.#columns = new Choices(kind.columns, () => changed(true), { order: columns });
    this.#width = kind.columns.length;
    this.node = element(
      "div",
      { class: "sides" },
      ...side(this.#rows, kind.row_prompt, `${id}-row`),
      ...side(this.#columns, kind.column_prompt, `${id}-column`),
    );
  }

  /** @returns {number | undefined} */
  get answer() {
    const [row, column] = [this.#rows.answer, this.#columns.answer];
    return row === undefined || column === undefined ? undefined : row * this.#width + column;
  }

  focus() {
    (this.#rows.answer === undefined ? this.#rows : this.#columns).focus();
  }

  /** @param {CrossChoices} before */
  adopt(before) {
    this.#rows.adopt(before.#rows);
    this.#columns.adopt(before.#columns);
  }

  give(answer) {
    this.#rows.give(Math.floor(answer / this.#width));
    this.#columns.give(answer % this.#width);
  }

  clear() {
    this.#rows.clear();
    this.#columns.clear();
  }
}

function side(choices, prompt, id) {
  return [element("p", { class: "side", id }, prompt), choices.named(id)];
}
