/**
 * The stage as one person of many sees it: with a way to start over below everything, and a cover
 * that hides everything. When the person is gone, nothing of theirs is shown any more.
 */

export class SharedStage {
  #stage;
  #bar;
  #isGone = false;
  #shown = null;
  #isCovered = false;

  /**
   * @param {import("../stage.js").Stage} stage
   * @param {(voice: import("../stage.js").Voice) => HTMLElement} bar
   */
  constructor(stage, bar) {
    [this.#stage, this.#bar] = [stage, bar];
  }

  get voice() {
    return this.#stage.voice;
  }

  show(scene, ...back) {
    this.#shown = [(voice) => [...scene(voice), this.#bar(voice)], ...back];
    if (!this.#isGone && !this.#isCovered) this.#stage.show(...this.#shown);
  }

  hold() {
    if (!this.#isGone && !this.#isCovered) this.#stage.hold();
  }

  /** @param {(voice: import("../stage.js").Voice) => HTMLElement[]} scene instead of the person's */
  cover(scene) {
    this.#isCovered = true;
    this.#stage.show(scene);
  }

  /** Show again what the cover hides. */
  uncover() {
    this.#isCovered = false;
    if (this.#shown !== null) this.#stage.show(...this.#shown);
  }

  /** From now on nothing of this person is shown, whatever still arrives. */
  close() {
    this.#isGone = true;
    this.#shown = null;
  }
}
