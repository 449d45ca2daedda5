/**
 * Every vector through the scripts that respondents get. The same function runs in Node and in the
 * browser: `runVectors` counts them and returns the names of the vectors that were not reproduced.
 */

const NAMES = [
  "core/assignment", "core/completion", "core/conditions", "core/document", "core/kinds/registry",
  "core/mechanisms/registry",
  "core/primitives/channel", "core/primitives/values", "core/primitives/words", "core/question",
  "core/report", "core/respond", "core/tickets/rsabssa", "core/tickets/ticket",
  "wording/catalogue", "wording/languages", "wording/markdown", "wording/odds", "wording/order",
];

/**
 * @param {string} base where the modules are: a file URL that ends with a slash
 * @param {Record<string, object[]>} vectors by file name
 * @param {Record<string, Record<string, string>>} texts the catalogues, by language
 * @returns {Promise<{count: number, failed: string[]}>}
 */
export async function runVectors(base, vectors, texts) {
  return run(await allScripts(base), vectors, texts);
}

async function allScripts(base) {
  const found = await Promise.all(NAMES.map((name) => import(new URL(`${name}.js`, base))));
  return Object.assign({}, ...found);
}

/** The same with the modules of the page's one script. */
export function runVectorsInScript(modules, vectors, texts) {
  return run(Object.assign({}, ...NAMES.map((name) => modules[`${name}.js`])), vectors, texts);
}

async function run(scripts, vectors, texts) {
  const spoken = Object.entries(texts).map(([name, own]) => [name, new scripts.Wording(name, own)]);
  const wordings = new Map(spoken);
  let count = 0;
  const failed = [];
  for (const [file, list] of Object.entries(vectors)) {
    const surveys = new Map();
    for (const vector of list) {
      count += 1;
      if (!(await RUNNERS[file](vector, scripts, surveys, wordings))) failed.push(vector.name);
    }
  }
  return { count, failed };
}

/** The documents that are open, by name. */
const OPENED = new Map();

/** The tape of a vector: eight hexadecimal digits per word, most significant first. */
const tapeOf = ({ tape }, { Tape }) =>
  new Tape((tape.match(/.{8}/g) ?? []).map((word) => parseInt(word, 16)));

const runDocument = async (v, scripts) => {
  const bytes = bytesOf(v);
  if (v.refused) return codeOf(() => scripts.readDocument(bytes)) === v.refused;
  const { reportBytes } = scripts.readDocument(bytes);
  return reportBytes === v.report_bytes && (await scripts.fingerprint(bytes)) === v.fingerprint;
};

