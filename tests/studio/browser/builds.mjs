// SPDX-License-Identifier: MIT
// What artists work with: comparing, looks, files. Each a test of page_test.mjs.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { check, sleep, until } from './studio.mjs';

const gully = process.env.GULLY ?? process.argv[2];

const ask = (page, keys) => page.ask((words) => window.gully.do(...words), keys);

/** Reddest and bluest pixels of the picture. */
const colours = (page) =>
    page.ask(() => {
        const { stage } = window.gully;
        stage.painter.fit(1);
        stage.choose('still', performance.now());
        stage.painter.render(true, 1);
        const gl = stage.renderer.getContext();
        const bytes = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        let [red, blue] = [0, 0];
        for (let k = 0; k < bytes.length; k += 4) {
            red += bytes[k] > bytes[k + 2] + 90;
            blue += bytes[k + 2] > bytes[k] + 90;
        }
        return { red, blue };
    });

async function compares(page) {
    const { tab } = page;
    await page.pause();
    const at = await page.place(0.5, 0.55);
    const high = await page.height(at.u, at.v);
    const hash = await page.hash();
    await ask(page, ['pin', { name: 'before the hill' }]);
    const [width, height] = await page.ask(() => window.gully.stage.field.size);
    const hill = { brush: 'raise', radius: 0.12 * width, strength: 120, points: [[at.u * width, at.v * height]] };
    await ask(page, ['stroke', hill]);
    await ask(page, ['end']);
    await until('the hill', async () => (await page.height(at.u, at.v)) > high + 50);
    await tab.locator('#picture').focus();
    await tab.keyboard.press('c');
    await until('the comparison', async () => (await page.status()).compare?.name !== undefined);
    await tab.locator('summary', { hasText: 'History' }).click();
    await tab.getByRole('button', { name: 'Compare with before the hill' }).click();
    await until('the pin', async () => (await page.status()).compare?.name === 'before the hill');
    const was = () =>
        page.ask(([u, v]) => {
            const { past, field } = window.gully.stage;
            return past?.known ? past.field.surface(u * field.size[0], v * field.size[1]) : NaN;
        }, [at.u, at.v]);
    await until('the land as it was', async () => Math.abs((await was()) - high) < 0.5);
    const line = tab.getByRole('slider', { name: 'Wipe between before and now' });
    const box = await line.boundingBox();
    await tab.mouse.move(box.x + box.width / 2, box.y + 100);
    await tab.mouse.down();
    await tab.mouse.move(box.x - 150, box.y + 100, { steps: 3 });
    await tab.mouse.up();
    check((await page.ask(() => window.gully.stage.wipe)) < 0.45, 'the line follows the hand');
    await line.press('ArrowRight');
    await tab.getByRole('button', { name: 'Compare: Difference' }).click();
    await until('the metres', async () => (await page.ask(() => window.gully.stage.difference)) >= 50);
    const gained = await colours(page);
    check(gained.blue > 800 && gained.red < gained.blue / 10, `what came is blue: ${JSON.stringify(gained)}`);
    check(/\+\d/.test(await tab.locator('.difference-legend').textContent()), 'the legend has metres');
    await ask(page, ['set', { key: 'params.capacity', value: 0.77 }]);
    const entry = tab.locator('.history .entry', { hasText: '→ 0.77' });
    await until('an entry with values before and after', async () => (await entry.count()) === 1);
    await tab.locator('.history .entry', { hasText: 'Raise' }).first().click();
    await until('going back to it', async () => (await page.status()).undo === 'raise');
    await tab.getByRole('button', { name: 'End the comparison' }).click();
    await until('its end', async () => (await page.status()).compare === null);
    check(await tab.locator('.compare').isHidden(), 'nothing lies over the picture');
    await tab.getByRole('button', { name: 'Remove the pin before the hill' }).click();
    await tab.locator('#picture').focus();
    await tab.keyboard.press('Control+z');
    await until('the undo', async () => (await page.hash()) === hash);
    await tab.locator('summary', { hasText: 'History' }).click();
    await sleep(100);
}

