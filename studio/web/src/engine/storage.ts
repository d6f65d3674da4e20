// SPDX-License-Identifier: MIT
/**
 * What the engine keeps in its folder (sessions, the session as it goes) also stands in the browser's storage, a record
 * for each file. Of several tabs the first one has it.
 */
import type { EngineFiles } from './module';

const NAME = 'gully';
const STORE = 'files';

interface Kept {
  time: number;
  size: number;
}

function asPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the storage failed'));
  });
}

function isDone(change: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () => reject(change.error ?? new Error('the storage is full'));
    change.onerror = () => reject(change.error ?? new Error('the storage failed'));
  });
}

/** Holds the storage as long as the worker lives; false if another tab does. */
function claim(): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(`${NAME}.storage`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise(() => {}) : undefined;
    });
  });
}

export class Storage {
  private readonly kept = new Map<string, Kept>();
  private busy = false;

  private constructor(
    private readonly files: EngineFiles,
    private readonly root: string,
    private readonly base: IDBDatabase,
  ) {}

  /** Brings what is stored into the folder. Null if another tab has the storage. */
  static async open(files: EngineFiles, root: string): Promise<Storage | null> {
    if (!(await claim())) return null;
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    const storage = new Storage(files, root, await asPromise(asked));
    await storage.load();
    return storage;
  }

  private async load(): Promise<void> {
    const store = this.base.transaction(STORE).objectStore(STORE);
    const [paths, contents] = await Promise.all([
      asPromise(store.getAllKeys()),
      asPromise(store.getAll() as IDBRequest<Uint8Array[]>),
    ]);
    paths.forEach((key, i) => {
      const path = this.root + (key as string);
      this.files.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      this.files.writeFile(path, contents[i]!);
      this.note(path);
    });
  }

  private note(path: string): Kept {
    const { mtime, size } = this.files.stat(path);
    const kept = { time: Number(mtime), size };
    this.kept.set(path, kept);
    return kept;
  }

  /** All files of a folder and below it. */
  private *list(folder: string): Generator<string> {
    for (const name of this.files.readdir(folder)) {
      if (name === '.' || name === '..' || name.endsWith('.tmp') || name.endsWith('.lock'))
        continue;
      const path = `${folder}/${name}`;
      if (path === `${this.root}/.gully/uploads` || path === `${this.root}/.gully/exports`)
        continue;
      if (this.files.isDir(this.files.stat(path).mode)) yield* this.list(path);
      else yield path;
    }
  }

  /** Stores what has changed since the last time, all of it or nothing. */
  async save(): Promise<void> {
    if (this.busy) return;
    const before = new Map(this.kept);
    const gone = new Set(this.kept.keys());
    const changed: string[] = [];
    for (const path of this.list(this.root)) {
      gone.delete(path);
      const old = before.get(path);
      const now = this.note(path);
      if (!old || old.time !== now.time || old.size !== now.size) changed.push(path);
    }
    if (changed.length === 0 && gone.size === 0) return;
    this.busy = true;
    try {
      const change = this.base.transaction(STORE, 'readwrite');
      const store = change.objectStore(STORE);
      for (const path of gone) store.delete(path.slice(this.root.length));
      for (const path of changed)
        store.put(this.files.readFile(path), path.slice(this.root.length));
      await isDone(change);
      for (const path of gone) this.kept.delete(path);
    } catch (error) {
      this.kept.clear();
      for (const [path, kept] of before) this.kept.set(path, kept);
      throw error;
    } finally {
      this.busy = false;
    }
  }
}
