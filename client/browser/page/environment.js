/** Check what the page needs. It refuses to start rather than protect less. */

import { require } from "../core/primitives/refusal.js";
import { canKeep } from "../device/outbox.js";

export async function checkEnvironment() {
  require(isSecureContext, "insecure", "this is no secure context");
  const generator = typeof globalThis.crypto?.getRandomValues === "function";
  require(generator && Boolean(crypto.subtle), "generator", "no secure generator or hash");
  const keeps = Boolean(navigator.locks) && (await canKeep());
  require(keeps, "storage", "nothing can be kept on this device");
}
