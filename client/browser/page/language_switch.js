/** The choice of language in the page's header. It is not stored. */

import { element } from "./dom.js";

export class LanguageSwitch {
  #caption = element("span", {});
  #select;

  /**
   * @param {(language: string) => Promise<void>} choose
   */
  constructor(choose) {
    this.#select = element("select", {
      autocomplete: "off",
      change: async ({ target }) => {
        const before = target.dataset.shown;
        try {
          await choose(target.value);
        } catch {
          // The texts could not be fetched, so the page stays in its language.
          target.value = before;
        }
      },
    });
    this.node = element("label", { class: "language", hidden: true }, this.#caption, this.#select);
  }

  /**
   * @param {readonly string[]} languages to choose from; one alone is not offered
   * @param {string} shown the one that is shown
   * @param {import("../wording/catalogue.js").Wording} wording
   */
  offer(languages, shown, { say }) {
    this.node.hidden = languages.length < 2;
    this.#caption.textContent = say("language");
    this.#select.replaceChildren(
      ...languages.map((language) =>
        element("option", { value: language, lang: language }, ownName(language)),
      ),
    );
    this.#select.value = this.#select.dataset.shown = shown;
  }
}

/** Return a language's name in that language, as its readers know it. */
function ownName(language) {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language);
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
