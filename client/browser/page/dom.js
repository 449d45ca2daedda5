/** Elements without markup: every text, an author's too, becomes a text node and never HTML. */

import { direction } from "../wording/languages.js";

const SVG = "http://www.w3.org/2000/svg";
const MOST_UNBOUNDED = 400;

/**
 * @param {string} tag
 * @param {Record<string, string | boolean | ((event: Event) => void)>} [attributes] functions
 *   listen to the event of that name, `true` sets an empty attribute, `false` none
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes presentation attributes; styles are not allowed here
 * @param {...Node} children
 */
export function drawing(tag, attributes, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * The attributes of what is said in the language of the page, or of the survey.
 * @param {{language: string}} speaker
 */
export function spoken({ language }) {
  return { lang: language, dir: direction(language) };
}

/**
 * A piece that is no language: a hash, a command, a number of a document.
 * @param {string} text
 */
export function code(text) {
  return element("code", { dir: "ltr" }, text);
}

/**
 * A button that leaves the focus where it is until the press is over: what a field says on being
 * left would otherwise push the button away from under the finger.
 * @param {string} look
 * @param {string} text
 * @param {() => void} click
 */
export function steadyButton(look, text, click) {
  const mousedown = (event) => event.preventDefault();
  return element("button", { type: "button", class: `button ${look}`, mousedown, click }, text);
}

/**
 * The author's words, the page's, a number or a hash: it runs its own way where the page's begins.
 * A text that may be thousands of names long gets a place that scrolls.
 * @param {string} text
 * @param {string} name of the place, for screen readers
 */
export function bounded(text, name) {
  if (text.length <= MOST_UNBOUNDED) return element("bdi", {}, text);
  const place = { class: "long", dir: "auto", tabindex: "0", role: "region", "aria-label": name };
  return element("div", place, text);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}
