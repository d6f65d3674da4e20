// SPDX-License-Identifier: MIT
/** A small picture of heights: shaded, tinted by height. */

/** Shares of the range, 0 to 255, row by row; -1 = no height. */
export interface Preview {
  width: number;
  height: number;
  shares: number[];
}

/** Steepness of each place, `steep` being the rise from 0 to 255 over the way from one sample to the next. */
function slopes(
  { width, height, shares }: Preview,
  steep: number,
  visit: (x: number, y: number, dx: number, dy: number) => void,
): void {
  const at = (x: number, y: number, or: number): number => {
    const share =
      shares[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)]!;
    return share < 0 ? or : share;
  };
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const here = shares[y * width + x]!;
      const dx = ((at(x + 1, y, here) - at(x - 1, y, here)) / 510) * steep;
      const dy = ((at(x, y + 1, here) - at(x, y - 1, here)) / 510) * steep;
      visit(x, y, dx, dy);
    }
}

/** The slope that a quarter of the places exceed [deg]. */
export function typicalSlope(preview: Preview, steep: number): number {
  const all: number[] = [];
  slopes(preview, steep, (x, y, dx, dy) => {
    if (preview.shares[y * preview.width + x]! >= 0) all.push(Math.hypot(dx, dy));
  });
  all.sort((a, b) => a - b);
  return (Math.atan(all[Math.floor(0.75 * all.length)] ?? 0) * 180) / Math.PI;
}

const TINTS: [number, number, number][] = [
  [86, 110, 70],
  [142, 140, 92],
  [150, 124, 92],
  [160, 150, 142],
  [242, 244, 246],
];

function tint(share: number): [number, number, number] {
  const place = Math.min((share / 255) * (TINTS.length - 1), TINTS.length - 1.001);
  const k = Math.floor(place);
  return TINTS[k]!.map((value, c) => value + (place - k) * (TINTS[k + 1]![c]! - value)) as [
    number,
    number,
    number,
  ];
}

export function relief(
  canvas: HTMLCanvasElement,
  preview: Preview,
  steep: number,
  flip: boolean,
): void {
  const { width, height, shares } = preview;
  canvas.width = width;
  canvas.height = height;
  const sheet = canvas.getContext('2d')!;
  const image = sheet.createImageData(width, height);
  slopes(preview, steep, (x, y, dx, dy) => {
    const share = shares[y * width + x]!;
    const up = flip ? -dy : dy;
    const light = (1 + 0.9 * (dx + up)) / Math.sqrt(1 + dx * dx + dy * dy) / 1.25;
    const color = share < 0 ? [30, 40, 48] : tint(share);
    const to = 4 * ((flip ? height - 1 - y : y) * width + x);
    color.forEach((value, c) => {
      image.data[to + c] = share < 0 ? value : value * Math.min(Math.max(light, 0.15), 1.35);
    });
    image.data[to + 3] = 255;
  });
  sheet.putImageData(image, 0, 0);
}
