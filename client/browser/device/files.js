/**
 * Texts in files of the browser's private file system, which only this site can read. Removing a
 * file removes its bytes from the profile at once. In Chromium, a record removed from IndexedDB
 * stays readable in the files of its database, even after the whole database is deleted, and a Blob
 * stays as long as anything refers to it.
 */

/**
 * @param {string} name
 * @param {boolean} create
 * @returns {Promise<FileSystemDirectoryHandle | null>} null if there is none and none is created
 */
export async function folderIn(root, name, create) {
  try {
    return await root.getDirectoryHandle(name, { create });
  } catch (error) {
    if (error.name === "NotFoundError") return null;
    throw error;
  }
}

/** Return the top folder; null where the browser cannot keep a file, or will not. */
export async function topFolder() {
  try {
    if (!("createWritable" in FileSystemFileHandle.prototype)) return null;
    return await navigator.storage.getDirectory();
  } catch {
    return null;
  }
}

/** Return the names and handles of the files that match a rule; none without a folder. */
export async function filesIn(folder, rule) {
  const files = [];
  for await (const [name, handle] of folder?.entries() ?? []) {
    if (await rule(name, handle)) files.push([name, handle]);
  }
  return files;
}

/** Return the text of a file; "" if there is none, or while it is made or erased. */
export async function readFile(folder, wanted) {
  const [found] = await filesIn(folder, (name) => name === wanted);
  if (found === undefined) return "";
  const [, handle] = found;
  return (await (await handle.getFile()).text()).trim();
}

/** Write a text in place of what the file had before: all of it, or nothing. */
export async function writeFile(folder, name, text) {
  const file = await folder.getFileHandle(name, { create: true });
  const writable = await file.createWritable();
  await writable.write(text);
  await writable.close();
}

/** Overwrite and remove the files that match a rule, also those of interrupted writes. */
export async function eraseFiles(folder, rule) {
  for (const [name, handle] of await filesIn(folder, rule)) {
    const { size } = await handle.getFile();
    // What an interrupted write has left may not be written to; it is removed all the same.
    await writeFile(folder, name, " ".repeat(size)).catch(() => {});
    await folder.removeEntry(name);
  }
}
