/** Adds a copy button after every text marked with data-copy, if the browser has a clipboard. */

for (const text of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  text.after(copyButton(text));
}

/** @param {Element} text */
function copyButton(text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain copy";
  // Screen readers announce the new label.
  button.setAttribute("aria-live", "polite");
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent.trim());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied: please select the text by hand";
    }
  });
  return button;
}
