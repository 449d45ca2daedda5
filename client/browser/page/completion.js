/** What a panel asks for after sending: a code to copy, and a link that the person presses. */

import { element } from "./dom.js";

/**
 * @param {import("../core/completion.js").Completion} completion of the survey
 * @param {string} group in which the report is counted, or ""
 * @param {import("../wording/catalogue.js").Wording} wording
 * @param {{parameters: Record<string, string>, pressed: () => void} | null} panel what the survey's
 *   link carried for it; `pressed` forgets that, because the panel has it from now on; null: no link
 * @returns {HTMLElement[]}
 */
export function completionPart(completion, group, { say }, panel) {
  const own = completion.ofGroup(group);
  const { code, passOn } = own;
  const href = panel === null ? "" : own.link(panel.parameters);
  if (code === "" && href === "") return [];
  const names = passOn.filter((name) => href !== "" && name in panel.parameters);
  const passed = names.length > 0 ? [say("completion.passed_on", { names: names.join(", ") })] : [];
  const note = say(completion.byGroup.has(group) ? "completion.note.group" : "completion.note");
  return [
    element(
      "section",
      { class: "completion", "aria-labelledby": "completion-heading" },
      element("h2", { id: "completion-heading" }, say("completion.heading")),
      ...(code === "" ? [] : [codeLine(code, say)]),
      ...(href === "" ? [] : [link(href, say, panel.pressed)]),
      ...[note, ...passed].map((text) => element("p", { class: "note" }, text)),
    ),
  ];
}

function codeLine(code, say) {
  const shown = element("strong", { class: "code", dir: "ltr" }, code);
  return element("p", {}, say("completion.code"), ": ", shown);
}

/** In this tab, as panels expect. The other site is not told where the person comes from. */
function link(href, say, click) {
  const attributes = { class: "button", href, rel: "noreferrer noopener", click };
  return element("p", {}, element("a", attributes, say("completion.link")));
}
