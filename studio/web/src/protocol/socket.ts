// SPDX-License-Identifier: MIT
/** The line to `gully studio`: a WebSocket, and HTTP for files. */
import type { Carrier, CarrierListener } from './carrier';
import { Refused } from './connection';

export class SocketCarrier implements Carrier {
  private readonly socket: WebSocket;

  constructor(
    private readonly token: string,
    listener: CarrierListener,
  ) {
    const base = new URL(this.address('socket'), location.href);
    base.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this.socket = new WebSocket(base);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => listener.opened();
    this.socket.onmessage = (message: MessageEvent<string | ArrayBuffer>) =>
      listener.received(message.data);
    this.socket.onclose = () => listener.closed();
  }

  get open(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(text: string): void {
    this.socket.send(text);
  }

  async upload(file: File): Promise<string> {
    const answer = await fetch(this.address('upload', { name: file.name }), {
      method: 'POST',
      body: file,
    });
    if (!answer.ok)
      throw new Refused((await answer.text()) || `the upload failed (${answer.status})`);
    const reply = (await answer.json()) as { file?: string; error?: string };
    if (!reply.file) throw new Refused(reply.error ?? 'the upload failed');
    return reply.file;
  }

  download(name: string): Promise<string> {
    return Promise.resolve(this.address(`download/${encodeURIComponent(name)}`));
  }

  /** An address of the server, with the token. */
  private address(path: string, query: Record<string, string> = {}): string {
    const all = new URLSearchParams({ ...query, token: this.token });
    return `${path}?${all.toString()}`;
  }
}
