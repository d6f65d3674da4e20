// SPDX-License-Identifier: MIT
// What goes out and comes back: a session as one file, maps and pictures, meshes within an error; limits and pressure.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {check, equal, gully, run, writeScene} from './server.mjs';

const hashes = async (page) => (await page.do({do: 'hash'})).hashes;
const refused = (page, command) => page.do(command, 30).then(() => '', (error) => error.message);

async function download(server, name, file) {
    const {token} = Object.fromEntries(new URL(server.address).searchParams);
    const address = `${new URL(server.address).origin}/download/${encodeURIComponent(name)}?token=${token}`;
    // A connection of its own: the server closes idle ones, and Node's fetch does not ask again as browsers do.
    const answer = await new Promise((resolve, reject) => http.get(address, {agent: false}, resolve).on('error', reject));
    check(answer.statusCode === 200, `${name} can be had`);
    fs.writeFileSync(file, Buffer.concat(await answer.toArray()));
    return file;
}

// A tar of one file, well formed.
function tarOf(name, text, type = '0') {
    const head = Buffer.alloc(512), body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    head.write(name, 0, 'latin1');
    head.write('0000644\0', 100);
    head.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('00000000000\0', 136);
    head.write('        ', 148);
    head.write(type, 156);
    head.write('ustar\0' + '00', 257);
    head.write(`${head.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148);
    body.write(text, 'latin1');
    return Buffer.concat([head, body, Buffer.alloc(1024)]);
}

await run({
    async aSessionIsOneFile({folder, start}) {
        // Its scene names a raster outside of the working folder, with a sidecar beside it.
        const away = path.join(folder, 'away'), home = path.join(folder, 'home');
        fs.mkdirSync(away);
        fs.mkdirSync(home);
        execFileSync(gully, ['generate', 'mountains', '-o', `${away}/dem.png`, '--width', '90', '--height', '70', '--relief', '300']);
        fs.writeFileSync(`${home}/scene.json`, JSON.stringify({
            gully: 1, terrain: {file: '../away/dem.png'}, cell_size: [10, 10], model: 'pipe', rain: {rate: 1e-3}, steps: 1000}));
        const server = await start([`${home}/scene.json`]);
        const page = await server.page();
        await page.do({do: 'stroke', brush: 'raise', radius: 120, strength: 30, points: [[300, 300]]});
        await page.do({do: 'end'});
        await page.do({do: 'step', steps: 5});
        for (let k = 0; k < 100 && (await page.do({do: 'status'})).step < 5; k++) await new Promise((r) => setTimeout(r, 50));
        const before = await hashes(page);
        const packed = await page.do({do: 'pack', session: 'my valley'}, 30);
        equal(packed.name, 'my valley.gully.tar', 'its name');
        const file = await download(server, packed.name, path.join(folder, 'shared.tar'));
        check(fs.statSync(file).size === packed.size, 'its size');
        const names = execFileSync('tar', ['tf', file], {encoding: 'utf8'});
        check(/^files\/0\/dem.png$/m.test(names) && /^files\/0\/dem.png.json$/m.test(names), `raster and sidecar are in it: ${names}`);
        equal(fs.readdirSync(path.join(folder, '.gully/exports')), ['my valley.gully.tar'], 'nothing else is left');
        await server.stop();
        fs.rmSync(away, {recursive: true}); // whoever gets it has none of this
        fs.rmSync(home, {recursive: true});

        const theirs = await start([writeScene(path.join(folder, 'own.json'))]);
        const guest = await theirs.page();
        fs.mkdirSync(path.join(folder, '.gully/uploads'), {recursive: true});
        fs.copyFileSync(file, path.join(folder, '.gully/uploads/my valley.gully.tar'));
        const {session} = await guest.do({do: 'unpack', file: '.gully/uploads/my valley.gully.tar'}, 30);
        equal(session, 'my valley', 'a session of that name');
        await guest.do({do: 'open', session}, 60);
        equal(await hashes(guest), before, 'to the bit');
        const said = execFileSync(gully, ['replay', path.join(folder, 'sessions/my valley')], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
        check(!/differ/.test(said), `it can be played from its beginning, from the raster that came with it: ${said}`);
        const again = await guest.do({do: 'unpack', file: '.gully/uploads/my valley.gully.tar'}, 30);
        equal(again.session, 'my valley 2', 'another name the second time');
    },

    async whatIsNoSessionIsRefused({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const uploads = path.join(folder, '.gully/uploads');
        const cases = {
            up: tarOf('../../evil', 'x'), up2: tarOf('rasters/../../evil', 'x'), root: tarOf('/tmp/evil', 'x'),
            link: tarOf('rasters/link', 'x', '2'), hidden: tarOf('rasters/.evil', 'x'), deep: tarOf('rasters/a/b', 'x'),
            other: tarOf('evil.sh', 'x'), files: tarOf('files/../evil', 'x'), junk: Buffer.alloc(2048, 7), empty: Buffer.alloc(1024),
            cut: tarOf('session.json', 'x'.repeat(5000)).subarray(0, 1200),
            reads: tarOf('session.json', JSON.stringify({gully_session: 1, scene: {gully: 1, terrain: {file: '/etc/hostname'}}})),
        };
        for (const [name, bytes] of Object.entries(cases)) {
            fs.writeFileSync(path.join(uploads, `${name}.tar`), bytes);
            const why = await refused(page, {do: 'unpack', file: `.gully/uploads/${name}.tar`});
            check(why.length > 10, `${name} is refused: ${why}`);
        }
        check(!fs.existsSync(path.join(folder, 'evil')) && !fs.existsSync(path.join(folder, '..', 'evil')), 'nothing lies elsewhere');
        const left = (name) => fs.readdirSync(path.join(folder, name));
        equal([left('sessions'), left('rasters')], [[], []], 'and nothing is left');
        check((await refused(page, {do: 'unpack', file: '../../etc/passwd'})).includes('no such file'), 'only below the folder');
        check((await refused(page, {do: 'pack', session: '../x'})).includes('letters'), 'only plain names');
    },

    async mapsPicturesAndMeshesGoOut({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const size = async (keys) => {
            const made = await page.do({do: 'export', ...keys}, 60);
            const file = await download(server, made.name, path.join(folder, made.name));
            return {...made, bytes: fs.readFileSync(file)};
        };
        const png = ({bytes}) => [bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24]];
        equal(png(await size({field: 'slope', format: 'png16'})), ['PNG', 200, 150, 16], 'slope');
        equal(png(await size({field: 'normal', width: 129, height: 97})), ['PNG', 129, 97, 8], 'normals, of another size');
        equal(png(await size({field: 'splat'})), ['PNG', 200, 150, 8], 'a splat map');
        const up = await size({field: 'normal'}), down = await size({field: 'normal-dx'});
        check(!up.bytes.equals(down.bytes), 'green is north, or south');
        const all = await size({field: 'mesh', format: 'ply'}), few = await size({field: 'mesh', format: 'ply', error: 20});
        const vertices = ({bytes}) => Number(/element vertex (\d+)/.exec(bytes.toString('latin1', 0, 400))[1]);
        check(vertices(all) === 30000 && vertices(few) < 3000, `fewer triangles within an error: ${vertices(all)}, ${vertices(few)}`);
        check((await refused(page, {do: 'export', field: 'sloop'})).includes('slope'), 'what there is');
    },

    async aCopyHasAnOutline({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const high = async (x, y) => (await page.do({do: 'pick', at: [x, y]})).values.terrain;
        await page.do({do: 'stroke', brush: 'raise', radius: 200, strength: 400, falloff: 0, points: [[300, 300]]});
        await page.do({do: 'end'});
        const square = {do: 'copy', rect: [10, 10, 41, 41]};
        const triangle = {...square, points: [[100, 100], [500, 100], [100, 500]]};
        const {clip} = await page.do(triangle);
        const places = [[1000, 600], [1150, 600], [1000, 750], [1180, 780]];
        const before = [];
        for (const place of places) before.push(await high(...place));
        await page.do({do: 'paste', clip, x: 1100, y: 700, blend: 'mix', width: 410, height: 410, fit: true});
        const changed = [];
        for (const [k, place] of places.entries()) changed.push(await high(...place) !== before[k]);
        equal(changed, [true, true, true, false], 'what lies beyond the outline is left alone');
        check(Math.abs(await high(1000, 600) - before[0]) < 350, 'it fits into the land around it');
        const why = await refused(page, {...square, points: [[5000, 5000], [5010, 5000], [5000, 5010]]});
        check(/no cell/.test(why), `an outline around nothing: ${why}`);
    },

    async limitsAndPressureAreRecords({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'))]);
        const page = await server.page();
        const before = await hashes(page);
        const stroke = {do: 'stroke', brush: 'raise', radius: 300, strength: 50, points: [[700, 700]]};
        await page.do({...stroke, height_low: 1e6});
        await page.do({do: 'end'});
        equal(await hashes(page), before, 'nothing is so high');
        const why = await refused(page, {...stroke, pressure: 2});
        check(/pressure/.test(why) && /0 to 1/.test(why), `what is allowed: ${why}`);
        check((await refused(page, {do: 'hold', brush: 'rain', begin: true, at: [1, 1], slope_low: 5})).includes('no limits'), 'no limits of what is held');
        const high = async () => (await page.do({do: 'pick', at: [700, 700]})).values.terrain;
        const ground = await high();
        await page.do({...stroke, pressure: 0.5});
        await page.do({do: 'more', points: [[701, 700]], pressure: 0});
        await page.do({do: 'end'});
        check(Math.abs(await high() - ground - 25) < 1e-3, `half as strong: ${await high() - ground} m`);
        await page.do({do: 'save', session: 'pen'}, 30);
        execFileSync(gully, ['replay', path.join(folder, 'sessions/pen')], {stdio: 'pipe'});
    },
});
