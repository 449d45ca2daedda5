/**
 * Every vector through the scripts that respondents get. The same function runs in Node and in the
 * browser: `runVectors` counts them and returns the names of the vectors that were not reproduced.
 */

/**
 * @param {string} base where the scripts are: a file or http URL that ends with a slash
 * @param {Record<string, object[]>} vectors by file name
 * @param {Record<string, string>} texts the catalogue
 * @returns {Promise<{count: number, failed: string[]}>}
 */
export async function runVectors(base, vectors, texts) {
  const load = (name) => import(new URL(name, base));
  const { readDocument, fingerprint } = await load("document.js");
  const { MECHANISMS } = await load("mechanisms/registry.js");
  const { parseEpsilon } = await load("decimal.js");
  const { reportBody } = await load("report.js");
  const { threshold } = await load("channel.js");
  const words = await load("words.js");
  const { Wording } = await load("wording.js");

  const runners = {
    "thresholds.jsonl": (v) => threshold(parseEpsilon(v.eps, "eps"), v.near, v.far) === v.T,
    "words.jsonl": (v) => {
      const tape = new words.Tape(v.tape);
      const shapes = { bern: [v.threshold], below: [v.bound], subset: [v.size, v.chosen] };
      const result = words[v.primitive](tape, ...shapes[v.primitive]);
      return same(result, v.result) && tape.used === v.words_used;
    },
    "mechanisms.jsonl": (v) => {
      const tape = new words.Tape(v.tape);
      const report = new (MECHANISMS.get(v.mech))(v.T).randomize(v.x, tape);
      return same(report, v.report) && tape.used === v.words_used;
    },
    "documents.jsonl": async (v) => {
      const bytes = bytesOf(v);
      const refused = codeOf(() => readDocument(bytes));
      return v.refused ? refused === v.refused : !refused && (await fingerprint(bytes)) === v.fingerprint;
    },
    // The page writes reports and never reads one: the good ones are its business.
    "reports.jsonl": (v, [first]) =>
      !v.randomized || reportBody(first.fingerprint, v.randomized) === v.text,
    "wording.jsonl": (v) => {
      const wording = new Wording(texts);
      const epsilon = v.total && parseEpsilon(v.total, "total");
      const Mechanism = MECHANISMS.get(v.mech);
      const said = Mechanism
        ? wording.oddsSentences({ options: v.options, mechanism: new Mechanism(v.T) })
        : [wording.wholeSurvey(v.questions, epsilon), wording.levelSentence(epsilon)];
      return same(said, v.says);
    },
  };

  let count = 0;
  const failed = [];
  for (const [file, list] of Object.entries(vectors)) {
    for (const vector of list) {
      count += 1;
      if (!(await runners[file](vector, list))) failed.push(vector.name);
    }
  }
  return { count, failed };
}

function bytesOf({ text, base64 }) {
  if (text !== undefined) return new TextEncoder().encode(text);
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function codeOf(action) {
  try {
    action();
  } catch (refusal) {
    return refusal.code ?? String(refusal);
  }
  return undefined;
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * The verdict on each document: its refusal's code, or "" for a good one.
 * @param {string} base
 * @param {{text?: string, base64?: string}[]} documents
 */
export async function verdicts(base, documents) {
  const { readDocument } = await import(new URL("document.js", base));
  return documents.map((document) => codeOf(() => readDocument(bytesOf(document))) ?? "");
}
