/** What the page cannot do without. It refuses to start rather than to protect less. */

import { canKeep } from "../outbox.js";
import { require } from "../refusal.js";

export function checkSurroundings() {
  require(isSecureContext, "insecure", "this is no secure context");
  const generator = typeof globalThis.crypto?.getRandomValues === "function";
  require(generator && Boolean(crypto.subtle), "generator", "no secure generator or hash");
  require(canKeep() && Boolean(navigator.locks), "storage", "nothing can be kept on this device");
}
