/** Opens the survey that this page's address names, or says why it does not. */

import { readLinkedDocument } from "../document.js";
import { Outbox } from "../outbox.js";
import { Transport } from "../transport.js";
import { Wording } from "../wording.js";
import { show } from "./dom.js";
import { Respondent } from "./respondent.js";
import { checkSurroundings } from "./surroundings.js";
import { refusedToStart } from "./trouble.js";

const main = document.querySelector("main");

async function loadWording() {
  const response = await fetch(new URL("../texts/en.json", import.meta.url));
  return new Wording(await response.json());
}

async function open(wording) {
  await checkSurroundings();
  const transport = new Transport(location);
  const opened = await readLinkedDocument(await transport.fetchDocument(), transport);
  const outbox = new Outbox(opened.survey.slug, opened.fingerprint);
  const respondent = new Respondent(main, { wording, opened, transport, outbox });
  document.title = opened.survey.fields.title;
  addEventListener("pagehide", () => respondent.forget());
  // A page that comes back from the browser's memory starts anew, with nothing chosen.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  addEventListener("hashchange", () => location.reload());
  await respondent.begin();
}

const wording = await loadWording();
try {
  await open(wording);
} catch (error) {
  show(main, refusedToStart(wording, error));
}
