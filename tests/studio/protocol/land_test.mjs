// SPDX-License-Identifier: MIT
// node land_test.mjs GULLY SOURCE: land that is made: of a generator, of several in layers, of the present in smaller cells.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {check, equal, gully, run, writeScene} from './server.mjs';

const HILLS = {generate: 'fbm', relief: 400, seed: 3};
const PEAK = {generate: 'volcano', relief: 900, seed: 5, blend: 'max', amount: 0.9};
const DUNES = {generate: 'dunes', relief: 60, seed: 9, mask: {height: [-1000, 200], fade: 50}};

// The heights of a sketch [m], row by row.
const heightsOf = ({low, high, preview}) => preview.shares.map((share) => low + ((high - low) * share) / 255);

// The greatest difference of two sketches [m].
function apart(a, b) {
    const other = heightsOf(b);
    return Math.max(...heightsOf(a).map((height, k) => Math.abs(height - other[k])));
}

// Steps, and waits until they are done.
async function step(page, steps) {
    const {step: before} = await page.do({do: 'status'});
    await page.do({do: 'step', steps});
    for (;;) if ((await page.fresh('status')).step === before + steps) return;
}

run({
    async sketches({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const sketch = async (keys) => (await page.do({do: 'sketch', ...keys}, 30)).sketches;

        // Of one generator, as ever.
        const [alone, next] = await sketch({generate: 'fbm', params: {seed: 3, relief: 400}, variants: 2});
        equal([alone.seed, next.seed, alone.preview.width, next.preview.width], [3, 4, 128, 64], 'sketches of a generator');
        equal([alone.low, alone.high], [0, 400], 'its range');

        // Layers: the first of them alone is that generator; each one more changes it where its mask says so.
        const [first] = await sketch({combine: [HILLS]});
        equal(first.preview.shares, alone.preview.shares, 'a layer alone is its generator');
        const [both] = await sketch({combine: [HILLS, PEAK]});
        check(both.high > 700, `the volcano stands in the hills: ${both.high} m`);
        check(both.preview.shares.length === 128 * 128, 'of the size of one');
        const [sandy] = await sketch({combine: [HILLS, DUNES]});
        const hills = heightsOf(first), sand = heightsOf(sandy);
        check(hills.some((height, k) => height < 150 && sand[k] > height + 5), 'dunes where it is low');
        check(hills.every((height, k) => height < 252 || Math.abs(sand[k] - height) < 2), 'and none where it is high');
        check(apart(both, (await sketch({combine: [PEAK, HILLS]}))[0]) > 100, 'their order matters');

        // A mask of slopes looks at the terrain's own cells, not at those of the sketch.
        const steep = {combine: [HILLS, {generate: 'plane', relief: 0, offset: 2000, mask: {slope: [10, 90]}}]};
        const share = ({preview, high, low}) => heightsOf({preview, high, low}).filter((height) => height > 1500).length / preview.shares.length;
        const [near, far] = [(await sketch({...steep, cell_size: 1}))[0], (await sketch({...steep, cell_size: 1000}))[0]];
        check(share(near) > 0.9 && share(far) === 0, `steep on small cells, flat on large ones: ${share(near)}, ${share(far)}`);

        // Variants: of one layer, or of all that have no seed of their own.
        const varied = await sketch({combine: [HILLS, PEAK], vary: 1, variants: 3});
        equal(varied.map(({seed}) => seed), [5, 6, 7], 'seeds of a layer');
        equal((await sketch({combine: [HILLS, {...PEAK, seed: 6}]}))[0].seed, 1, 'the seed of all');
        const [six] = await sketch({combine: [HILLS, {...PEAK, seed: 6}], width: 64, cell_size: 160});
        check(apart(varied[1], varied[2]) > 1 && six.preview.width === 128, 'variants differ');
        const [oblong] = await sketch({combine: [HILLS], width: 400, height: 100});
        equal([oblong.preview.width, oblong.preview.height], [128, 32], 'of its shape');

        // What is refused says where, and what is allowed.
        const layer = (more) => ({combine: [HILLS, {...DUNES, ...more}]});
        for (const [keys, ...words] of [
            [layer({blend: 'stir'}), 'combine[1].blend', 'add', 'multiply'],
            [layer({relief: 1e6}), 'combine[1].relief', '20000'],
            [layer({mask: {height: [9, 1]}}), 'combine[1].mask.height', 'lower one first'],
            [layer({mask: {moss: 1}}), 'combine[1].mask', 'slope'],
            [layer({generate: 'lagoon'}), 'combine[1].generate', 'volcano'],
            [layer({colour: 1}), 'combine[1].colour', 'octaves'],
            [layer({mask: {file: '/etc/passwd'}}), '/etc/passwd', 'working folder'],
            [{combine: []}, 'combine', '1 to 32'],
            [{combine: 7}, 'combine', 'a list'],
            [{combine: [HILLS], vary: 1}, 'vary', 'layer'],
            [{combine: [HILLS], generate: 'fbm'}, 'one of generate, combine'],
            [{}, 'one of generate, combine'],
            [{generate: 'fbm', params: {octaves: 99}}, 'octaves', '20'],
            [{generate: 'fbm', params: {moss: 1}}, 'moss', 'relief'],
        ]) {
            const {error} = await page.ask({do: 'sketch', ...keys});
            for (const word of words) check(error?.includes(word), `${JSON.stringify(keys)}: '${word}' is not in: ${error}`);
            check(!/:\d+:/.test(error ?? ''), `no line of a text that nobody wrote: ${error}`);
        }

        // Rasters among the layers have their own size.
        fs.writeFileSync(path.join(folder, 'ramp.asc'), `ncols 40\nnrows 30\nxllcorner 0\nyllcorner 0\ncellsize 10\n${'1 2 3 4 5 6 7 8 9 10 '.repeat(120)}\n`);
        const [ramp] = await sketch({combine: [{file: 'ramp.asc'}, {generate: 'plane', relief: 0, offset: 5}], width: 40, height: 30, variants: 5});
        equal([ramp.low, ramp.high, ramp.preview.width, ramp.preview.height], [6, 15, 40, 30], 'a raster and a generator');
        await page.close();
    },

    async makes({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const begin = async (keys) => {
            page.drain('hello');
            await page.do({do: 'new', ...keys}, 60);
            return (await page.event('hello')).describe.world;
        };
        const land = {combine: [HILLS, PEAK, DUNES], width: 128, height: 128, cell_size: 80};
        const world = await begin(land);
        equal([world.width, world.height, world.cell_size, world.terrain], [128, 128, [80, 80], 'fbm and more, 128 x 128'], 'a world of layers');
        const {values} = await page.do({do: 'pick', at: [64 * 80, 64 * 80]});
        const [{low, high, preview}] = (await page.do({do: 'sketch', ...land}, 30)).sketches;
        const shown = low + ((high - low) * preview.shares[64 * 128 + 64]) / 255;
        check(Math.abs(values.terrain - shown) < (high - low) / 250, `what was sketched: ${values.terrain} m, ${shown} m`);
        const other = await page.ask({do: 'new', ...land, combine: [HILLS, {...DUNES, mask: {slope: [-1, 9]}}]});
        check(/combine\[1\]\.mask\.slope: .*0 to 90/.test(other.error ?? ''), `refused: ${other.error}`);
        equal((await begin({combine: [HILLS], width: 64})).terrain, 'fbm, 64 x 64', 'one layer');
        await page.close();
    },

    // The layers along the sides of the land, or of a cut through it, are those that cells have.
    async sides({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {
            width: 81, height: 61, materials: [{name: 'rock'}, {name: 'soil'}, {name: 'sand'}],
            layers: {soil: {generate: 'fbm', relief: 9, offset: 1}, sand: {generate: 'ridged', relief: 4}}, steps: 9,
        });
        const page = await (await start([scene])).page();
        const layersAt = async (x, y) => {
            const {values} = await page.do({do: 'pick', at: [x, y]});
            return [values.layer_1, values.layer_2];
        };
        const close = (side, k, layers, what) => layers.forEach((layer, m) =>
            check(Math.abs(side[m][k] - layer) < 2e-3, `${what}, layer ${m + 1}: ${side[m][k]} m instead of ${layer}`));
        const whole = await page.do({do: 'sides', samples: 61});
        close(whole.east, 20, await layersAt(800, 200), 'the east side');
        const cut = await page.do({do: 'sides', samples: 61, end: [334, 420]}); // between cells: the nearest
        close(cut.east, 20, await layersAt(330, 200), 'a cut from the east');
        close(cut.south, 30, await layersAt(400, 420), 'a cut from the south');
        close(cut.north, 30, await layersAt(400, 0), 'the north side');
        for (const end of [3, [1], ['a', 2]]) check((await page.ask({do: 'sides', samples: 61, end})).error, `refused: ${JSON.stringify(end)}`);
        await page.close();
    },

    async doubles({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {
            width: 90, height: 70, sources: [{x: 400, y: 300, radius: 25, rate: 0.02}],
            materials: [{name: 'rock'}, {name: 'soil', erodibility: 2}], layers: {soil: 1.5},
            initial: {water: 0.2}, steps: 60,
        });
        const server = await start([scene]);
        const page = await server.page();
        const {world} = page.hello.describe;
        await page.do({do: 'set', key: 'params.capacity', value: 0.7});
        await page.do({do: 'stroke', brush: 'raise', radius: 60, strength: 20, points: [[320, 320]]});
        await page.do({do: 'end'});
        await step(page, 45);
        const before = await page.do({do: 'status'}), hashes = await page.do({do: 'hash'});
        const place = [402, 298]; // within a cell, and within one of those that it becomes
        const here = (await page.do({do: 'pick', at: place})).values;

        page.drain('hello');
        await page.do({do: 'double'}, 60);
        const hello = await page.event('hello');
        const now = hello.describe;
        equal([now.world.width, now.world.height, now.world.cell_size], [2 * world.width, 2 * world.height, [5, 5]], 'twice the cells, half as large');
        const after = await page.do({do: 'status'});
        equal([after.step, after.time, after.phase_step, after.name, after.unsaved], [before.step, before.time, before.phase_step, '', true], 'the same moment, not saved');
        for (const [part, keys] of [['water', ['present', 'rain', 'initial']], ['solid', ['ground', 'suspended', 'eroded', 'deposited']]])
            for (const key of keys) {
                const [a, b] = [before.budget[part][key], after.budget[part][key]];
                check(Math.abs(a - b) <= 1e-12 * Math.abs(a), `${part} ${key}: ${b} m3 instead of ${a}`);
            }
        const value = (describe, key) => describe.sections.find(({name}) => name === 'params').rows.find(({name}) => name === key).value;
        equal(value(now, 'capacity'), 0.7, 'a parameter that was changed');
        equal(now.sources.map(({x, y, rate}) => [x, y, rate]), [[402.5, 302.5, 0.02]], 'the source stands where it stood, counted from another first cell');
        const there = (await page.do({do: 'pick', at: [place[0] + 2.5, place[1] + 2.5]})).values;
        for (const key of ['terrain', 'water', 'hardness', 'layer_1'])
            check(Math.abs(there[key] - here[key]) <= 3 + 0.5 * Math.abs(here[key]) * (key !== 'terrain'), `${key}: ${there[key]} instead of ${here[key]}`);

        // It goes on; back to its start, forward again: the same.
        const begun = (await page.do({do: 'hash'})).hashes;
        await step(page, 10);
        const later = (await page.do({do: 'hash'})).hashes;
        equal((await page.do({do: 'seek', step: 0, keep: true})).step, 45, 'back to its start');
        equal((await page.do({do: 'hash'})).hashes, begun, 'which is the start');
        await step(page, 10);
        equal((await page.do({do: 'hash'})).hashes, later, 'the same steps');

        // Saved, opened, played again from its beginning, packed, doubled once more.
        await page.do({do: 'set', key: 'rain.rate', value: 0.004});
        await step(page, 20); // into the next round of the program
        const end = (await page.do({do: 'hash'})).hashes;
        await page.do({do: 'save', session: 'finer'}, 30);
        const played = spawnSync(gully, ['replay', 'sessions/finer'], {cwd: folder, encoding: 'utf8'});
        equal([played.status, played.stdout.includes('same')], [0, true], `replay: ${played.stdout}${played.stderr}`);
        await step(page, 1);
        page.drain('hello');
        await page.do({do: 'open', session: 'finer'}, 60);
        equal((await page.event('hello')).describe.world.width, 180, 'opened again');
        equal((await page.do({do: 'hash'})).hashes, end, 'as it was saved');
        const packed = await page.do({do: 'pack', session: 'finer'}, 30);
        fs.copyFileSync(path.join(folder, '.gully/exports', packed.name), path.join(folder, 'sent.tar'));
        const sent = await page.do({do: 'unpack', file: 'sent.tar'}, 30);
        page.drain('hello');
        await page.do({do: 'open', session: sent.session}, 60);
        await page.event('hello');
        equal((await page.do({do: 'hash'})).hashes, end, 'as it was sent');
        await page.do({do: 'double'}, 60);
        const twice = (await page.event('hello')).describe;
        equal([twice.world.width, twice.world.cell_size[0], twice.sources[0].x], [360, 2.5, 403.75], 'twice doubled');
        await step(page, 3);
        const fine = (await page.do({do: 'hash'})).hashes;

        // A crash loses nothing; and the one before is there to go back to.
        const journals = () => [0, 1].map((turn) => path.join(folder, `.gully/autosave/${turn}/journal.jsonl`)).filter(fs.existsSync);
        while (!journals().some((file) => /"step": ?78/.test(fs.readFileSync(file, 'utf8')))) await page.fresh('status');
        await server.stop('SIGKILL');
        const again = await start(['scene.json']);
        const other = await again.page();
        equal([other.hello.recover?.terrain, other.hello.recover?.steps], ['mountains, 360 x 280', 78], 'what is to be recovered');
        await other.do({do: 'recover', take: true}, 60);
        equal((await other.do({do: 'hash'})).hashes, fine, 'as it was before the crash');
        check(Object.keys(hashes.hashes).length > 5, 'hashes');
        await other.close();
    },

    async goes_back({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'), {width: 60, height: 50}), '--memory', '16M']);
        const page = await server.page();
        await step(page, 5);
        const {hashes} = await page.do({do: 'hash'});
        page.drain('hello');
        await page.do({do: 'double'}, 60);
        const {recover} = await page.event('hello');
        equal([recover?.terrain, recover?.replaced], ['mountains, 60 x 50', true], 'the one before can be brought back');
        await page.do({do: 'recover', take: true}, 30);
        equal((await page.event('hello')).describe.world.width, 60, 'back again');
        equal((await page.do({do: 'hash'})).hashes, hashes, 'as it was');

        // What does not fit is refused, and nothing has changed.
        await page.do({do: 'new', generate: 'fbm', width: 300, height: 300}, 30);
        await page.event('hello');
        const {error} = await page.ask({do: 'double'}, 30);
        check(/600 x 600 cells take about \d+ MB of memory, .*allowed: \d+ MB \(more with --memory\)/.test(error ?? ''), `too large: ${error}`);
        await page.do({do: 'new', scene: {gully: 1, terrain: {generate: 'fbm', width: 64, height: 64}, levels: {fixed: 1}, steps: 9}}, 30);
        const levels = await page.ask({do: 'double'}, 30);
        check(/levels: .*phase 1/.test(levels.error ?? ''), `levels: ${levels.error}`);
        await page.do({do: 'new', scene: {gully: 1, terrain: {generate: 'fbm', width: 64, height: 64}, dt: 0.5, steps: 9}}, 30);
        const unstable = await page.ask({do: 'double'}, 30);
        check(/dt: 0.5 s is unstable .* 5 x 5 m; allowed: up to/.test(unstable.error ?? ''), `dt: ${unstable.error}`);
        await page.close();
    },
});
