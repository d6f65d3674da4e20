// SPDX-License-Identifier: MIT
// The page in a real Chromium: what a user does, with the real mouse on the real buttons.
//   node page_test.mjs GULLY SOURCE PAGE [ONLY]      in a folder of its own; ONLY: a pattern of names of tests.
// STUDIO_ALL=yes: the slow ones too.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { artists, lastArtists } from './artists.mjs';
import { builds, lastBuilds } from './builds.mjs';
import { mends } from './mends.mjs';
import { pages, reach } from './reach.mjs';
import { check, openBrowser, openSheetless, Page, Server, sleep, until } from './studio.mjs';

const [gully, source, pageFolder] = process.argv.slice(2);
const web = `${source}/studio/web`;
const SIDE = 512;
const all = process.env.STUDIO_ALL === 'yes';
const scene = {
    gully: 1,
    terrain: { generate: 'mountains', width: SIDE, height: SIDE, seed: 7, relief: 600 },
    cell_size: [10, 10],
    model: 'pipe',
    params: { friction: 1, capacity: 1 },
    thermal: { rate: 0.2, talus: 30 },
    program: [
        { name: 'wet', steps: 2000, set: {} },
        { name: 'dry', steps: 100, set: { 'params.evaporation': 0.03 } },
    ],
};
writeFileSync('scene.json', JSON.stringify(scene));

// Which fields a brush must change, and which it must leave alone.
const BRUSHES = {
    raise: [['terrain'], ['water', 'sediment']],
    lower: [['terrain'], ['water', 'sediment']],
    smooth: [['terrain'], ['water', 'sediment']],
    flatten: [['terrain'], ['water', 'sediment']],
    noise: [['terrain'], ['water', 'sediment']],
    water: [['water'], ['terrain']],
    dry: [['water'], ['terrain']],
    rain: [['water'], []],
    erode: [['terrain'], []],
    thermal: [['terrain'], ['water']],
    harden: [['hardness'], ['terrain', 'water']],
    soften: [['hardness'], ['terrain', 'water']],
};

async function opens(page) {
    const policy = await page.ask(async () => (await fetch(location.href)).headers.get('content-security-policy'));
    check(policy?.includes("default-src 'self'"), `there is a security policy: ${policy}`);
    const nameless = await page.ask(() =>
        [...document.querySelectorAll('button, input, select, canvas, [role]')]
            .filter(
                (e) =>
                    !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length) &&
                    !['status', 'alert'].includes(e.getAttribute('role')),
            )
            .map((e) => e.outerHTML.slice(0, 120)),
    );
    check(nameless.length === 0, `every control has a name: ${nameless.join('\n')}`);
    const hint = await page.tab.locator('.hint p').textContent();
    check(hint.split(/[.!?](?:\s|$)/).filter(Boolean).length === 3, `the hint has three sentences: ${hint}`);
    await page.tab.getByRole('button', { name: 'Got it' }).click();
    check((await page.tab.locator('.hint').count()) === 0, 'the hint goes away');
}

async function playErodes(page) {
    await page.pause();
    await page.tab.locator('.row[data-key="rain.rate"] input.number').fill('0.002');
    await page.tab.keyboard.press('Enter');
    await until(
        'rain',
        async () =>
            (await page.ask(() => window.gully.description().sections.find((s) => s.name === 'rain').rows[0].value)) ===
            0.002,
    );
    const before = await page.fields();
    const heights = () => page.ask(() => Array.from(window.gully.stage.pool.shapeData.slice(0, 4000)).join());
    const old = await heights();
    const { step } = await page.status();
    await page.tab.getByRole('button', { name: 'Play', exact: true }).click();
    await until('40 steps', async () => (await page.status()).step > step + 40);
    await page.pause();
    const after = await page.fields();
    check(after.terrain !== before.terrain && after.water !== before.water, 'playing erodes');
    await until('the page to show it', async () => (await heights()) !== old);
    const budget = await page.ask(async () => (await window.gully.do('status')).budget);
    check(budget.solid.eroded > 0 && budget.water.rain > 0, 'the ledger counts it');
    const now = (await page.ask(() => window.gully.do('status'))).step;
    await page.tab.getByRole('button', { name: 'One step' }).click();
    await until('one step', async () => (await page.ask(() => window.gully.do('status'))).step === now + 1);
}

