/** An icon array: 10 by 10 people, the counted ones solid and the others hollow rings. */

import { drawing } from "./dom.js";

const SIDE = 10;
const RADIUS = 0.36;

/**
 * @param {number} count
 * @param {number} whole
 * @param {string} labelledBy the id of the sentence that says the same in words
 */
export function iconArray(count, whole, labelledBy) {
  const solid = Math.min(99, Math.max(1, Math.round((count * 100) / whole)));
  return drawing(
    "svg",
    { class: "icons", viewBox: "0 0 10 10", role: "img", "aria-labelledby": labelledBy },
    drawing("path", { class: "icons-solid", fill: "currentColor", d: people(0, solid) }),
    drawing("path", {
      class: "icons-hollow",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": "0.12",
      d: people(solid, SIDE * SIDE),
    }),
  );
}

function people(from, to) {
  let path = "";
  for (let i = from; i < to; i++) {
    const x = ((i % SIDE) + 0.5 - RADIUS).toFixed(2);
    const y = Math.floor(i / SIDE) + 0.5;
    const arc = `a${RADIUS} ${RADIUS} 0 1 0`;
    path += `M${x} ${y}${arc} ${2 * RADIUS} 0${arc} ${-2 * RADIUS} 0z`;
  }
  return path;
}
