/**
 * One question per screen if the screen is narrow, otherwise all of them, in the same document: the
 * style sheet decides by the width. The buttons only move the mark of the current question. Nothing
 * is fetched, and no step goes into the history or the address.
 */

import { element, steadyButton } from "./dom.js";

export class Steps {
  #cards = [];
  #current = 0;
  #place;
  #turned;
  /** "Question 3 of 8" as a bar; the question's heading says it in words and names the bar. */
  bar = element("progress", { class: "steps" });

  /**
   * @param {import("../wording/catalogue.js").Wording} wording
   * @param {HTMLElement} place holds the cards, and tells the style sheet where they begin and end
   * @param {() => void} turned the respondent has moved to another card
   */
  constructor({ say }, place, turned) {
    this.#place = place;
    this.#turned = turned;
    this.buttons = [
      steadyButton("next", say("step.next"), () => this.#next()),
      steadyButton("back quiet", say("step.back"), () => this.#step(-1)),
    ];
  }

  /** The card that a narrow screen shows. */
  get current() {
    return this.#cards[this.#current];
  }

  /** @param {import("./card.js").Card[]} cards those that are asked now, in order */
  arrange(cards) {
    const { current } = this;
    this.#cards = cards;
    this.turnTo(current);
  }

  /** @param {import("./card.js").Card | undefined} card where it has gone, the screen stays */
  turnTo(card) {
    const found = this.#cards.indexOf(card);
    const last = this.#cards.length - 1;
    this.#current = Math.min(found === -1 ? this.#current : found, last);
    this.#cards.forEach(({ node }, i) => node.classList.toggle("current", i === this.#current));
    this.#place.classList.toggle("at-first", this.#current === 0);
    this.#place.classList.toggle("at-last", this.#current === last);
    this.bar.max = this.#cards.length;
    this.bar.value = this.#current + 1;
    this.bar.setAttribute("aria-label", this.current.where);
  }

  /** @param {import("./card.js").Card} card which the respondent has moved to */
  enter(card) {
    if (card === this.current) return;
    this.turnTo(card);
    this.#turned();
  }

  /** Go one question back; return false at the first one, and where all are on one page. */
  goBack() {
    const [, back] = this.buttons;
    if (!back.checkVisibility()) return false;
    this.#step(-1);
    return true;
  }

  /** Go on: a question may stay open, but an invalid input is not left behind unseen. */
  #next() {
    const { current } = this;
    if (current.problem === "") {
      this.#step(1);
      return;
    }
    current.explain(true);
    current.focus();
  }

  #step(by) {
    const card = this.#cards[this.#current + by];
    this.enter(card);
    card.focusHeading();
  }
}
