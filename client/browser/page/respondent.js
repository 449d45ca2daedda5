/**
 * One respondent's path through a survey: questions, review, sending, receipt. Answers and words
 * exist only in this object, and are gone as soon as the report is kept or the page is left.
 */

import { OPEN } from "../core/access.js";
import { drawAssignment } from "../core/assignment.js";
import { RememberedWords, SecureWords } from "../core/primitives/words.js";
import { wire } from "../core/report.js";
import { respond } from "../core/respond.js";
import { groupOf } from "../device/invitation.js";
import { drawOrder } from "../wording/order.js";
import { Consent } from "./consent.js";
import { currentDocument, Delivery } from "./delivery.js";
import { admit } from "./entrance/admission.js";
import { GroupChoice } from "./groups/choice.js";
import { checkLinkGroup } from "./groups/sent_as_it_is.js";
import { label } from "./label.js";
import { Questions } from "./questions.js";
import { review } from "./review.js";
import { smallPrint } from "./small_print.js";
import { documentChanged, isTemporary, refusedToStart, secondReport } from "./trouble.js";

export class Respondent {
  #stage;
  #transport;
  #localize;
  #device;
  #opened;
  #delivery;
  #questions;
  #keeping;
  #assignment;
  #order;
  #words = new RememberedWords(new SecureWords());
  #ticket = "";
  #isSecond = false;
  #consent = new Consent();
  #groups = new GroupChoice();

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {object} tools
   * @param {import("../device/transport.js").Transport} tools.transport
   * @param {(survey: import("../core/survey.js").Survey) => Promise<void>} tools.localize gives the stage a
   *   voice for the texts of a survey
   * @param {import("./own_device.js").OwnDevice} tools.device keeps reports, and ends the visit
   */
  constructor(stage, { transport, localize, device }) {
    this.#stage = stage;
    this.#transport = transport;
    this.#localize = localize;
    this.#device = device;
  }

