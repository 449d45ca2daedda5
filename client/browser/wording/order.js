/**
 * In which order one person is shown questions and options: drawn on the device, and forgotten. It
 * is for the eyes only: answers and reports know questions by their ids and options by their
 * numbers. So it is neither sent nor stored, and it takes no word from a randomizer. It draws like
 * `client/wording/order.py`.
 */

import { below, bern, WORD_RANGE } from "../core/primitives/words.js";

/** The numbers of the questions as they are asked; for some, of each list as it is shown. */
export class Order {
  /**
   * @param {readonly number[]} questions
   * @param {ReadonlyMap<string, readonly (readonly number[])[]>} options by question id
   */
  constructor(questions, options) {
    Object.assign(this, { questions, options });
    Object.freeze(this);
  }

  /**
   * Return the order of each list of options, without those for silence.
   * @param {import("../core/question.js").Question} question
   */
  optionsOf({ id, kind }) {
    const usual = kind.lists.length ? kind.lists : [kind.ownLabels.length];
    return this.options.get(id) ?? usual.map(upTo);
  }
}

/**
 * Draw an order of the questions, and then of each question's options, as the survey says.
 * @param {import("../core/survey.js").Survey} survey
 * @param {import("../core/primitives/words.js").Words} words
 */
export function drawOrder({ fields, questions }, words) {
  const order = fields.shuffle ? questionOrder(questions, words) : upTo(questions.length);
  const options = questions.map((question) => [question.id, optionOrders(question, words)]);
  return new Order(order, new Map(options.filter(([, orders]) => orders.length)));
}

/** Shuffle each section by itself; questions of a condition stay where they are. */
function questionOrder(questions, words) {
  const rules = questions.flatMap(({ showIf }) => showIf?.conditions ?? []);
  const deciders = new Set(rules.map(({ question }) => question));
  const isFixed = (i) => questions[i].showIf !== null || deciders.has(questions[i].id);
  return sections(questions).flatMap((section) => shuffled(section, isFixed, words));
}

/** Return the numbers of the questions of each section; a heading begins one. */
function sections(questions) {
  const found = [];
  questions.forEach(({ heading }, i) => {
    if (heading !== "" || i === 0) found.push([]);
    found.at(-1).push(i);
  });
  return found;
}

/** Return the order of each list of options; nothing if the author's order holds. */
function optionOrders({ kind, shuffle, anchored, reverse }, words) {
  if (shuffle) return kind.lists.map((count) => shuffled(upTo(count), (i) => anchored.includes(i), words));
  if (reverse && bern(words, WORD_RANGE / 2)) return [upTo(kind.ownLabels.length).reverse()];
  return [];
}

/** Return the items in an exactly uniform order; fixed ones keep their places. */
function shuffled(items, isFixed, words) {
  const places = [...items.keys()].filter((place) => !isFixed(items[place]));
  const found = [...items];
  for (let last = places.length - 1; last > 0; last--) {
    const [one, other] = [places[last], places[below(words, last + 1)]];
    [found[one], found[other]] = [found[other], found[one]];
  }
  return found;
}

function upTo(count) {
  return [...Array(count).keys()];
}
