// SPDX-License-Identifier: MIT
// What pages show beside the present: tiles as they were, palettes, the layers in the sides.
import fs from 'node:fs';
import path from 'node:path';
import {check, equal, run, writeScene} from './server.mjs';
import {heights} from './client.mjs';

await run({
    async tilesAsTheyWere({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        await page.do({do: 'want', tiles: [[0, 0, 0]], planes: ['height']});
        const before = heights((await page.event('frame')).tiles[0].planes.height);
        const none = await page.ask({do: 'was', tiles: [[0, 0, 0]], planes: ['height']});
        check(none.error?.includes('compare'), `nothing is compared yet: ${none.error}`);
        await page.do({do: 'stroke', brush: 'raise', radius: 200, strength: 30, points: [[320, 320]]});
        await page.do({do: 'end'});
        const {compare} = await page.do({do: 'compare', to: 'entry', number: 1});
        equal([compare.name, compare.step], ['before raise', 0], 'it says what it is compared with');
        page.autoAck = false;
        page.drain('frame');
        page.send({do: 'was', tiles: [[0, 0, 0]], planes: ['height', 'water']});
        const frame = await page.wait((item) => item.event === 'frame' && item.frame === 0, 'frame 0');
        const was = heights(frame.tiles[0].planes.height);
        check(was.every((value, k) => Math.abs(value - before[k]) < 0.01), 'the ground before the stroke');
        check(frame.tiles[0].planes.water, 'and its water');
        const many = Array.from({length: 65}, (_, k) => [0, k % 8, k >> 3]);
        check((await page.ask({do: 'was', tiles: many, planes: ['height']})).error?.includes('64'), 'not all at once');
        const {compare: shown} = await page.do({do: 'status'});
        equal(shown.reference, compare.reference, 'the status says it to all pages');
    },

    async palettesAndSides({start}) {
        const server = await start([path.join(process.argv[3], 'scenes/layers.json')]);
        const page = await server.page();
        const {palettes, describe} = page.hello;
        check(palettes.length >= 9 && palettes[0].name === 'alpine', 'the palettes of the engine');
        check(palettes.every(({belts}) => belts.at(-1)[0] === 1), 'belts up to the top');
        const sides = await page.do({do: 'sides', samples: 16});
        for (const side of ['north', 'south', 'west', 'east']) {
            equal(sides[side].length, describe.materials.length - 1, `layers of the ${side}`);
            check(sides[side].every((layer) => layer.length === 16 && layer.every((value) => value >= 0)), side);
        }
        const {values} = await page.do({do: 'pick', at: [0, 0]});
        check(Math.abs(sides.north[0][0] - values.layer_1) < 0.001, 'as thick as the world says');
        check((await page.ask({do: 'sides', samples: 1})).error?.includes('2'), 'two samples at least');
    },

    async rastersAreLookedAt({folder, start}) {
        const rows = Array.from({length: 30}, (_, y) => Array.from({length: 40}, (_, x) => 100 + x + 2 * y).join(' '));
        fs.writeFileSync(path.join(folder, 'ramp.asc'), `ncols 40\nnrows 30\nxllcorner 0\nyllcorner 0\ncellsize 7\n${rows.join('\n')}\n`);
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const found = await page.do({do: 'inspect', file: 'ramp.asc'});
        equal([found.width, found.height, found.low, found.high, found.cell], [40, 30, 100, 197, [7, 7]], 'what it is');
        equal([found.placed, found.guess], [true, null], 'it says where it is: nothing to guess');
        equal(found.preview.shares.length, found.preview.width * found.preview.height, 'a preview');
        const feet = await page.do({do: 'inspect', file: 'ramp.asc', read: {unit: 'ft'}});
        check(Math.abs(feet.high - 197 * 0.3048) < 1e-3, 'heights as told');
        const wrong = await page.ask({do: 'inspect', file: 'ramp.asc', read: {range: [3]}});
        check(/range/.test(wrong.error), `what is told is checked: ${wrong.error}`);
        check(/allowed: range/.test((await page.ask({do: 'open', file: 'ramp.asc', read: {file: '/etc/passwd'}})).error), 'no other keys');
        check((await page.ask({do: 'inspect', file: '../../etc/passwd'})).error, 'no other files');
        await page.do({do: 'open', file: 'ramp.asc', read: {cell: [12]}, flip: true}, 60);
        const {describe} = await page.event('hello');
        equal(describe.world.cell_size, [12, 12], 'opened as told');
        const {values} = await page.do({do: 'pick', at: [0, 0]});
        equal(values.terrain, 158, 'and upside down');
    },
});
