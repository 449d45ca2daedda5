/** The page's road to its server: the document, a ticket, the hand-in. Nothing else is requested. */

import { Refusal } from "./refusal.js";

const TIMEOUT_MILLISECONDS = 20_000;
const LINK = /^(.*)\/s\/([a-z0-9-]{1,63})\/?$/;

export class Transport {
  /** @param {Location | URL} location of the survey's page, such as https://host/s/slug#fingerprint */
  constructor(location) {
    const path = LINK.exec(location.pathname);
    if (!path) throw new Refusal("unknown_survey", "a survey's link ends with /s/<name>");
    this.slug = path[2];
    this.pinned = location.hash.slice(1);
    this.page = `${location.origin}${path[1]}/s/${this.slug}`;
    this.#api = `${location.origin}${path[1]}/api/surveys/${this.slug}`;
  }
  #api;

  /** @returns {Promise<Uint8Array>} */
  async fetchDocument() {
    const response = await call("GET", `${this.page}/document.json`);
    return new Uint8Array(await response.arrayBuffer());
  }

  /** @returns {Promise<string>} the right to hand in one report; it names nobody */
  async askForTicket() {
    const response = await call("POST", `${this.#api}/tickets`);
    return (await response.json()).ticket;
  }

  /**
   * Returns once the report is on the server's disk; the same call again is harmless.
   * @param {import("./outbox.js").Parcel} parcel
   */
  handIn = async ({ id, ticket, body }) => {
    const headers = { "Content-Type": "application/json", "Candor-Ticket": ticket };
    await call("PUT", `${this.#api}/reports/${id}`, { body, headers });
  };
}

async function call(method, url, options = {}) {
  let response;
  try {
    response = await fetch(url, {
      method,
      ...options,
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
  } catch {
    throw new Refusal("out_of_reach", "the server cannot be reached");
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** The server's own reason where it gave one. */
async function refusalOf(response) {
  if (response.status === 503) return new Refusal("busy", "the server is busy");
  try {
    const { code, message } = (await response.json()).error;
    return new Refusal(String(code), String(message));
  } catch {
    return new Refusal("server_error", `status ${response.status}`);
  }
}
