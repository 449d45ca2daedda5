/**
 * Reports of a device that many people share, while the server is out of reach. Each waits with its
 * own id and ticket, so that sending it again stores it once. Only randomized reports wait here.
 *
 * They are in files of the browser's private file system, like unsent answers and for the same
 * reason: a removed file leaves no bytes behind. Their names are random, so that neither their order
 * nor a name that stays behind tells whose report it was. Where the browser cannot keep a file, they
 * wait in memory.
 */

import { secureHex } from "../core/primitives/words.js";
import { filesIn } from "./unsent.js";

const FOLDER = "candor-waiting";
const NAME_WORDS = 4;

export class Waiting {
  #folder;
  #shelf;
  /** @type {import("./outbox.js").Parcel[]} */
  #inMemory = [];

  /**
   * @param {FileSystemDirectoryHandle | null} folder
   * @param {{slug: string, isTest: boolean}} survey any version of it
   */
  constructor(folder, { slug, isTest }) {
    this.#folder = folder;
    this.#shelf = `${isTest ? "test" : "survey"}.${slug}.`;
  }

  /** @param {{slug: string, isTest: boolean}} survey */
  static async open(survey) {
    try {
      if (!("createWritable" in FileSystemFileHandle.prototype)) return new Waiting(null, survey);
      const root = await navigator.storage.getDirectory();
      return new Waiting(await root.getDirectoryHandle(FOLDER, { create: true }), survey);
    } catch {
      return new Waiting(null, survey);
    }
  }

  /** Whether closing the page would lose a report. */
  get wouldBeLost() {
    return this.#inMemory.length > 0;
  }

  /** How many reports wait; nothing says which. */
  async count() {
    return (await this.#files()).length + this.#inMemory.length;
  }

  /** @param {import("./outbox.js").Parcel} parcel */
  async add(parcel) {
    try {
      const name = this.#shelf + secureHex(NAME_WORDS);
      const file = await this.#folder.getFileHandle(name, { create: true });
      const writable = await file.createWritable();
      await writable.write(JSON.stringify(parcel));
      await writable.close();
    } catch {
      this.#inMemory.push(parcel);
    }
  }

  /**
   * Send what waits, one tab at a time, until one of them has to wait on.
   * @param {(parcel: import("./outbox.js").Parcel) => Promise<boolean>} send returns whether it is
   *   stored now; false if it never will be; throws if it must wait
   * @returns {Promise<number>} how many will never be stored
   */
  sendAll(send) {
    // Waits for its turn: the connection may be back while an earlier try is about to fail.
    return navigator.locks.request(FOLDER, async () => {
      let refused = 0;
      try {
        for (const [name, handle] of await this.#files()) {
          const parcel = JSON.parse(await (await handle.getFile()).text());
          if (!(await send(parcel))) refused += 1;
          await this.#folder.removeEntry(name);
        }
        while (this.#inMemory.length > 0) {
          if (!(await send(this.#inMemory[0]))) refused += 1;
          this.#inMemory.shift();
        }
      } catch {
        // The others have to wait, too.
      }
      return refused;
    });
  }

  #files() {
    return filesIn(this.#folder, (name) => name.startsWith(this.#shelf) && !name.endsWith(".crswap"));
  }
}
