/**
 * The browser's Back button: it goes one question back, and leaves the page only from the first one.
 *
 * The page has two entries in the tab's history and stays on the second, the spare one. Back leads
 * to the first. The page then goes one question back and returns to the spare entry. So both entries
 * are the same whatever is answered. Browsers write the history to disk: with an entry per question,
 * their number would tell which questions were asked, and with that what was answered.
 */

import { entryState } from "./invitation.js";

export class BackButton {
  #goBack;
  #hash = location.hash;

  /** @param {() => boolean} goBack one step; false if the page is to be left */
  constructor(goBack) {
    // The frame of a preview shares its history with the page around it.
    if (parent !== window) return;
    this.#goBack = goBack;
    // Not before something was touched: browsers skip entries on which nobody did anything.
    for (const name of ["click", "input"]) addEventListener(name, () => this.#prepare(), true);
    addEventListener("popstate", () => this.#pressed());
  }

  /** Add the spare entry and move to it; the invitation is always in one entry only. */
  #prepare() {
    if (history.state?.isSpare) return;
    history.replaceState(null, "");
    history.pushState(entryState(true), "");
  }

  #pressed() {
    // Somebody changed the address, or the page has just returned to the spare entry.
    if (location.hash !== this.#hash || history.state?.isSpare) return;
    if (this.#goBack()) {
      history.forward();
      return;
    }
    history.replaceState(entryState(), "");
    history.back();
  }
}
