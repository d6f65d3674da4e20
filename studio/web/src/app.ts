// SPDX-License-Identifier: MIT
/** What the parts of the page share: the line to the engine, the picture, and what is known of the session. */
import type { Vector3 } from 'three';
import type { Connection, Reply } from './protocol/connection';
import type { Description, Hello, Status } from './protocol/types';
import { complain } from './ui/notes';
import type { Stage } from './view/stage';

type Topic =
  'hello' | 'describe' | 'status' | 'tool' | 'view' | 'cut' | 'line' | 'drawn' | 'pointer';

export class App {
  connection!: Connection;
  stage!: Stage;
  hello: Hello | null = null;
  description: Description | null = null;
  status: Status | null = null;
  /** Where the pointer is on the ground; null = beside it. */
  pointer: Vector3 | null = null;
  private readonly listeners = new Map<Topic, (() => void)[]>();

  on(topic: Topic, listener: () => void): void {
    const all = this.listeners.get(topic) ?? [];
    all.push(listener);
    this.listeners.set(topic, all);
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  /** The pointer is somewhere else: tools/hand.ts, which alone looks what is under it. */
  point(at: Vector3 | null): void {
    this.pointer = at;
    this.tell('pointer');
  }

  /** Sends a command; says why it was refused, or null. */
  async refusal(name: string, keys: Record<string, unknown>): Promise<string | null> {
    this.stage.await();
    const time = performance.now();
    try {
      await this.connection.do(name, keys);
      this.stage.book.expect(time);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Sends a command; what goes wrong is shown, and null comes back. */
  async do(name: string, keys: Record<string, unknown> = {}): Promise<Reply | null> {
    try {
      return await this.connection.do(name, keys);
    } catch (error) {
      complain(error);
      return null;
    }
  }

  /** A command that changes the picture because of an event: how long that takes is measured. */
  async act(name: string, keys: Record<string, unknown>, time: number): Promise<Reply | null> {
    this.stage.await();
    const reply = await this.do(name, keys);
    if (reply) this.stage.book.expect(time);
    return reply;
  }

  play(on: boolean): void {
    if (this.status) this.status.playing = on;
    this.stage.playing = on;
    this.tell('status');
    this.stage.hand();
    void this.do('play', { on });
  }

  undo(): void {
    void this.act('undo', {}, performance.now());
  }

  redo(): void {
    void this.act('redo', {}, performance.now());
  }
}