/** Drags the mouse over a place of the land with a tool. */
async function stroke(page, tool, at, hold = 0) {
    await page.tab.getByRole('button', { name: tool, exact: true }).click();
    await page.tab.mouse.move(at.x - 6, at.y);
    await page.tab.mouse.down();
    for (let k = 1; k <= 4; k++) await page.tab.mouse.move(at.x - 6 + 3 * k, at.y);
    if (hold) await until('time to pass', async () => (await page.status()).step >= hold);
    await page.tab.mouse.up();
}

/** Notes go away after a while: `window.notes` has all that came from now on. */
const keepNotes = (page) =>
    page.ask(() => {
        window.notes = '';
        const keep = (changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((e) => (window.notes += e.textContent)));
        new MutationObserver(keep).observe(document.querySelector('.notes'), { childList: true });
    });

/** Of these `make test` tries one each: those that move ground, put water, let time pass, make hard. */
const QUICK_BRUSHES = ['raise', 'water', 'rain', 'harden', 'soften'];

async function brushes(page) {
    const at = await page.place(0.5, 0.55);
    for (const [name, [changed, kept]] of Object.entries(BRUSHES)) {
        if (!all && !QUICK_BRUSHES.includes(name)) continue;
        const before = await page.fields();
        const { depth, step } = await page.status();
        const high = await page.height(at.u, at.v);
        const title = name[0].toUpperCase() + name.slice(1);
        if (name === 'rain') await keepNotes(page);
        await stroke(page, title, at, name === 'rain' ? step + 3 : 0);
        if (name === 'rain') {
            const notes = await page.ask(() => window.notes);
            check(/Time runs while you hold rain/.test(notes), `a held brush says that time runs: ${notes}`);
        }
        if (name === 'rain') await until('time to stop again', async () => !(await page.status()).playing);
        await until(
            `an entry of ${name}`,
            async () =>
                (await page.status()).depth > depth &&
                (await page.ask(() => window.gully.do('status'))).stroke === false,
        );
        const after = await page.fields();
        for (const field of changed) check(after[field] !== before[field], `${name} changes ${field}`);
        for (const field of kept) check(after[field] === before[field], `${name} leaves ${field} alone`);
        if (name === 'raise') {
            await until('the hill on the page', async () => (await page.height(at.u, at.v)) > high + 2);
        }
        if (name === 'soften') continue; // there must be something to soften: undone below with harden
        await page.tab.keyboard.press('Control+z');
        await until(`undo of ${name}`, async () => (await page.status()).depth === depth);
        check((await page.hash()) === JSON.stringify(before), `undo of ${name} restores every bit`);
        if (name === 'raise')
            await until('the hill to go', async () => Math.abs((await page.height(at.u, at.v)) - high) < 0.5);
        if (name === 'harden') await stroke(page, 'Harden', at);
    }
    const latencies = await page.ask(() => window.gully.latencies());
    check(latencies.length > 5 && latencies.every((ms) => ms > 0), 'the time from hand to picture is measured');
}

async function keysOfBrush(page) {
    await page.tab.getByRole('button', { name: 'Raise', exact: true }).click();
    const radius = () => page.tab.getByRole('textbox', { name: 'Radius in m' }).inputValue();
    const before = Number(await radius());
    await page.tab.locator('#picture').focus();
    await page.tab.keyboard.press(']');
    check(Number(await radius()) > before, '] makes the brush larger');
    await page.tab.keyboard.press('[');
    await page.tab.keyboard.press('Escape');
}

