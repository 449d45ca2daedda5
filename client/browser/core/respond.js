/** Answers and words become randomized answers: the only road from a true answer to the wire. */

/**
 * Randomize every asked question once, in the order of the document.
 * @param {import("./survey.js").Survey} survey
 * @param {import("./assignment.js").Asking} asking
 * @param {ReadonlyMap<string, unknown>} answers by question id
 * @param {(id: string) => import("./primitives/words.js").Words} wordsOf the words of a question
 * @returns {Record<string, unknown>} randomized answers by question id, null where not asked
 */
export function respond(survey, asking, answers, wordsOf) {
  const randomized = {};
  for (const question of survey.questions) {
    const { id } = question;
    const asked = asking.questions.includes(id);
    randomized[id] = asked ? randomize(question, asking, answers.get(id), wordsOf(id)) : null;
  }
  return randomized;
}

function randomize({ id, domain, mechanism }, asking, answer, words) {
  domain.check(answer, id);
  return mechanism.randomizeAssigned(answer, words, asking.boxes[id]);
}
