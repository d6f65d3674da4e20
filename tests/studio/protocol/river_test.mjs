// SPDX-License-Identifier: MIT
// node river_test.mjs GULLY SOURCE [SIDE]: a river on a dry terrain of 12288 x 12288 cells, as a float raster. It opens, is
// brushed and undone while it runs. Prints times, and what the server takes of memory. Takes its time, so it is run by hand.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {check, equal, run} from './server.mjs';
import {heights, sleep, TILE} from './client.mjs';

const side = Number(process.argv[4] ?? 12288), CELL = 10;
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

run({
    async river({folder, start}) {
        const raster = path.join(folder, 'land.tif'), scene = path.join(folder, 'scene.json');
        const made = spawnSync(process.argv[2], ['generate', 'mountains', '-o', raster, '--width', side, '--height', side,
            '--cell', CELL, '--quiet'].map(String));
        equal(made.status, 0, made.stderr.toString());
        const middle = side / 128 | 0, at = (64 * middle + 32) * CELL;
        fs.writeFileSync(scene, JSON.stringify({gully: 1, terrain: {file: 'land.tif'}, model: 'pipe', steps: 1000000,
            sources: [{x: at - 3000, y: at - 3000, radius: 100, rate: 0.05}]}));
        let begin = performance.now();
        const server = await start([scene], 600);
        const page = await server.page();
        console.log(`opened in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
        const memory = (key) => Number(fs.readFileSync(`/proc/${server.process.pid}/status`, 'utf8').match(`${key}:\\s+(\\d+)`)[1]) / 1024;

        const top = Math.ceil(Math.log2((side - 1) / 64)), near = [-4, -3, -2, -1, 0, 1, 2, 3], tiles = [[top, 0, 0]];
        for (let level = 0; level < 4; level++)
            for (const y of near) for (const x of near) tiles.push([level, Math.max(0, (middle >> level) + x), Math.max(0, (middle >> level) + y)]);
        begin = performance.now();
        await page.do({do: 'want', tiles, planes: ['height', 'water']});
        await page.event('frame', 60);
        console.log(`first frame after ${(performance.now() - begin).toFixed(0)} ms`);
        await page.do({do: 'play', on: true});
        await page.wait((item) => item.event === 'status' && item.step >= 200, 'steps', 300);

        const name = `0/${middle}/${middle}/height`, times = [], undone = [];
        const height = () => heights(page.tiles.get(name))[33 * TILE + 33];
        /** Frames that were on their way come first. */
        const shows = async (right) => {
            for (const end = performance.now() + 10_000; performance.now() < end && !right(); ) await page.event('frame', 60);
        };
        for (let i = 0; i < 15; i++) {
            const before = height();
            page.drain('frame');
            begin = performance.now();
            await page.do({do: 'stroke', brush: 'raise', radius: 300, strength: 30, points: [[at, at]]}, 60);
            await shows(() => height() > before + 20);
            times.push(performance.now() - begin);
            check(height() > before + 20, `a stroke is shown: ${before} m, then ${height()} m`);
            await page.do({do: 'end'}, 60);
            await sleep(0.3 * (i % 3)); // it steps in between, or not
            if (i % 2 === 0) continue;
            begin = performance.now();
            await page.do({do: 'undo'}, 60);
            undone.push(performance.now() - begin);
            await shows(() => height() < before + 10);
            check(height() < before + 10, `undo is shown: ${height()} m, ${before} m before the stroke`);
        }
        const status = await page.fresh('status', 60);
        console.log(`stroke to frame: median ${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`);
        console.log(`undo: median ${median(undone).toFixed(0)} ms, worst ${Math.max(...undone).toFixed(0)} ms`);
        console.log(`${status.steps_per_second.toFixed(0)} steps/s; peak memory ${memory('VmHWM').toFixed(0)} MiB, now ${memory('VmRSS').toFixed(0)} MiB`);
        equal(await server.stop(), 0, 'exit code');
    },
});
