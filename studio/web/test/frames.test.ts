// SPDX-License-Identifier: MIT
import { describe, expect, it, vi } from 'vitest';
import { readFrame } from '../src/protocol/frames';
import { SAMPLES } from '../src/protocol/types';
import { FrameBook } from '../src/view/frames';

const COUNT = SAMPLES * SAMPLES;

/** A frame with one tile that has a plane of heights. */
function frameBytes(): ArrayBuffer {
  const size = (2 * COUNT + 3) & ~3;
  const bytes = new ArrayBuffer(32 + 8 + 8 + size);
  const view = new DataView(bytes);
  view.setUint32(0, 0x31594c47, true);
  view.setUint32(4, 7, true);
  view.setFloat64(8, 120, true);
  view.setFloat64(16, 3.5, true);
  view.setUint32(24, 1, true);
  view.setUint8(32, 2);
  view.setUint16(34, 1, true);
  view.setUint16(36, 3, true);
  view.setUint16(38, 4, true);
  view.setFloat32(40, 100, true);
  view.setFloat32(44, 0.5, true);
  view.setUint16(48 + 2 * 5, 77, true);
  return bytes;
}

describe('bytes of a frame', () => {
  it('become planes of tiles', () => {
    const frame = readFrame(frameBytes());
    expect([frame.frame, frame.step, frame.time]).toEqual([7, 120, 3.5]);
    const [tile] = frame.tiles;
    expect([tile!.level, tile!.x, tile!.y]).toEqual([2, 3, 4]);
    expect(tile!.planes[0]).toMatchObject({ a: 100, b: 0.5 });
    expect(tile!.planes[0]!.samples[5]).toBe(77);
    expect(tile!.planes[1]).toBeUndefined();
  });

  it('are refused if they are something else, or end too early', () => {
    expect(() => readFrame(new ArrayBuffer(40))).toThrow('not a frame');
    expect(() => readFrame(frameBytes().slice(0, 200))).toThrow();
  });
});

describe('the book of frames', () => {
  it('acknowledges a frame once, when it was shown', () => {
    const acked: number[] = [];
    const book = new FrameBook((frame) => acked.push(frame));
    book.take(1);
    expect(book.idle).toBe(false);
    const arrived = book.draw(false);
    book.finish(10, arrived);
    expect(acked).toEqual([]);
    book.plan(0);
    book.flush();
    expect(acked).toEqual([1]);
    expect(book.idle).toBe(true);
  });

  it('acknowledges at once while a hand is at work', () => {
    const acked: number[] = [];
    const book = new FrameBook((frame) => acked.push(frame));
    book.take(4);
    book.draw(true);
    expect(acked).toEqual([4]);
  });

  it('waits as long as it is told', () => {
    vi.useFakeTimers();
    const acked: number[] = [];
    const book = new FrameBook((frame) => acked.push(frame));
    book.take(2);
    book.finish(0, book.draw(false));
    book.plan(50);
    vi.advanceTimersByTime(49);
    expect(acked).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(acked).toEqual([2]);
    vi.useRealTimers();
  });

  it('measures from an event to the picture that shows it', () => {
    const book = new FrameBook(() => undefined);
    book.expect(100);
    expect(book.waits).toBe(true);
    expect(book.take(1)).toBe(true);
    book.finish(160, book.draw(true));
    expect(book.latencies).toEqual([60]);
  });

  it('answers a frame of a world that is left', () => {
    const acked: number[] = [];
    const book = new FrameBook((frame) => acked.push(frame));
    book.take(9);
    book.reset();
    expect(acked).toEqual([9]);
    expect(book.idle).toBe(true);
  });
});
