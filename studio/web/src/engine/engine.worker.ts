// SPDX-License-Identifier: MIT
/** The worker that runs the engine: texts in, texts and frames out; its folder is kept in the browser's storage. */
import type { FromWorker, ToWorker } from './messages';
import type { EngineModule, MakeEngine } from './module';
import { Storage } from './storage';

const ROOT = '/studio';
const KEEP = 1000; // [ms] between two looks for what is to be stored
const KEEP_AGAIN = 15000; // after the storage has failed

let engine: EngineModule;
let storage: Storage | null = null;
let nextKeep = 0;
let complained = false;

function say(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

// ---- turns --------------------------------------------------------------------------------------

/** A message to oneself comes after those of the page, and sooner than any timer. */
const soon = new MessageChannel();
let waits = false; // for `soon`
let timer = 0;

function wake(): void {
  if (waits) return;
  clearTimeout(timer);
  waits = true;
  soon.port2.postMessage(0);
}

function keep(): void {
  if (!storage || performance.now() < nextKeep) return;
  nextKeep = performance.now() + KEEP;
  storage.save().catch((error: unknown) => {
    nextKeep = performance.now() + KEEP_AGAIN;
    if (!complained) say({ what: 'warning', text: `The session cannot be kept: ${String(error)}` });
    complained = true;
  });
}

function fail(error: unknown): void {
  say({ what: 'failed', error: error instanceof Error ? error.message : String(error) });
  self.close();
}

soon.port1.onmessage = () => {
  waits = false;
  try {
    const idle = engine._worker_turn();
    keep();
    if (idle <= 0) wake();
    else timer = self.setTimeout(wake, Math.max(1, 1000 * Math.min(idle, 0.1)));
  } catch (error) {
    fail(error);
  }
};

// ---- the page -----------------------------------------------------------------------------------

function send(isText: number, at: number, size: number): void {
  const bytes = engine.HEAPU8.slice(at, at + size);
  if (isText) say({ what: 'text', text: new TextDecoder().decode(bytes) });
  else say({ what: 'frame', bytes: bytes.buffer }, [bytes.buffer]);
}

/** A file that was compressed with gzip, also from a host that has undone that on the way. */
async function fetchCompressed(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  const file = await answer.blob();
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (start[0] !== 0x1f || start[1] !== 0x8b) return file.arrayBuffer();
  return new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

async function open(url: string, threads: number): Promise<void> {
  const folder = url.slice(0, url.lastIndexOf('/') + 1);
  const [{ default: make }, wasmBinary] = await Promise.all([
    import(/* @vite-ignore */ url) as Promise<{ default: MakeEngine }>,
    fetchCompressed(`${folder}engine.wasm.gz`),
  ]);
  // Each of a few simulations at a time has its threads; and some write files.
  const workers = threads > 1 ? 3 * threads + 2 : 0;
  const locateFile = (name: string): string => folder + name;
  engine = await make({ threads: workers, wasmBinary, locateFile, send });
  engine.FS.mkdirTree(ROOT);
  try {
    storage = await Storage.open(engine.FS, ROOT);
    if (!storage)
      say({
        what: 'warning',
        text: 'Gully is open in another tab, which keeps the sessions. What you do here is not kept.',
      });
  } catch (error) {
    say({ what: 'warning', text: `Sessions cannot be kept here: ${String(error)}` });
  }
  engine.FS.chdir(ROOT);
  const message = engine._worker_open(threads);
  if (message) throw new Error(engine.UTF8ToString(message));
  say({ what: 'opened' });
  wake();
}

function cleanName(name: string): string | null {
  const text = engine.allocateUTF8(name);
  const clean = engine._worker_file_name(text) ? engine.UTF8ToString(text) : null;
  engine._free(text);
  return clean;
}

function upload(id: number, name: string, bytes: ArrayBuffer): void {
  const clean = cleanName(name);
  if (clean) engine.FS.writeFile(`${ROOT}/.gully/uploads/${clean}`, new Uint8Array(bytes));
  if (clean) say({ what: 'uploaded', id, file: `.gully/uploads/${clean}` });
  else say({ what: 'uploaded', id, error: 'the name of a file is wanted' });
}

function download(id: number, name: string): void {
  try {
    const { buffer } = engine.FS.readFile(`${ROOT}/.gully/exports/${name}`);
    say({ what: 'downloaded', id, bytes: buffer }, [buffer]);
  } catch {
    say({ what: 'downloaded', id, error: 'there is no such file' });
  }
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  try {
    if (message.what === 'open') {
      open(message.engine, message.threads).catch(fail);
    } else if (message.what === 'text') {
      engine._worker_take(engine.allocateUTF8(message.text));
      nextKeep = Math.min(nextKeep, performance.now() + KEEP);
      wake();
    } else if (message.what === 'upload') {
      upload(message.id, message.name, message.bytes);
    } else {
      download(message.id, message.name);
    }
  } catch (error) {
    fail(error);
  }
};
