/**
 * One device, many people: a hand-over screen before and after each of them, one ticket each, and
 * nothing of one person that the next could find. It stands in for `Respondent`, and makes a new
 * one for every person.
 */

import { OPEN } from "../../core/access.js";
import { require } from "../../core/primitives/refusal.js";
import { Waiting } from "../../device/waiting.js";
import { Respondent } from "../respondent.js";
import { refusedToStart } from "../trouble.js";
import { Idle } from "./idle.js";
import { afterSending, bar, cover, handOver } from "./scenes.js";
import { sendAll, SharedDevice } from "./shared_device.js";
import { SharedStage } from "./shared_stage.js";

export class Kiosk {
  #stage;
  #transport;
  #localize;
  #speakUsual;
  #opened;
  #waiting;
  #refused = 0;
  /** @type {{respondent: Respondent, stage: SharedStage, isDone: boolean} | null} who has it now */
  #person = null;
  #idle = new Idle({ quiet: () => this.#cover(), gone: () => this.#handOver() });

  /**
   * @param {import("../stage.js").Stage} stage
   * @param {object} tools
   * @param {import("../../device/shared_transport.js").SharedTransport} tools.transport
   * @param {(survey: import("../../core/survey.js").Survey) => Promise<void>} tools.localize
   * @param {() => Promise<void>} tools.speakUsual in the language that the next person expects
   */
  constructor(stage, { transport, localize, speakUsual }) {
    this.#stage = stage;
    this.#transport = transport;
    this.#localize = localize;
    this.#speakUsual = speakUsual;
  }

  /** @param {{survey: import("../../core/survey.js").Survey, fingerprint: string}} opened */
  async begin(opened) {
    const { survey } = opened;
    const isOpen = survey.access === OPEN;
    require(isOpen, "kiosk_by_invitation", "a personal link is for one person's device");
    this.#waiting = await Waiting.open(survey);
    this.#opened = opened;
    await this.#localize(survey);
    await this.#handOver();
  }

  get hasAnswers() {
    return Boolean(this.#person?.respondent.hasAnswers) || Boolean(this.#waiting?.wouldBeLost);
  }

  /** Return whether the page may be left: not in the middle of somebody's turn. */
  mayLeave() {
    const isAnswering = this.#person !== null && !this.#person.isDone;
    if (isAnswering) this.#cover();
    return !isAnswering;
  }

  forget() {
    this.#person?.respondent.forget();
  }

  /** Send what waits, and tell how much still does. */
  async sendWaiting() {
    this.#refused += await sendAll(this.#transport, this.#waiting);
    if (this.#person === null) await this.#showHandOver();
  }

  /** Tickets are good for one version, so those of an older one are forgotten. */
  #open(current) {
    if (current.fingerprint !== this.#opened.fingerprint) this.#transport.dropTickets();
    this.#opened = current;
  }

  /** Clear everything of the person who had the device. */
  async #handOver() {
    this.#idle.stop();
    this.#person?.stage.close();
    this.forget();
    this.#person = null;
    await this.#speakUsual();
    await this.#showHandOver();
    this.#transport.fillUp();
    await this.sendWaiting();
  }

  async #showHandOver() {
    const counts = { waiting: await this.#waiting.count(), refused: this.#refused };
    // Somebody may have begun in the meantime.
    if (this.#person !== null) return;
    const actions = { begin: () => this.#begin(), sendWaiting: () => this.sendWaiting() };
    this.#stage.show((voice) => [handOver(voice, counts, actions)]);
  }

  async #begin() {
    if (this.#person !== null) return;
    const stage = new SharedStage(this.#stage, (voice) => bar(voice, () => this.#cover()));
    const [transport, localize] = [this.#transport, this.#localize];
    const device = new SharedDevice(transport, this.#waiting, {
      open: (current) => this.#open(current),
      finish: (report) => this.#finish(person, report),
    });
    const respondent = new Respondent(stage, { transport, localize, device });
    const person = { respondent, stage, isDone: false };
    this.#person = person;
    this.#idle.watch();
    this.#stage.hold();
    try {
      await respondent.begin(this.#opened);
    } catch (error) {
      stage.show(({ wording }) => [refusedToStart(wording, error, () => this.#handOver())]);
    }
  }

  /** The report is drawn, and its answers are cleared: nothing leads back to them. */
  #finish(person, report) {
    // Whoever has the device now sees nothing of those before.
    if (this.#person !== person) return;
    person.isDone = true;
    person.stage.close();
    const { survey } = this.#opened;
    this.#stage.show((voice) => [afterSending(voice, survey, report, () => this.#handOver())]);
  }

  #cover() {
    const { stage, isDone } = this.#person;
    if (isDone) {
      this.#handOver();
      return;
    }
    const goOn = () => {
      this.#idle.watch();
      stage.uncover();
    };
    stage.cover((voice) => [cover(voice, { startOver: () => this.#handOver(), goOn })]);
  }
}
