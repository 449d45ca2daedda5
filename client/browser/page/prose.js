/**
 * A page that an author wrote, as elements: never by markup, so whatever is not in our small part of
 * Markdown is shown as text.
 */

import { parseMarkdown } from "../wording/markdown.js";
import { element, spoken } from "./dom.js";

// The other site learns neither where a reader comes from nor gets hold of this page.
const ELSEWHERE = { rel: "noreferrer noopener", target: "_blank" };

/**
 * @param {string} text
 * @param {{language: string}} speaker whose text it is
 */
export function prose(text, speaker) {
  const blocks = parseMarkdown(text).map(blockNode);
  return element("div", { class: "prose", ...spoken(speaker) }, ...blocks);
}

function blockNode({ tag, lines, first }) {
  if (tag !== "ul" && tag !== "ol") return element(tag, {}, ...lines[0].map(runNode));
  const items = lines.map((runs) => element("li", {}, ...runs.map(runNode)));
  return element(tag, { start: tag === "ol" && String(first) }, ...items);
}

function runNode({ text, bold, emphasis, href }) {
  const linked = href === "" ? text : element("a", { href, ...ELSEWHERE }, text);
  const leaning = emphasis ? element("em", {}, linked) : linked;
  return bold ? element("strong", {}, leaning) : leaning;
}