  /**
   * Send a kept report, or ask the questions if there is none.
   * @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened
   */
  async begin(opened) {
    await this.#localize(opened.survey);
    const outbox = this.#device.outboxFor(opened);
    const keeping = await this.#device.keepingFor(opened, outbox, this.#groups);
    const tools = { outbox, keeping, forget: () => this.forget(), device: this.#device };
    const delivery = new Delivery(this.#stage, this.#transport, opened, tools);
    const visit = { opened, outbox, delivery, keeping };
    if (await outbox.find()) {
      this.forget();
      this.#take(visit);
      await delivery.again();
      return;
    }
    const [isChanged, consent] = [this.#questions !== undefined, this.#consent];
    const questions = () => this.#askGroup(isChanged, () => this.#ask(isChanged));
    const prepare = (ticket) => this.#prepare(visit, ticket);
    const about = { ...visit, transport: this.#transport, consent, otherwise: this.#device.otherwise };
    await admit(this.#stage, about, isChanged, { prepare, questions });
  }

  /** Draw from the ticket what the report is about, and make the questions. */
  async #prepare(visit, ticket) {
    const { survey } = visit.opened;
    checkLinkGroup(survey, groupOf(ticket));
    const assignment = await drawAssignment(survey, ticket);
    // With words of its own, and never kept: it is for the eyes only.
    const order = drawOrder(survey, new SecureWords());
    const isSecond = await visit.outbox.hasAnotherVersion();
    // Anything that could fail comes before this line, so no answer is lost.
    const [before, kept] = [this.#questions, this.#keeping];
    this.#take(visit);
    [this.#ticket, this.#assignment, this.#order, this.#isSecond] = [ticket, assignment, order, isSecond];
    this.#questions = this.#newQuestions(this.#stage.voice);
    this.#groups.open(survey);
    if (before) {
      this.#questions.adoptUnchanged(before);
      await this.#keeping.follow(kept, this.#questions);
    } else {
      await this.#keeping.restore(this.#questions);
    }
    this.#words.forget();
  }

  #take({ opened, delivery, keeping }) {
    [this.#opened, this.#delivery, this.#keeping] = [opened, delivery, keeping];
  }

  /** Send the report that waits on the device, with the same bytes, once the connection is back. */
  sendWaiting() {
    this.#delivery?.sendWaiting();
  }

  /** Whether anything would be lost by leaving. */
  get hasAnswers() {
    return (this.#questions?.begun || this.#groups.begun) && !this.#keeping.isOn;
  }

  /** Return whether the page may be left: nothing is lost, or the respondent says so. */
  mayLeave() {
    if (!this.hasAnswers) return true;
    const wantsTo = confirm(this.#stage.voice.wording.say("leave.ask"));
    // Not the words: where there is no page to go back to, new answers must not get new draws.
    if (wantsTo) this.#clear();
    return wantsTo;
  }

  /** Clear every true answer, and the words from which one could be recovered. */
  forget() {
    this.#clear();
    this.#words.forget();
  }

  #clear() {
    this.#questions?.clear();
    this.#groups.clear();
  }

  /** The code of the group that is sent with the report, as it is; "" if there is none. */
  get #group() {
    return this.#groups.code || groupOf(this.#ticket);
  }

  /** Ask for the group, if the survey wants people to choose one, and then the questions. */
  #askGroup(isChanged, askQuestions) {
    const proceed = () => {
      this.#keeping.save(this.#questions);
      askQuestions();
    };
    const ways = { proceed, back: () => this.#consent.goBack() };
    this.#groups.ask(this.#stage, this.#opened.survey, isChanged, ways);
  }

  /** @param {boolean} [isChanged] the survey is another one than when the page was opened */
  #ask(isChanged = false) {
    const scene = (voice) => {
      this.#localizedQuestions(voice);
      const { wording } = voice;
      const note = this.#keeping.note(wording, () => this.#startAnew());
      return [
        ...(isChanged ? [documentChanged(wording)] : []),
        ...this.#questions.introduce(note),
        ...(this.#isSecond ? [secondReport(wording)] : []),
        label(this.#opened.survey, voice, this.#group, () => this.#groups.goBack()),
        this.#questions.node,
        ...this.#keeping.box(wording, () => this.#questions),
        smallPrint(this.#opened, voice, this.#transport.page),
      ];
    };
    const back = () => this.#questions.goBack() || this.#groups.goBack() || this.#consent.goBack();
    this.#stage.show(scene, back);
    this.#questions.resume();
  }

  /** Clear the answers but keep the drawn words: new answers must not choose among draws. */
  #startAnew() {
    this.#clear();
    this.#askGroup(false, () => this.#askAgain());
  }

  /** Return the questions with their answers so far, rebuilt if the language has changed. */
  #localizedQuestions(voice) {
    const before = this.#questions;
    if (before.voice === voice) return;
    this.#questions = this.#newQuestions(voice);
    this.#questions.adopt(before);
  }

  #newQuestions(voice) {
    const questions = new Questions(this.#assignment.questions, this.#order, voice, {
      changed: () => this.#keeping.save(questions),
      review: () => this.#tryReview(),
    });
    questions.enable();
    return questions;
  }

  #askAgain() {
    this.#ask();
    this.#questions.focusFirst();
  }

  #returnFromReview() {
    this.#ask();
    return true;
  }

  /** Review the report; if the generator fails, no half-drawn report is left behind. */
  #tryReview() {
    try {
      this.#review();
    } catch (error) {
      this.forget();
      this.#stage.show(({ wording }) => [refusedToStart(wording, error)]);
    }
  }

  #review() {
    // Somebody who wanted to leave, and could not, has no group any more.
    if (!this.#groups.isComplete) return void this.#groups.goBack();
    const [group, { survey, fingerprint }, { answers }] = [this.#group, this.#opened, this.#questions];
    const randomized = respond(survey, this.#assignment, answers, (id) => this.#words.of(id));
    const body = wire(survey, fingerprint, randomized, group);
    const parcel = () => ({ ticket: this.#ticket, body });
    const actions = { back: () => this.#askAgain(), send: () => this.#send(parcel) };
    // Where answers are due from a day on, tickets were collected before: another day adds nothing.
    const isPersonal = survey.access !== OPEN && survey.answerFrom === null;
    if (isPersonal) actions.postpone = () => this.#delivery.postpone(parcel);
    const scene = (voice) => [review(voice, { answers, randomized, group, body }, actions)];
    this.#stage.show(scene, () => this.#returnFromReview());
  }

  /** Fetch the document once more: if it has changed, nothing is sent, and the draws are gone. */
  async #send(makeParcel) {
    this.#stage.hold();
    try {
      const current = await currentDocument(this.#transport, this.#opened);
      if (current.fingerprint !== this.#opened.fingerprint) {
        await this.begin(current);
        return;
      }
    } catch (error) {
      if (!isTemporary(error)) this.forget();
      const retry = () => this.#send(makeParcel);
      const scene = ({ wording }) => [refusedToStart(wording, error, retry)];
      this.#stage.show(scene, () => isTemporary(error) && this.#returnFromReview());
      return;
    }
    await this.#delivery.deliver(makeParcel);
  }
}
