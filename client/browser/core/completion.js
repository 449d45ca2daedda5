/**
 * What a panel asks for: a code and a link to press after sending, the same for everybody, as in
 * `client/core/completion.py`.
 */

import { exactKeys } from "./primitives/canonical.js";
import { require } from "./primitives/refusal.js";

const MAX_PASSED_ON = 5;
const MAX_REDIRECT = 500;
const CODE = /^[A-Za-z0-9_-]{1,64}$/;
/** Plain addresses only: https, no account, nothing after #. */
const REDIRECT =
  /^https:\/\/[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:\/[A-Za-z0-9/._~:@!$&'()*+,;=%-]*)?(?:\?[A-Za-z0-9/._~:@!$&'()*+,;=%?-]*)?$/;
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
/** Nothing in a value needs to be encoded, or could mean something else in an address. */
const VALUE = /^[A-Za-z0-9._~-]{1,64}$/;
const GROUP_KEYS = ["code", "redirect"];
const KEYS = [...GROUP_KEYS, "pass_on", "by_group"];

export class Completion {
  /**
   * @param {object} parts
   * @param {string} [parts.code]
   * @param {string} [parts.redirect]
   * @param {readonly string[]} [parts.pass_on]
   * @param {Record<string, object>} [parts.by_group] what the people of a group get instead
   */
  constructor({ code = "", redirect = "", pass_on: names = [], by_group: groups = {} }) {
    checkPart(code === "" || matches(code, CODE), "a code has up to 64 letters, digits, - or _");
    const isAddress = matches(redirect, REDIRECT) && redirect.length <= MAX_REDIRECT;
    checkPart(redirect === "" || isAddress, "redirect must be an https address");
    checkPart(Array.isArray(names), "pass_on must be a list");
    const fits = new Set(names).size === names.length && names.length <= MAX_PASSED_ON;
    checkPart(fits && names.every((name) => matches(name, NAME)), "pass_on must be a few names");
    const byGroup = readGroups(groups);
    const leads = [{ redirect }, ...byGroup.values()].some((part) => part.redirect !== "");
    checkPart(names.length === 0 || leads, "only a redirect can pass on parameters");
    Object.assign(this, { code, redirect, passOn: Object.freeze([...names]), byGroup });
    Object.freeze(this);
  }

  /**
   * Read the part of a document.
   * @param {unknown} value
   */
  static read(value) {
    return new Completion(exactKeys(value, [], "completion", KEYS));
  }

  /** Return the parts that are not empty, as they appear in a document. */
  asJson() {
    const { code, redirect, passOn, byGroup } = this;
    const groups = Object.fromEntries([...byGroup].map(([group, part]) => [group, part.asJson()]));
    return {
      ...(code === "" ? {} : { code }),
      ...(redirect === "" ? {} : { redirect }),
      ...(passOn.length === 0 ? {} : { pass_on: passOn }),
      ...(byGroup.size === 0 ? {} : { by_group: groups }),
    };
  }

  /**
   * Return what somebody of this group gets.
   * @param {string} group its code; "" is none
   */
  ofGroup(group) {
    const own = this.byGroup.get(group) ?? this;
    const redirect = own.redirect || this.redirect;
    const names = redirect === "" ? [] : this.passOn;
    return new Completion({ code: own.code || this.code, redirect, pass_on: names });
  }

  /**
   * Return the link with those parameters that it takes along and that are safe; or "".
   * @param {Record<string, string>} parameters
   */
  link(parameters) {
    const { redirect, passOn } = this;
    const isSafe = (name) => Object.hasOwn(parameters, name) && matches(parameters[name], VALUE);
    const pairs = passOn.filter(isSafe).map((name) => `${name}=${parameters[name]}`);
    if (redirect === "" || pairs.length === 0) return redirect;
    return `${redirect}${redirect.includes("?") ? "&" : "?"}${pairs.join("&")}`;
  }
}

function readGroups(groups) {
  const isObject = typeof groups === "object" && groups !== null && !Array.isArray(groups);
  checkPart(isObject, "by_group must be an object");
  const parts = Object.entries(groups).map(([group, value]) => {
    const part = new Completion(exactKeys(value, [], "by_group", GROUP_KEYS));
    checkPart(part.code !== "" || part.redirect !== "", "a group needs a code or a redirect");
    return [group, part];
  });
  return new Map(parts);
}

function matches(value, pattern) {
  return typeof value === "string" && pattern.test(value);
}

function checkPart(holds, rule) {
  require(holds, "bad_completion", rule);
}
