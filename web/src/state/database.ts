/**
 * A store of the browser's own database, for what is too large for `storage.ts`: photos and sets.
 *
 * Invariant: where the browser refuses storage, every action answers `null`, and the page works on.
 */

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** A database with one store in it. */
export class Store {
  #opened: Promise<IDBDatabase | null> | null = null;
  readonly #database: string;
  readonly #store: string;

  constructor(database: string, store: string) {
    this.#database = database;
    this.#store = store;
  }

  /** Does something with the store; `null` where that is refused. */
  async act<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
    try {
      const there = await this.#open();
      return there && (await done(act(there.transaction(this.#store, mode).objectStore(this.#store))));
    } catch {
      return null;
    }
  }

  /** Opens the database; `null` where the browser has none for this page. */
  #open(): Promise<IDBDatabase | null> {
    this.#opened ??= (async () => {
      try {
        const request = indexedDB.open(this.#database, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(this.#store);
        return await done(request);
      } catch {
        return null;
      }
    })();
    return this.#opened;
  }
}
