// SPDX-License-Identifier: MIT
/** A zip of files, made in the page: packed where that makes them smaller. */

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = TABLE[(c ^ byte) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

const MOST = 0xffffffff;

/** Numbers one after the other, little-endian: [value, bytes]. */
function record(...parts: [value: number, size: 2 | 4][]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, [, size]) => sum + size, 0));
  const view = new DataView(out.buffer);
  let at = 0;
  for (const [value, size] of parts) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return out;
}

/** Days and seconds since 1980, as zips have them. */
function stamp(date: Date): [time: number, day: number] {
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  const day = ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
  return [time, day];
}

export class Zip {
  private readonly parts: (Uint8Array | Blob)[] = [];
  private readonly directory: Uint8Array[] = [];
  private offset = 0;

  async add(name: string, content: Blob | string): Promise<void> {
    const bytes = new Uint8Array(await new Blob([content]).arrayBuffer());
    const packed = await deflate(bytes);
    const stored = packed.length >= bytes.length;
    const data = stored ? bytes : packed;
    if (this.offset + data.length > MOST) throw new Error('A zip has less than 4 GB.');
    const title = new TextEncoder().encode(name);
    const [time, day] = stamp(new Date());
    const common: [number, 2 | 4][] = [
      [20, 2], // version
      [0x0800, 2], // names are UTF-8
      [stored ? 0 : 8, 2],
      [time, 2],
      [day, 2],
      [crc32(bytes), 4],
      [data.length, 4],
      [bytes.length, 4],
      [title.length, 2],
      [0, 2],
    ];
    const end: [number, 2 | 4][] = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [this.offset, 4],
    ];
    this.directory.push(record([0x02014b50, 4], [20, 2], ...common, ...end), title);
    const head = record([0x04034b50, 4], ...common);
    this.parts.push(head, title, new Blob([data]));
    this.offset += head.length + title.length + data.length;
  }

  finish(): Blob {
    const size = this.directory.reduce((sum, part) => sum + part.length, 0);
    const count = this.directory.length / 2;
    const end = record(
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [count, 2],
      [count, 2],
      [size, 4],
      [this.offset, 4],
      [0, 2],
    );
    return new Blob([...this.parts, ...this.directory, end], { type: 'application/zip' });
  }
}
