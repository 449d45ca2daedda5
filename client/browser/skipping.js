/** Skip logic, on the device only: a hidden question still answers, "does not apply" (math 0.6). */

/**
 * Whether the answers so far let a question appear; a hidden decider hides it too.
 * @param {import("./question.js").Question} question
 * @param {ReadonlyMap<string, unknown>} answers by question id
 */
export function isShown({ showIf }, answers) {
  return showIf === null || showIf.options.includes(answers.get(showIf.question));
}
