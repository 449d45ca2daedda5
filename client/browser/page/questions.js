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
  #note = [];
  #progress = element("p", { class: "progress", role: "status" });

  /**
   * @param {readonly string[]} ids of the questions that are asked
   * @param {import("../wording/order.js").Order} order
   * @param {import("./stage.js").Voice} voice
   * @param {{changed: () => void, review: () => void}} events `changed`: by the respondent, an
   *   answer or the current question; `review`: every question has its answer
   */
  constructor(ids, order, voice, { changed, review }) {
    const { wording, localized } = voice;
    this.voice = voice;
    this.#wording = wording;
    this.node = element("fieldset", { class: "questions", disabled: true });
    this.#steps = new Steps(wording, this.node, changed);
    const events = {
      changed: () => {
        this.#update();
        changed();
      },
      entered: (card) => this.#steps.enter(card),
    };
    const sections = sectionsOf(localized.questions);
    const ordered = order.questions.map((i) => sections[i]);
    const asked = ordered.filter(({ question }) => ids.includes(question.id));
    this.#cards = asked.map(({ question, heading }, i) => {
      return new Card(question, order.optionsOf(question), heading, i + 1, voice, events);
    });
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

  /**
   * What to keep on the device: the answers so far where they are asked, and the current question.
   * @returns {{answers: Record<string, unknown>, at: string}} by id
   */
  get unsent() {
    const { answers, shown } = this.#read();
    const ids = shown.map(({ question }) => question.id).filter((id) => answers.has(id));
    const given = Object.fromEntries(ids.map((id) => [id, answers.get(id)]));
    return { answers: given, at: this.#steps.current.question.id };
  }

  /** Whether anything has been chosen or typed. */
  get begun() {
    return this.#cards.some(({ answer, problem }) => answer !== undefined || problem !== "");
  }

  enable() {
    this.node.disabled = false;
  }

  /** Go one question back; return false if there is none, or if all are on one page. */
  goBack() {
    return this.#steps.goBack();
  }

  /**
   * Put a note above the current question. Return it if that is the first one: then its place is
   * on top of the page.
   * @param {HTMLElement[]} note
   */
  introduce(note) {
    const { current } = this.#steps;
    for (const before of this.#note) before.remove();
    this.#note = current === this.#cards[0] ? [] : note;
    current.nodes[0].before(...this.#note);
    return this.#note.length ? [] : note;
  }

  /** Return to the current question, with its note in sight; the first one is in sight anyway. */
  resume() {
    const { current } = this.#steps;
    if (current !== this.#cards[0]) current.focusHeading(this.#note[0]);
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
   * Restore what was kept; an answer that its question cannot have is refused.
   * @param {{answers: Record<string, unknown>, at: string}} unsent by id; answers to questions that
   *   are not asked now are left out
   */
  restore({ answers, at }) {
    for (const card of this.#cards) {
      const { id, domain } = card.question;
      if (!Object.hasOwn(answers, id)) continue;
      domain.check(answers[id], id);
      card.give(answers[id]);
    }
    this.#update();
    this.#steps.turnTo(this.#cards.find(({ question }) => question.id === at));
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
