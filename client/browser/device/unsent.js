/**
 * True answers that are not sent yet, kept on the device for a day if the respondent asked for it.
 *
 * They are in a private file, so that nothing stays behind.
 *
 * @typedef {{answers: Record<string, unknown>, at: string}} Kept answers by question id, and the
 *   question that was being answered
 */

import { eraseFiles, folderIn, readFile, topFolder, writeFile } from "./files.js";

const FOLDER = "candor-unsent";
const DAY_MILLISECONDS = 86_400_000;

export class Unsent {
  #root;
  #shelf;
  #name;

  /**
   * @param {FileSystemDirectoryHandle} root
   * @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened
   */
  constructor(root, { survey, fingerprint }) {
    this.#root = root;
    this.#shelf = `${survey.isTest ? "test" : "survey"}.${survey.slug}.`;
    this.#name = this.#shelf + fingerprint;
  }

  /**
   * Open the folder, after removing answers older than a day, of any survey, and those kept for
   * another version of this one.
   * @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened
   * @returns {Promise<Unsent | null>} none where the browser cannot keep a file, or will not
   */
  static async open(opened) {
    try {
      const root = await topFolder();
      if (root === null) return null;
      const unsent = new Unsent(root, opened);
      await unsent.#remove(
        async (name, handle) => unsent.#isLeftOver(name) || !(await isFresh(handle)),
      );
      return unsent;
    } catch {
      return null;
    }
  }

  /**
   * Return what was kept for this very document.
   * @returns {Promise<Kept | null>}
   */
  find() {
    return this.#alone(async (folder) => {
      const text = await readFile(folder, this.#name);
      return text === "" ? null : JSON.parse(text);
    });
  }

  /** @param {Kept} kept in place of what was kept before */
  keep(kept) {
    return this.#alone((folder) => writeFile(folder, this.#name, JSON.stringify(kept)), true);
  }

  /** Remove every trace, also that of an interrupted write. */
  forget() {
    return this.#remove((name) => name.startsWith(this.#shelf));
  }

  #remove(rule) {
    return this.#alone((folder) => eraseFiles(folder, rule));
  }

  #isLeftOver(name) {
    return name.startsWith(this.#shelf) && name !== this.#name;
  }

  /**
   * Do one thing at a time, in one tab: a file that is being written cannot be removed. The folder
   * is created only once the respondent ticks the box.
   */
  #alone(act, create = false) {
    const inFolder = async () => act(await folderIn(this.#root, FOLDER, create));
    return navigator.locks.request(FOLDER, inFolder);
  }
}

/** Return whether a file is recent. The clock is used nowhere else: no draw depends on it. */
async function isFresh(handle) {
  const { lastModified } = await handle.getFile();
  return Math.abs(Date.now() - lastModified) < DAY_MILLISECONDS;
}
