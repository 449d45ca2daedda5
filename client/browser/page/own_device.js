/** A device that belongs to one person: it keeps that person's one report, and shows the receipt. */

/** @typedef {{survey: import("../core/survey.js").Survey, fingerprint: string}} Opened */

import { keepParameters } from "../device/carried.js";
import { dropInvitation } from "../device/invitation.js";
import { Outbox } from "../device/outbox.js";
import { Keeping } from "./keeping.js";
import { receipt } from "./receipt.js";

export class OwnDevice {
  /** The name of the text for somebody who does not agree. */
  otherwise = "consent.otherwise";
  #stage;

  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.#stage = stage;
  }

  /** @param {Opened} opened */
  outboxFor(opened) {
    return new Outbox(opened);
  }

  /**
   * @param {Opened} opened
   * @param {Outbox} outbox
   * @param {import("./groups/choice.js").GroupChoice} groups
   */
  keepingFor(opened, outbox, groups) {
    return Keeping.open(opened, outbox, groups);
  }

  /**
   * Show the receipt, now and whenever the person comes back.
   * @param {Opened} opened
   * @param {import("../device/outbox.js").Receipt} kept
   * @param {{results: string, own: boolean, linked: string, testAgain: () => void}} context
   */
  finish(opened, kept, context) {
    dropInvitation();
    const parameters = keepParameters(opened.survey.completion.passOn);
    const panel = { parameters, pressed: () => keepParameters([]) };
    this.#stage.show((voice) => [receipt(opened, voice, kept, { ...context, ...panel })]);
  }
}
