/** Turn answers and random words into a report: the only path from a true answer to the wire. */

/**
 * Randomize each assigned question once, in the order of the document.
 * @param {import("./survey.js").Survey} survey
 * @param {import("./assignment.js").Assignment} assignment
 * @param {ReadonlyMap<string, unknown>} answers by question id
 * @param {(id: string) => import("./primitives/words.js").Words} wordsOf the words of a question
 * @returns {Record<string, unknown>} randomized answers by question id, null where not asked
 */
export function respond(survey, assignment, answers, wordsOf) {
  const randomized = {};
  for (const question of survey.questions) {
    const { id } = question;
    const asked = assignment.questions.includes(id);
    randomized[id] = asked ? randomize(question, assignment, answers.get(id), wordsOf(id)) : null;
  }
  return randomized;
}

function randomize({ id, domain, mechanism }, assignment, answer, words) {
  domain.check(answer, id);
  return mechanism.randomizeAssigned(answer, words, assignment.boxes[id]);
}
