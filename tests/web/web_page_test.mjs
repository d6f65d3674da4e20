// SPDX-License-Identifier: MIT
// The page of `make web` in a real Chromium, served by a plain static server, with and without the headers that allow
// threads: generate, play, brush, undo, import, export, sessions that outlive the tab.
//   node web_page_test.mjs SOURCE PAGE GULLY      in a folder of its own
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { check, openBrowser, Page, until } from '../studio/browser/studio.mjs';
import { serve } from './static.mjs';

const [source, folder, gully] = process.argv.slice(2);
const SMALL = { generate: 'mountains', width: 128, height: 128, cell_size: 10, seed: 7, relief: 300 };

const doing = (page, name, keys = {}) => page.ask(([name, keys]) => window.gully.do(name, keys), [name, keys]);

async function step(page, steps) {
    const { step: before } = await doing(page, 'status');
    await doing(page, 'step', { steps });
    await until('the steps', async () => (await doing(page, 'status')).step === before + steps);
}

/** Generates, steps, and comes to what the program comes to. */
async function generates(page) {
    await page.pause();
    await doing(page, 'new', SMALL);
    await until('the new land', () => page.ask(() => window.gully.description().world.width === 128));
    await step(page, 50);
    return page.fields();
}

async function plays(page) {
    const { step: before } = await doing(page, 'status');
    await page.tab.getByRole('button', { name: 'Play', exact: true }).click();
    await until('steps', async () => (await page.status()).step > before + 20);
    await page.pause();
}

async function brushesAndUndoes(page) {
    const before = await page.hash();
    await page.ask(() => window.gully.idle());
    const at = await page.place(0.5, 0.5);
    await page.tab.getByRole('button', { name: 'Raise', exact: true }).click();
    await page.tab.mouse.move(at.x, at.y);
    await page.tab.mouse.down();
    await page.tab.mouse.move(at.x + 25, at.y + 5, { steps: 5 });
    await page.tab.mouse.up();
    await until('the stroke', async () => (await page.hash()) !== before);
    await until('the entry', async () => (await page.status()).undo);
    await page.tab.keyboard.press('Control+z');
    await until('the undo', async () => (await page.hash()) === before);
    await doing(page, 'stroke', { brush: 'raise', points: [[600, 600]], radius: 100, strength: 20 });
    await doing(page, 'end');
}

/** The land in cells half as large goes on from the same step. */
async function doubles(page) {
    await doing(page, 'new', SMALL);
    await step(page, 5);
    await doing(page, 'double');
    await until('smaller cells', () => page.ask(() => window.gully.description().world.width === 256));
    check((await doing(page, 'status')).step === 5, 'from the same step');
    await step(page, 5);
}

async function sends(page, name, bytes) {
    return page.ask(
        async ([name, bytes]) => {
            const file = new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name);
            return window.gully.connection.upload(file);
        },
        [name, bytes.toString('base64')],
    );
}

/** What is exported here opens here, and the program reads the same. */
async function exportsAndImports(page) {
    await doing(page, 'new', SMALL);
    await until('the land', () => page.ask(() => window.gully.description().world.width === 128));
    const { terrain } = await page.fields();
    for (const format of ['tif', 'r32', 'png16', 'asc', 'glb']) {
        const keys = format === 'glb' ? { field: 'mesh', format } : { field: 'terrain', format };
        const reply = await doing(page, 'export', keys);
        for (const name of [reply.name, reply.sidecar].filter(Boolean)) {
            const base64 = await page.ask(async (name) => {
                const bytes = new Uint8Array(await (await fetch(await window.gully.connection.download(name))).arrayBuffer());
                return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
            }, name);
            writeFileSync(`exported/${name}`, Buffer.from(base64, 'base64'));
        }
        if (format === 'glb') continue;
        execFileSync(gully, ['convert', `exported/${reply.name}`, `exported/${format}-read.r32`]);
        check(readFileSync(`exported/${format}-read.r32`).length === 4 * 128 * 128, `the program reads ${format}`);
        if (reply.sidecar) await sends(page, reply.sidecar, readFileSync(`exported/${reply.sidecar}`));
        const path = await sends(page, reply.name, readFileSync(`exported/${reply.name}`));
        if (format === 'asc') continue; // written, not read
        await doing(page, 'open', { file: path });
        const opened = await page.fields();
        check(format === 'png16' || opened.terrain === terrain, `${format} comes back to the bit`);
    }
    check(readFileSync('exported/tif-read.r32').equals(readFileSync('exported/r32-read.r32')), 'tif and r32 agree');
}