const RUNNERS = {
  "thresholds.jsonl": ({ eps, near, far, draws, T }, { threshold, parseEpsilon }) =>
    threshold(parseEpsilon(eps), BigInt(near), BigInt(far), draws) === T,

  "words.jsonl": (v, scripts) => {
    const tape = tapeOf(v, scripts);
    const shapes = { bern: [v.threshold], below: [v.bound], subset: [v.size, v.chosen] };
    const result = scripts[v.primitive](tape, ...shapes[v.primitive]);
    return same(result, v.result) && tape.used === v.words_used;
  },

  "mechanisms.jsonl": (v, { MECHANISMS, Tape, threshold, parseEpsilon }) => {
    const tape = tapeOf(v, { Tape });
    const mechanism = new (MECHANISMS.get(v.mech))({ threshold: v.T, ...v.shape });
    const { near, far, draws } = mechanism;
    const report = mechanism.randomize(v.x, tape);
    return (
      threshold(parseEpsilon(v.eps), near, far, draws) === v.T &&
      same(report, v.report) &&
      tape.used === v.words_used
    );
  },

  "documents.jsonl": runDocument,

  "access.jsonl": runDocument,

  "texts.jsonl": runDocument,

  "groups.jsonl": runDocument,

  "completions.jsonl": (v, scripts) => {
    if (v.name.startsWith("document_")) return runDocument(v, scripts);
    const own = scripts.Completion.read(v.completion).ofGroup(v.group ?? "");
    return own.link(v.parameters) === v.link && (v.code ?? own.code) === own.code;
  },

  "orders.jsonl": async (v, scripts, surveys) => {
    if (v.name.startsWith("document_bad")) return runDocument(v, scripts);
    if (v.name.startsWith("document_")) return keep(v, scripts, surveys);
    const tape = tapeOf(v, scripts);
    const order = scripts.drawOrder(surveys.get(v.document).survey, tape);
    const found = [order.questions, Object.fromEntries(order.options)];
    return same(found, [v.questions, v.options]) && tape.used === v.words_used;
  },

  // The page writes reports and never reads one: the good ones are its business.
  "reports.jsonl": async (v, scripts, surveys) => {
    if (v.name.startsWith("document_")) return keep(v, scripts, surveys);
    const { fingerprint } = surveys.get(v.document);
    return !v.randomized || scripts.reportBody(fingerprint, v.randomized, v.group) === v.text;
  },

  "askings.jsonl": async (v, scripts, surveys) => {
    if (v.name.startsWith("document_")) return keep(v, scripts, surveys);
    if (v.words) {
      const count = v.words.length / 8;
      const words = await scripts.ticketWords(v.ticket, v.question, count);
      const digits = Array.from({ length: count }, () => words.word().toString(16));
      return digits.map((word) => word.padStart(8, "0")).join("") === v.words;
    }
    if (v.bound) {
      return scripts.below(await scripts.ticketWords(v.ticket, v.question, 8), v.bound) === v.index;
    }
    const assignment = await scripts.drawAssignment(surveys.get(v.document).survey, v.ticket);
    return same(assignment, { questions: v.questions, boxes: v.boxes });
  },

  // For its words r: those of the number that its inverse undoes.
  "rfc9474.jsonl": async (v, scripts) => {
    const { encode, blindMessage, unblind, isSigned, Tape } = scripts;
    const [modulus, inverse, signed] = [v.n, v.inv, v.blind_sig].map(numberOf);
    const message = Uint8Array.from(bytesOfHex(v.msg_prefix + v.msg));
    const encoded = await encode(message, modulus, Uint8Array.from(bytesOfHex(v.salt)));
    const words = new Tape(v.r.match(/.{8}/g).map((word) => parseInt(word, 16)));
    const blinding = blindMessage(encoded, modulus, words);
    const signature = unblind(signed, inverse, modulus);
    const found = [blinding.blinded, blinding.inverse, signature].map(String);
    return (
      (!v.encoded_msg || encoded === numberOf(v.encoded_msg)) &&
      same(found, [v.blinded_msg, v.inv, v.sig].map((digits) => String(numberOf(digits)))) &&
      isSigned(encoded, signature, modulus)
    );
  },

  "tickets.jsonl": async (v, scripts) => {
    const { verify, blindWith, finalize } = scripts;
    const { key, keys, fingerprint, group = "" } = v;
    if (v.name.startsWith("ticket_bad")) {
      return (await codeOfAsync(verify(v.ticket, new Map(Object.entries(keys)), fingerprint))) === v.refused;
    }
    if (v.name.startsWith("answer_")) {
      const ticket = finalize(key, fingerprint, group, v.blinding, v.signed);
      return (await codeOfAsync(ticket)) === v.refused;
    }
    const tape = tapeOf(v, scripts);
    const blinding = blindWith(tape, key, fingerprint, group);
    if (v.refused) return (await codeOfAsync(blinding)) === v.refused;
    const ticket = await finalize(key, fingerprint, group, await blinding, v.signed);
    const parts = await verify(ticket, new Map([[group, key]]), fingerprint);
    return (
      same(await blinding, v.blinding) &&
      tape.used === v.words_used &&
      ticket === v.ticket &&
      parts.group === group
    );
  },

  "conditions.jsonl": (v, { readShowIf }) => {
    if (v.refused) return codeOf(() => readShowIf(v.show_if)) === v.refused;
    const rule = readShowIf(v.show_if);
    const shown = rule.holds(new Map(Object.entries(v.answers)));
    return shown === v.shown && same(rule.asJson(), v.show_if);
  },

  "responses.jsonl": async (v, scripts, surveys) => {
    if (v.name.startsWith("document_")) return keep(v, scripts, surveys);
    const opened = surveys.get(v.document);
    // A bad answer has no tape: other questions may draw before it is refused.
    const words = v.refused ? { word: () => 0 } : tapeOf(v, scripts);
    if (v.refused) return codeOf(() => sent(v, scripts, opened, words)) === v.refused;
    const text = sent(v, scripts, opened, words);
    const { reportBytes } = opened.survey;
    return text === v.text && words.used === v.words_used && text.length === reportBytes;
  },

  "languages.jsonl": (v, { best, direction, millionths }, _, wordings) => {
    if (v.wanted) return (best(v.wanted, v.available) ?? null) === v.best;
    if (v.direction) return direction(v.language) === v.direction;
    const wording = wordings.get(v.language);
    if (v.figures) {
      return same(v.figures.map((figure) => wording.decimal(millionths(figure))), v.written);
    }
    if (v.written) return same(v.counts.map((count) => wording.number(count)), v.written);
    const plurals = new Intl.PluralRules(v.language);
    return same(v.counts.map((count) => plurals.select(count)), v.categories);
  },

  "wording.jsonl": (v, scripts, _, wordings) => {
    const wording = wordings.get(v.language);
    if (v.total) {
      const epsilon = scripts.parseEpsilon(v.total);
      const says = [
        ...wording.consequences(epsilon).map(([who, seen]) => `${who}: ${seen}`),
        wording.wholeSurvey(v.questions, epsilon),
        wording.process(epsilon),
        wording.levelSentence(epsilon),
        wording.bestGuess(epsilon),
      ];
      return same(says, v.says);
    }
    const question = questionOf(v.question, scripts);
    if ("answer" in v && "report" in v) {
      return same([scripts.describeMark(question, v.answer, v.report, wording)], v.says);
    }
    if ("answer" in v) return same([scripts.describeAnswer(question, v.answer, wording)], v.says);
    if ("report" in v) return same([scripts.describeReport(question, v.report, wording)], v.says);
    return same(scripts.odds(question, wording).map(({ sentence }) => sentence), v.says);
  },

  "markdown.jsonl": (v, { parseMarkdown, plainText }) => {
    const blocks = parseMarkdown(v.text);
    return same(blocks, v.blocks) && plainText(blocks) === v.plain;
  },
};

