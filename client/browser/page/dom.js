/** Elements without markup: every text, an author's too, becomes a text node and never HTML. */

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
 * A section becomes all that the page shows, and a screen reader starts at its heading.
 * @param {HTMLElement} main
 * @param {HTMLElement[]} sections the first of them holds the heading
 */
export function show(main, ...sections) {
  main.replaceChildren(...sections);
  main.removeAttribute("aria-busy");
  const heading = main.querySelector("h1, h2");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/**
 * A text that may be thousands of names long, in a place that scrolls.
 * @param {string} text
 * @param {string} name of the place, for screen readers
 */
export function bounded(text, name) {
  if (text.length <= MOST_UNBOUNDED) return text;
  return element("div", { class: "long", tabindex: "0", role: "region", "aria-label": name }, text);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}
