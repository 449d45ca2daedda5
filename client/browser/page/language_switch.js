/** A choice of languages in the page's header. Nothing of it is stored. */

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
          // The texts could not be had: the page goes on in the language that it has.
          target.value = before;
        }
      },
    });
    this.node = element("label", { class: "language" }, this.#caption, this.#select);
  }

  /**
   * @param {readonly string[]} languages to choose from
   * @param {string} shown the one that is shown
   * @param {import("../wording/catalogue.js").Wording} wording
   */
  offer(languages, shown, { say }) {
    this.#caption.textContent = say("language");
    this.#select.replaceChildren(
      ...languages.map((language) =>
        element("option", { value: language, lang: language }, ownName(language)),
      ),
    );
    this.#select.value = this.#select.dataset.shown = shown;
  }
}

/** A language in its own words, as those who look for it know it. */
function ownName(language) {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language);
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
