// SPDX-License-Identifier: MIT
/**
 * The line to the engine: commands with replies, events, frames. It comes back by itself when it was cut, and says
 * so. Nothing here knows what is shown.
 */
import type { Carrier, Dial } from './carrier';
import { readFrame, type Frame } from './frames';
import { readDescription, readHello, readStatus } from './describe';
import type { Description, Hello, Status } from './types';

export type Reply = Record<string, unknown>;
export type Line = 'connecting' | 'open' | 'lost' | 'refused';

export interface Listener {
  hello(hello: Hello): void;
  describe(description: Description): void;
  status(status: Status): void;
  frame(frame: Frame): void;
  line(state: Line): void;
}

/** A command that the engine refused: its message is for people. */
export class Refused extends Error {}

interface Waiting {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

const FIRST_PAUSE = 250; // [ms] before trying again; doubles up to the last
const LAST_PAUSE = 3000;

export class Connection {
  state: Line = 'connecting';
  status: Status | null = null;
  /** Commands that were answered; a frame that comes after an answer contains what it did. */
  answered = 0;
  private carrier: Carrier;
  private waiting = new Map<number, Waiting>();
  private nextId = 1;
  private pause = FIRST_PAUSE;
  private everOpen = false;

  constructor(
    private readonly dial: Dial,
    private readonly listener: Listener,
  ) {
    this.carrier = this.connect();
  }

  do(name: string, keys: Record<string, unknown> = {}): Promise<Reply> {
    if (!this.carrier.open)
      return Promise.reject(new Refused('The engine cannot be reached at the moment.'));
    const id = this.nextId++;
    this.carrier.send(JSON.stringify({ id, do: name, ...keys }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  /** Sends a command whose answer does not matter. */
  say(name: string, keys: Record<string, unknown> = {}): void {
    if (this.carrier.open) this.carrier.send(JSON.stringify({ do: name, ...keys }));
  }

  /** Sends a file; gives the path to use in `open` and `add_raster`. */
  upload(file: File): Promise<string> {
    return this.carrier.upload(file);
  }

  /** The address of a file that `export` has made. */
  download(name: string): Promise<string> {
    return this.carrier.download(name);
  }

  private setState(state: Line): void {
    this.state = state;
    this.listener.line(state);
  }

  private connect(): Carrier {
    return this.dial({
      opened: () => {
        this.pause = FIRST_PAUSE;
        this.everOpen = true;
        this.setState('open');
      },
      received: (data) => this.receive(data),
      closed: () => this.lose(),
    });
  }

  private lose(): void {
    for (const { reject } of this.waiting.values())
      reject(new Refused('The connection to the engine was lost.'));
    this.waiting.clear();
    this.setState(this.everOpen ? 'lost' : 'refused');
    setTimeout(() => (this.carrier = this.connect()), this.pause);
    this.pause = Math.min(2 * this.pause, LAST_PAUSE);
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      this.listener.frame(readFrame(data));
      return;
    }
    const message = JSON.parse(data) as Reply;
    switch (message['event']) {
      case 'hello':
        this.listener.hello(readHello(message));
        return;
      case 'describe':
        this.listener.describe(readDescription(message['describe'] ?? message));
        return;
      case 'status':
        this.status = readStatus(message, this.status);
        this.listener.status(this.status);
        return;
    }
    const id = message['id'] as number;
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    this.answered++;
    if (typeof message['error'] === 'string') waiting.reject(new Refused(message['error']));
    else waiting.resolve(message);
  }
}
