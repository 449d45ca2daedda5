/**
 * What a link carries beside the fingerprint, as in #fingerprint;invitation: a ticket of one's own,
 * or the key of a group. After # it never reaches a server with the page, and it is taken out of the
 * address at once, where others could read or share it. The tab remembers it for a reload, until a
 * report is sent.
 */

const CARRIED = /^#([0-9a-f]{64});([a-z0-9.-]{1,200})$/;
const WITH_GROUP = /^(?:[0-9a-f]{32}\.)?([a-z0-9-]{1,31})\.[0-9a-f]{64}$/;

/** @returns {string} "" for a link that is the same for everybody */
export function takeInvitation() {
  const carried = CARRIED.exec(location.hash);
  if (carried) history.replaceState({ invitation: carried[2] }, "", `#${carried[1]}`);
  return history.state?.invitation ?? "";
}

/** It has been used, or can be asked for no more. */
export function dropInvitation() {
  if (history.state) history.replaceState(null, "");
}

/** @returns {string} the public group that comes with a report, or "" */
export function groupOf(invitation) {
  return WITH_GROUP.exec(invitation)?.[1] ?? "";
}