/** Files of GDAL, dropped onto the page; others are refused by name. */
async function readsOthers(page) {
    const path = await sends(page, 'odd.bin', Buffer.from('nothing that anybody reads'));
    const message = await doing(page, 'open', { file: path }).catch((error) => error.message);
    check(/PNG, GeoTIFF/.test(message), `what is read is said: ${message}`);
    execFileSync(gully, 'generate mountains --width 96 --height 96 --seed 3 -o dropped.tif'.split(' '));
    await page.ask(
        ([bytes]) => {
            const data = new DataTransfer();
            data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], 'dropped.tif'));
            window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [readFileSync('dropped.tif').toString('base64')],
    );
    await page.tab.getByRole('button', { name: 'Open as terrain' }).click();
    await until('the dropped land', () => page.ask(() => window.gully.description().world.width === 96));
}

/** A saved session is there after the tab has gone. */
async function keeps(page, address) {
    await doing(page, 'new', SMALL);
    await step(page, 10);
    await doing(page, 'save', { session: 'my valley' });
    const saved = await page.hash();
    await until('the storage', () =>
        page.ask(
            () =>
                new Promise((resolve) => {
                    const asked = indexedDB.open('gully', 1);
                    asked.onsuccess = () => {
                        const keys = asked.result.transaction('files').objectStore('files').getAllKeys();
                        keys.onsuccess = () => {
                            asked.result.close();
                            resolve(keys.result.some((key) => String(key).includes('my valley/checkpoint')));
                        };
                    };
                }),
        ),
    );
    await page.tab.goto('about:blank');
    await page.tab.goto(address);
    await page.seen();
    const { sessions } = await doing(page, 'sessions');
    check(sessions.some(({ name }) => name === 'my valley'), 'the session is listed');
    await doing(page, 'open', { session: 'my valley' });
    check((await page.hash()) === saved, 'it comes back to the bit');
}

/** What the program comes to on the same land. */
function nativeFields() {
    const { width, height, seed, relief, cell_size } = SMALL;
    const scene = JSON.parse(readFileSync(`${source}/scenes/demo.json`));
    scene.terrain = { generate: 'mountains', width, height, seed, relief };
    scene.cell_size = [cell_size, cell_size];
    scene.program = scene.program.slice(1); // new land is not aged
    writeFileSync('same.json', JSON.stringify(scene));
    execFileSync(gully, ['run', 'same.json', '--steps', '50', '-o', 'native']);
    return JSON.parse(readFileSync('native/report.json')).hashes;
}

async function visit(isolated, native) {
    const server = await serve(folder, isolated);
    const browser = await openBrowser(`${source}/studio/web`);
    try {
        const page = await Page.open(browser, server.address);
        const has = await page.ask(() => crossOriginIsolated);
        check(has === isolated, `the page is ${isolated ? '' : 'not '}isolated`);
        const fields = await generates(page);
        for (const field of Object.keys(native))
            check(fields[field] === native[field], `${field} is the program's, to the bit`);
        await plays(page);
        await brushesAndUndoes(page);
        await doubles(page);
        if (!isolated) await exportsAndImports(page);
        if (!isolated) await readsOthers(page);
        await keeps(page, server.address);
        check(page.troubles.length === 0, `no troubles: ${page.troubles.join('\n')}`);
        console.log(`ok: ${isolated ? 'isolated, with threads' : 'one thread'}`);
    } finally {
        await browser.close();
        server.stop();
    }
}

mkdirSync('exported');
const native = nativeFields();
await visit(false, native);
await visit(true, native);
