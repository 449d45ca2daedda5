/**
 * The invitation in a link such as #fingerprint;invitation: a personal ticket, or the key of a
 * group. The part after # never reaches the server with the page. It is removed from the address at
 * once, where others could read or share it. The tab remembers it for a reload, until a report is
 * sent.
 */

const CARRIED = /^#([0-9a-f]{64});([a-z0-9.-]{1,200})$/;
const WITH_GROUP = /^(?:[0-9a-f]{32}\.)?([a-z0-9-]{1,31})\.[0-9a-f]{64}$/;

/** @returns {string} "" for a link that is the same for everybody */
export function takeInvitation() {
  const carried = CARRIED.exec(location.hash);
  if (carried) history.replaceState({ invitation: carried[2] }, "", `#${carried[1]}`);
  return history.state?.invitation ?? "";
}

/** Forget the invitation, because it was used or is no longer valid. */
export function dropInvitation() {
  if (history.state) history.replaceState(null, "");
}

/** @returns {string} the public group that comes with a report, or "" */
export function groupOf(invitation) {
  return WITH_GROUP.exec(invitation)?.[1] ?? "";
}
