/** The questions, all drawn at once. Answers live here, in memory, and are cleared on leaving. */

import { isShown } from "../core/question.js";
import { Card } from "./card.js";
import { element, steadyButton } from "./dom.js";
import { Steps } from "./steps.js";

export class Questions {
  #wording;
  #cards;
  #sections;
  #steps;
  #progress = element("p", { class: "progress", role: "status" });

  /**
   * @param {readonly string[]} ids of the questions that are asked
   * @param {import("./stage.js").Voice} voice
   * @param {{changed: () => void, review: () => void}} events `changed`: by the respondent;
   *   `review`: every question has its answer
   */
  constructor(ids, voice, { changed, review }) {
    const { wording, localized } = voice;
    this.voice = voice;
    this.#wording = wording;
    this.node = element("fieldset", { class: "questions", disabled: true });
    this.#steps = new Steps(wording, this.node);
    const events = {
      changed: () => {
        this.#update();
        changed();
      },
      entered: (card) => this.#steps.turnTo(card),
    };
    const sections = sectionsOf(localized.questions);
    const asked = sections.filter(({ question }) => ids.includes(question.id));
    this.#cards = asked.map(
      ({ question, heading }, i) => new Card(question, heading, i + 1, voice, events),
    );
    this.#sections = new Map(this.#cards.map((card, i) => [card, asked[i].section]));
    const finish = () => this.#whenComplete(review);
    const button = steadyButton("to-review", wording.say("review.button"), finish);
    this.node.append(
      element("legend", {}, wording.say("start")),
      this.#steps.bar,
      ...this.#cards.flatMap(({ nodes }) => nodes),
      element("div", { class: "actions" }, this.#progress, button, ...this.#steps.buttons),
    );
    this.#update();
  }

  /** @returns {ReadonlyMap<string, unknown>} the true answers to all asked questions, by id */
  get answers() {
    return this.#read().answers;
  }

  /** @returns {Record<string, unknown>} what has been answered so far where it is asked, by id */
  get given() {
    const { answers, shown } = this.#read();
    const ids = shown.map(({ question }) => question.id).filter((id) => answers.has(id));
    return Object.fromEntries(ids.map((id) => [id, answers.get(id)]));
  }

  /** Whether anything has been chosen or typed. */
  get begun() {
    return this.#cards.some(({ answer, problem }) => answer !== undefined || problem !== "");
  }

  enable() {
    this.node.disabled = false;
  }

  /** Focus the first question, for somebody who wants to change an answer. */
  focusFirst() {
    this.#goTo(this.#cards[0]);
  }

  /**
   * Take over the answers from the same questions in another language, and clear them there.
   * @param {Questions} before
   */
  adopt(before) {
    this.#cards.forEach((card, i) => card.adopt(before.#cards[i]));
    const current = before.#cards.indexOf(before.#steps.current);
    before.clear();
    this.#update();
    this.#steps.turnTo(this.#cards[current]);
  }

  /**
   * Take over the answers to questions of an earlier version that were shown and are unchanged, and
   * clear them there.
   * @param {Questions} before
   */
  adoptUnchanged(before) {
    const { shown } = before.#read();
    for (const card of this.#cards) {
      const old = shown.find(({ question }) => question.asksTheSameAs(card.question));
      if (old) card.adopt(old);
    }
    before.clear();
    this.#update();
  }

  /**
   * Restore answers; one that its question cannot have is refused.
   * @param {Record<string, unknown>} answers by id; those that are not asked now are left out
   */
  give(answers) {
    for (const card of this.#cards) {
      const { id, domain } = card.question;
      if (!Object.hasOwn(answers, id)) continue;
      domain.check(answers[id], id);
      card.give(answers[id]);
    }
    this.#update();
  }

  clear() {
    for (const card of this.#cards) card.clear();
    this.#update();
  }

  /** Read the answers so far; a hidden question answers that it does not apply. */
  #read() {
    const answers = new Map();
    const shown = [];
    for (const card of this.#cards) {
      const { id, kind } = card.question;
      const visible = isShown(card.question, answers);
      const answer = visible ? card.answer : kind.hiddenAnswer;
      if (visible) shown.push(card);
      if (answer !== undefined) answers.set(id, answer);
    }
    return { answers, shown, open: shown.filter(({ question }) => !answers.has(question.id)) };
  }

  /** Number the questions; hidden ones have no number, so that none seems to be missing. */
  #update() {
    const { shown, open } = this.#read();
    const count = shown.length;
    const sections = shown.map((card) => this.#sections.get(card));
    for (const card of this.#cards) {
      const at = shown.indexOf(card);
      card.place(at + 1, count, sections[at] !== sections[at - 1]);
    }
    this.#steps.arrange(shown);
    const values = { answered: count - open.length, count };
    this.#progress.textContent = this.#wording.say("question.answered", values);
  }

  #whenComplete(review) {
    const { shown, open } = this.#read();
    if (open.length === 0) {
      review();
      return;
    }
    const [card] = open;
    const position = shown.indexOf(card) + 1;
    const values = { count: open.length, position, prompt: card.question.prompt };
    this.#goTo(card);
    card.complain(card.problem || this.#wording.say("question.missing", values));
  }

  /** Go to a question's control, on the screen that shows it. */
  #goTo(card) {
    this.#steps.turnTo(card);
    card.focus();
  }
}

/**
 * Return every question with the number and the heading of its section. A section begins with a
 * question that has a heading, and keeps it if that question is not asked.
 */
function sectionsOf(questions) {
  let [section, heading] = [0, ""];
  return questions.map((question) => {
    if (question.heading !== "") [section, heading] = [section + 1, question.heading];
    return { question, section, heading };
  });
}
