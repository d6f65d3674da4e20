// SPDX-License-Identifier: MIT
// node security_test.mjs GULLY SOURCE: what must be refused is refused and counted, and the
// simulation goes on.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import {Page, request, sleep, wsFrame} from './client.mjs';
import {check, equal, run, writeScene} from './server.mjs';

const REASONS = ['host', 'origin', 'token', 'path', 'size', 'garbage', 'busy'];

// Does something bad and looks at what it changed: counters, and that steps go on.
async function refused(page, reason, least, what, bad) {
    const before = await page.do({do: 'status'});
    await bad();
    let after = await page.do({do: 'status'});
    for (let i = 0; i < 50 && after.refused[reason] < before.refused[reason] + least; i++) {
        await sleep(0.1);
        after = await page.do({do: 'status'});
    }
    check(after.refused[reason] >= before.refused[reason] + least,
        `${what}: counted ${after.refused[reason] - before.refused[reason]} of ${least} as ${reason}`);
    for (const other of REASONS)
        if (other !== reason && after.refused[other] !== before.refused[other]) check(false, `${what}: also counted as ${other}`);
    const step = after.step;
    await page.wait((item) => item.event === 'status' && item.step > step, `steps after ${what}`, 20);
}

async function connects(server, options, status, what) {
    const answer = await Page.connect(server.address, options).then(() => 'a connection', (error) => error.status);
    equal(answer, status, what);
}