/** The mean colour of the picture's middle. */
const middle = (page) =>
    page.ask(() => {
        const { stage } = window.gully;
        stage.painter.fit(1);
        stage.choose('still', performance.now());
        stage.painter.render(true, 1);
        const gl = stage.renderer.getContext();
        const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
        const bytes = new Uint8Array(4 * Math.floor(w / 3) * Math.floor(h / 4));
        gl.readPixels(w / 3, 0.35 * h, Math.floor(w / 3), Math.floor(h / 4), gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        const sum = [0, 0, 0];
        bytes.forEach((value, k) => k % 4 < 3 && (sum[k % 4] += value));
        return sum.map((value) => (4 * value) / bytes.length);
    });

async function looks(page) {
    const { tab } = page;
    await page.pause();
    await tab.getByRole('button', { name: 'See all' }).first().click();
    await tab.locator('.panel.left summary', { hasText: 'Look' }).click();
    const names = await tab.locator('.swatch').allTextContents();
    check(names.includes('Alpine') && names.includes('Desert') && names.length >= 9, `the engine's palettes: ${names}`);
    const [red, , blue] = await middle(page);
    await tab.getByRole('button', { name: 'Palette: desert' }).click();
    const [redder, , bluer] = await middle(page);
    check(redder - bluer > red - blue + 15, 'a desert is more red than an alp');
    await tab.getByRole('button', { name: 'Palette: alpine' }).click();
    const put = async (key, value) => {
        await tab.locator(`[data-look=${key}] input.number`).fill(String(value));
        await tab.keyboard.press('Enter');
    };
    const { top } = await page.ask(() => window.gully.stage.bounds);
    const before = await middle(page);
    await put('snowLine', 0);
    const white = await middle(page);
    check(white[0] > before[0] + 15 && white[2] > before[2] + 25, `snow from zero up: ${before} -> ${white}`);
    await tab.locator('[data-look=snowLine] .reset').click();
    await put('sea', Math.round(top));
    const sea = await middle(page);
    check(sea[2] > sea[0] + 15, `a sea over all of it is blue: ${sea}`);
    await tab.locator('[data-look=sea] .reset').click();
    await put('exposure', 2);
    const bright = await middle(page);
    check(bright[1] > before[1] + 25, 'exposure');
    await put('exposure', 0);
    const sun = await page.ask(() => window.gully.stage.sun.elevation);
    await put('hour', 6);
    check((await page.ask(() => window.gully.stage.sun.elevation)) < sun, 'early the sun is low');
    await tab.reload();
    await page.seen();
    check(await tab.locator('.swatch').first().isVisible(), 'a fold stays open');
    await tab.locator('.panel.left summary', { hasText: 'Look' }).click();
}

async function cameras(page) {
    const { tab } = page;
    await tab.locator('#picture').focus();
    const at = await page.place(0.5, 0.5);
    await tab.mouse.move(at.x, at.y);
    await tab.mouse.move(at.x + 1, at.y);
    await until('what is under the pointer', async () => /m high · \d/.test(await tab.locator('.pointer-reading').textContent()));
    check(/k?m$/.test(await tab.locator('.scale-bar').textContent()), 'a scale bar');
    const camera = () =>
        page.ask(() => {
            const { flat, flying, azimuth, elevation } = window.gully.stage.camera;
            return { flat, flying, azimuth, elevation };
        });
    await tab.locator('.panel.left summary', { hasText: 'Camera' }).click();
    await tab.getByRole('button', { name: 'Keep this view' }).click();
    const kept = await camera();
    await tab.locator('#picture').focus();
    await tab.keyboard.press('t');
    check((await camera()).elevation > 1.5, 'from above');
    await tab.keyboard.press('o');
    check((await camera()).flat, 'without perspective');
    const corners = await page.ask(() => {
        const [w, h] = window.gully.stage.field.size;
        return [[0.02, 0.02], [0.98, 0.98]].map(([u, v]) => window.gully.screen(u * w, v * h));
    });
    check(corners.every(Boolean) && corners[1].x > corners[0].x && corners[1].y > corners[0].y, 'north is up, all is seen');
    await tab.keyboard.press('l');
    const standing = await camera();
    check(standing.flying && !standing.flat && Math.abs(standing.elevation) < 0.6, 'at eye level');
    await tab.keyboard.press('Shift+1');
    const back = await camera();
    check(Math.abs(back.azimuth - kept.azimuth) < 1e-6 && back.flying === kept.flying, 'a kept view comes back');
    await tab.getByRole('button', { name: 'View 1', exact: true }).click({ modifiers: ['Alt'] });
    await tab.locator('.panel.left summary', { hasText: 'Camera' }).click();
    await tab.keyboard.press('Home');
}

/** Files are dropped on the page, all at once. */
function dropFiles(page, names) {
    const files = names.map((name) => [name, readFileSync(name).toString('base64')]);
    return page.ask((list) => {
        const transfer = new DataTransfer();
        for (const [name, bytes] of list)
            transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, files);
}

async function imports(page) {
    const { tab } = page;
    await page.pause();
    const words = ['--width', '200', '--height', '150', '--relief', '500', '--offset', '100', '--cell', '20'];
    execFileSync(gully, ['generate', 'mountains', '-o', 'alone.png', ...words]);
    execFileSync(gully, ['generate', 'mountains', '-o', 'whole.png', ...words]);
    const world = () => page.ask(() => window.gully.description().world);
    const open = async () => {
        await tab.getByRole('button', { name: 'Open as terrain' }).click();
        const leave = tab.getByRole('button', { name: 'Do not save' });
        await until('the land', async () => {
            if (await leave.isVisible()) await leave.click();
            return (await world()).width === 200;
        });
        await until('all of it', () => page.ask(() => window.gully.stage.loop.ready && window.gully.stage.field.known));
    };
    const span = () => page.ask(() => window.gully.stage.field.measure());

    // An image alone: no wall.
    await dropFiles(page, ['alone.png']);
    const facts = tab.locator('.import-facts');
    await facts.waitFor();
    const slope = Number(/about (\d+)°/.exec(await facts.textContent())?.[1]);
    check(slope > 3 && slope < 45, `land, not walls: ${await facts.textContent()}`);
    await tab.getByRole('textbox', { name: 'Height of white in m' }).fill('90000');
    await until('a warning of walls', async () => /walls/.test(await tab.locator('.import-warning').textContent()));
    await tab.getByRole('textbox', { name: 'Height of white in m' }).fill('640');
    await tab.getByRole('textbox', { name: 'Cell size in m' }).fill('25');
    check((await tab.getByRole('textbox', { name: 'Width of the whole in km' }).inputValue()) === '5', 'the width follows');
    await until('its heights', async () => /to 640 m/.test(await facts.textContent()));
    await open();
    check((await world()).cell[0] === 25, 'the cells as told');
    check(Math.abs((await span()).top - 640) < 2, 'the heights as told');

    // The same upside down.
    const corner = await page.height(0.1, 0.9);
    await dropFiles(page, ['alone.png']);
    await tab.getByRole('textbox', { name: 'Height of white in m' }).fill('640');
    await tab.getByRole('textbox', { name: 'Cell size in m' }).fill('25');
    await tab.getByRole('checkbox', { name: 'Upside down' }).check();
    const session = await page.ask(() => window.gully.description());
    await sleep(600);
    await tab.getByRole('button', { name: 'Open as terrain' }).click();
    await tab.getByRole('button', { name: 'Do not save' }).click({ timeout: 3000 }).catch(() => undefined);
    void session;
    await until('it upside down', async () => Math.abs((await page.height(0.1, 0.1)) - corner) < 3);

    // Numbers that are no counts: in another unit, and one that is no height.
    writeFileSync('feet.asc', `ncols 40\nnrows 30\nxllcorner 0\nyllcorner 0\ncellsize 9\n${'100 200 300 400 '.repeat(10).concat('\n').repeat(30)}`);
    await dropFiles(page, ['feet.asc']);
    await until('metres at first', async () => /100 to 400 m/.test(await facts.textContent()));
    await tab.getByRole('combobox', { name: 'Unit of heights' }).selectOption('ft');
    await until('feet', async () => /30\.48 to 121\.92 m/.test(await facts.textContent()));
    await tab.getByRole('textbox', { name: 'Number without a height' }).fill('400');
    await until('a number without a height', async () => /300 without a height/.test(await facts.textContent()));
    await tab.keyboard.press('Escape');
    await until('no sheet', async () => (await tab.locator('dialog[open]').count()) === 0);

    // Our own export comes back as it went, with its sidecar.
    await dropFiles(page, ['whole.png', 'whole.png.json']);
    await facts.waitFor();
    check(/100 to 600 m/.test(await facts.textContent()), `as the sidecar says: ${await facts.textContent()}`);
    await open();
    await until('its cells', async () => (await world()).cell[0] === 20);
    await until('its heights', async () => Math.abs((await span()).bottom - 100) < 1 && Math.abs((await span()).top - 600) < 1);
}

async function hands(page) {
    const { tab } = page;
    await page.pause();
    await tab.keyboard.press('Home');
    const hash = await page.hash();
    const { depth } = await page.status();
    await tab.getByRole('button', { name: 'Raise', exact: true }).click();
    const at = await page.place(0.5, 0.55);
    const press = async (key, held = null) => {
        await page.shows(at);
        if (key) await tab.keyboard.down(key);
        await tab.mouse.move(at.x, at.y);
        await tab.mouse.down();
        if (held) await until('it to build up', held);
        await tab.mouse.up();
        if (key) await tab.keyboard.up(key);
        await until('the end of the stroke', async () => (await ask(page, ['status'])).stroke === false);
        return ask(page, ['status']);
    };
    const high = async () =>
        (await ask(page, ['pick', { at: await page.ask(([u, v]) => window.gully.stage.field.size.map((s, k) => s * [u, v][k]), [at.u, at.v]) }])).values.terrain;
    const undo = async (before) => {
        await tab.keyboard.press('Control+z');
        await until('the undo', async () => (await ask(page, ['status'])).depth === before);
    };
    const ground = await high();
    check((await press('')).undo === 'raise', 'a click raises');
    const once = (await high()) - ground;
    check(once > 0, 'by some metres');
    await undo(depth);
    check((await press('', async () => (await high()) - ground > 1.8 * once)).undo === 'raise', 'held, it builds up');
    await undo(depth);
    check((await press('Control')).undo === 'lower' && (await high()) < ground, 'Ctrl does the opposite');
    await undo(depth);
    check((await press('Shift')).undo === 'smooth', 'Shift smooths');
    await undo(depth);
    check((await page.hash()) === hash, 'all is as it was');
    await tab.keyboard.press('Escape');
}

export const builds = {
    'a brush that rests builds up; Ctrl inverts, Shift smooths': hands,
    'palettes, lines, light and air': looks,
    'views, and what is under the pointer': cameras,
    'the present is compared with what was': compares,
};

/** The sheet of a new landscape, with its first picture. */
async function newLandscape(page) {
    await page.pause();
    await page.tab.locator('#picture').focus();
    await page.tab.keyboard.press('n');
    const dialog = page.tab.getByRole('dialog');
    await dialog.locator('.variant').first().waitFor();
    return dialog;
}

/** A landscape is made: the picture follows, variants are offered. */
async function makes(page) {
    const { tab } = page;
    const dialog = await newLandscape(page);
    check((await dialog.locator('.variant').count()) === 4, 'four variants');
    const picture = () => page.ask(() => document.querySelector('.sketch').toDataURL());
    let before = await picture();
    const changes = async (what) => {
        await until(what, async () => (await picture()) !== before);
        before = await picture();
    };
    // All kinds, each with all of its parameters and a picture of its own.
    const kinds = await page.ask(() => window.gully.hello().generators.map(({ name }) => name));
    const params = await page.ask(() => window.gully.hello().generate.map(({ name }) => name));
    check(kinds.length >= 12 && params.length >= 4, `kinds: ${kinds}; parameters: ${params}`);
    const pictures = new Set([before]);
    for (const kind of kinds.slice(1)) {
        await dialog.getByRole('combobox', { name: 'Kind' }).selectOption(kind);
        await until(`a picture of ${kind}`, async () => (await picture()) !== before || kind === 'slope');
        await until(`variants of ${kind}`, async () => (await dialog.locator('.variant').count()) === 4);
        before = await picture();
        pictures.add(before);
        const fields = await page.ask(() => [...document.querySelectorAll('dialog [data-generate]')].map((e) => e.dataset.generate));
        check(['seed', 'relief', 'offset'].every((name) => fields.includes(name)), `${kind} has its parameters: ${fields}`);
    }
    check(pictures.size > kinds.length - 3, `they differ: ${pictures.size} pictures of ${kinds.length} kinds`);
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('volcano');
    await changes('a volcano');
    await dialog.getByRole('button', { name: 'Roll the dice' }).click();
    await changes('another seed');
    await dialog.locator('[data-generate=scale] input[type=range]').press('ArrowRight');
    await changes('the slider');
    await dialog.locator('.variant').nth(2).click();
    await changes('a variant');
    await dialog.locator('[data-generate=relief] input.number').fill('800');
    await tab.keyboard.press('Enter');
    await changes('its relief');
    await dialog.getByRole('combobox', { name: 'Resolution' }).selectOption('256');
    await dialog.getByRole('textbox', { name: 'Width in km' }).fill('5.12');
    await dialog.getByRole('button', { name: 'Generate' }).click();
    const leave = tab.getByRole('button', { name: 'Do not save' });
    await until('the volcano', async () => {
        if (await leave.isVisible()) await leave.click();
        return (await page.ask(() => window.gully.description().world.terrain)).startsWith('volcano');
    });
    const { width, cell } = await page.ask(() => window.gully.description().world);
    check(width === 256 && Math.abs(cell[0] - 20) < 1e-6, `as large as asked for: ${width} cells of ${cell[0]} m`);
    await until('its relief', () =>
        page.ask(() => {
            const { stage } = window.gully;
            return stage.loop.ready && Math.abs(stage.bounds.top - stage.bounds.bottom - 800) < 30;
        }),
    );
    check((await page.ask(() => window.gully.stage.palette.name)) === 'volcanic', 'a palette that fits');
}

/** Layers of generators with masks: added, changed, put in another order, removed; each shows in the picture. */
async function combines(page) {
    const { tab } = page;
    const dialog = await newLandscape(page);
    const pixels = () => page.ask(() => document.querySelector('.sketch').toDataURL());
    const rows = () => dialog.locator('.layers li').evaluateAll((items) => items.map((item) => item.querySelector('b').textContent));
    let before = await pixels();
    const changes = async (what) => {
        await until(what, async () => (await pixels()) !== before);
        before = await pixels();
    };
    const choose = (name, value) => dialog.getByRole('combobox', { name, exact: true }).selectOption(value);
    await choose('Kind', 'canyon');
    await changes('a canyon');
    check((await rows()).length === 0, 'one layer needs no list');

    // A second layer, its generator and how it goes onto the first.
    await dialog.getByRole('button', { name: 'Add a layer' }).click();
    await changes('hills on it');
    await choose('Kind', 'volcano');
    await changes('a volcano instead');
    check((await rows()).join() === 'Volcano,Canyon', `the highest stands on top: ${await rows()}`);
    await dialog.locator('[data-generate=relief] input.number').fill('900');
    await tab.keyboard.press('Enter');
    await changes('its relief');
    await choose('Blend', 'max');
    await changes('how it is combined');

    // Its mask: each form of it.
    await choose('Where', 'height');
    await changes('where it is high');
    await dialog.locator('[data-mask=low] input.number').fill('0');
    await tab.keyboard.press('Enter');
    await changes('from another height on');
    await choose('Where', 'slope');
    await changes('where it is flat');
    await dialog.locator('[data-mask=invert] input').check();
    await changes('where it is steep');
    await choose('Where', 'generate');
    await changes('where a pattern is');
    await dialog.locator('[data-mask=range] input').check();
    await changes('a range of it');
    await dialog.getByRole('button', { name: "Roll the pattern's dice" }).click();
    await changes('another pattern');

    // A picture says how many cells the land has.
    await choose('Where', 'file');
    await changes('everywhere, without a picture');
    const size = dialog.getByRole('combobox', { name: 'Resolution' });
    const asc = `ncols 60\nnrows 40\nxllcorner 0\nyllcorner 0\ncellsize 1\n${('0 '.repeat(30) + '200 '.repeat(30) + '\n').repeat(40)}`;
    await dialog.locator('.mask-picture input').setInputFiles({ name: 'east.asc', mimeType: 'text/plain', buffer: Buffer.from(asc) });
    await changes('in the bright half');
    check(await size.isDisabled(), "the resolution is the picture's");
    check((await page.ask(() => document.querySelector('.sketch').width)) === 60, 'as in the preview');

    // What is refused says where, and the picture stays.
    await choose('Where', 'height');
    await changes('heights again');
    await dialog.locator('[data-mask=low] input.number').fill('9000');
    await tab.keyboard.press('Enter');
    const refused = dialog.getByRole('alert').filter({ hasText: 'Layer 2: mask.height' });
    await refused.waitFor();
    check(/lower one first/.test(await refused.textContent()), 'and what is allowed');
    check((await pixels()) === before, 'the picture stays');
    await choose('Where', 'none');
    await refused.waitFor({ state: 'hidden' });
    await changes('everywhere');

    // The dice and variants are of the layer that is chosen.
    const seed = () => dialog.locator('[data-generate=seed] input.number').inputValue();
    const own = await seed();
    await dialog.locator('.variant').nth(1).click();
    await changes('a variant');
    check(Number(await seed()) === Number(own) + 2, `of the volcano: ${own}, ${await seed()}`);
    await dialog.locator('[data-layer="0"] .layer').click();
    await until('the canyon', async () => (await dialog.getByRole('combobox', { name: 'Kind' }).inputValue()) === 'canyon');
    check((await seed()) !== own, 'it has its own seed');
    await dialog.getByRole('button', { name: 'Roll the dice' }).click();
    await changes('another canyon');

    // A third, another order, one less.
    await dialog.getByRole('button', { name: 'Add a layer' }).click();
    await changes('a third');
    await dialog.locator('[data-layer="1"]').getByRole('button', { name: 'Deeper' }).click();
    await changes('the volcano below');
    check((await rows()).join() === 'Fbm,Canyon,Volcano', `in another order: ${await rows()}`);
    await dialog.locator('[data-layer="2"]').getByRole('button', { name: 'Remove the layer' }).click();
    await changes('two again');
    check((await rows()).join() === 'Canyon,Volcano', `without the third: ${await rows()}`);

    await dialog.getByRole('combobox', { name: 'Resolution' }).selectOption('256');
    await dialog.getByRole('button', { name: 'Generate' }).click();
    const leave = tab.getByRole('button', { name: 'Do not save' });
    await until('the land', async () => {
        if (await leave.isVisible()) await leave.click();
        return (await page.ask(() => window.gully.description().world.terrain)) === 'volcano and more, 256 x 256';
    });
}

/** The land in cells half as large, and back again. */
async function doubles(page) {
    const { tab } = page;
    await page.pause();
    const size = () => page.ask(() => [window.gully.description().world.width, window.gully.description().world.cell[0]]);
    const [width, cell] = await size();
    const { step } = await ask(page, ['status']);
    await ask(page, ['step', { steps: 4 }]); // something to go back to
    await until('four steps', async () => (await ask(page, ['status'])).step === step + 4);
    const before = await ask(page, ['status']);
    const hash = await page.hash();
    const dialog = await newLandscape(page);
    await dialog.getByRole('button', { name: 'Double the resolution' }).click();
    const leave = tab.getByRole('button', { name: 'Do not save' });
    await until('twice the cells', async () => {
        if (await leave.isVisible()) await leave.click();
        return (await size())[0] === 2 * width;
    });
    check((await size())[1] === cell / 2, 'half as large');
    const now = await ask(page, ['status']);
    check(now.step === before.step && now.time === before.time, `the same moment: ${now.step}, ${now.time}`);
    check(now.unsaved, 'it is not saved');
    await until('its picture', () => page.ask(() => window.gully.stage.loop.ready));
    await tab.locator('.offer').getByRole('button', { name: 'Go back' }).click();
    await until('the land before', async () => (await size())[0] === width);
    check((await page.hash()) === hash, 'as it was');
}

/** The block is cut open: its face has the layers that lie there, and what is cut off is gone. */
async function cuts(page) {
    const { tab } = page;
    const scene = {
        gully: 1,
        terrain: { generate: 'mountains', width: 200, height: 160, relief: 300, seed: 4 },
        materials: [{ name: 'rock', color: '#00ff00' }, { name: 'soil', color: '#ff0000' }],
        layers: { soil: { generate: 'fbm', relief: 60, offset: 10 } },
        rain: { rate: 1e-3 },
        steps: 100000,
    };
    const leave = tab.getByRole('button', { name: 'Do not save' });
    await ask(page, ['new', { scene }]);
    await until('the layers', async () => {
        if (await leave.isVisible()) await leave.click();
        return page.ask(() => window.gully.description().world.width === 200 && window.gully.stage.loop.ready);
    });
    const folded = tab.locator('.panel.left summary', { hasText: 'Look' });
    if (!(await tab.locator('.swatch').first().isVisible())) await folded.click();
    await tab.getByRole('button', { name: 'Palette: by material' }).click();
    await folded.click();
    await tab.locator('button[data-tool=look]').click();
    await page.ask(() => window.gully.stage.camera.frame());

    // The colour of the picture at a place in the land [m], so far below the ground; and the soil there.
    const look = (x, y, below) =>
        page.ask(
            async ([x, y, below]) => {
                const { stage } = window.gully;
                const at = stage.camera.camera.position.clone().set(x, (stage.field.surface(x, y) - below) * stage.tall, y);
                at.project(stage.camera.camera);
                const picture = await createImageBitmap(await stage.painter.screenshot());
                const sheet = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
                sheet.drawImage(picture, 0, 0);
                const [u, v] = [(0.5 + 0.5 * at.x) * picture.width, (0.5 - 0.5 * at.y) * picture.height];
                return [...sheet.getImageData(Math.round(u), Math.round(v), 1, 1).data];
            },
            [x, y, below],
        );
    const soilAt = async (x, y) => (await ask(page, ['pick', { at: [x, y] }])).values.layer_1;
    const shown = (side, k) => page.ask(([side, k]) => window.gully.stage.surface.uniforms.uSides.value.image.data[8 * side * 256 + k], [side, k]);
    const cut = async (side, percent) => {
        const field = tab.locator(`[data-cut=${side}] input.number`);
        await field.fill(String(percent));
        await tab.keyboard.press('Enter');
    };
    const [width, height] = await page.ask(() => window.gully.stage.field.size);
    const isGreen = ([r, g, b]) => g > 1.3 * r && g > 1.3 * b;
    const isRed = ([r, g, b]) => r > 1.3 * g && r > 1.3 * b;

    // From the south, the side that one looks at from: soil above, rock below it.
    const [x, y] = [0.5 * width, 0.6 * height];
    const soil = await soilAt(x, y);
    check(soil > 10, `there is soil: ${soil} m`);
    check(!isGreen(await look(x, y, soil + 25)), 'the rock is hidden');
    await cut('south', 40);
    await until('the soil at the cut', async () => Math.abs((await shown(3, 128)) - soil) < 2);
    await until('rock in the face', async () => isGreen(await look(x, y, soil + 25)));
    check(isRed(await look(x, y, 0.5 * soil)), 'soil above it');
    const gone = await look(x, 0.9 * height, 0);
    check(!isRed(gone) && !isGreen(gone), `nothing where it was cut off: ${gone}`);
    await until('light on the table there', async () => Math.min(...(await look(x, 0.9 * height, soil))) > 120);
    const ray = await page.ask(
        ([x, y]) => {
            const { stage } = window.gully;
            const hit = stage.camera.camera.position.clone();
            const down = { origin: hit.clone().set(x, 5000, y), direction: hit.clone().set(0, -1, 0) };
            return stage.field.cast(down, stage.tall, stage.bounds, hit) !== null;
        },
        [x, 0.9 * height],
    );
    check(!ray, 'nor does the pointer find it');

    // From the east too, and back.
    await cut('east', 25);
    const east = await soilAt(0.75 * width, 0.5 * height);
    await until('the soil at the other cut', async () => Math.abs((await shown(1, 128)) - east) < 2);
    await cut('east', 0);
    await cut('south', 0);
    await until('the whole block', async () => isRed(await look(x, 0.9 * height, 0)));
}

/** These leave other landscapes behind. */
export const lastBuilds = {
    'rasters are looked at before they are opened': imports,
    'a landscape is made': makes,
    'layers are combined with masks': combines,
    'the cells are doubled, and back': doubles,
    'the block is cut open': cuts,
};
