// SPDX-License-Identifier: MIT
/** Films: pictures one after the other, encoded by the browser. */
import type { Stage } from './stage';
import { webm, type Picture, type Shape } from './webm';

export interface FilmDef {
  width: number;
  height: number;
  /** Pictures per second, and how many. */
  rate: number;
  count: number;
  /** Makes everything ready for a picture; false: the film ends before it. */
  ready(index: number): Promise<boolean>;
  progress(share: number): void;
  stopped(): boolean;
}

const CODECS = [
  ['vp09.00.40.08', 'V_VP9'],
  ['vp8', 'V_VP8'],
] as const;
/** [s] between pictures that stand alone. */
const KEYS = 2;

async function codecFor(width: number, height: number) {
  if (typeof VideoEncoder === 'undefined')
    throw new Error(
      'This browser makes films only of pages that it trusts: open the studio by 127.0.0.1, or through https.',
    );
  for (const [codec, name] of CODECS) {
    const config = { codec, width, height, bitrate: 4 * width * height, latencyMode: 'quality' };
    const { supported } = await VideoEncoder.isConfigSupported(config as VideoEncoderConfig);
    if (supported) return { config: config as VideoEncoderConfig, name };
  }
  throw new Error('This browser cannot encode films.');
}

/** What has been made up to where it was stopped; null if that is nothing. */
export async function shoot(stage: Stage, def: FilmDef): Promise<Blob | null> {
  const { width, height, rate } = def;
  const { config, name } = await codecFor(width, height);
  const pictures: Picture[] = [];
  let failed: Error | null = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      pictures.push({ bytes, key: chunk.type === 'key', time: chunk.timestamp / 1000 });
    },
    error: (error) => (failed = error),
  });
  encoder.configure(config);
  let made = 0;
  while (made < def.count && !def.stopped() && !failed && (await def.ready(made))) {
    const canvas = await stage.painter.photographer.picture({ width, height });
    const frame = new VideoFrame(canvas, { timestamp: Math.round((1e6 * made) / rate) });
    encoder.encode(frame, { keyFrame: made % (KEYS * rate) === 0 });
    frame.close();
    while (encoder.encodeQueueSize > 4) await new Promise((resolve) => setTimeout(resolve, 5));
    def.progress(++made / def.count);
  }
  await encoder.flush();
  encoder.close();
  if (failed) throw failed as Error;
  const shape: Shape = { codec: name, width, height, length: (1000 * made) / rate };
  return made ? webm(shape, pictures) : null;
}