async function slider(page) {
    const rain = async () => (await page.ask(async () => (await window.gully.do('status')).budget)).water.rain;
    const row = page.tab.locator('.row[data-key="rain.rate"]');
    await row.getByRole('button', { name: 'Reset Rate' }).click();
    await until('the reset', () =>
        page.ask(() => window.gully.description().sections.find((s) => s.name === 'rain').rows[0].value === 0),
    );
    const dry = await rain();
    const steps = async () => {
        const { step } = await page.status();
        for (let k = 0; k < 3; k++) await page.tab.keyboard.press('.');
        await until('3 steps', async () => (await page.ask(() => window.gully.do('status'))).step >= step + 3);
    };
    await page.tab.locator('#picture').focus();
    await steps();
    check((await rain()) === dry, 'no rain, nothing rains');
    const box = await row.getByRole('slider').boundingBox();
    await page.tab.mouse.move(box.x + 4, box.y + box.height / 2);
    await page.tab.mouse.down();
    await page.tab.mouse.move(box.x + 0.7 * box.width, box.y + box.height / 2, { steps: 4 });
    await page.tab.mouse.up();
    await until('the slider to arrive', () =>
        page.ask(() => window.gully.description().sections.find((s) => s.name === 'rain').rows[0].value > 1e-4),
    );
    await page.tab.locator('#picture').focus();
    await steps();
    check((await rain()) > dry, 'the slider makes it rain');
}

