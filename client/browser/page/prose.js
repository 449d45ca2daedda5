/**
 * A page that an author wrote, as elements: never by markup, so whatever is not in our small part of
 * Markdown is shown as text.
 */

import { parseMarkdown } from "../wording/markdown.js";
import { element, spoken, withNumbers } from "./dom.js";

// The other site learns neither where a reader comes from nor gets hold of this page.
const ELSEWHERE = { rel: "noreferrer noopener", target: "_blank" };

/**
 * @param {string} text
 * @param {{language: string}} speaker whose text it is
 */
export function prose(text, speaker) {
  const { lang, dir } = spoken(speaker);
  const blocks = parseMarkdown(text).map((block) => blockNode(block, dir === "rtl"));
  return element("div", { class: "prose", lang, dir }, ...blocks);
}

function blockNode({ tag, lines, first }, toLeft) {
  const nodes = (runs) => runs.flatMap((run) => runNodes(run, toLeft));
  if (tag !== "ul" && tag !== "ol") return element(tag, {}, ...nodes(lines[0]));
  const items = lines.map((runs) => element("li", {}, ...nodes(runs)));
  return element(tag, { start: tag === "ol" && String(first) }, ...items);
}

function runNodes({ text, bold, emphasis, href }, toLeft) {
  const told = withNumbers(text, toLeft);
  const linked = href === "" ? told : [element("a", { href, ...ELSEWHERE }, ...told)];
  const leaning = emphasis ? [element("em", {}, ...linked)] : linked;
  return bold ? [element("strong", {}, ...leaning)] : leaning;
}
