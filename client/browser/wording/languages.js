/** Languages: those the page speaks, writing directions, and the best match for a reader. */

/** The languages that have a catalogue under `texts`. */
export const INTERFACE = ["en", "de", "es", "ar"];
const RIGHT_TO_LEFT = "ar arc ckb dv fa he ks nqo ps sd syr ug ur yi".split(" ");
const RIGHT_TO_LEFT_SCRIPTS = "Adlm Arab Hebr Nkoo Rohg Syrc Thaa".split(" ");

/**
 * Return the writing direction of a language; a script in its tag decides.
 * @param {string} language
 */
export function direction(language) {
  const [plain, ...parts] = language.split("-");
  const script = parts.find((part) => part.length === 4);
  const toLeft = script ? RIGHT_TO_LEFT_SCRIPTS.includes(script) : RIGHT_TO_LEFT.includes(plain);
  return toLeft ? "rtl" : "ltr";
}

/**
 * Return the first wanted language that is available, also in a plainer or related form: `de-AT`
 * accepts `de`, and `pt` accepts `pt-BR`.
 * @param {readonly string[]} wanted
 * @param {readonly string[]} available
 * @returns {string | undefined}
 */
export function best(wanted, available) {
  for (const language of wanted) {
    const parts = language.toLowerCase().replaceAll("_", "-").split("-");
    for (let length = parts.length; length > 0; length--) {
      const plainer = parts.slice(0, length).join("-");
      const found = available.find((name) => name.toLowerCase() === plainer);
      if (found) return found;
    }
    const sister = available.find((name) => name.toLowerCase().split("-")[0] === parts[0]);
    if (sister) return sister;
  }
  return undefined;
}