/** Straight down on the middle, where tiles of several levels meet: nothing behind the land is seen. */
async function noCracks(page) {
    await page.ask(() => {
        const { stage } = window.gully;
        const [width, height] = stage.field.size;
        stage.camera.target.set(width / 2, stage.bounds.bottom, height / 2);
        stage.camera.elevation = 0.6;
        stage.camera.distance = 0.4 * width;
        stage.camera.keep();
        stage.camera.update(0);
    });
    await until('tiles of several levels', () =>
        page.ask(() => {
            const { stage } = window.gully;
            stage.pace.whole = 1; // refine as on a graphics card
            stage.choose('still', performance.now());
            return new Set(stage.chooser.selection.drawn.map(({ slot }) => slot.level)).size > 1;
        }),
    );
    const holes = await page.ask(() => {
        const { stage } = window.gully;
        const { surface, renderer } = stage;
        surface.sky.visible = false;
        renderer.setClearColor(0xff00ff, 1);
        const counts = [1, 2, 4, 8].map((step) => {
            renderer.setSize(480, 300, false);
            stage.painter.render(true, step);
            const gl = renderer.getContext();
            const pixels = new Uint8Array(4 * 480 * 300);
            gl.readPixels(0, 0, 480, 300, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
            let seen = 0;
            for (let k = 0; k < pixels.length; k += 4)
                if (pixels[k] > 250 && pixels[k + 1] < 5 && pixels[k + 2] > 250) seen++;
            return seen;
        });
        surface.sky.visible = true;
        renderer.setClearColor(0, 0);
        stage.painter.shownScale = 0;
        stage.change();
        return counts;
    });
    check(
        holes.every((count) => count === 0),
        `no cracks: ${holes}`,
    );
    await page.tab.keyboard.press('Home');
}

async function poolIsBounded(page) {
    for (let k = 0; k < 6; k++) {
        const at = await page.place(0.35 + 0.05 * k, 0.5);
        await page.tab.mouse.move(at.x, at.y);
        await page.tab.mouse.wheel(0, -600);
        await sleep(150);
        await page.tab.mouse.wheel(0, 500);
    }
    await page.idle();
    const { slots, capacity, textures } = await page.ask(() => window.gully.info());
    check(slots <= capacity && textures < 20, `slots ${slots} of ${capacity}, ${textures} textures`);
    await page.tab.keyboard.press('Home');
}

async function exports(page) {
    await page.tab.getByRole('button', { name: 'Export', exact: true }).first().click();
    const dialog = page.tab.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Format' }).selectOption('tif');
    const coming = page.tab.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const file = await coming;
    check(
        file.suggestedFilename().endsWith('.tif') && (await file.failure()) === null,
        'the browser has downloaded it',
    );
    // Where the browser puts it depends on its version; the same bytes are to be had from the same address.
    const bytes = Buffer.from(await (await fetch(file.url())).arrayBuffer());
    writeFileSync('exported.tif', bytes);
    const told = execFileSync(gully, ['info', 'exported.tif'], { encoding: 'utf8' });
    check(told.includes(`${SIDE} x ${SIDE}`), `the export reads back: ${told}`);
    check((await dialog.count()) === 1, 'the sheet stays for the next export');
    await page.tab.keyboard.press('Escape');
    await until('the sheet to close', async () => (await dialog.count()) === 0);
}

async function saves(page) {
    const hash = await page.hash();
    await page.tab.keyboard.press('Control+s');
    await page.tab.getByRole('textbox', { name: 'Name of the session' }).fill('browser test');
    await page.tab.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await until('the save', async () => (await page.tab.getByRole('dialog').count()) === 0);
    await page.tab.locator('#picture').focus();
    await page.tab.keyboard.press('.');
    await until('another state', async () => (await page.hash()) !== hash);
    await page.tab.keyboard.press('Control+o');
    await page.tab.getByRole('button', { name: /browser test/ }).click();
    await page.tab.getByRole('button', { name: 'Do not save' }).click();
    await until('the saved state', async () => (await page.hash()) === hash);
}

// Another session takes the place of one that is not saved: the page asks, and there is a way back.
async function leaves(page) {
    const dialog = page.tab.getByRole('dialog');
    const begin = async () => {
        await page.tab.keyboard.press('n');
        await dialog.getByRole('combobox', { name: 'Resolution' }).selectOption('256');
        await dialog.getByRole('button', { name: 'Generate' }).click();
    };
    const before = await page.hash();
    await page.tab.keyboard.press('.');
    await until('a step that is not saved', async () => (await page.ask(() => window.gully.status().unsaved)) && (await page.hash()) !== before);
    const hash = await page.hash();
    await begin();
    await dialog.getByText('is not saved').waitFor();
    await page.tab.keyboard.press('Escape');
    await until('no question', async () => (await dialog.count()) === 0);
    check((await page.hash()) === hash, 'closing the question leaves all as it is');
    await begin();
    await dialog.getByRole('button', { name: 'Do not save' }).click();
    await until('the new landscape', async () => (await page.hash()) !== hash);
    await page.tab.getByRole('button', { name: 'Go back' }).click();
    await until('the landscape before', async () => (await page.hash()) === hash);
}

// A name that another landscape has is not taken without asking.
async function replaces(page) {
    const dialog = page.tab.getByRole('dialog');
    const name = page.tab.getByRole('textbox', { name: 'Name of the session' });
    await page.tab.keyboard.press('Control+s');
    check((await name.inputValue()) === 'mountains', `a name that says what it is: ${await name.inputValue()}`);
    await name.fill('browser test');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('There is another browser test').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await name.fill('another');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await until('the save', async () => (await dialog.count()) === 0);
    await until('the name', async () => (await page.status()).name === 'another');
    await page.tab.keyboard.press('Control+s');
    check((await name.inputValue()) === 'another', `its own name: ${await name.inputValue()}`);
    await page.tab.keyboard.press('Escape');
}

async function drop(page, name, text) {
    const data = await page.tab.evaluateHandle(
        ([file, bytes]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([bytes], file));
            return transfer;
        },
        [name, text],
    );
    await page.tab.dispatchEvent('#picture', 'drop', { dataTransfer: data });
}

