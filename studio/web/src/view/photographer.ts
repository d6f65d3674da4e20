// SPDX-License-Identifier: MIT
/** Pictures of any size, apart from the screen's: in pieces, with smooth edges, with or without what is behind the land. */
import { WebGLRenderTarget, type PerspectiveCamera, type WebGLRenderer } from 'three';

/** Side of a piece [pixels]. */
const PIECE = 1024;
const SMOOTH = 4; // samples of a pixel

export interface PictureDef {
  width: number;
  height: number;
  /** Nothing behind the land: the rest of the picture is transparent. */
  clear?: boolean;
  progress?: (share: number) => void;
}

/** What is photographed. */
export interface Studio {
  renderer: WebGLRenderer;
  camera(): PerspectiveCamera;
  /** Draws into what is set, for a picture of so many lines. */
  draw(lines: number, clear: boolean): void;
  /** Chooses tiles for so many lines; resolves when they are here, or after a while. */
  refine(lines: number, aspect: number): Promise<void>;
  /** Everything is as for the screen again. */
  done(): void;
}

/** Bottom-up and mixed with black where only a part of a pixel is covered -> top-down and plain. */
export function develop(bytes: Uint8Array, width: number, height: number): Uint8ClampedArray {
  const out = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++) {
    let from = 4 * width * (height - 1 - y);
    for (let k = 4 * width * y; k < 4 * width * (y + 1); k += 4, from += 4) {
      const alpha = bytes[from + 3]!;
      const whole = alpha > 0 ? 255 / alpha : 0;
      out[k] = bytes[from]! * whole;
      out[k + 1] = bytes[from + 1]! * whole;
      out[k + 2] = bytes[from + 2]! * whole;
      out[k + 3] = alpha;
    }
  }
  return out;
}

export class Photographer {
  constructor(private readonly studio: Studio) {}

  async picture(def: PictureDef): Promise<HTMLCanvasElement> {
    const { width, height, clear = false, progress } = def;
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const sheet = canvas.getContext('2d');
    if (!sheet) throw new Error('There is no memory for a picture of this size.');
    await this.studio.refine(height, width / height);
    const across = Math.ceil(width / PIECE);
    const pieces = across * Math.ceil(height / PIECE);
    try {
      for (let piece = 0; piece < pieces; piece++) {
        const x = (piece % across) * PIECE;
        const y = Math.floor(piece / across) * PIECE;
        const w = Math.min(PIECE, width - x);
        const h = Math.min(PIECE, height - y);
        sheet.putImageData(this.piece(def, clear, x, y, w, h), x, y);
        progress?.((piece + 1) / pieces);
        if (pieces > 1) await new Promise((resolve) => setTimeout(resolve));
      }
    } finally {
      this.studio.done();
    }
    return canvas;
  }

  private piece(
    def: PictureDef,
    clear: boolean,
    x: number,
    y: number,
    w: number,
    h: number,
  ): ImageData {
    const { renderer } = this.studio;
    const camera = this.studio.camera();
    const aspect = camera.aspect;
    const target = new WebGLRenderTarget(w, h, { samples: SMOOTH });
    const bytes = new Uint8Array(4 * w * h);
    camera.aspect = def.width / def.height;
    camera.setViewOffset(def.width, def.height, x, y, w, h);
    renderer.setRenderTarget(target);
    renderer.setClearColor(0x000000, 0);
    this.studio.draw(def.height, clear);
    renderer.readRenderTargetPixels(target, 0, 0, w, h, bytes);
    renderer.setRenderTarget(null);
    camera.clearViewOffset();
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    target.dispose();
    return new ImageData(develop(bytes, w, h), w, h);
  }
}
