/** Opens the survey that this page's address names, or says why it does not. */

import { readLinkedDocument } from "../core/document.js";
import { takeInvitation } from "../device/invitation.js";
import { Transport } from "../device/transport.js";
import { integrityOf } from "./check.js";
import { LanguageSwitch } from "./language_switch.js";
import { Respondent } from "./respondent.js";
import { Stage } from "./stage.js";
import { checkSurroundings } from "./surroundings.js";
import { refusedToStart } from "./trouble.js";
import { Voices } from "./voices.js";

/** The page has asked for the texts already; what comes must have the hash in the address. */
async function fetchTexts(language) {
  const { href } = document.querySelector(`link[hreflang="${language}"]`);
  const [hash] = /[0-9a-f]{64}(?=\.json$)/.exec(href);
  const response = await fetch(href, { integrity: integrityOf(hash) });
  return response.json();
}

const voices = new Voices(fetchTexts);
const stage = new Stage(document.querySelector("main"), await voices.in(voices.usual));
const languages = new LanguageSwitch(speak);
let chosen = voices.usual;

/** Everything in another language; what has been answered, drawn and opened stays. */
async function speak(language) {
  chosen = language;
  const voice = await voices.in(language);
  // Somebody may have chosen again in the meantime.
  if (chosen !== language) return;
  stage.speak(voice);
  languages.offer(voices.languages, language, voice.wording);
}

/** A survey may have languages of its own, and one of them may suit the reader better. */
async function tell(survey) {
  const untouched = chosen === voices.usual;
  voices.open(survey);
  await speak(untouched ? voices.usual : chosen);
}

async function open() {
  // First of all, so that whatever happens next the address has nothing to hide.
  const invitation = takeInvitation();
  await checkSurroundings();
  const transport = new Transport(location, invitation);
  const opened = await readLinkedDocument(await transport.fetchDocument(), transport);
  const respondent = new Respondent(stage, { transport, tell });
  addEventListener("pagehide", () => respondent.forget());
  // A page that comes back from the browser's memory starts anew, with nothing chosen.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  addEventListener("online", () => respondent.sendWaiting());
  addEventListener("hashchange", () => {
    respondent.forget();
    location.reload();
  });
  // No step of the respondent's is a step in the history, so "back" would lose all answers at once.
  addEventListener("beforeunload", (event) => respondent.hasAnswers && event.preventDefault());
  await respondent.begin(opened);
}

document.querySelector(".brand").append(languages.node);
languages.offer(voices.languages, chosen, stage.voice.wording);
try {
  await open();
} catch (error) {
  stage.show(({ wording }) => [refusedToStart(wording, error)]);
}
