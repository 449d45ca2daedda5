/**
 * True answers that are not sent yet, kept on the device for a day if the respondent asked for it.
 *
 * They are in a file of the browser's private file system, because removing a file removes its
 * bytes from the profile at once. In Chromium, a record removed from IndexedDB stays readable in
 * the files of its database, even after the whole database is deleted, and a Blob stays as long as
 * anything refers to it.
 *
 * @typedef {{answers: Record<string, unknown>, at: string}} Kept answers by question id, and the
 *   question that was being answered
 */

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
      if (!("createWritable" in FileSystemFileHandle.prototype)) return null;
      const unsent = new Unsent(await navigator.storage.getDirectory(), opened);
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
      const [own] = await filesIn(folder, (name) => name === this.#name);
      if (own === undefined) return null;
      const [, handle] = own;
      return JSON.parse(await (await handle.getFile()).text());
    });
  }

  /** @param {Kept} kept in place of what was kept before */
  keep(kept) {
    return this.#alone(async (folder) => {
      const file = await folder.getFileHandle(this.#name, { create: true });
      const writable = await file.createWritable();
      await writable.write(JSON.stringify(kept));
      await writable.close();
    }, true);
  }

  /** Remove every trace, also that of an interrupted write. */
  forget() {
    return this.#remove((name) => name.startsWith(this.#shelf));
  }

  #remove(rule) {
    return this.#alone(async (folder) => {
      for (const [name] of await filesIn(folder, rule)) await folder.removeEntry(name);
    });
  }

  #isLeftOver(name) {
    return name.startsWith(this.#shelf) && name !== this.#name;
  }

  /** Do one thing at a time, in one tab: a file that is being written cannot be removed. */
  #alone(act, create = false) {
    return navigator.locks.request(FOLDER, async () => act(await this.#folder(create)));
  }

  /** Open the folder; it is created only once the respondent ticks the box. */
  async #folder(create) {
    try {
      return await this.#root.getDirectoryHandle(FOLDER, { create });
    } catch (error) {
      if (error.name === "NotFoundError") return null;
      throw error;
    }
  }
}

/** Return the names and handles of the files that match a rule; none without a folder. */
export async function filesIn(folder, rule) {
  const files = [];
  for await (const [name, handle] of folder?.entries() ?? []) {
    if (await rule(name, handle)) files.push([name, handle]);
  }
  return files;
}

/** Return whether a file is recent. The clock is used nowhere else: no draw depends on it. */
async function isFresh(handle) {
  const { lastModified } = await handle.getFile();
  return Math.abs(Date.now() - lastModified) < DAY_MILLISECONDS;
}
