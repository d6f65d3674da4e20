// SPDX-License-Identifier: MIT
/** What a page and its engine's worker say to each other, beside the texts and frames of the protocol. */

export type ToWorker =
  | { what: 'open'; engine: string; threads: number }
  | { what: 'text'; text: string }
  | { what: 'upload'; id: number; name: string; bytes: ArrayBuffer }
  | { what: 'download'; id: number; name: string };

export type FromWorker =
  | { what: 'opened' }
  | { what: 'text'; text: string }
  | { what: 'frame'; bytes: ArrayBuffer }
  | { what: 'uploaded'; id: number; file?: string; error?: string }
  | { what: 'downloaded'; id: number; bytes?: ArrayBuffer; error?: string }
  | { what: 'warning'; text: string }
  | { what: 'failed'; error: string };
