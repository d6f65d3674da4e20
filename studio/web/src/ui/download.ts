// SPDX-License-Identifier: MIT
/** Puts something among the user's downloads. */
import { el } from './dom';

const KEPT = 60_000; // [ms]; a download has begun by then

export function downloadFrom(href: string, name: string): void {
  const link = el('a', { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  if (href.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(href), KEPT);
}

export function downloadBlob(blob: Blob, name: string): void {
  downloadFrom(URL.createObjectURL(blob), name);
}

/** gzip and back, as the browser has it. */
export function gzip(blob: Blob): Promise<Blob> {
  return new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

export function gunzip(blob: Blob): Promise<Blob> {
  return new Response(blob.stream().pipeThrough(new DecompressionStream('gzip'))).blob();
}
