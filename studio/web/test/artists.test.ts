// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../src/ui/markdown';
import { MACROS, pulled, standing } from '../src/macros';
import type { Row } from '../src/protocol/types';
import { profileOf, readProfile } from '../src/tools/ruler';
import { columnOf, Translator } from '../src/ui/language';
import { crc32, Zip } from '../src/ui/zip';
import { develop } from '../src/view/photographer';
import { webm } from '../src/view/webm';
import table from '../src/texts.tsv?raw';

const row = (name: string, scene: number, value = scene): Row => ({
  name,
  kind: 'number',
  default: scene,
  low: 0,
  high: 89,
  unit: '',
  help: '',
  value,
  scene,
});

describe('words for artists', () => {
  it('share no coefficient', () => {
    const keys = MACROS.flatMap(({ levers }) => levers.map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
  });
  it('stand where their coefficients say', () => {
    for (const macro of MACROS)
      for (const place of [-1, -0.37, 0, 0.5, 1]) {
        const rows = new Map(
          macro.levers.map((lever) => {
            const at = row(lever.key, lever.add ? 40 : 0.5);
            return [lever.key, { ...at, value: pulled(lever, at, place) }];
          }),
        );
        const stands = standing(macro, rows)!;
        expect(stands.place).toBeCloseTo(place, 2);
        expect(stands.apart).toBe(false);
      }
  });
  it('know when somebody has moved a coefficient alone, and stay within its range', () => {
    const [strength] = MACROS;
    const rows = new Map([['params.capacity', row('capacity', 1, 40)]]);
    expect(standing(strength!, rows)!.apart).toBe(true);
    expect(pulled({ key: 'x', factor: 1000 }, row('x', 1), 1)).toBe(89);
    expect(standing(strength!, new Map())).toBe(null);
  });
  it('make rain where the scene has none, and none by drying', () => {
    const lever = { key: 'rain.rate', factor: 6, usual: 1e-3 };
    expect(pulled(lever, row('rate', 0), 0.5)).toBe(5e-4);
    expect(pulled(lever, row('rate', 0), -1)).toBe(0);
  });
});

describe('texts', () => {
  const lines = table.trimEnd().split('\n');
  it('are one table, each text once and in every language', () => {
    const columns = lines[0]!.split('\t').length;
    for (const line of lines) {
      const cells = line.split('\t');
      expect(cells.length, line).toBe(columns);
      const gaps = cells.map((cell) => cell.split('{}').length);
      expect(new Set(gaps).size, line).toBe(1);
    }
    const english = lines.map((line) => line.split('\t')[0]);
    expect(english.filter((text, k) => english.indexOf(text) !== k)).toEqual([]);
    expect(columnOf('de').get('Play')).toBe('Laufen');
  });
  it('are filled in, and what is filled in is translated too', () => {
    const german = new Translator('de');
    expect(german.text('Undo raise')).toBe('Rückgängig: Heben');
    expect(german.text('12 steps to go')).toBe('noch 12 Schritte');
    expect(german.text('1234')).toBe('1234');
    expect(german.text('Quite unknown words')).toBe('Quite unknown words');
    expect([...german.missing]).toEqual(['Quite unknown words']);
    expect(new Translator('en').text('Play')).toBe('Play');
  });
});

describe('what goes out', () => {
  it('is a zip', async () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    const zip = new Zip();
    await zip.add('a.txt', 'a'.repeat(1000));
    await zip.add('b.bin', new Blob([Uint8Array.from([7])]));
    const bytes = new DataView(await zip.finish().arrayBuffer());
    expect(bytes.getUint32(0, true)).toBe(0x04034b50);
    expect(bytes.getUint16(8, true)).toBe(8); // packed
    const end = bytes.byteLength - 22;
    expect(bytes.getUint32(end, true)).toBe(0x06054b50);
    expect(bytes.getUint16(end + 10, true)).toBe(2);
    expect(bytes.getUint32(bytes.getUint32(end + 16, true), true)).toBe(0x02014b50);
  });
  it('is a film of as many pictures', async () => {
    const pictures = [0, 40, 80].map((time) => ({
      bytes: Uint8Array.from([1, 2, 3]),
      key: time === 0,
      time,
    }));
    const film = webm({ codec: 'V_VP8', width: 64, height: 36, length: 120 }, pictures);
    const bytes = new Uint8Array(await film.arrayBuffer());
    expect([...bytes.slice(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
    expect(bytes.slice(4).filter((byte, k, all) => byte === 0xa3 && all[k + 1] === 1).length).toBe(
      3,
    );
  });
  it('is a picture the right way up, with colours that are not mixed with black', () => {
    const bottomUp = Uint8Array.from([10, 20, 30, 255, 50, 0, 0, 128]);
    expect([...develop(bottomUp, 1, 2)]).toEqual([100, 0, 0, 128, 10, 20, 30, 255]);
  });
});

describe('a ruler', () => {
  it('says what a profile is like', () => {
    const heights = profileOf([0, 0], [100, 0], (x) => (x < 50 ? x : 100 - x));
    const read = readProfile(heights, 100);
    expect(read.climb).toBeCloseTo(50, 0);
    expect(read.fall).toBeCloseTo(50, 0);
    expect(read.change).toBeCloseTo(0);
    expect(read.steepest).toBeCloseTo(45);
    expect(read.way).toBeCloseTo(141.4, 0);
  });
});

describe('documents', () => {
  it('are headings, paragraphs and what is set in columns', () => {
    const text =
      '# Title\n\nSome [words](a.md) of `it`.\n\n| a | b |\n|---|---|\n\n```\ncode\n```\n';
    expect(blocksOf(text)).toEqual([
      ['h3', 'Title'],
      ['p', 'Some words of it.'],
      ['pre', '| a | b |\n|---|---|'],
      ['pre', 'code\n'],
    ]);
  });
});
