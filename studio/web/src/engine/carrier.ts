// SPDX-License-Identifier: MIT
/** The line to an engine that runs in a worker of this page. */
import type { Carrier, CarrierListener } from '../protocol/carrier';
import { Refused } from '../protocol/connection';
import { complain } from '../ui/notes';
import type { FromWorker, ToWorker } from './messages';

interface Waiting {
  resolve: (value: string) => void;
  reject: (error: Error) => void;
}

/** More threads than this gain nothing; each costs memory. */
const MOST_THREADS = 8;

/** With threads where the page may have them: it must be cross-origin isolated. */
function threadsOf(): number {
  return crossOriginIsolated ? Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS) : 1;
}

export class WorkerCarrier implements Carrier {
  open = false;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;

  constructor(private readonly listener: CarrierListener) {
    this.worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' });
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
    this.worker.onerror = (event) => this.fail(event.message || 'the engine stopped');
    const threads = threadsOf();
    const engine = new URL(threads > 1 ? 'many/engine.mjs' : 'one/engine.mjs', document.baseURI);
    this.tell({ what: 'open', engine: engine.href, threads });
  }

  send(text: string): void {
    this.tell({ what: 'text', text });
  }

  async upload(file: File): Promise<string> {
    const bytes = await file.arrayBuffer();
    return this.ask((id) => this.tell({ what: 'upload', id, name: file.name, bytes }, [bytes]));
  }

  download(name: string): Promise<string> {
    return this.ask((id) => this.tell({ what: 'download', id, name }));
  }

  private tell(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  private ask(send: (id: number) => void): Promise<string> {
    const id = this.nextId++;
    send(id);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  private answer(id: number, value: string | undefined, error = 'the engine did not answer'): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (value === undefined) waiting?.reject(new Refused(error));
    else waiting?.resolve(value);
  }

  private receive(message: FromWorker): void {
    switch (message.what) {
      case 'opened':
        this.open = true;
        this.listener.opened();
        return;
      case 'text':
        this.listener.received(message.text);
        return;
      case 'frame':
        this.listener.received(message.bytes);
        return;
      case 'uploaded':
        this.answer(message.id, message.file, message.error);
        return;
      case 'downloaded':
        this.answer(
          message.id,
          message.bytes && URL.createObjectURL(new Blob([message.bytes])),
          message.error,
        );
        return;
      case 'warning':
        complain(message.text);
        return;
      case 'failed':
        this.fail(message.error);
    }
  }

  private fail(error: string): void {
    this.worker.terminate();
    this.open = false;
    for (const { reject } of this.waiting.values()) reject(new Refused(error));
    this.waiting.clear();
    complain(`The engine stopped: ${error}`);
    this.listener.closed();
  }
}
