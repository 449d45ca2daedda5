/** The mark on the page of a draft, which is there before any script runs, in another language. */

import { element } from "./dom.js";

/** @param {import("../wording.js").Wording} wording */
export function tellTestMark({ say }) {
  const mark = document.querySelector(".test-mark");
  if (mark === null) return;
  mark.setAttribute("aria-label", say("test.mark"));
  mark.replaceChildren(element("strong", {}, say("test.mark")), " ", say("test.note"));
}