async function drops(page) {
    const rows = Array.from({ length: 30 }, (_, y) => Array.from({ length: 40 }, (_, x) => 100 + x + 2 * y).join(' '));
    const grid = `ncols 40\nnrows 30\nxllcorner 0\nyllcorner 0\ncellsize 7\n${rows.join('\n')}\n`;
    const before = await page.fields();
    await drop(page, 'bump.asc', grid);
    await page.tab.getByRole('button', { name: 'Use as a stamp' }).click();
    await until('the stamp tool', () =>
        page.ask(() => document.querySelector('button[data-tool=stamp]').getAttribute('aria-pressed') === 'true'),
    );
    const at = await page.place(0.5, 0.5);
    await page.tab.mouse.move(at.x, at.y);
    await page.tab.mouse.down();
    await page.tab.mouse.up();
    await until('the stamp', async () => (await page.fields()).terrain !== before.terrain);
    await page.tab.keyboard.press('Control+z');
    await until('its undo', async () => (await page.hash()) === JSON.stringify(before));

    // Another world begins while a frame of this one still waits to be drawn.
    await page.idle();
    await page.ask(() => (window.gully.stage.loop.busy = true));
    await page.tab.keyboard.press('Control+y');
    await until('a frame', () => page.ask(() => window.gully.stage.book.came !== null));
    await drop(page, 'ramp.asc', grid);
    await page.tab.getByRole('button', { name: 'Open as terrain' }).click();
    await page.tab.getByRole('button', { name: 'Do not save' }).click();
    await until('the raster', () => page.ask(() => window.gully.description().world.width === 40));
    await page.ask(() => {
        window.gully.stage.loop.busy = false;
        window.gully.stage.change();
    });
    await until('its land', () => page.ask(() => window.gully.stage.field.known));
    await page.idle();
    const high = await page.height(1, 1);
    check(Math.abs(high - (100 + 39 + 58)) < 0.1, `its heights are shown: ${high}`);
    await drop(page, 'junk.tif', 'this is no picture');
    const said = await page.tab.getByRole('dialog').getByRole('alert').textContent();
    check(said.startsWith('junk.tif'), `a message where one looks, about the user's file: ${said}`);
    await page.tab.keyboard.press('Escape');
    page.troubles.length = 0; // a failed request may be logged
    check((await page.ask(() => window.gully.description().world.width)) === 40, 'junk changes nothing');
}

async function sources(page) {
    await page.tab.getByRole('button', { name: 'Source', exact: true }).click();
    const at = await page.place(0.4, 0.5);
    await page.tab.mouse.click(at.x, at.y);
    await until('the source', () => page.ask(() => window.gully.description().sources.length === 1));
    const pin = page.tab.locator('.pin');
    await until('its pin', () => pin.count());
    const { x } = await page.ask(() => window.gully.description().sources[0]);
    const box = await pin.boundingBox();
    await page.tab.mouse.move(box.x + box.width / 2, box.y + box.height * 0.6);
    await page.tab.mouse.down();
    await page.tab.mouse.move(box.x + 60, box.y + 10, { steps: 3 });
    await page.tab.mouse.up();
    await until('the source to move', () =>
        page.ask((before) => Math.abs(window.gully.description().sources[0].x - before) > 10, x),
    );
    await page.tab.keyboard.press('Delete');
    await until('it to go', () => page.ask(() => window.gully.description().sources.length === 0));
    await page.tab.keyboard.press('Escape');
}

async function copies(page) {
    const before = await page.fields();
    await page.tab.getByRole('button', { name: 'Select', exact: true }).click();
    const a = await page.place(0.4, 0.6);
    const b = await page.place(0.5, 0.7);
    await page.tab.mouse.move(a.x, a.y);
    await page.tab.mouse.down();
    await page.tab.mouse.move(b.x, b.y, { steps: 3 });
    await page.tab.mouse.up();
    await page.tab.keyboard.press('Control+c');
    await until('the copy', () =>
        page.ask(() => document.querySelector('button[data-tool=stamp]').getAttribute('aria-pressed') === 'true'),
    );
    const at = await page.place(0.6, 0.45);
    await page.tab.mouse.click(at.x, at.y);
    await until('the paste', async () => (await page.fields()).terrain !== before.terrain);
    await page.tab.keyboard.press('Control+z');
    await until('its undo', async () => (await page.hash()) === JSON.stringify(before));
    await page.tab.keyboard.press('Escape');
}

