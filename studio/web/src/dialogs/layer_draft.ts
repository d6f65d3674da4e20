// SPDX-License-Identifier: MIT
/** Layers of a landscape as an artist edits them, and as a scene's terrain has them. */

export type MaskForm = 'none' | 'height' | 'slope' | 'generate' | 'file';

/** A raster that is a mask: its lowest value is 0, its highest 1. */
export interface MaskPicture {
  /** Below the engine's folder, and as a person knows it. */
  file: string;
  name: string;
  /** [cells] */
  width: number;
  height: number;
  low: number;
  high: number;
}

export interface MaskDraft {
  form: MaskForm;
  /** Where it is 1: metres, degrees, or 0 to 1 of a pattern or a picture. */
  low: number;
  high: number;
  /** Of a pattern or a picture: the range counts; else its values are the mask. */
  ranged: boolean;
  /** How far beyond the range it falls to 0. */
  fade: number;
  invert: boolean;
  /** The generator of a pattern. */
  kind: string;
  params: Record<string, number>;
  picture: MaskPicture | null;
}

export interface LayerDraft {
  kind: string;
  params: Record<string, number>;
  blend: string;
  amount: number;
  mask: MaskDraft;
}

/** As many as a scene may have. */
export const MOST_LAYERS = 32;

/** Parameters of a generator that is a mask: it is stretched to 0 to 1. */
export const MASK_PARAMS: readonly string[] = ['seed', 'scale', 'octaves'];

function maskOf({ form, low, high, ranged, fade, invert, ...mask }: MaskDraft): unknown {
  const { kind, params, picture } = mask;
  if (form === 'none' || (form === 'file' && !picture)) return undefined;
  if (form === 'height' || form === 'slope') return { [form]: [low, high], fade, invert };
  const range = ranged ? { range: [low, high], fade } : {};
  if (!picture || form === 'generate') return { generate: kind, ...params, invert, ...range };
  const scale = 1 / Math.max(picture.high - picture.low, 1e-9);
  return { file: picture.file, scale, offset: -scale * picture.low, invert, ...range };
}

/** The size of the land if a picture among its masks says it: pictures are not resampled. */
export function sizeOf(layers: readonly LayerDraft[]): [number, number] | null {
  const masks = layers.length > 1 ? layers.map(({ mask }) => mask) : [];
  const picture = masks.find(({ form, picture }) => form === 'file' && picture)?.picture;
  return picture ? [picture.width, picture.height] : null;
}

export function layerOf({ kind, params, blend, amount, mask }: LayerDraft): object {
  return { generate: kind, ...params, blend, amount, mask: maskOf(mask) };
}

/** Keys of the commands `sketch` and `new`: one layer is a generator, and nothing lies below it. */
export function landOf(layers: readonly LayerDraft[]): Record<string, unknown> {
  const [first] = layers;
  if (layers.length > 1) return { combine: layers.map(layerOf) };
  return { generate: first?.kind, params: first?.params };
}

/** Factors are about 1, heights are not. */
export function blendWith(layer: LayerDraft, blend: string, relief: number): void {
  const factors = blend === 'multiply';
  if (factors !== (layer.blend === 'multiply'))
    Object.assign(layer.params, { relief: factors ? 1 : relief, offset: 0 });
  layer.blend = blend;
}

/** What a mask of another form begins with; `low` and `high` are those of the land [m]. */
export function maskAs(mask: MaskDraft, form: MaskForm, low: number, high: number): void {
  const middle = Math.round((low + high) / 2);
  const ranges = {
    none: [0, 1, 0],
    height: [middle, Math.ceil(high), Math.round((high - low) / 10)],
    slope: [0, 15, 5],
    generate: [0.5, 1, 0.2],
    file: [0.5, 1, 0.2],
  };
  mask.form = form;
  [mask.low, mask.high, mask.fade] = ranges[form] as [number, number, number];
}

/** Counts layers from 1, as people do: "combine: terrain.combine[1].relief: ..." -> "Layer 2: relief: ...". */
export function refusalOf(message: string): string {
  return message.replace(
    /^combine: terrain\.combine\[(\d+)\](\.|: )/,
    (_, index: string) => `Layer ${Number(index) + 1}: `,
  );
}
