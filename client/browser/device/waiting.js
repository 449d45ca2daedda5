/**
 * Reports of a device that many people share, while the server is out of reach. Each waits with its
 * own ticket, so that sending it again stores it once. Only randomized reports wait here.
 *
 * They are in files of the browser's private file system, like unsent answers and for the same
 * reason: a removed file leaves no bytes behind. Their names are random, so that neither their order
 * nor a name that stays behind tells whose report it was. Where the browser cannot keep a file, they
 * wait in memory.
 */

import { secureHex } from "../core/primitives/words.js";
import { eraseFiles, filesIn, folderIn, readFile, topFolder, writeFile } from "./files.js";

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
      const root = await topFolder();
      return new Waiting(root && (await folderIn(root, FOLDER, true)), survey);
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
      await writeFile(this.#folder, this.#shelf + secureHex(NAME_WORDS), JSON.stringify(parcel));
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
        for (const [name] of await this.#files()) {
          const text = await readFile(this.#folder, name);
          if (text !== "" && !(await send(JSON.parse(text)))) refused += 1;
          await eraseFiles(this.#folder, (one) => one === name);
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
