// SPDX-License-Identifier: MIT
/** A WebM file of encoded pictures: the few elements of Matroska that players ask for. */

type Part = number[] | Uint8Array;

const text = (value: string): number[] => [...value].map((letter) => letter.charCodeAt(0));

function whole(value: number): number[] {
  const bytes: number[] = [];
  do {
    bytes.unshift(value % 256);
    value = Math.floor(value / 256);
  } while (value > 0);
  return bytes;
}

function double(value: number): number[] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return [...new Uint8Array(view.buffer)];
}

/** A size in eight bytes, whatever it is. */
function sized(size: number): number[] {
  const bytes = whole(size);
  return [1, ...Array.from({ length: 7 - bytes.length }, () => 0), ...bytes];
}

const lengthOf = (parts: Part[]): number => parts.reduce((sum, part) => sum + part.length, 0);

function element(id: number, ...parts: Part[]): Part[] {
  return [whole(id), sized(lengthOf(parts)), ...parts];
}

/** As VideoEncoder gives them. */
export interface Picture {
  bytes: Uint8Array;
  key: boolean;
  /** [ms] */
  time: number;
}

export interface Shape {
  codec: 'V_VP8' | 'V_VP9';
  width: number;
  height: number;
  /** [ms] */
  length: number;
}

/** Pictures from one that stands alone to before the next. */
function clusters(pictures: Picture[]): Picture[][] {
  const all: Picture[][] = [];
  for (const picture of pictures) {
    if (picture.key || !all.length) all.push([]);
    all.at(-1)!.push(picture);
  }
  return all;
}

function block(picture: Picture, from: number): Part[] {
  const after = picture.time - from;
  return element(
    0xa3,
    [0x81, (after >> 8) & 255, after & 255, picture.key ? 0x80 : 0],
    picture.bytes,
  );
}

/** `pictures` in the order of their times; between two that stand alone at most 32 s. */
export function webm(shape: Shape, pictures: Picture[]): Blob {
  const head = element(
    0x1a45dfa3,
    ...element(0x4286, [1]),
    ...element(0x42f7, [1]),
    ...element(0x42f2, [4]),
    ...element(0x42f3, [8]),
    ...element(0x4282, text('webm')),
    ...element(0x4287, [4]),
    ...element(0x4285, [2]),
  );
  const info = element(
    0x1549a966,
    ...element(0x2ad7b1, whole(1_000_000)), // times are milliseconds
    ...element(0x4489, double(shape.length)),
    ...element(0x4d80, text('gully')),
    ...element(0x5741, text('gully')),
  );
  const video = element(
    0xe0,
    ...element(0xb0, whole(shape.width)),
    ...element(0xba, whole(shape.height)),
  );
  const tracks = element(
    0x1654ae6b,
    ...element(
      0xae,
      ...element(0xd7, [1]),
      ...element(0x73c5, [1]),
      ...element(0x83, [1]),
      ...element(0x86, text(shape.codec)),
      ...video,
    ),
  );
  const body = clusters(pictures).flatMap((group) => {
    const from = Math.round(group[0]!.time);
    const rounded = group.map((picture) => ({ ...picture, time: Math.round(picture.time) }));
    return element(
      0x1f43b675,
      ...element(0xe7, whole(from)),
      ...rounded.flatMap((picture) => block(picture, from)),
    );
  });
  const segment = element(0x18538067, ...info, ...tracks, ...body);
  const parts = [...head, ...segment].map((part) => Uint8Array.from(part));
  return new Blob(parts, { type: 'video/webm' });
}
