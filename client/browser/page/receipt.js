/** The receipt: what was sent, what others can guess from it, and where to look next. */

import { groupOfReceipt } from "../device/outbox.js";
import { parseMarkdown, plainText } from "../wording/markdown.js";
import { describeReport } from "../wording/odds.js";
import { completionPart } from "./completion.js";
import { studyFacts } from "./consent.js";
import { element, facts } from "./dom.js";
import { groupFacts, sentAsItIs } from "./groups/sent_as_it_is.js";
import { prose } from "./prose.js";

/**
 * @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened
 * @param {import("./stage.js").Voice} voice
 * @param {import("../device/outbox.js").Receipt} kept
 * @param {object} context
 * @param {string} context.results their address
 * @param {boolean} context.own sent by this page, just now
 * @param {string} context.linked the code of the link's group, or ""
 * @param {() => void} context.testAgain draw another report, which only a test allows
 * @param {Record<string, string>} context.parameters of a panel
 * @param {() => void} context.pressed the panel's link was pressed
 */
export function receipt({ survey, fingerprint }, voice, kept, context) {
  const { results, own, linked, testAgain, parameters, pressed } = context;
  const { wording } = voice;
  const { say } = wording;
  const { title, closing } = voice.localized;
  const { randomized, group = linked } = JSON.parse(kept.body);
  const sent = sentAnswers(voice, randomized);
  const asItIs = groupFacts(voice.localized, group);
  const about = [
    [say("receipt.survey"), title],
    [say("receipt.guess"), wording.wholeSurvey(survey.asked, survey.totalEpsilon)],
    [say("receipt.epsilon"), wording.decimal(survey.totalEpsilon)],
    ...(survey.fields.delete_on ? [[say("receipt.delete_on"), survey.fields.delete_on]] : []),
    [say("receipt.fingerprint"), fingerprint],
  ];
  const save = () => {
    const end = [...about, [say("receipt.results"), results]];
    const read = closing ? [plainText(parseMarkdown(closing))] : [];
    const told = [say("receipt.sent"), lines(sent)];
    if (asItIs.length > 0) told.push(say("groups.as_it_is"), lines(asItIs));
    const texts = [say("receipt.heading"), ...read, ...told, lines(end)];
    download(texts.join("\n\n"), `candor-${survey.slug}.txt`);
  };
  return element(
    "section",
    { class: "card receipt" },
    element("h1", {}, say("receipt.heading")),
    element("p", { class: "lead" }, say(own ? "receipt.cleared" : "receipt.again")),
    // Before the way out of here: it may name helplines.
    ...(closing ? [prose(closing, voice.localized)] : []),
    ...completionPart(survey.completion, groupOfReceipt(kept), wording, { parameters, pressed }),
    ...studyFacts(wording, voice.localized),
    element("h2", {}, say("receipt.sent")),
    facts(sent),
    ...sentAsItIs(voice, group),
    facts(about),
    element(
      "div",
      { class: "actions" },
      element("a", { class: "button", href: results }, say("receipt.results")),
      ...(survey.isTest ? [quietButton(say("test.again"), testAgain)] : []),
      quietButton(say("receipt.print"), () => print()),
      quietButton(say("receipt.save"), save),
    ),
  );
}

function quietButton(text, click) {
  return element("button", { type: "button", class: "button quiet", click }, text);
}

function sentAnswers({ wording, localized }, randomized) {
  return localized.questions
    .filter(({ id }) => randomized[id] !== null)
    .map((question) => [
      question.prompt,
      describeReport(question, randomized[question.id], wording),
    ]);
}

function lines(pairs) {
  return pairs.map((pair) => pair.join(": ")).join("\n");
}

/** Save a file that is made on the device; no server takes part. */
function download(text, name) {
  const href = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
  element("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}
