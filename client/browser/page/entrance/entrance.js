/**
 * The way into a survey with personal links: nothing is asked of the server before somebody presses
 * a button. Mail scanners and previews, which run the page, would otherwise use up the link.
 */

import { require } from "../../core/primitives/refusal.js";
import { hasCome } from "../../device/day.js";
import { dropInvitation, groupOfCode } from "../../device/invitation.js";
import { documentChanged, noTicket } from "../trouble.js";
import { beforeBegin, collected } from "./scenes.js";

export class Entrance {
  #stage;
  #transport;
  #opened;
  #outbox;

  /**
   * @param {import("../stage.js").Stage} stage
   * @param {import("../../device/transport.js").Transport} transport
   * @param {{survey: import("../../core/survey.js").Survey, fingerprint: string}} opened
   * @param {import("../../device/outbox.js").Outbox} outbox
   */
  constructor(stage, transport, opened, outbox) {
    [this.#stage, this.#transport, this.#opened, this.#outbox] = [stage, transport, opened, outbox];
  }

  /**
   * Lead to the questions, now if the device has its ticket, otherwise once it has got one.
   * @param {boolean} isChanged the survey is another one than when the page was opened
   * @param {{proceed: (ticket: string) => Promise<void>, back: () => boolean}} ways
   */
  async ask(isChanged, ways) {
    const ticket = await this.#outbox.ticket();
    if (ticket !== "") {
      // The link has done its work, also when somebody opens it again.
      dropInvitation();
      await this.#enter(ticket, ways);
      return;
    }
    const link = await this.#link();
    const about = { ...link, opened: this.#opened, isShort: this.#transport.isShort };
    const begin = (press) => this.#collect(press, link, (bought) => this.#enter(bought, ways));
    const collect = (press) => this.#collect(press, link, (bought) => this.#wait(bought, ways));
    const presses = this.#isDue ? { begin, collect } : { collect };
    const scene = (voice) => [
      ...(isChanged ? [documentChanged(voice.wording)] : []),
      beforeBegin(voice, about, presses),
    ];
    this.#stage.show(scene, ways.back);
  }

  get #isDue() {
    const { answerFrom, isTest } = this.#opened.survey;
    return isTest || answerFrom === null || hasCome(answerFrom);
  }

  /** Return the invitation, the one that was used here before if need be, and its group. */
  async #link() {
    const { survey } = this.#opened;
    if (survey.isTest) return { invitation: "", group: "" };
    const invitation = this.#transport.invitation || (await this.#outbox.askedWith());
    require(invitation !== "", "invitation_missing", "a personal link is needed");
    const group = groupOfCode(invitation, survey);
    require(survey.ticketKeys.has(group), "unknown_group", "the link has a group without a key");
    return { invitation, group };
  }

  /** Get the ticket, with the same covered message however often it takes. */
  async #collect(press, link, then) {
    // All are disabled, so that no second press can interfere.
    for (const button of press?.target.closest(".actions").children ?? []) button.disabled = true;
    if (press) press.target.textContent = this.#stage.voice.wording.say("ticket.busy");
    this.#stage.hold();
    try {
      const ticket = await this.#outbox.collect(link, this.#transport.sign);
      dropInvitation();
      await then(ticket);
    } catch (error) {
      const again = () => this.#collect(null, link, then);
      this.#stage.show(({ wording }) => [noTicket(wording, error, again)]);
    }
  }

  async #enter(ticket, ways) {
    if (this.#isDue) await ways.proceed(ticket);
    else this.#wait(ticket, ways);
  }

  #wait(ticket, ways) {
    const { survey } = this.#opened;
    const begin = this.#isDue ? () => ways.proceed(ticket) : undefined;
    this.#stage.show((voice) => [collected(voice, survey, begin)], ways.back);
  }
}
