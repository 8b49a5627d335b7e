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

const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
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

  /** Does something with the store, and waits until that is stored; `null` where it is refused. */
  async act<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
    try {
      const there = await this.#open();
      if (!there) return null;
      const transaction = there.transaction(this.#store, mode);
      const request = act(transaction.objectStore(this.#store));
      const [answer] = await Promise.all([done(request), ended(transaction)]);
      return answer;
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
