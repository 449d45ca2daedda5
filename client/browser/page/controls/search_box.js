/**
 * One of a long list: a box to type in, with the browser's own list of suggestions. Only the best
 * few matches are in the document at any time, so ten thousand options cost no more than fifty.
 */

import { element, spoken } from "../dom.js";

const MOST_SUGGESTED = 50;

export class SearchBox {
  #wording;
  #labels;
  #plain;
  #input;
  #list;
  #order;

  /**
   * @param {readonly string[]} labels
   * @param {import("../../wording/catalogue.js").Wording} wording
   * @param {import("./control.js").Place} place
   */
  constructor(labels, wording, { id, heading, changed, orders: [order] }) {
    this.#wording = wording;
    this.#labels = labels;
    this.#plain = labels.map(plain);
    this.#order = order;
    this.#list = element("datalist", { id: `${id}-list` });
    this.#input = element("input", {
      type: "text",
      class: "field",
      list: `${id}-list`,
      autocomplete: "off",
      autocapitalize: "off",
      // Browsers may send text to their maker to check its spelling.
      spellcheck: "false",
      "aria-labelledby": heading,
      "aria-describedby": `${id}-hint ${id}-problem`,
      input: () => {
        this.#suggest();
        changed(false);
      },
      change: () => changed(true),
    });
    const hint = wording.say("search.hint", { count: labels.length });
    this.node = element(
      "div",
      { class: "box" },
      element("p", { class: "hint", id: `${id}-hint`, ...spoken(wording) }, hint),
      this.#input,
      this.#list,
    );
    this.#suggest();
  }

  /** @returns {number | undefined} */
  get answer() {
    const text = this.#input.value.trim();
    const exact = this.#labels.indexOf(text);
    const found = exact === -1 ? this.#plain.indexOf(plain(text)) : exact;
    return found === -1 ? undefined : found;
  }

  get problem() {
    const text = this.#input.value.trim();
    if (text === "" || this.answer !== undefined) return "";
    return this.#wording.say("search.unknown", { text: text.slice(0, 40) });
  }

  focus() {
    this.#input.focus();
  }

  give(answer) {
    this.#input.value = this.#labels[answer];
    this.#suggest();
  }

  clear() {
    this.#input.value = "";
    this.#suggest();
  }

  /**
   * Take over the input: an option keeps its number, half a word stays as typed.
   * @param {SearchBox} before
   */
  adopt(before) {
    this.#input.value = this.#labels[before.answer] ?? before.#input.value;
    this.#suggest();
  }

  /** Suggest options that begin with the text first, then those that contain it. */
  #suggest() {
    const text = plain(this.#input.value);
    const begin = [];
    const contain = [];
    for (const i of this.#order) {
      if (begin.length === MOST_SUGGESTED) break;
      const at = this.#plain[i].indexOf(text);
      if (at === 0) begin.push(i);
      else if (at > 0 && contain.length < MOST_SUGGESTED) contain.push(i);
    }
    const best = [...begin, ...contain].slice(0, MOST_SUGGESTED);
    this.#list.replaceChildren(
      ...best.map((i) => element("option", { value: this.#labels[i] })),
    );
  }
}

function plain(text) {
  return text.trim().toLowerCase();
}