/** The largest difference between two pictures of the same size, of 255. */
function difference(page, pictures) {
    return page.ask(
        async (list) => {
            const pixels = [];
            for (const bytes of list) {
                const image = new Image();
                image.src = `data:image/png;base64,${bytes}`;
                await image.decode();
                const sheet = new OffscreenCanvas(image.width, image.height).getContext('2d');
                sheet.drawImage(image, 0, 0);
                pixels.push(sheet.getImageData(0, 0, image.width, image.height).data);
            }
            return pixels[0].reduce((most, value, k) => Math.max(most, Math.abs(value - pixels[1][k])), 0);
        },
        pictures.map((picture) => picture.toString('base64')),
    );
}

/** As on a graphics card, where the water moves by itself. */
async function shimmers(page) {
    await page.pause();
    await page.idle();
    await page.ask(() => {
        const { pace } = window.gully.stage;
        pace.measure = () => undefined;
        pace.whole = 1;
        window.gully.stage.change();
    });
    await sleep(1000);
    const picture = () => page.tab.locator('#picture').screenshot();
    const first = await picture();
    let moved = 0;
    for (let i = 0; i < 6 && moved <= 8; i++) moved = Math.max(moved, await difference(page, [first, await picture()]));
    check(moved > 8, `the water shimmers: by ${moved} of 255`);
    await page.tab.reload(); // as slow as before
    await page.seen();
}

/** What steps is shown and can be changed, here to PoCL and back; the picture goes on. */
async function devices(page) {
    const state = async () => (await page.ask(() => window.gully.do('status'))).device.state;
    const stepper = page.tab.getByRole('button', { name: 'What steps' });
    check((await stepper.textContent()) === 'Processor', 'the processor steps at first');
    await stepper.click();
    const dialog = page.tab.getByRole('dialog');
    const device = dialog.getByRole('button').filter({ hasText: 'Portable Computing Language' });
    const name = await device.locator('b').textContent();
    await device.click();
    await page.tab.locator('#picture').focus();
    await until('the device to step', async () => {
        await page.tab.keyboard.press('.');
        return (await state()) === 'device';
    });
    await until('its name', async () => (await stepper.textContent()) === name);
    const { step } = await page.ask(() => window.gully.do('status'));
    await until('a picture of the device', () => page.ask((at) => window.gully.status().step >= at, step));
    await stepper.click();
    await dialog.getByRole('button', { name: 'Processor', exact: true }).click();
    await until('the processor to step', async () => (await stepper.textContent()) === 'Processor');
    check((await state()) === 'cpu', 'the processor steps again');
}

async function reloads(page) {
    const hash = await page.hash();
    await page.tab.reload();
    await page.seen();
    check((await page.hash()) === hash, 'a reload finds the same session');
    check((await page.tab.locator('.hint').count()) === 0, 'the hint does not come back');
}

const browser = await openBrowser(web);
let server = await Server.start(gully, pageFolder, process.cwd(), 'scene.json');
let page = await Page.open(browser, server.address);
const begun = Date.now();
const only = process.argv[5] ? new RegExp(process.argv[5]) : null;
const failures = [];

/** Left to `make test-studio`: `make test` has a minute and a half for the page on a quiet machine. */
const SLOW = new Set([
    'the water shimmers',
    'what steps is shown and can be changed',
    'palettes, lines, light and air',
    'a film turns, another shows time',
    'a large picture without sky',
    'all of it goes out as one zip',
    'tour, light panels, documents',
    'another language',
    'no cracks between levels',
    'the pool of tiles is bounded',
    'a landscape is made',
    'rasters are looked at before they are opened',
    'layers are combined with masks',
    'the cells are doubled, and back',
    'the block is cut open',
    'north, legends, trees, haze and details',
    'several pages, long work, and nobody who looks',
]);

/** After a failure the others still have their say, on a page as it begins and the land as the test found it. */
async function startOver(depth) {
    await page.ask(() => localStorage.setItem('gully.language', 'en')).catch(() => undefined);
    await page.tab.setViewportSize({ width: 1280, height: 720 });
    await page.tab.reload();
    await page.seen();
    await openSheetless(page);
    await page.pause();
    while ((await page.status()).depth > depth) await page.ask(() => window.gully.do('undo'));
}

