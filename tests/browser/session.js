/**
 * One respondent at a script's speed; returns what lies on the device. The first reading of the
 * storage is at the review, before Send. Whoever has a personal link begins; whoever is asked for a
 * group chooses the first one. On a shared device, the next person finds `screen` at the end.
 */
async ([steps, { again, link, keeps }]) => {
  const outbox = OUTBOX;
  const inFolder = (folder) => Array.fromAsync(folder.entries(), async ([name, handle]) =>
    [name, await (handle.kind === "file" ? (await handle.getFile()).text() : inFolder(handle))]);
  const loose = async () => [
    ...Object.entries(localStorage), ...Object.entries(sessionStorage),
    ...(await inFolder(await navigator.storage.getDirectory()))];
  if (again) {
    if (link) history.replaceState(null, "", link);
    const { src, integrity } = document.querySelector("script");
    const script = Object.assign(document.createElement("script"), { type: "module", integrity });
    script.src = `${src}?${again}`;
    document.head.append(script);
  }
  const until = (look) => new Promise((resolve) => {
    const tryAgain = () => {
      const seen = look();
      if (seen) { observer.disconnect(); resolve(seen); }
    };
    const observer = new MutationObserver(tryAgain);
    observer.observe(document, { subtree: true, childList: true, attributes: true });
    tryAgain();
  });
  const found = (selector) => until(() => document.querySelector(selector));
  const press = async (selector) => {
    const node = await found(selector);
    node.click();
    return node;
  };
  const pressAway = async (selector) => {
    const node = await press(selector);
    await until(() => !node.isConnected);
  };
  for (;;) {
    const page = await found(".kiosk, .consent, .entrance, .groups, .questions:enabled");
    if (page.matches(".questions")) break;
    for (const factor of page.querySelectorAll(".factor")) factor.querySelector("input").click();
    await pressAway(".kiosk .button, .consent .button, .entrance .button, .groups .go-on");
  }
  for (const [card, input, typed] of steps) {
    const node = document.querySelectorAll(".question")[card].querySelectorAll("input")[input];
    if (typed === null) { node.click(); continue; }
    node.value = typed;
    for (const event of ["input", "change"]) node.dispatchEvent(new Event(event));
  }
  if (keeps) await press(".keep input");
  await press(".questions .button");
  await found(".review");
  // Kept answers lie there until they are sent, as the respondent wished.
  const before = keeps ? [] : [...(await outbox("readonly", (box) => box.getAll())), ...(await loose())];
  await press(".actions .button");
  const end = await found(".receipt, .kiosk");
  let screen = "";
  if (end.matches(".kiosk")) {
    const { textContent: done } = await press(".kiosk .button");
    // What was there may be drawn once more, in the language of the next person.
    const begin = await until(() => {
      const button = document.querySelector(".kiosk .button");
      return button.textContent !== done && button;
    });
    screen = begin.closest(".kiosk").outerHTML;
  }
  const after = [...(await outbox("readonly", (box) => box.getAll())), ...(await loose())];
  const databases = await indexedDB.databases();
  const cached = await caches.keys();
  const left = [...document.querySelectorAll("input")];
  const seen = { before, after, databases, cached, cookie: document.cookie, name, screen,
    address: location.href, title: document.title, state: history.state, steps: history.length,
    filled: left.filter(({ checked, value }) => checked || value !== "on").length };
  localStorage.clear();
  await outbox("readwrite", (box) => box.clear());
  const root = await navigator.storage.getDirectory();
  for (const name of await Array.fromAsync(root.keys())) {
    // A shared device has this folder open.
    if (name !== "candor-waiting") await root.removeEntry(name, { recursive: true });
  }
  return seen;
}
