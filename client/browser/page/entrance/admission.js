/** From consent to the questions, with a ticket: one that anybody gets, or the one of a link. */

import { OPEN } from "../../core/access.js";
import { Entrance } from "./entrance.js";

/**
 * Consent comes first. The ticket of an open survey is there by then; a personal link is used only
 * after that, and behind the entrance.
 * @param {import("../stage.js").Stage} stage
 * @param {object} about
 * @param {{survey: import("../../core/survey.js").Survey, fingerprint: string}} about.opened
 * @param {import("../../device/outbox.js").Outbox} about.outbox
 * @param {import("../../device/transport.js").Transport} about.transport
 * @param {import("../consent.js").Consent} about.consent
 * @param {string} about.otherwise the name of the text for those who do not agree
 * @param {boolean} isChanged the survey is another one than when the page was opened
 * @param {object} steps
 * @param {(ticket: string) => Promise<void>} steps.prepare the questions that the ticket draws
 * @param {() => void} steps.questions show them
 */
export async function admit(stage, about, isChanged, { prepare, questions }) {
  const { opened, outbox, transport, consent, otherwise } = about;
  const asked = { survey: opened.survey, otherwise };
  if (opened.survey.access === OPEN) {
    await prepare(await transport.askForTicket());
    consent.ask(stage, asked, isChanged, questions);
    return;
  }
  let isPrepared = false;
  const proceed = async (ticket) => {
    await prepare(ticket);
    isPrepared = true;
    questions();
  };
  const ways = { proceed, back: () => consent.goBack() };
  const entrance = new Entrance(stage, transport, opened, outbox);
  const enter = () => (isPrepared ? questions() : entrance.ask(isChanged, ways));
  await consent.ask(stage, asked, isChanged, enter);
}
