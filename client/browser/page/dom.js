/** Make elements without markup: every text, also an author's, becomes a text node, never HTML. */

import { direction } from "../wording/languages.js";

const SVG = "http://www.w3.org/2000/svg";
const MOST_UNBOUNDED = 400;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
/** Several groups of digits, or a plus in front: a telephone number, a date, a reference. */
const NUMBER = /(\+\p{Nd}+(?:(?:[ ./-]|\) ?| ?\()\p{Nd}+)*|\p{Nd}+(?:(?:[ ./-]|\) ?| ?\()\p{Nd}+)+)/u;

/**
 * @param {string} tag
 * @param {Record<string, string | boolean | ((event: Event) => void)>} [attributes] functions
 *   listen to the event of that name, `true` sets an empty attribute, `false` none
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes presentation attributes; styles are not allowed here
 * @param {...Node} children
 */
export function drawing(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Return the language attributes of a text by the page or the survey.
 * @param {{language: string}} speaker
 */
export function spoken({ language }) {
  return { lang: language, dir: direction(language) };
}

/**
 * Make an element for text in no language: a hash, a command, a document's number.
 * @param {string} text
 */
export function code(text) {
  return element("code", { dir: "ltr" }, text);
}

/**
 * Make a button that takes the focus only when the press is over. Otherwise the remark shown when a
 * field loses the focus could push the button away from under the finger.
 * @param {string} look
 * @param {string} text
 * @param {() => void} click
 */
export function steadyButton(look, text, click) {
  const mousedown = (event) => event.preventDefault();
  return element("button", { type: "button", class: `button ${look}`, mousedown, click }, text);
}

/**
 * Return a text whose numbers keep their order. Otherwise a helpline's number would be shown from
 * its last group of digits to its first, where the letters around it run from right to left.
 * @param {string} text
 * @param {boolean} [toLeft] whether the text around it runs to the left; by default its own letters
 * @returns {(Node | string)[]}
 */
export function withNumbers(text, toLeft = RIGHT_TO_LEFT.test(text)) {
  if (!toLeft) return [text];
  const parts = text.split(NUMBER);
  return parts.map((part, at) => (at % 2 === 1 ? element("bdi", { dir: "ltr" }, part) : part));
}

/**
 * Make an element for text that runs in its own direction. Very long text, such as thousands of
 * names, gets a region that scrolls.
 * @param {string} text
 * @param {string} name of the place, for screen readers
 */
export function bounded(text, name) {
  if (text.length <= MOST_UNBOUNDED) return element("bdi", {}, ...withNumbers(text));
  const place = { class: "long", dir: "auto", tabindex: "0", role: "region", "aria-label": name };
  return element("div", place, text);
}

/**
 * Make a list of names with what belongs to each.
 * @param {[string, string][]} pairs
 */
export function facts(pairs) {
  return element(
    "dl",
    { class: "facts" },
    ...pairs.map(([name, value]) =>
      element(
        "div",
        {},
        element("dt", {}, element("bdi", {}, name)),
        element("dd", {}, bounded(value, name)),
      ),
    ),
  );
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}
