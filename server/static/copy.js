/** A button beside every text that is made to be passed on. Without a clipboard there is none. */

for (const text of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  text.after(copyButton(text));
}

/** @param {Element} text */
function copyButton(text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain copy";
  // Heard by those who do not see it change.
  button.setAttribute("aria-live", "polite");
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent.trim());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied: please select it by hand";
    }
  });
  return button;
}
