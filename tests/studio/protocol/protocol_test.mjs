// SPDX-License-Identifier: MIT
// node protocol_test.mjs GULLY SOURCE: what docs/protocol.md says, as a page sees it.
import fs from 'node:fs';
import path from 'node:path';
import {TILE, heights, request, sleep, waters, wsFrame} from './client.mjs';
import {check, equal, run, writeScene} from './server.mjs';

const SQUARES = 64;
const tilesAt = (cells, level) => Math.max(1, Math.ceil((cells - 1) / (SQUARES * 2 ** level)));

function allTiles({width, height}) {
    const list = [];
    for (let level = 0; level === 0 || tilesAt(width, level - 1) * tilesAt(height, level - 1) > 1; level++)
        for (let y = 0; y < tilesAt(height, level); y++)
            for (let x = 0; x < tilesAt(width, level); x++) list.push([level, x, y]);
    return list;
}

// The cell whose sample (i, j) of a tile is.
function cellOf([level, x, y], i, j, world) {
    const clamp = (cell, cells) => Math.min(Math.max(cell, 0), cells - 1);
    return [clamp((SQUARES * x + i - 1) * 2 ** level, world.width), clamp((SQUARES * y + j - 1) * 2 ** level, world.height)];
}

// A field as the world has it: exported as floats, and downloaded.
async function exported(page, field) {
    const answer = await page.do({do: 'export', field, format: 'r32'}, 30);
    const token = page.url.searchParams.get('token');
    const file = await request(page.url.href, `GET /download/${answer.name}?token=${token}`);
    equal(file.status, 200, `download of ${answer.name}`);
    equal(file.body.length, answer.size, `size of ${answer.name}`);
    check(/attachment/.test(file.head), 'a download is no page');
    return new Float32Array(file.body.buffer.slice(file.body.byteOffset, file.body.byteOffset + file.body.length));
}

// What a page shows is what the world has, as far as the protocol's numbers can say it.
async function compare(page, world, tiles) {
    const terrain = await exported(page, 'terrain');
    const water = await exported(page, 'water');
    const shown = new Map(); // cell -> height by level
    let worst = 0, uneven = 0, apart = 0, wet = 0;
    for (const tile of tiles) {
        const plane = page.tiles.get(`${tile.join('/')}/height`);
        const depth = page.tiles.get(`${tile.join('/')}/water`);
        if (!plane || !depth) { check(false, `tile ${tile} was not sent`); continue; }
        check(Math.log2(plane.b) % 1 === 0 && Math.abs(plane.a / plane.b) % 1 === 0, `tile ${tile}: a is no multiple of b`);
        const height = heights(plane), depths = waters(depth);
        for (let j = 0; j < TILE; j++) {
            for (let i = 0; i < TILE; i++) {
                const [x, y] = cellOf(tile, i, j, world);
                const at = y * world.width + x, value = height[j * TILE + i];
                const off = Math.abs(value - terrain[at]) / plane.b;
                if (!(off <= 0.5)) worst = Math.max(worst, Number.isNaN(off) ? Infinity : off);
                const step = depth.a * (2 * Math.sqrt(Math.max(water[at], 0) / (depth.a || 1)) + 1 / 65535) / 65535;
                if (!(Math.abs(depths[j * TILE + i] - water[at]) <= step)) wet++;
                const key = at, before = shown.get(key);
                if (before === undefined) shown.set(key, [tile[0], value, plane.b]);
                else if (before[0] === tile[0] && before[1] !== value) uneven++;
                else if (Math.abs(before[1] - value) > (before[2] + plane.b) / 2) apart++;
            }
        }
    }
    equal(worst, 0, 'heights further off than half a quantum');
    equal(uneven, 0, 'samples on which neighbours differ');
    equal(apart, 0, 'samples on which levels differ');
    equal(wet, 0, 'depths of water that are off');
    return {terrain, water};
}