/** Return the text that is sent for answers. */
function sent({ questions, boxes, answers, group }, scripts, { survey, fingerprint }, words) {
  const given = new Map(Object.entries(answers));
  const randomized = scripts.respond(survey, { questions, boxes }, given, () => words);
  return scripts.wire(survey, fingerprint, randomized, group);
}

async function keep(vector, { readDocument, fingerprint }, surveys) {
  const bytes = bytesOf(vector);
  const survey = { survey: readDocument(bytes), fingerprint: await fingerprint(bytes) };
  surveys.set(vector.name, survey);
  return true;
}

function questionOf(item, { KINDS, MECHANISMS, Question, parseEpsilon }) {
  return new Question({
    id: item.id,
    prompt: item.prompt,
    kind: new (KINDS.get(item.kind))(item),
    epsilon: parseEpsilon(item.epsilon),
    mechanism: new (MECHANISMS.get(item.mechanism.name))(item.mechanism),
    showIf: item.show_if,
  });
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

async function codeOfAsync(promise) {
  try {
    await promise;
  } catch (refusal) {
    return refusal.code ?? String(refusal);
  }
  return undefined;
}

const numberOf = (digits) => BigInt(`0x${digits}`);

const bytesOfHex = (digits) => (digits.match(/../g) ?? []).map((pair) => parseInt(pair, 16));

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * The blocks of each text, and each as plain text.
 * @param {string} base
 * @param {string[]} texts
 */
export async function markdowns(base, texts) {
  const { parseMarkdown, plainText } = await import(new URL("wording/markdown.js", base));
  const blocks = texts.map(parseMarkdown);
  return { blocks, plain: blocks.map(plainText) };
}

/**
 * How many times longer a text takes than as many short pieces of it, the quickest of several tries.
 * @param {string} base
 * @param {string} text
 * @param {number} pieces
 */
export async function slowdown(base, text, pieces) {
  const { parseMarkdown } = await import(new URL("wording/markdown.js", base));
  const quickest = (length) => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      for (let at = 0; at < text.length; at += length) parseMarkdown(text.slice(at, at + length));
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  return quickest(text.length) / quickest(text.length / pieces);
}

/**
 * The verdict on each document: its refusal's code, or "" for a good one.
 * @param {string} base
 * @param {{text?: string, base64?: string}[]} documents
 */
export async function verdicts(base, documents) {
  const { readDocument } = await import(new URL("core/document.js", base));
  return documents.map((document) => codeOf(() => readDocument(bytesOf(document))) ?? "");
}

/**
 * Opens documents under their names, for `response`.
 * @param {string} base
 * @param {{name: string, text: string}[]} documents
 */
export async function open(base, documents) {
  const scripts = await allScripts(base);
  for (const document of documents) await keep(document, scripts, OPENED);
  return OPENED.size;
}

/**
 * What is sent for answers to a document that is open, or why they are refused.
 * @param {string} base
 * @param {object} item like a vector of responses
 * @returns {Promise<{text?: string, refused?: string}>}
 */
export async function response(base, item) {
  const scripts = await allScripts(base);
  const words = tapeOf(item, scripts);
  return outcomeOf(() => ({ text: sent(item, scripts, OPENED.get(item.document), words) }));
}

/**
 * What the strict parser reads, or why it refuses.
 * @param {string} base
 * @param {{text?: string, base64?: string}} body
 * @param {number} limit
 * @returns {Promise<{value?: unknown, refused?: string}>}
 */
export async function parsed(base, body, limit) {
  const { parse } = await import(new URL("core/primitives/canonical.js", base));
  return outcomeOf(() => ({ value: parse(bytesOf(body), limit, "body") }));
}

function outcomeOf(action) {
  let outcome;
  const refused = codeOf(() => {
    outcome = action();
  });
  return refused === undefined ? outcome : { refused };
}
