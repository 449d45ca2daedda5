/** The page's connection to its server: document, ticket and hand-in. Nothing else is requested. */

import { Refusal, require } from "../core/primitives/refusal.js";

const TYPE = { "Content-Type": "application/json" };
const TIMEOUT_MILLISECONDS = 20_000;
const LINK = /^(.*)\/([st])\/([a-z0-9-]{1,63})\/?$/;

export class Transport {
  /**
   * @param {Location | URL} location of the survey's page, such as https://host/s/slug#fingerprint,
   *   or /t/slug for the test of a draft
   * @param {string} [invitation] what else the link carried
   */
  constructor(location, invitation = "") {
    const path = LINK.exec(location.pathname);
    if (!path) throw new Refusal("unknown_survey", "a survey's link must end with /s/<name>");
    const [, prefix, shelf, slug] = path;
    this.slug = slug;
    this.isTest = shelf === "t";
    this.invitation = invitation;
    this.pinned = location.hash.slice(1);
    this.page = `${location.origin}${prefix}/${shelf}/${slug}`;
    this.#api = `${location.origin}${prefix}/api/${this.isTest ? "drafts" : "surveys"}/${slug}`;
  }
  #api;

  /** Whether the link is a short one: then nothing but its reader compares the fingerprint. */
  get isShort() {
    return this.invitation !== "" && this.pinned === "";
  }

  /** @returns {Promise<Uint8Array>} */
  async fetchDocument() {
    // Without cookies, by which a server could choose a document for one person. Only the preview of
    // a draft needs them, which has no links.
    const credentials = this.isTest ? "same-origin" : "omit";
    const response = await call("GET", `${this.page}/document.json`, { credentials });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** @returns {Promise<string>} the right to hand in one report to an open survey */
  async askForTicket() {
    const group = this.isTest ? "" : this.invitation;
    const { ticket } = await this.#ask(group === "" ? {} : { group });
    return ticket;
  }

  /**
   * Return what the server has signed, which is not read here. Asking again with the same is
   * harmless.
   * @param {{invitation: string, blinded: string}} asked
   * @returns {Promise<unknown>}
   */
  sign = async ({ invitation, blinded }) => {
    const { signed, ...others } = await this.#ask(this.isTest ? { blinded } : { invitation, blinded });
    require(Object.keys(others).length === 0, "ticket_unsound", "the server sent more than a signature");
    return signed;
  };

  /**
   * Resolve once the report is on the server's disk; calling again is harmless.
   * @param {import("./outbox.js").Parcel} parcel
   */
  handIn = async ({ ticket, body }) => {
    const headers = { ...TYPE, "Candor-Ticket": ticket };
    await call("POST", `${this.#api}/reports`, { body, headers });
  };

  async #ask(request) {
    const options = { body: JSON.stringify(request), headers: TYPE };
    const response = await call("POST", `${this.#api}/tickets`, options);
    try {
      return { ...(await response.json()) };
    } catch {
      throw new Refusal("out_of_reach", "the server's answer was cut off");
    }
  }
}

async function call(method, url, options = {}) {
  let response;
  try {
    response = await fetch(url, {
      method,
      credentials: "omit",
      ...options,
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

/** Return the server's own reason, if it gave one. */
async function refusalOf(response) {
  if (response.status === 503) return new Refusal("busy", "the server is busy");
  try {
    const { code, message } = (await response.json()).error;
    return new Refusal(String(code), String(message));
  } catch {
    return new Refusal("server_error", `status ${response.status}`);
  }
}
