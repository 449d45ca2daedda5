/** Refused input, the one error of the domain, with a sentence that helps. */

export class Refusal extends Error {
  /**
   * @param {string} code for programs, the same as in `client/core/primitives/refusal.py`
   * @param {string} message for people
   * @param {Record<string, string>} [details] what a translated message needs
   */
  constructor(code, message, details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/**
 * Throw a `Refusal` unless the condition holds. State rules positively: NaN then fails.
 * @param {boolean} condition
 * @param {string} code
 * @param {string} message
 * @param {Record<string, string>} [details]
 */
export function require(condition, code, message, details) {
  if (!condition) throw new Refusal(code, message, details);
}

/**
 * Prefix the message of any refusal thrown inside with the name of the question.
 * @template T
 * @param {string} name
 * @param {() => T} action
 * @returns {T}
 */
export function within(name, action) {
  try {
    return action();
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.message.startsWith(name)) throw refusal;
    throw new Refusal(refusal.code, `${name}: ${refusal.message}`, refusal.details);
  }
}
