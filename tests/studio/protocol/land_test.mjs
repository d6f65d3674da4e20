// node land_test.mjs GULLY SOURCE: land that is made: of a generator, of several in layers.
import fs from 'node:fs';
import path from 'node:path';
import {check, equal, run, writeScene} from './server.mjs';

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
});
