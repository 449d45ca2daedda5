/**
 * What the page shows, and in which language. A scene is a function that draws what is shown, so
 * that it can be drawn again when the language changes.
 *
 * @typedef {object} Voice
 * @property {import("../wording/catalogue.js").Wording} wording what the page says
 * @property {import("../core/translation.js").LocalizedSurvey} [localized] what the survey says, once it is open
 */

import { element } from "./dom.js";

/** @param {import("../wording/catalogue.js").Wording} wording */
export function showTestMark({ say }) {
  const mark = document.querySelector(".test-mark");
  if (mark === null) return;
  mark.setAttribute("aria-label", say("test.mark"));
  mark.replaceChildren(element("strong", {}, say("test.mark")), " ", say("test.note"));
}

export class Stage {
  #main;
  #scene = null;
  #back = () => false;

  /**
   * @param {HTMLElement} main
   * @param {Voice} voice
   */
  constructor(main, voice) {
    this.#main = main;
    this.#take(voice);
  }

  /**
   * Show a scene and nothing else; a screen reader starts at its heading.
   * @param {(voice: Voice) => HTMLElement[]} scene
   * @param {() => boolean} [back] goes one step back within the page; false if there is none
   */
  show(scene, back = () => false) {
    this.#scene = scene;
    this.#back = back;
    this.#main.replaceChildren(...scene(this.voice));
    this.#main.removeAttribute("aria-busy");
    const heading = this.#main.querySelector("h1, h2");
    heading.tabIndex = -1;
    // In a preview's frame, do not take the focus from somebody who is writing next to it.
    if (document.hasFocus()) heading.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** Keep the current scene until the next one, because a report is being sent. */
  hold() {
    this.#scene = null;
    this.#back = () => true;
  }

  /** Go one step back, as the browser's Back button asks; return false if there is none. */
  goBack() {
    return this.#back();
  }

  /**
   * Draw the same scene in another language; the focus and open details stay.
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
    const { wording, localized } = voice;
    Object.assign(document.documentElement, { lang: wording.language, dir: wording.direction });
    if (localized) document.title = localized.title;
    showTestMark(wording);
  }
}
