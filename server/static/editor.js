/**
 * Saves the form automatically after a pause, and updates the figures. Nothing is computed here:
 * elements marked with data-live are replaced by those in the page that the server sends back.
 */

const PAUSE_MILLISECONDS = 900;
const form = document.querySelector("#editor");
const saved = document.querySelector("#saved");
let timer = 0;
let changes = 0;
let isSaving = false;
/** @type {string | null} the button that was pressed during a save */
let pressed = null;

form.addEventListener("input", () => {
  changes += 1;
  saved.textContent = "";
  waitAndSave();
});
// A button saves too. It must wait for a save in progress, or the server would see a conflict.
form.addEventListener("submit", (event) => {
  clearTimeout(timer);
  if (!isSaving) return;
  event.preventDefault();
  pressed = event.submitter?.value ?? "save";
});

// Somebody may have typed before this script was loaded.
if ([...form.elements].some(isWritten)) waitAndSave();

function isWritten({ value, defaultValue = value }) {
  return value !== defaultValue;
}

function waitAndSave() {
  clearTimeout(timer);
  timer = setTimeout(save, PAUSE_MILLISECONDS);
}

async function save() {
  if (isSaving) return;
  isSaving = true;
  const before = changes;
  saved.textContent = "Saving …";
  try {
    const body = new URLSearchParams(new FormData(form));
    const headers = { Accept: "application/json" };
    const response = await fetch(form.action, { method: "POST", body, headers });
    saved.textContent = response.ok ? "Saved." : `Not saved: ${await reason(response)}`;
    if (response.ok) refresh(parse(await response.text()), changes === before);
  } catch {
    saved.textContent = "Not saved: the server cannot be reached.";
  }
  isSaving = false;
  if (pressed !== null) press();
  else if (changes !== before) waitAndSave();
}

function press() {
  const button = [...form.elements].find(({ name, value }) => name === "do" && value === pressed);
  pressed = null;
  form.requestSubmit(button);
}

/** The sentence in which the server says why it refused. */
async function reason(response) {
  const text = await response.text();
  if (response.headers.get("Content-Type") === "application/json") {
    return JSON.parse(text).error.message;
  }
  return parse(text).querySelector("[role=alert] p").textContent;
}

function parse(text) {
  return new DOMParser().parseFromString(text, "text/html");
}

/** Updates the live elements, and the whole form if its fields have changed. */
function refresh(page, isAtRest) {
  const next = page.querySelector("#editor");
  const isPastConsent = previewed(".questions") !== null;
  const hasGroup = previewed(".label .button") !== null;
  form.elements.revision.value = next.elements.revision.value;
  if (isAtRest && asked(form) !== asked(next)) replaceForm(next);
  for (const place of page.querySelectorAll("[data-live]")) {
    const here = document.getElementById(place.id);
    if (here !== null && here.innerHTML !== place.innerHTML) here.replaceChildren(...place.childNodes);
  }
  for (const theirs of next.elements) {
    const own = theirs.id && document.getElementById(theirs.id);
    if (own) own.ariaInvalid = theirs.ariaInvalid;
  }
  // Replace the frame instead of reloading it: browsers would ask about answers begun in it.
  const frame = document.querySelector("#preview iframe");
  const again = frame?.cloneNode();
  frame?.replaceWith(again);
  if (isPastConsent) again?.addEventListener("load", (event) => goOnInPreview(event, hasGroup));
}

function previewed(selector) {
  return document.querySelector("#preview iframe")?.contentDocument?.querySelector(selector) ?? null;
}

/** Goes on to the questions, where the author was before the preview was replaced. */
function goOnInPreview({ target: { contentDocument: page } }, hasGroup) {
  const observer = new MutationObserver(() => {
    if (page.querySelector(".questions, .groups") !== null) observer.disconnect();
    page.querySelector(".consent .button")?.click();
    if (!hasGroup) return;
    // The last level is always "prefer not to say".
    for (const factor of page.querySelectorAll(".factor")) {
      [...factor.querySelectorAll("input")].at(-1).click();
    }
    page.querySelector(".groups .go-on")?.click();
  });
  observer.observe(page.body, { childList: true, subtree: true });
}

/** Replaces the form's fields; keeps the focus, the selection and what is unfolded. */
function replaceForm(next) {
  const { id, selectionStart, selectionEnd } = document.activeElement;
  const open = [...form.querySelectorAll("details[open]")].map((details) => details.id);
  const tools = saved.closest(".tools");
  form.replaceChildren(...next.children);
  form.querySelector(".tools").replaceWith(tools);
  for (const details of open) document.getElementById(details)?.setAttribute("open", "");
  const again = id && document.getElementById(id);
  if (!again) return;
  again.focus({ preventScroll: true });
  if (typeof selectionStart === "number") again.setSelectionRange(selectionStart, selectionEnd);
}

/** All labels, notes and options of the form: if they differ, its fields have changed. */
function asked(form) {
  const words = form.querySelectorAll("label, legend, .entry > .note, option");
  return [...words].map(({ textContent }) => textContent).join("\n");
}
