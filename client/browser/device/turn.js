/**
 * Where the unfinished turn of one person at one document is kept, from asking for a ticket until
 * the report is stored: in a private file, or in the database where the browser has no such files.
 * A turn names the link or the report, so nothing of it may stay behind.
 */

import { require } from "../core/primitives/refusal.js";
import { TURNS, transact } from "./database.js";
import { eraseFiles, folderIn, readFile, topFolder, writeFile } from "./files.js";

const FOLDER = "candor-turns";

export class Turn {
  #name;
  #root;

  /** @param {string} name */
  constructor(name) {
    this.#name = name;
  }

  /** @returns {Promise<Record<string, unknown> | null>} */
  async read() {
    const text = (await this.#hasFiles())
      ? await readFile(await this.#folder(), this.#name)
      : await transact(TURNS, "readonly", (store) => store.get(this.#name));
    return text?.trim() ? parsed(text) : null;
  }

  /** @param {Record<string, unknown>} turn in place of what was kept before */
  async write(turn) {
    const text = JSON.stringify(turn);
    if (await this.#hasFiles()) await writeFile(await this.#folder(true), this.#name, text);
    else await transact(TURNS, "readwrite", (store) => store.put(text, this.#name));
  }

  async erase() {
    if (await this.#hasFiles()) {
      await eraseFiles(await this.#folder(), (name) => name.startsWith(this.#name));
      return;
    }
    const before = await transact(TURNS, "readonly", (store) => store.get(this.#name));
    if (before === undefined) return;
    const blank = " ".repeat(before.length);
    await transact(TURNS, "readwrite", (store) => store.put(blank, this.#name));
    await transact(TURNS, "readwrite", (store) => store.delete(this.#name));
  }

  async #hasFiles() {
    if (this.#root === undefined) this.#root = await topFolder();
    return this.#root !== null;
  }

  /** Open the folder; it is created only once there is something to keep. */
  #folder(create = false) {
    return folderIn(this.#root, FOLDER, create);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    require(false, "outbox_unreadable", "what this device keeps for the survey is damaged");
  }
}
