/**
 * The editor saves by itself after a pause and shows the server's figures anew. Nothing is computed
 * here: the page that the server sends back is shown, in the places that are marked as live.
 */

const PAUSE_MILLISECONDS = 900;
const form = document.querySelector("#editor");
const saved = document.querySelector("#saved");
let timer = 0;
let changes = 0;
let saving = false;

form.addEventListener("input", () => {
  changes += 1;
  saved.textContent = "";
  clearTimeout(timer);
  timer = setTimeout(save, PAUSE_MILLISECONDS);
});
// A button saves too, and the page that follows is new.
form.addEventListener("submit", () => clearTimeout(timer));

async function save() {
  if (saving) return;
  saving = true;
  const before = changes;
  saved.textContent = "Saving …";
  try {
    const body = new URLSearchParams(new FormData(form));
    const response = await fetch(form.action, { method: "POST", body });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    saved.textContent = response.ok ? "Saved." : refusal(page);
    if (response.ok) refresh(page, changes === before);
  } catch {
    saved.textContent = "Not saved: the server cannot be reached.";
  }
  saving = false;
  if (changes !== before) timer = setTimeout(save, PAUSE_MILLISECONDS);
}

function refusal(page) {
  return `Not saved. ${page.querySelector("[role=alert] p, .trouble p")?.textContent ?? ""}`;
}

/** What is live, and the whole form where other fields are asked for than before. */
function refresh(page, isAtRest) {
  const next = page.querySelector("#editor");
  if (next === null) {
    location.reload();
    return;
  }
  form.elements.revision.value = next.elements.revision.value;
  if (isAtRest && names(form) !== names(next)) {
    const focus = document.activeElement?.id;
    form.replaceChildren(...[...next.children].filter(({ className }) => className !== "bar"));
    form.prepend(saved.closest(".bar"));
    document.getElementById(focus)?.focus();
  }
  for (const place of page.querySelectorAll("[data-live]")) {
    const here = document.getElementById(place.id);
    if (here !== null && here.innerHTML !== place.innerHTML) here.replaceChildren(...place.childNodes);
  }
  document.querySelector("#preview iframe")?.contentWindow.location.reload();
}

function names({ elements }) {
  return [...elements].map(({ name }) => name).join("\n");
}
