// SPDX-License-Identifier: MIT
// Small pictures of the studio's presets: what each makes of the same mountains. Called by figures.sh.
//   node scripts/preset_cards.mjs GULLY [NAME]...
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [gully, ...only] = process.argv.slice(2);
const web = new URL('../studio/web/', import.meta.url).pathname;
const { transformSync } = createRequire(`${createRequire(web).resolve('vite')}`)('esbuild');
const { code } = transformSync(readFileSync(`${web}src/presets.ts`, 'utf8'), {
    loader: 'ts',
});
const { PRESETS, cardOf } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const SIDE = 320;
const work = mkdtempSync(join(tmpdir(), 'presets-'));
const steps = { 'Flash floods': 500, Desert: 500, 'Let it dry': 60 };
const palettes = { Desert: 'desert' };
for (const { name, set, switches } of PRESETS) {
    if (only.length && !only.includes(name)) continue;
    const numbers = Object.fromEntries(Object.entries(set).map(([key, value]) => [key, Number(value)]));
    const phase = { steps: steps[name] ?? 1100, set: numbers };
    const rain = PRESETS.find((preset) => preset.name === 'Rivers and lakes');
    // What dries must have been wet.
    const before = {
        steps: 500,
        set: Object.fromEntries(Object.entries(rain.set).map(([key, value]) => [key, Number(value)])),
    };
    const scene = {
        gully: 1,
        terrain: {
            generate: 'mountains',
            width: SIDE,
            height: SIDE,
            seed: 11,
            relief: 700,
        },
        cell_size: [10, 10],
        model: 'pipe',
        ...(switches?.thermal ? { thermal: {} } : {}),
        program: name === 'Let it dry' ? [before, phase] : [phase],
    };
    writeFileSync(join(work, 'scene.json'), JSON.stringify(scene));
    execFileSync(gully, ['run', join(work, 'scene.json'), '-o', join(work, 'run'), '--quiet'], { stdio: 'inherit' });
    const png = join(work, 'run', 'card.png');
    const picture = join(web, 'src/cards/presets', `${cardOf(name)}.jpg`);
    const look = ['--camera', '205,34,0.8', '--sun', '285,28', '--size', '224x126', '--exaggerate', '1.2'];
    execFileSync(gully, ['render', join(work, 'run'), '-o', png, ...look, ...(palettes[name] ? ['--palette', palettes[name]] : [])]);
    execFileSync('bash', [new URL('jpeg.sh', import.meta.url).pathname, png, picture]);
    rmSync(join(work, 'run'), { recursive: true });
    console.log(picture.replace(/.*studio\/web/, 'studio/web'));
}
rmSync(work, { recursive: true });
