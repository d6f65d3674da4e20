// SPDX-License-Identifier: MIT
// node large_test.mjs GULLY SOURCE [SIDE]: a terrain of 4096 x 4096 opens and can be brushed. Takes its time, so it is
// run by hand.
import {check, equal, run, writeScene} from './server.mjs';
import {heights, sleep, TILE} from './client.mjs';
import path from 'node:path';

const side = Number(process.argv[4] ?? 4096);

run({
    async large({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'), {width: 64, height: 64})]);
        const page = await server.page();
        let begin = performance.now();
        await page.do({do: 'new', generate: 'mountains', width: side, height: side, cell_size: 10, relief: 2000}, 600);
        const hello = await page.event('hello', 60);
        equal(hello.describe.world.width, side, 'width');
        console.log(`opened in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
        const busy = page.texts.filter((item) => item.event === 'status' && item.busy);
        check(busy.length > 0, 'pages are told that it takes a while');

        // All of it coarsely, the middle finely.
        const top = Math.ceil(Math.log2((side - 1) / 64)), middle = side / 128 | 0, tiles = [[top, 0, 0]];
        for (let level = 0; level < 4; level++)
            for (let y = -4; y < 4; y++) for (let x = -4; x < 4; x++) tiles.push([level, (middle >> level) + x, (middle >> level) + y]);
        await page.do({do: 'want', tiles, planes: ['height', 'water']});
        begin = performance.now();
        await page.event('frame', 60);
        console.log(`first frame after ${(performance.now() - begin).toFixed(0)} ms`);
        await page.do({do: 'play', on: true});
        await page.wait((item) => item.event === 'status' && item.step >= 10, 'steps', 300);

        const name = `0/${middle}/${middle}/height`, at = [(64 * middle + 32) * 10, (64 * middle + 32) * 10];
        const times = [];
        for (let i = 0; i < 10; i++) {
            const before = heights(page.tiles.get(name))[33 * TILE + 33];
            page.drain('frame');
            begin = performance.now();
            await page.do({do: 'stroke', brush: 'raise', radius: 300, strength: 30, points: [at]}, 60);
            const height = () => heights(page.tiles.get(name))[33 * TILE + 33];
            for (let frames = 0; frames < 3 && height() < before + 20; frames++) // one may have been on its way
                await page.event('frame', 60);
            times.push(performance.now() - begin);
            await page.do({do: 'end'}, 60);
            check(height() > before + 20, `a stroke is shown: ${before} m, then ${height()} m`);
            await sleep(i % 3); // it steps in between, or not
        }
        times.sort((a, b) => a - b);
        const status = await page.fresh('status', 60);
        console.log(`stroke to frame: median ${times[5].toFixed(0)} ms, worst ${times[9].toFixed(0)} ms; ${status.steps_per_second.toFixed(1)} steps/s`);
        begin = performance.now();
        await page.do({do: 'undo'}, 60);
        console.log(`undo in ${(performance.now() - begin).toFixed(0)} ms`);
        equal(await server.stop(), 0, 'exit code');
    },
});
