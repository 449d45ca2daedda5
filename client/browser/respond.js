/** Answers and words become randomized answers: the only road from a true answer to the wire. */

/**
 * Randomize every answer once, in the order of the questions.
 * @param {import("./survey.js").Survey} survey
 * @param {ReadonlyMap<string, number>} answers by question id
 * @param {(id: string) => import("./words.js").Words} wordsOf the words of a question
 * @returns {Record<string, number>} randomized answers by question id
 */
export function respond(survey, answers, wordsOf) {
  const randomized = {};
  for (const { id, mechanism } of survey.questions) {
    randomized[id] = mechanism.randomize(answers.get(id), wordsOf(id));
  }
  return randomized;
}