run({
    async refusals({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'), {width: 64, height: 64})]);
        const page = await server.page();
        const {origin, host, port} = page.url;
        const token = page.url.searchParams.get('token');
        const get = (what, headers) => request(server.address, `GET ${what}`, headers);
        check(/^[0-9a-f]{32}$/.test(token), 'a token of 128 bits');
        await page.do({do: 'play', on: true});

        // What is allowed.
        const index = await get(`/?token=${token}`);
        equal(index.status, 200, 'the page');
        for (const header of [/content-type: text\/html/i, /cache-control: no-cache/i, /x-content-type-options: nosniff/i,
            /referrer-policy: no-referrer/i, /x-frame-options: deny/i, /content-security-policy: default-src 'self'/i])
            check(header.test(index.head), `the page has ${header}`);
        check(!/access-control/i.test(index.head), 'other origins are not let in');
        const script = await get('/assets/page.js');
        equal(script.status, 200, 'its files, without a token');
        check(/content-type: text\/javascript/i.test(script.head), 'type of a script');
        equal((await get('/assets/page.js', {Host: `localhost:${port}`})).status, 200, 'localhost');
        equal((await get('/nothing.js')).status, 404, 'a file that is not there');
        equal((await request(server.address, 'PUT /assets/page.js', {}, Buffer.from('x'))).status, 405, 'PUT');
        equal(fs.readFileSync(path.join(folder, 'page/assets/page.js'), 'utf8'), 'export {};\n', 'the page is as it was');

        await refused(page, 'host', 6, 'a wrong host', async () => {
            for (const wrong of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${Number(port) + 1}`, null])
                check([400, 403].includes((await get(`/?token=${token}`, {Host: wrong})).status), `host ${wrong}`);
            await connects(server, {host: `evil.example:${port}`}, 403, 'a WebSocket of another host');
            equal((await get('/assets/page.js', {Host: 'evil.example'})).status, 403, 'a script of another host');
        });
        await refused(page, 'origin', 7, 'a wrong origin', async () => {
            for (const wrong of ['http://evil.example', `https://${host}`, 'null', `${origin}.evil.example`])
                await connects(server, {origin: wrong}, 403, `a WebSocket from ${wrong}`);
            await connects(server, {origin: null}, 403, 'a WebSocket from nowhere');
            equal((await get(`/?token=${token}`, {Origin: 'http://evil.example'})).status, 403, 'the page for another');
            equal((await request(server.address, `POST /upload?token=${token}&name=a.asc`, {}, Buffer.from('x'))).status, 403,
                'an upload from nowhere');
        });
        await refused(page, 'token', 8, 'a wrong token', async () => {
            for (const wrong of ['', token.slice(1), `${token}0`, token.replace(/./, (c) => (c === '0' ? '1' : '0')), '%00', token.toUpperCase() + 'x'])
                await connects(server, {token: wrong}, 403, `token ${wrong}`);
            for (const what of ['/', '/index.html', '/download/a.tif', '/?other=1'])
                equal((await get(what)).status, 403, `${what} without a token`);
        });
        fs.writeFileSync(path.join(folder, 'secret.txt'), 'secret');
        fs.symlinkSync('/etc', path.join(folder, 'page', 'etc'));
        await refused(page, 'path', 10, 'a path that leads out', async () => {
            for (const wrong of ['/../secret.txt', '/assets/../../secret.txt', '/%2e%2e/secret.txt', '/assets/..%2f..%2fsecret.txt',
                '/..\\secret.txt', '/.git/config', '/etc/passwd', `/download/..%2f..%2fscene.json?token=${token}`,
                `/download/../scene.json?token=${token}`, `/download/.hidden?token=${token}`]) {
                const answer = await get(wrong);
                check([403, 404].includes(answer.status) && !answer.body.includes('secret') && !answer.body.includes('root:'), `GET ${wrong}: ${answer.status}`);
            }
            for (const name of ['..%2fx.asc', '.hidden', 'a%2fb', '%00', 'a%0ab'])
                equal((await request(server.address, `POST /upload?token=${token}&name=${name}`, {Origin: origin}, Buffer.from('x'))).status,
                    403, `an upload as ${name}`);
        });
        const outside = path.join(folder, '..', 'outside.asc');
        const asc = 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n';
        fs.writeFileSync(outside, asc);
        fs.symlinkSync(outside, path.join(folder, 'link.asc'));
        fs.writeFileSync(path.join(folder, 'inside.vrt'), `<VRTDataset rasterXSize="2" rasterYSize="2"><VRTRasterBand dataType="Float32" band="1">
            <SimpleSource><SourceFilename>${outside}</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>`);
        fs.copyFileSync(path.join(folder, 'inside.vrt'), path.join(folder, 'disguised.tif'));
        await refused(page, 'path', 18, 'a file that leads out', async () => {
            for (const file of ['../outside.asc', outside, 'link.asc', 'inside.vrt', 'disguised.tif', '/vsicurl/http://127.0.0.1:1/a.tif',
                '/etc/passwd', '.', '', 'NETCDF:"a.nc":b'])
                for (const command of ['open', 'add_raster'])
                    check((await page.ask({do: command, file})).error, `${command} ${file}`);
        });
        check((await page.ask({do: 'new', scene: {gully: 1, terrain: {file: '../outside.asc'}, model: 'pipe', steps: 1}})).error, 'a scene that leads out');
        fs.writeFileSync(path.join(folder, 'bad.json'), JSON.stringify({gully: 1, terrain: {file: 'link.asc'}, model: 'pipe', steps: 1}));
        check((await page.ask({do: 'open', file: 'bad.json'})).error, 'a scene in a file that leads out');
        fs.rmSync(outside);

        await refused(page, 'garbage', 11, 'garbage', async () => {
            for (const text of ['', '{', '[]', '"x"', '{"do": 1}', '{"id": "x", "do": "status"}', '\xff\xfe', '{"do": "play", "on": 3}',
                '['.repeat(200000), '{"a":'.repeat(100000)]) {
                const other = await server.page();
                other.socket.write(wsFrame(1, Buffer.from(text, 'latin1')));
                check((await other.wait((item) => item.error, 'an error')).error, `an error for ${text.slice(0, 40)}`);
                await other.close();
            }
            const other = await server.page();
            other.socket.write(wsFrame(2, Buffer.from([1, 2, 3])));
            equal(await other.ended(), 1003, 'how a page is closed that sends bytes');
        });
        await refused(page, 'size', 3, 'a message that is too long', async () => {
            for (const megabytes of [1.5, 100]) {
                const other = await server.page();
                other.socket.write(wsFrame(1, Buffer.alloc(megabytes * 1e6, 'x')));
                equal(await other.ended(), 1009, `how a page is closed that sends ${megabytes} MB`);
            }
            const other = await server.page(); // in parts
            for (let i = 0; i < 20; i++) other.socket.write(wsFrame(i ? 0 : 1, Buffer.alloc(1e5, 'x'), {fin: false}));
            equal(await other.ended(), 1009, 'how a page is closed that sends 2 MB in parts');
            const big = await request(server.address, `POST /upload?token=${token}&name=big.tif`,
                {Origin: origin, 'Content-Length': 3e9});
            equal(big.status, 413, 'an upload of 3 GB');
        });
        const fits = await page.ask({do: 'x'.repeat(1048576 - 40)});
        check(fits.error && !(await Promise.race([page.closed, sleep(0.1)])), 'a message of just under 1 MiB is read');

        // Bytes that are no HTTP, and connections that say nothing.
        const idle = [];
        for (let i = 0; i < 20; i++) {
            const socket = net.connect(Number(port), '127.0.0.1').on('error', () => {});
            if (i % 2) socket.write(Buffer.from(Array.from({length: 300}, (_, k) => (k * 7919 + i * 31) % 256)));
            idle.push(socket);
        }
        equal((await page.do({do: 'status'})).ok, true, 'an answer beside 20 connections of garbage');
        idle.forEach((socket) => socket.destroy());

        // More pages than there is room for.
        await refused(page, 'busy', 4, 'too many pages', async () => {
            const pages = [];
            for (let i = 0; i < 15; i++) pages.push(await server.page());
            for (let i = 0; i < 4; i++) await connects(server, {}, 503, 'the 17th page');
            await Promise.all(pages.map((other) => other.close()));
            await page.wait((item) => item.event === 'status' && item.clients === 1, 'status with one page');
        });

        // 200 connects in a second.
        const before = (await page.do({do: 'status'})).step;
        let answered = 0;
        await Promise.all(Array.from({length: 200}, async (_, i) => {
            await sleep(i / 200);
            const other = await Page.connect(server.address).catch(() => null);
            answered += other !== null;
            await other?.close();
        }));
        const after = await page.do({do: 'status'});
        check(answered > 0 && after.step > before, `200 connects in a second: ${answered} were let in, ${after.step - before} steps`);
        equal((await server.page()).hello.protocol, 1, 'a page after all that');

        // Pages that do not read are dropped; nobody waits for them.
        const deaf = await server.page();
        deaf.socket.pause();
        for (let i = 0; i < 3000; i++) deaf.send({id: i, do: 'pick', at: [10, 10]});
        const step = (await page.do({do: 'status'})).step;
        await page.wait((item) => item.event === 'status' && item.step > step, 'steps beside a page that does not read');
    },

    async address({folder, start}) {
        const server = await start([writeScene(path.join(folder, 'scene.json'), {width: 32, height: 32}), '--port', '18427']);
        equal(new URL(server.address).host, '127.0.0.1:18427', 'the port that was asked for');
        const again = await start(['scene.json', '--port', '18427']).catch((error) => error.message);
        check(/18427/.test(again), `a port that is in use: ${again}`);
        const nowhere = await start(['nothing.json']).catch((error) => error.message);
        check(/ended with 2.*nothing.json/.test(nowhere), `a scene that is not there: ${nowhere}`);
        check(/listen|address/.test(await start(['scene.json', '--listen', '0.0.0.0']).catch((error) => error.message)), '--listen 0.0.0.0');
    },
});