run({
    async frames({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const {hello} = page, world = hello.describe.world;
        equal([hello.protocol, hello.recover, hello.session], [1, null, 1], 'hello');
        equal([world.width, world.height], [200, 150], 'size of the world');
        for (const list of ['examples', 'generators', 'formats', 'presets', 'meshes'])
            check(hello[list].length > 0 && hello[list].every((row) => row.name && row.summary), `hello.${list}`);
        const status = await page.event('status');
        equal([status.playing, status.step, status.clients, status.busy], [false, 0, 1, null], 'a scene waits to be played');

        // A frame comes, of all tiles, and is what the world is.
        const tiles = allTiles(world);
        await page.do({do: 'want', tiles: [...tiles, [0, 99, 0], [9, 0, 0]], planes: ['height', 'water', 'hardness', 'velocity', 'material']});
        const first = await page.event('frame');
        equal(first.tiles.length, tiles.length, 'tiles of the first frame');
        equal([first.frame, first.step], [1, 0], 'number and step of the first frame');
        await compare(page, world, tiles);

        // Steps: the next frame has their number, and only what they change.
        await page.do({do: 'step', steps: 40});
        const later = await page.wait((item) => item.event === 'frame' && item.step === 40, 'frame of step 40');
        check(later.tiles.every((tile) => !tile.planes.hardness && !tile.planes.material), 'hardness has not changed, but was sent');
        check(later.tiles.some((tile) => tile.planes.water && tile.planes.velocity), 'water has changed, but was not sent');
        const {water} = await compare(page, world, tiles);
        check(water.some((depth) => depth > 0), 'it has rained');
        equal((await page.fresh('status')).step, 40, 'step of the status');

        // An edit while it rests: only the tiles around it, and at once.
        page.drain('frame');
        await page.do({do: 'want', tiles, planes: ['height']});
        await page.event('frame');
        page.drain('frame');
        await page.do({do: 'stroke', brush: 'raise', radius: 60, strength: 20, points: [[320, 320]]});
        await page.do({do: 'end'});
        const edit = await page.event('frame');
        const fine = edit.tiles.filter((tile) => tile.level === 0).map((tile) => [tile.x, tile.y]);
        equal(fine, [[0, 0]], 'tiles of a brush that touches one'); // cells 26 to 38 of 0 to 65
        await compare(page, world, []);
        const {terrain} = {terrain: await exported(page, 'terrain')};
        const shown = heights(page.tiles.get('0/0/0/height'))[33 * TILE + 33];
        check(Math.abs(shown - terrain[32 * world.width + 32]) <= page.tiles.get('0/0/0/height').b / 2, 'the hill is shown');

        // Tiles that were forgotten are sent again.
        page.drain('frame');
        await page.do({do: 'want', tiles: [[1, 0, 0]], planes: ['height']});
        await page.event('frame');
        await page.do({do: 'want', tiles: [[0, 0, 0], [1, 0, 0]], planes: ['height']});
        equal((await page.event('frame')).tiles.map((tile) => tile.level), [0], 'what is wanted anew');
        await page.close();
    },

    async flow({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        page.autoAck = false;
        await page.do({do: 'want', tiles: [[0, 0, 0]], planes: ['water']});
        await page.event('frame');
        await page.do({do: 'play', on: true});
        const before = (await page.fresh('status')).step;
        await sleep(1);
        equal(page.frames, 1, 'frames without an acknowledgement');
        const status = await page.fresh('status');
        check(status.step > before && status.playing, 'it runs, whether frames are acknowledged or not');
        page.send({do: 'ack', frame: 1});
        const second = await page.event('frame');
        equal(second.frame, 2, 'number of the second frame');
        check(second.step > before, 'the second frame is a later one');

        // A set speed is kept, roughly: the machine may be slow, but never faster.
        await page.do({do: 'speed', steps_per_second: 20});
        await page.fresh('status');
        const [from, start1] = [(await page.fresh('status')).step, Date.now()];
        await sleep(2);
        const [to, end1] = [(await page.fresh('status')).step, Date.now()];
        check(to > from && to - from <= 20 * (end1 - start1) / 1000 + 15, `${to - from} steps at 20 a second in ${end1 - start1} ms`);
        await page.do({do: 'play', on: false});
        const rest = (await page.do({do: 'status'})).step;
        await sleep(0.5);
        const still = await page.do({do: 'status'});
        equal([still.step, still.playing], [rest, false], 'it rests');
        check(still.budget?.water && Number.isFinite(still.budget.water.residual), 'a status on request has the budget');
    },

    async two({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const [one, two] = [await server.page(), await server.page()];
        const rain = (describe) => JSON.stringify(describe.sections).match(/"rate"/) && JSON.stringify(describe);
        await one.do({do: 'set', key: 'rain.rate', value: 0.0025});
        for (const page of [one, two]) {
            const {describe} = await page.event('describe');
            check(rain(describe).includes('0.0025'), 'both pages see a parameter that one has set');
        }
        equal((await two.fresh('status')).clients, 2, 'pages');
        for (const page of [one, two]) {
            await page.do({do: 'want', tiles: [[0, 0, 0]], planes: ['height', 'water']});
            await page.event('frame');
        }
        await two.do({do: 'stroke', brush: 'raise', radius: 50, strength: 10, points: [[300, 300], [350, 300]]});
        await two.do({do: 'end'});
        const [a, b] = [await one.event('frame'), await two.event('frame')];
        check(a.tiles.length === 1 && b.tiles.length === 1, 'both pages see a stroke');
        await one.do({do: 'undo'});
        const status = await one.wait((item) => item.event === 'status' && item.redo, 'status with something to redo');
        check(status.depth >= 0, 'depth');
        await two.close();
        await one.wait((item) => item.event === 'status' && item.clients === 1, 'status with one page');

        // What is wrong is answered, and changes nothing.
        for (const wrong of [{do: 'no such thing'}, {do: 'play'}, {do: 'play', on: 1}, {do: 'want', tiles: [[0, 0]], planes: []},
            {do: 'want', tiles: [], planes: ['gold']}, {do: 'speed', steps_per_second: -1}, {do: 'step', steps: 0.5}, {do: 'open'},
            {do: 'new'}, {do: 'new', example: 'atlantis'}, {do: 'new', generate: 'atlantis'}, {do: 'save', session: '../x'},
            {do: 'open', session: 'nothing'}, {do: 'recover', take: true}, {do: 'export', field: 'gold'}, {do: 'play', on: true, of: 1},
            {do: 'new', scene: {gully: 1, terrain: {file: '/etc/passwd'}, model: 'pipe', steps: 1}},
            {do: 'set', key: 'rain.rate', value: -1}, {do: 'export', field: 'terrain', format: 'gold'}]) {
            const answer = await one.ask(wrong);
            check(typeof answer.error === 'string' && answer.error.length > 5 && !answer.ok, `an error for ${JSON.stringify(wrong)}: ${JSON.stringify(answer)}`);
        }
        equal((await one.do({do: 'status'})).playing, false, 'wrong commands have changed something');

        // A text in several parts is one.
        const text = Buffer.from(JSON.stringify({id: 77, do: 'status'}));
        one.socket.write(Buffer.concat([wsFrame(1, text.subarray(0, 5), {fin: false}), wsFrame(0, text.subarray(5))]));
        equal((await one.wait((item) => item.id === 77, 'answer')).ok, true, 'a message in two parts');
    },

    async sessions({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'), {width: 100, height: 70})]);
        const page = await server.page();
        const token = page.url.searchParams.get('token');
        await page.do({do: 'step', steps: 30});
        await page.wait((item) => item.event === 'status' && item.step === 30, 'step 30');
        await page.do({do: 'set', key: 'rain.rate', value: 0.004});
        const hash = await page.do({do: 'hash'});
        equal(await page.do({do: 'sessions'}).then((answer) => answer.sessions), [], 'sessions before the first');
        await page.do({do: 'save', session: 'a valley'}, 30);
        const saved = (await page.do({do: 'sessions'})).sessions;
        equal(saved.map(({name, steps}) => [name, steps]), [['a valley', 30]], 'sessions');

        // Another session begins: hello again, nothing is wanted any more.
        await page.do({do: 'new', generate: 'dunes', width: 130, height: 90, cell_size: 5, seed: 2, relief: 40}, 30).catch(async () => {
            const kind = page.hello.generators[0].name;
            await page.do({do: 'new', generate: kind, width: 130, height: 90, cell_size: 5, seed: 2, relief: 40}, 30);
        });
        const hello = await page.event('hello');
        equal([hello.session, hello.describe.world.width, hello.describe.world.height], [2, 130, 90], 'a new session');
        await page.do({do: 'open', session: 'a valley'}, 30);
        const again = await page.event('hello');
        equal([again.session, again.describe.world.width], [3, 100], 'an opened session');
        equal((await page.do({do: 'hash'})).hashes, hash.hashes, 'the hashes of a session that was saved and opened');
        await page.do({do: 'new', example: page.hello.examples.find(({name}) => name === 'pool')?.name ?? 'demo'}, 60);
        equal((await page.event('hello')).session, 4, 'an example');

        // A file goes up, and is a stamp and a terrain.
        const asc = Buffer.from('ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 7\n1 2 3 4\n2 3 4 5\n3 4 5 9\n');
        const up = await request(page.url.href, `POST /upload?token=${token}&name=hill%201.asc`, {Origin: page.url.origin}, asc);
        equal(up.status, 200, `upload: ${up.body}`);
        const {file} = JSON.parse(up.body);
        const raster = await page.do({do: 'add_raster', file});
        equal([raster.width, raster.height, raster.low, raster.high], [4, 3, 1, 9], 'a raster');
        await page.do({do: 'stamp', raster: raster.raster, x: 100, y: 100, width: 50, height: 50});
        await page.do({do: 'open', file}, 30);
        const opened = await page.event('hello');
        equal([opened.describe.world.width, opened.describe.world.height], [4, 3], 'a raster that was opened');
        await page.do({do: 'open', file: 'scene.json'}, 30);
        equal((await page.event('hello')).describe.world.width, 100, 'a scene that was opened');

        // Exports.
        const glb = await page.do({do: 'export', field: 'mesh', format: 'glb'}, 30);
        const mesh = await request(page.url.href, `GET /download/${glb.name}?token=${token}`);
        equal([mesh.status, mesh.body.toString('latin1', 0, 4)], [200, 'glTF'], 'a mesh');
        const png = await page.do({do: 'export', field: 'terrain', format: 'png16', width: 65, height: 65}, 30);
        const picture = await request(page.url.href, `GET /download/${png.name}?token=${token}`);
        equal(picture.body.toString('latin1', 1, 4), 'PNG', 'a PNG');
        const sidecar = await request(page.url.href, `GET /download/${png.sidecar}?token=${token}`);
        equal(sidecar.status === 200 && JSON.parse(sidecar.body).width, 65, 'its sidecar');
    },

    // What steps: the processor, or a device (PoCL here), changed while it runs; the bits are the same.
    async devices({folder, start}) {
        const scene = writeScene(path.join(folder, 'scene.json'), {width: 90, height: 70});
        const steps = async (page, count) => {
            const {step} = await page.do({do: 'status'});
            await page.do({do: 'step', steps: count});
            await page.wait((item) => item.event === 'status' && item.step === step + count, `step ${step + count}`, 60);
        };
        const state = (page, name) => page.wait((item) => item.event === 'status' && item.device.state === name, `a device that is ${name}`, 120);
        const server = await start([scene]);
        const page = await server.page();
        const first = await page.event('status');
        equal([first.device.backend, first.device.state, first.device.name, first.device.message], ['cpu', 'cpu', '', ''], 'the processor steps');
        const {devices, message} = await page.do({do: 'devices'}, 60);
        if (/built without/.test(message)) return;
        const pocl = devices.find(({platform}) => platform === 'Portable Computing Language');
        check(pocl?.fits && pocl.memory > 0 && pocl.reason === '', `PoCL is listed: ${JSON.stringify(devices)} ${message}`);
        for (const wrong of [{do: 'use'}, {do: 'use', backend: 'tpu'}, {do: 'use', backend: 'gpu', device: 'nonsuch'}, {do: 'use', backend: 'cpu', device: 'portable'},
            {do: 'use', backend: 'gpu', device: 'x'.repeat(500)}]) {
            const answer = await page.ask(wrong);
            check(typeof answer.error === 'string' && answer.error.length > 5, `an error for ${JSON.stringify(wrong)}: ${JSON.stringify(answer)}`);
        }
        equal((await page.do({do: 'status'})).device.state, 'cpu', 'a device that cannot be had changes nothing');
        const want = {do: 'want', tiles: allTiles(page.hello.describe.world), planes: ['height', 'water']};
        await page.do(want);
        await steps(page, 20);
        const other = await (await start([scene])).page();
        await other.do(want);

        // On the device, with a picture of what it has; then back.
        // While it compiles the processor would make thousands of steps, which the other server has to repeat: a few will do.
        await page.do({do: 'use', backend: 'gpu', device: 'portable'}, 60);
        let device = {};
        for (let tries = 0; device.state !== 'device' && tries < 600; tries++) {
            await steps(page, 1);
            device = (await page.do({do: 'status'})).device;
            await sleep(0.2);
        }
        await page.do({do: 'play', on: true});
        check(device.name === pocl.name && device.backend === 'gpu' && device.bytes_per_cell_step > 100, `the device steps: ${JSON.stringify(device)}`);

        // A frame that comes while the device goes on is of one step, and shows what the processor has at that step.
        page.autoAck = false;
        await sleep(0.5); // what was on its way has come
        const running = await page.fresh('status');
        equal(running.device.state, 'device', 'what steps');
        page.drain('frame');
        page.send({do: 'ack', frame: page.frames});
        const seen = await page.wait((item) => item.event === 'frame' && item.step >= running.step, 'a frame while the device steps', 60);
        const shown = want.tiles.map((tile) => Array.from(waters(page.tiles.get(`${tile.join('/')}/water`))));
        await steps(other, seen.step);
        await other.wait((item) => item.event === 'frame' && item.step === seen.step, `frame of step ${seen.step}`);
        const there = want.tiles.map((tile) => Array.from(waters(other.tiles.get(`${tile.join('/')}/water`))));
        check(shown.flat().some((depth) => depth > 0), 'there is water to compare');
        equal(shown, there, `water of step ${seen.step}, seen while the device stepped`);
        page.autoAck = true;
        page.send({do: 'ack', frame: page.frames});
        await page.do({do: 'play', on: false});
        const {step} = await page.do({do: 'status'});
        await page.wait((item) => item.event === 'frame' && item.step === step, `frame of step ${step}, of the device`);
        await compare(page, page.hello.describe.world, allTiles(page.hello.describe.world));
        await page.do({do: 'use', backend: 'cpu'});
        equal((await page.do({do: 'status'})).device.state, 'cpu', 'the processor steps again');
        await steps(page, 10);
        await steps(other, step + 10 - seen.step);
        equal((await page.do({do: 'hash'})).hashes, (await other.do({do: 'hash'})).hashes, 'the hashes of a session that changed to a device and back');

        // It is a setting of the server: the next session begins with it, and no record of the session.
        await page.do({do: 'use', backend: 'gpu', device: 'portable'}, 60);
        await page.do({do: 'new', generate: 'dunes', width: 60, height: 50}, 60);
        await page.do({do: 'play', on: true});
        await state(page, 'device');
        await page.do({do: 'save', session: 'on a device'}, 60);
        check(!/portable|backend/.test(fs.readFileSync(path.join(folder, 'sessions', 'on a device', 'journal.jsonl'), 'utf8')), 'a record of the device');

        // From the command line.
        const named = await start([scene, '--device', 'portable']);
        const status = await (await named.page()).event('status');
        equal([status.device.backend, status.device.name], ['gpu', pocl.name], 'a device of the command line');
        const refused = await start([scene, '--device', 'nonsuch']).then(() => '', (error) => error.message);
        check(/ended with 1: .*no device is called nonsuch/.test(refused), `a device that is not there: ${refused}`);
    },

    // `stream` finds ways for its water before the first step, here for long: the engine answers all the while.
    async routing({folder, start}) {
        const sides = {west: 'open', east: 'open', north: 'open', south: 'open'};
        const scene = writeScene(path.join(folder, 'scene.json'), {width: 300, height: 300, model: 'stream', rain: {}, thermal: {rate: 0.002},
            params: {route: 50000}, boundary: sides});
        const server = await start([scene]);
        const page = await server.page();
        await page.do({do: 'play', on: true});
        const routes = (item) => item.event === 'status' && item.busy?.share > 0;
        const status = await page.wait(routes, 'progress of the routing', 20);
        check(/ways/.test(status.busy.what) && status.busy.share < 0.9, `what it does: ${JSON.stringify(status.busy)}`);
        equal(status.step, 0, 'no step is made yet');
        await page.do({do: 'stroke', brush: 'raise', radius: 300, strength: 30, points: [[1500, 1500]]}, 10);
        await page.do({do: 'end'}, 10);
        await page.do({do: 'undo'}, 10);
        equal((await server.page()).hello.describe.world.width, 300, 'another page');
        equal((await page.fresh('status', 10)).step, 0, 'all of it before the first step');
        await page.do({do: 'set', key: 'params.route', value: 20}, 10);
        await page.wait((item) => item.event === 'status' && item.step > 0 && !item.busy, 'steps after it', 30);
    },

    // Without a scene the demo runs at once; SIGTERM ends it properly.
    async demo({folder, start}) {
        const exports = path.join(folder, '.gully', 'exports'), hours = (count) => Date.now() / 1000 - 3600 * count;
        fs.mkdirSync(exports, {recursive: true});
        for (const [name, age] of [['old.tif', 2], ['new.tif', 0.5]]) {
            fs.writeFileSync(path.join(exports, name), 'x');
            fs.utimesSync(path.join(exports, name), hours(age), hours(age));
        }
        const server = await start();
        equal(fs.readdirSync(exports), ['new.tif'], 'old exports are removed');
        const page = await server.page();
        equal(page.hello.describe.world.width, 1024, 'the demo');
        const status = await page.event('status');
        equal(status.playing, true, 'the demo plays');
        const goesOn = (item) => item.event === 'status' && item.step > status.step && item.steps_per_second > 0;
        const later = await page.wait(goesOn, 'more steps, and a rate', 60);
        check(later.mcells_per_second > 0, 'cells per second');
        equal(await server.stop(), 0, 'exit code after SIGTERM');
        equal(server.err, '', 'nothing on stderr');
        equal(await page.ended(), 1001, 'how the page was told');
        const next = await start();
        equal((await next.page()).hello.recover, null, 'nothing to recover after an orderly end');
        check(fs.existsSync(path.join(folder, '.gully')), '.gully');
    },
});
