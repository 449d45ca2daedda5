/**
 * What the page shows, and in which language. A scene is drawn again when the language changes,
 * so it is kept as the function that draws it.
 *
 * @typedef {object} Voice
 * @property {import("../wording/catalogue.js").Wording} wording what the page says
 * @property {import("../core/translation.js").Telling} [telling] what the survey says, once it is open
 */

import { element } from "./dom.js";

/** @param {import("../wording/catalogue.js").Wording} wording */
export function tellTestMark({ say }) {
  const mark = document.querySelector(".test-mark");
  if (mark === null) return;
  mark.setAttribute("aria-label", say("test.mark"));
  mark.replaceChildren(element("strong", {}, say("test.mark")), " ", say("test.note"));
}

export class Stage {
  #main;
  #scene = null;

  /**
   * @param {HTMLElement} main
   * @param {Voice} voice
   */
  constructor(main, voice) {
    this.#main = main;
    this.#take(voice);
  }

  /**
   * A scene becomes all that the page shows, and a screen reader starts at its heading.
   * @param {(voice: Voice) => HTMLElement[]} scene
   */
  show(scene) {
    this.#scene = scene;
    this.#main.replaceChildren(...scene(this.voice));
    this.#main.removeAttribute("aria-busy");
    const heading = this.#main.querySelector("h1, h2");
    heading.tabIndex = -1;
    // In a frame, as in a preview, it takes the focus from nobody who writes beside it.
    if (document.hasFocus()) heading.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** What is shown now must stay as it is until the next scene: a report is on its way. */
  hold() {
    this.#scene = null;
  }

  /**
   * The same scene in other words. The focus stays where it is, and what was open stays open.
   * @param {Voice} voice
   */
  speak(voice) {
    this.#take(voice);
    if (this.#scene === null) return;
    const open = this.#details.map((details) => details.open);
    this.#main.replaceChildren(...this.#scene(voice));
    this.#details.forEach((details, i) => (details.open = open[i]));
  }

  get #details() {
    return [...this.#main.querySelectorAll("details")];
  }

  #take(voice) {
    this.voice = voice;
    const { wording, telling } = voice;
    Object.assign(document.documentElement, { lang: wording.language, dir: wording.direction });
    if (telling) document.title = telling.title;
    tellTestMark(wording);
  }
}
