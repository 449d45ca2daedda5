/** What a panel asks for after sending: a code to copy, and a link that the person presses. */

import { element } from "./dom.js";

/**
 * @param {import("../core/completion.js").Completion} completion
 * @param {import("../wording/catalogue.js").Wording} wording
 * @param {Record<string, string>} parameters of the panel, as the survey's link carried them
 * @param {() => void} pressed forgets the parameters: the panel has them from now on
 * @returns {HTMLElement[]}
 */
export function completionPart(completion, { say }, parameters, pressed) {
  const { code, passOn } = completion;
  const href = completion.link(parameters);
  if (code === "" && href === "") return [];
  const names = passOn.filter((name) => name in parameters);
  const passed = names.length > 0 ? [say("completion.passed_on", { names: names.join(", ") })] : [];
  return [
    element(
      "section",
      { class: "completion", "aria-labelledby": "completion-heading" },
      element("h2", { id: "completion-heading" }, say("completion.heading")),
      ...(code === "" ? [] : [codeLine(code, say)]),
      ...(href === "" ? [] : [link(href, say, pressed)]),
      ...[say("completion.note"), ...passed].map((text) => element("p", { class: "note" }, text)),
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
