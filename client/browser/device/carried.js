/**
 * What a link may carry besides an invitation, as in #fingerprint;kiosk or #fingerprint;PID=5f3a:
 * the mark of a device that many people share, and the parameters of a panel. They never reach the
 * server. They leave the address at once, like an invitation, and the tab remembers them for a
 * reload: the parameters until the panel's link is pressed.
 *
 * @typedef {{isKiosk?: true, parameters?: Record<string, string>}} Carried
 */

const KIOSK = "kiosk";
const PARAMETER = /^([A-Za-z][A-Za-z0-9_-]{0,31})=([A-Za-z0-9._~-]{1,64})$/;

/** @type {Carried} */
let carried = {};

/** @returns {Carried} */
export function takeCarried() {
  const [pinned, ...parts] = location.hash.split(";");
  const ours = parts.filter((part) => part === KIOSK || part.includes("="));
  const others = parts.filter((part) => !ours.includes(part));
  carried = ours.length > 0 ? read(ours) : (history.state?.carried ?? {});
  if (ours.length > 0) remember([pinned, ...others].join(";"));
  return carried;
}

/**
 * Keep only the parameters that the survey passes on; an empty list forgets them all.
 * @param {readonly string[]} names
 * @returns {Record<string, string>}
 */
export function keepParameters(names) {
  const { parameters = {}, ...rest } = carried;
  const kept = Object.entries(parameters).filter(([name]) => names.includes(name));
  const isChanged = kept.length < Object.keys(parameters).length;
  carried = kept.length > 0 ? { ...rest, parameters: Object.fromEntries(kept) } : rest;
  if (isChanged) remember(location.hash);
  return carried.parameters ?? {};
}

/** Return this part of what an entry of the tab's history holds; often nothing. */
export function carriedState() {
  return Object.keys(carried).length > 0 ? { carried } : {};
}

function read(parts) {
  const pairs = parts.map((part) => PARAMETER.exec(part)).filter(Boolean);
  const parameters = Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
  return {
    ...(parts.includes(KIOSK) ? { isKiosk: true } : {}),
    ...(pairs.length > 0 ? { parameters } : {}),
  };
}

function remember(hash) {
  const { carried: _, ...rest } = history.state ?? {};
  const state = { ...rest, ...carriedState() };
  history.replaceState(Object.keys(state).length > 0 ? state : null, "", hash);
}
