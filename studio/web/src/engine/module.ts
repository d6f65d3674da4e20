// SPDX-License-Identifier: MIT
/** What Emscripten makes of the engine, as far as the worker uses it. */

export interface EngineFiles {
  mkdirTree(path: string): void;
  chdir(path: string): void;
  readdir(path: string): string[];
  stat(path: string): { mode: number; size: number; mtime: Date };
  isDir(mode: number): boolean;
  readFile(path: string): Uint8Array;
  writeFile(path: string, bytes: Uint8Array): void;
}

export interface EngineModule {
  FS: EngineFiles;
  /** Changes when the memory grows: always to be asked for anew. */
  HEAPU8: Uint8Array;
  allocateUTF8(text: string): number;
  UTF8ToString(at: number, most?: number): string;
  _worker_open(threads: number): number;
  _worker_take(text: number): void;
  _worker_turn(): number;
  _worker_file_name(name: number): number;
  _free(at: number): void;
}

export type MakeEngine = (settings: {
  threads: number;
  /** The compiled engine. */
  wasmBinary: ArrayBuffer;
  /** Where the rest is: what starts a thread. */
  locateFile: (name: string) => string;
  send: (isText: number, at: number, size: number) => void;
}) => Promise<EngineModule>;
