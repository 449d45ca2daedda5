/**
 * A small part of Markdown, for the pages that authors write: parsed into blocks, never into HTML.
 * There are headings, paragraphs, bullet and numbered lists, bold, emphasis, and links to https://
 * and mailto: addresses. Everything else stays visible as text. Parsing takes time linear in the
 * length of the text. `client/wording/markdown.py` is the same for the terminal.
 *
 * @typedef {object} Run text in one style
 * @property {string} text
 * @property {boolean} bold
 * @property {boolean} emphasis
 * @property {string} href "" unless it is a link
 *
 * @typedef {object} Block
 * @property {string} tag p, ul or ol; a heading is h2, h3 or h4, because the page has its own title
 *   above it
 * @property {Run[][]} lines one, or one per item of a list
 * @property {number} first the number of the first item of a numbered list
 */

const HEADING = /^(#{1,3}) +(\S.*)$/s;
const ITEM = /^ *(?:[-*+]|([0-9]{1,3})[.)]) +(\S.*)$/s;
// A label has no brackets and an address no parentheses, so that no character is read by two
// attempts to find a link: otherwise many brackets would take quadratic time.
const TOKEN =
  /\[(?! *\])([^[\]]+)\]\(((?:https:\/\/|mailto:)[A-Za-z0-9][A-Za-z0-9._~:/?#@!$&'*+,;=%-]*)\)|(\*+)/g;

/**
 * @param {string} text
 * @returns {Block[]}
 */
export function parseMarkdown(text) {
  const blocks = [];
  // Whether the next plain line continues the last block.
  let continues = false;
  for (const line of text.split("\n")) {
    const [heading, item] = [HEADING.exec(line), ITEM.exec(line)];
    if (heading !== null) {
      blocks.push({ tag: heading[1], lines: [[heading[2]]], first: 1 });
      continues = false;
    } else if (item !== null) {
      const tag = item[1] === undefined ? "ul" : "ol";
      // An empty line between two items does not end the list.
      if (blocks.at(-1)?.tag !== tag) blocks.push({ tag, lines: [], first: Number(item[1] ?? 1) });
      blocks.at(-1).lines.push([item[2]]);
      continues = true;
    } else if (line.trim() === "") {
      continues = false;
    } else if (continues) {
      blocks.at(-1).lines.at(-1).push(line);
    } else {
      blocks.push({ tag: "p", lines: [[line]], first: 1 });
      continues = true;
    }
  }
  // No level is left out, whatever marks the author used.
  const levels = ["#", "##", "###"].filter((marks) => blocks.some(({ tag }) => tag === marks));
  const tags = new Map(levels.map((marks, i) => [marks, `h${i + 2}`]));
  const joined = (pieces) => pieces.map((piece) => piece.trim()).join(" ");
  return blocks.map(({ tag, lines, first }) => ({
    tag: tags.get(tag) ?? tag,
    lines: lines.map((pieces) => [...runsOf(joined(pieces))]),
    first,
  }));
}

/** Yield the runs of one line, cut at links and at marks that begin or end a style. */
function* runsOf(line) {
  const tokens = [...line.matchAll(TOKEN)];
  const markers = markersAmong(tokens, line);
  let [bold, emphasis, end] = [false, false, 0];
  const run = (text, href = "") => ({ text, bold, emphasis, href });
  for (const { 0: whole, 1: label, 2: href, 3: stars, index } of tokens) {
    const isLink = label !== undefined;
    if (!isLink && !markers.has(index)) continue;
    if (index > end) yield run(line.slice(end, index));
    end = index + whole.length;
    if (isLink) {
      yield run(label, href);
    } else {
      bold = bold !== stars.length >= 2;
      emphasis = emphasis !== (stars.length !== 2);
    }
  }
  if (end < line.length) yield run(line.slice(end));
}

/**
 * Return where asterisks begin or end a style: *emphasis*, **bold** or ***both***. A mark begins a
 * style if text follows it at once, and ends it if text comes right before it.
 */
function markersAmong(tokens, line) {
  const [paired, opened] = [new Set(), new Map()];
  const isText = (sign) => sign !== undefined && sign !== " ";
  for (const { 3: stars = "", index } of tokens) {
    const size = stars.length;
    if (size < 1 || size > 3) continue;
    if (opened.has(size)) {
      if (!isText(line[index - 1])) continue;
      paired.add(opened.get(size)).add(index);
      opened.delete(size);
    } else if (isText(line[index + size])) {
      opened.set(size, index);
    }
  }
  return paired;
}

/**
 * Return blocks as text that reads well without any markup, with the addresses of links.
 * @param {Block[]} blocks
 */
export function plainText(blocks) {
  const marks = { ul: () => "  • ", ol: (number) => `  ${number}. ` };
  const plain = ({ tag, lines, first }) =>
    lines.map((runs, i) => (marks[tag]?.(first + i) ?? "") + runs.map(plainRun).join(""));
  return blocks.map((block) => plain(block).join("\n")).join("\n\n");
}

function plainRun({ text, href }) {
  const address = href.replace(/^mailto:/, "");
  return ["", text].includes(address) ? text : `${text} (${address})`;
}