async function run(what, test) {
    if (only ? !only.test(what) : SLOW.has(what) && !all) return;
    const from = Date.now();
    const { depth } = await page.status();
    try {
        await test(page);
    } catch (error) {
        await page.tab.screenshot({ path: 'failed.png' }).catch(() => undefined);
        const state = () => ({
            status: window.gully.status(),
            sheets: document.querySelectorAll('dialog').length,
            focus: document.activeElement.outerHTML.slice(0, 80),
            notes: [...document.querySelectorAll('.note')].map((e) => e.textContent),
        });
        const talk = page.talk.join('\n');
        console.error(`${what}: ${error.stack}\n${JSON.stringify(await page.ask(state).catch(() => null))}\n${talk}`);
        failures.push(`${what}: ${error.message}`);
        await startOver(depth);
        return;
    }
    await openSheetless(page); // the next one begins with the picture, whatever this one leaves behind
    console.log(`${what} (${((Date.now() - from) / 1000).toFixed(1)} s)`);
}

try {
    if (only) await page.tab.getByRole('button', { name: 'Got it' }).click();
    await run('opens, and every control has a name', opens);
    await run('play erodes', playErodes);
    await run('the water shimmers', shimmers);
    await run('each brush changes what it should, and undo restores it', brushes);
    await run('keys of the brush', keysOfBrush);
    await run('a slider changes the simulation', slider);
    await run('what steps is shown and can be changed', devices);
    await run('sources are placed, moved and removed', sources);
    await run('copies are pasted', copies);
    for (const [what, test] of Object.entries({ ...mends, ...builds, ...reach, ...artists })) await run(what, test);
    await run('several pages, long work, and nobody who looks', (page) => pages(page, browser, server.address));
    await run('no cracks between levels', noCracks);
    await run('the pool of tiles is bounded', poolIsBounded);
    await run('an export downloads and reads back', exports);
    await run('a session is saved and opened', saves);
    await run('another landscape is begun, and left again', leaves);
    await run('a name that is taken', replaces);
    await run('a reload finds the session', reloads);
    await run('the server is started again, and the page goes on', async () => {
        await page.tab.getByRole('button', { name: 'One step' }).click();
        await until('a step', () => page.ask(() => window.gully.status()?.unsaved));
        const hash = await page.hash();
        const port = new URL(server.address).port;
        await server.stop('SIGINT');
        server = await Server.start(gully, pageFolder, process.cwd(), 'scene.json', ['--port', port]);
        await page.tab.getByRole('button', { name: 'Recover' }).click();
        await until('the session', async () => (await page.hash()) === hash);
        page.troubles = page.troubles.filter((text) => !/WebSocket|ERR_CONNECTION_REFUSED/.test(text)); // while it was gone
    });
    await run('the server is killed, and the next one offers the session', async () => {
        const stepsDone = () => page.ask(async () => (await window.gully.do('status')).step);
        const before = await stepsDone();
        await page.tab.keyboard.press('.');
        await until('the step', async () => (await stepsDone()) === before + 1); // commands may come first
        const hash = await page.hash();
        await sleep(2500); // it is kept every second
        await server.stop('SIGKILL');
        await until('the page to notice', async () => (await page.tab.locator('.line').textContent()).includes('gone'));
        await page.close();
        server = await Server.start(gully, pageFolder, process.cwd(), 'scene.json');
        page = await Page.open(browser, server.address);
        await page.tab.getByRole('button', { name: 'Recover' }).click();
        await until('the session', async () => (await page.hash()) === hash);
    });
    await run('dropped rasters are stamps or terrains', drops);
    for (const [what, test] of Object.entries({ ...lastBuilds, ...lastArtists })) await run(what, test);
    check(failures.length === 0, `${failures.length} failed:\n${failures.join('\n')}`);
    check(page.troubles.length === 0, `no errors, nothing from elsewhere: ${page.troubles.join('\n')}`);
    console.log(`all in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
} finally {
    await browser.close();
    await server.stop('SIGKILL');
}
