/**
 * Draw reports as the page does, and count them. The same function runs in a worker of a real
 * browser and in Node.
 */

/**
 * @param {Record<string, Record<string, unknown>>} modules of the page's one script
 * @param {string} text of the survey's document, in which tickets draw what a device is asked
 * @param {Record<string, unknown>[]} truths the answers of one person each, by question
 * @param {string[]} together the questions whose reports are also counted together
 * @param {number} people so many of each truth
 * @returns {Promise<Record<string, number>[]>} for each truth, how often each report came: by the
 *   names of the questions and the report, with a space between
 */
export async function countReports(modules, text, truths, together, people) {
  const { readDocument } = modules["core/document.js"];
  const { drawAssignment } = modules["core/assignment.js"];
  const { respond } = modules["core/respond.js"];
  const { RememberedWords, SecureWords } = modules["core/primitives/words.js"];
  const survey = readDocument(new TextEncoder().encode(text));
  const words = new RememberedWords(new SecureWords());
  const found = [];
  for (const truth of truths) {
    const answers = new Map(Object.entries(truth));
    const groups = [...survey.questions.map(({ id }) => [id]), together];
    const counts = groups.map(() => new Map());
    for (let person = 0; person < people; person++) {
      const assignment = await drawAssignment(survey, crypto.randomUUID());
      const randomized = respond(survey, assignment, answers, (id) => words.of(id));
      words.forget();
      groups.forEach((ids, i) => {
        const report = JSON.stringify(ids.length === 1 ? randomized[ids[0]] : ids.map((id) => randomized[id]));
        counts[i].set(report, (counts[i].get(report) ?? 0) + 1);
      });
    }
    const named = groups.flatMap((ids, i) =>
      [...counts[i]].map(([report, count]) => [`${ids.join("+")} ${report}`, count]),
    );
    found.push(Object.fromEntries(named));
  }
  return found;
}
