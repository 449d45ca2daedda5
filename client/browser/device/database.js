/**
 * The page's one database. Its transactions hold across tabs and reach the disk before they
 * complete. `localStorage` promises neither: even under a lock, a background tab has read an older
 * value and sent a report again.
 */

const DATABASE = "candor";
const VERSION = 2;
/** The names of its stores. */
export const [RECEIPTS, TURNS] = ["receipts", "turns"];

/**
 * Run one request in its own transaction; resolves once that is complete, and written to disk.
 * @param {string} store
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} request
 */
export async function transact(store, mode, request) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(store, mode, { durability: "strict" });
      const asked = request(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      for (const name of [RECEIPTS, TURNS]) request.result.createObjectStore(name);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
