/**
 * Notice that a person has walked away: nobody touches the device for a while, or something else is
 * on its screen. Only the device's own timers are used, and nothing of them is sent.
 */

const QUIET_MILLISECONDS = 120_000;
const ASKING_MILLISECONDS = 60_000;
const SIGNS = ["pointerdown", "keydown", "scroll"];

export class Idle {
  #timer;
  #isWatching = false;
  #isQuiet = false;

  /** @param {{quiet: () => void, gone: () => void}} events first `quiet`, and some time later `gone` */
  constructor({ quiet, gone }) {
    this.#events = { quiet, gone };
    for (const sign of SIGNS) addEventListener(sign, () => this.#touched(), { passive: true });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && this.#isWatching && !this.#isQuiet) this.#quiet();
    });
  }
  #events;

  /** Begin to watch, from now on. */
  watch() {
    [this.#isWatching, this.#isQuiet] = [true, false];
    this.#touched();
  }

  stop() {
    this.#isWatching = false;
    clearTimeout(this.#timer);
  }

  #touched() {
    // While the page asks whether somebody is there, only its button says so.
    if (!this.#isWatching || this.#isQuiet) return;
    this.#after(QUIET_MILLISECONDS, () => this.#quiet());
  }

  #quiet() {
    this.#isQuiet = true;
    this.#after(ASKING_MILLISECONDS, () => this.#events.gone());
    this.#events.quiet();
  }

  #after(milliseconds, act) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, milliseconds);
  }
}
