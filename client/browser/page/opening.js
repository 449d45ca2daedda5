/** The respondent's page: the survey that its address names, or why that cannot be opened. */

import { readLinkedDocument } from "../core/document.js";
import { BackButton } from "../device/back_button.js";
import { keepParameters, takeCarried } from "../device/carried.js";
import { takeInvitation } from "../device/invitation.js";
import { SharedTransport } from "../device/shared_transport.js";
import { Transport } from "../device/transport.js";
import { integrityOf } from "./check.js";
import { LanguageSwitch } from "./language_switch.js";
import { Kiosk } from "./kiosk/kiosk.js";
import { OwnDevice } from "./own_device.js";
import { Respondent } from "./respondent.js";
import { Stage } from "./stage.js";
import { checkEnvironment } from "./environment.js";
import { refusedToStart } from "./trouble.js";
import { Voices } from "./voices.js";

/** Fetch the texts, which the page has preloaded; they must have the hash in their address. */
async function fetchTexts(language) {
  const { href } = document.querySelector(`link[hreflang="${language}"]`);
  const [hash] = /[0-9a-f]{64}(?=\.json$)/.exec(href);
  const response = await fetch(href, { integrity: integrityOf(hash) });
  return response.json();
}

export async function openPage() {
  const voices = new Voices(fetchTexts);
  const stage = new Stage(document.querySelector("main"), await voices.in(null));
  const languages = new LanguageSwitch(speak);
  let chosen = null;

  /** Show everything in another language; answers, draws and open details stay. */
  async function speak(language) {
    chosen = language;
    const voice = await voices.in(language);
    // The reader may have chosen again in the meantime.
    if (chosen !== language) return;
    stage.speak(voice);
    offerLanguages();
  }

  /** Let the reader choose among the languages of the survey or, without one, those of the page. */
  function offerLanguages() {
    const { wording, localized } = stage.voice;
    languages.offer(voices.languages, (localized ?? wording).language, wording);
  }

  /** Choose the language again, because the survey may have one that suits the reader better. */
  async function localize(survey) {
    voices.open(survey);
    await speak(chosen);
  }

  document.querySelector(".brand").append(languages.node);
  try {
    await openSurvey(stage, { localize, speakUsual: () => speak(null) });
  } catch (error) {
    offerLanguages();
    stage.show(({ wording }) => [refusedToStart(wording, error)]);
  }
}

async function openSurvey(stage, { localize, speakUsual }) {
  // First, so that the address holds no secret, whatever happens next.
  const { isKiosk } = takeCarried();
  const invitation = takeInvitation();
  await checkEnvironment();
  const transport = new (isKiosk ? SharedTransport : Transport)(location, invitation);
  const opened = await readLinkedDocument(await transport.fetchDocument(), transport);
  keepParameters(opened.survey.completion.passOn);
  const respondent = isKiosk
    ? new Kiosk(stage, { transport, localize, speakUsual })
    : new Respondent(stage, { transport, localize, device: new OwnDevice(stage) });
  addEventListener("pagehide", () => respondent.forget());
  // A page restored from the browser's memory starts anew, with no answers.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  addEventListener("online", () => respondent.sendWaiting());
  addEventListener("hashchange", () => {
    respondent.forget();
    location.reload();
  });
  addEventListener("beforeunload", (event) => respondent.hasAnswers && event.preventDefault());
  new BackButton(() => stage.goBack() || !respondent.mayLeave());
  await respondent.begin(opened);
}
