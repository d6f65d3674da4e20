// SPDX-License-Identifier: MIT
// Words for artists, what goes out, and the page for everyone. Each a test of page_test.mjs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { check, sleep, until } from './studio.mjs';

const ask = (page, keys) => page.ask((words) => window.gully.do(...words), keys);
const rowOf = (page, key) =>
    page.ask((key) => {
        for (const { name, rows } of window.gully.description().sections)
            for (const row of rows) if (`${name}.${row.name}` === key) return row;
        return null;
    }, key);
const undo = async (page) => {
    const { depth } = await page.status();
    await page.tab.locator('#picture').focus();
    await page.tab.keyboard.press('Control+z');
    await until('the undo', async () => (await page.status()).depth === depth - 1);
};

/** A word moves its coefficients as one step; they stand below it, one click from their own fields. */
async function words(page) {
    const { tab } = page;
    await page.pause();
    const { depth } = await page.status();
    const macro = tab.locator('[data-macro=Strength]');
    const slider = macro.getByRole('slider', { name: 'Strength' });
    const before = (await rowOf(page, 'params.capacity')).value;
    await slider.fill('50');
    await until('the coefficient', async () => Math.abs((await rowOf(page, 'params.capacity')).value - 2 * before) < 0.01);
    await until('one step to undo', async () => (await page.status()).depth === depth + 1);
    check((await page.status()).undo === 'Strength', 'it has the name of the word');
    await until('what it says', async () => (await macro.locator('.macro-reading').textContent()) === '+50 %');
    await macro.getByText('What it touches').click();
    const touched = macro.getByRole('button', { name: 'Show Capacity among the parameters' });
    check(/→ 2/.test(await touched.textContent()), `from what to what: ${await touched.textContent()}`);
    await tab.locator('details[data-section=params]').evaluate((e) => (e.open = false));
    await touched.click();
    check(await page.ask(() => document.activeElement.closest('.row')?.dataset.key === 'params.capacity'), 'a click goes to the number');
    await macro.getByRole('button', { name: 'Show where Strength acts' }).click();
    check((await page.ask(() => window.gully.stage.view)) === 'wear', 'and shows where it acts');
    await tab.getByRole('button', { name: 'View: Land' }).click();
    await ask(page, ['set', { key: 'params.capacity', value: before * 16 }]);
    await until('a number beyond the word', async () => (await macro.locator('.macro-reading').textContent()) === 'set one by one');
    await until('its step', async () => (await page.status()).depth === depth + 2);
    await undo(page);
    await undo(page);
    check((await rowOf(page, 'params.capacity')).value === before, 'undo');
    await until('the slider to go back', async () => (await slider.inputValue()) === '0');
    // All five move something, each its own, and all the way.
    const all = await page.ask(() => [...document.querySelectorAll('.macro:not([hidden])')].map((e) => e.dataset.macro));
    check(all.join() === 'Strength,Age,Wetness,Rock,Detail', `five words: ${all}`);
    for (const name of all) {
        const values = () =>
            page.ask(() => JSON.stringify(window.gully.description().sections.flatMap(({ rows }) => rows.map(({ value }) => value))));
        const old = await values();
        await tab.getByRole('slider', { name, exact: true }).fill('100');
        await until(`${name} to act`, async () => (await values()) !== old);
        await until('its step', async () => (await page.status()).undo === name);
        await undo(page);
        await until('as before', async () => (await values()) === old);
    }
}

const download = async (page, press) => {
    const [made] = await Promise.all([page.tab.waitForEvent('download'), press()]);
    const path = `${process.cwd()}/${made.suggestedFilename()}`;
    await made.saveAs(path);
    return path;
};

/** All of it as one zip that other programs read, of one step, with the preset of an engine. */
async function zips(page) {
    const { tab } = page;
    await page.pause();
    await tab.getByRole('button', { name: 'Export', exact: true }).click();
    const sheet = tab.getByRole('dialog');
    await sheet.getByRole('combobox', { name: 'Preset' }).selectOption('unity');
    const path = await download(page, () => sheet.getByRole('button', { name: 'Export all as a zip' }).click());
    const look = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
about = json.loads(z.read('contents.json'))
names = z.namelist()
assert about['preset'] == 'unity' and about['step'] == int(sys.argv[2]), about
for part in about['files']:
    assert part['file'] in names, part
print(' '.join(sorted(part['what'] for part in about['files'])), about['width'])
`;
    const { step } = await ask(page, ['status']);
    const said = execFileSync('python3', ['-c', look, path, String(step)], { encoding: 'utf8' });
    check(said.startsWith('deposit flow mesh normal sediment slope splat terrain water wear 513'), `all of it: ${said}`);
    await tab.keyboard.press('Escape');
}

/** A picture four times as large, with nothing behind the land. */
async function photographs(page) {
    const { tab } = page;
    await page.pause();
    await tab.setViewportSize({ width: 900, height: 480 }); // sixteen times as many pixels are made
    await tab.keyboard.press('Home');
    await page.idle();
    const size = await page.ask(() => [window.gully.stage.canvas.clientWidth, window.gully.stage.canvas.clientHeight]);
    await tab.getByRole('button', { name: 'Pictures and films' }).click();
    const sheet = tab.getByRole('dialog');
    await sheet.getByRole('checkbox', { name: 'Without sky' }).check();
    const path = await download(page, () => sheet.getByRole('button', { name: 'Take the picture' }).click());
    const seen = await page.ask(async (bytes) => {
        const image = new Image();
        image.src = `data:image/png;base64,${bytes}`;
        await image.decode();
        const sheet = new OffscreenCanvas(image.width, image.height).getContext('2d');
        sheet.drawImage(image, 0, 0);
        const { data } = sheet.getImageData(0, 0, image.width, image.height);
        let [clear, land, part] = [0, 0, 0];
        for (let k = 3; k < data.length; k += 4) {
            clear += data[k] === 0;
            land += data[k] === 255;
            part += data[k] > 0 && data[k] < 255;
        }
        const middle = 4 * (image.width * Math.floor(image.height / 2) + Math.floor(image.width / 2));
        return { width: image.width, height: image.height, clear, land, part, corner: data[3], middle: data[middle + 3] };
    }, readFileSync(path).toString('base64'));
    check(seen.width === 4 * size[0] && seen.height === 4 * size[1], `four times as large: ${JSON.stringify(seen)}`);
    check(seen.corner === 0 && seen.middle === 255 && seen.part > 100, `land and nothing else, with smooth edges: ${JSON.stringify(seen)}`);
    check(seen.land > 0.1 * seen.width * seen.height, 'all of the land');
    await tab.keyboard.press('Escape');
    await tab.setViewportSize({ width: 1280, height: 720 });
}

/** Films play: so long, so large, and something moves in them. */
async function films(page) {
    const { tab } = page;
    await page.pause();
    await page.idle();
    const cinema = await page.context.newPage(); // the page's own policy shows no films
    const view = () => page.ask(() => JSON.stringify(window.gully.stage.camera.view()));
    const before = await view();
    await tab.getByRole('button', { name: 'Pictures and films' }).click();
    const sheet = tab.getByRole('dialog');
    await sheet.getByRole('combobox', { name: 'Size of the film' }).selectOption('640 x 360');
    await sheet.getByRole('textbox', { name: 'Length in seconds' }).fill('0.3');
    const watch = (path) =>
        cinema.evaluate(async (bytes) => {
            const video = document.createElement('video');
            video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: 'video/webm' }));
            video.muted = true;
            await new Promise((done, fail) => ((video.onloadeddata = done), (video.onerror = () => fail(new Error(video.error.message)))));
            const shot = () => {
                const sheet = new OffscreenCanvas(64, 36).getContext('2d');
                sheet.drawImage(video, 0, 0, 64, 36);
                return sheet.getImageData(0, 0, 64, 36).data;
            };
            const first = shot();
            await new Promise((done) => {
                video.onended = done;
                void video.play();
            });
            const last = shot();
            const apart = first.reduce((sum, value, k) => sum + Math.abs(value - last[k]), 0) / first.length;
            return { width: video.videoWidth, height: video.videoHeight, length: video.duration, apart };
        }, readFileSync(path).toString('base64'));
    const turned = await watch(await download(page, () => sheet.getByRole('button', { name: 'Turntable' }).click()));
    check(turned.width === 640 && turned.height === 360 && Math.abs(turned.length - 0.3) < 0.05, `a film: ${JSON.stringify(turned)}`);
    check(turned.apart > 2, `it turns: ${JSON.stringify(turned)}`);
    check((await view()) === before, 'the camera is where it was');
    const { step } = await ask(page, ['status']);
    await sheet.getByRole('textbox', { name: 'Steps between two pictures' }).fill('3');
    await sheet.getByRole('textbox', { name: 'Length in seconds' }).fill('0.2');
    const lapsed = await watch(await download(page, () => sheet.getByRole('button', { name: 'Time-lapse' }).click()));
    check(lapsed.width === 640 && Math.abs(lapsed.length - 0.2) < 0.05, `a time-lapse: ${JSON.stringify(lapsed)}`);
    check((await ask(page, ['status'])).step === step + 15, 'three steps between two of its six pictures');
    await cinema.close();
    await tab.keyboard.press('Escape');
}

/** A session as one file, with a raster that its scene names and one that was stamped; it comes back to the bit. */
async function shares(page) {
    const { tab } = page;
    await page.pause();
    const hash = await page.hash();
    await tab.keyboard.press('Control+s');
    const sheet = tab.getByRole('dialog');
    await sheet.getByRole('textbox', { name: 'Name of the session' }).fill('to share');
    const path = await download(page, () => sheet.getByRole('button', { name: 'As one file...' }).click());
    await tab.keyboard.press('Escape');
    check(path.endsWith('to share.gully.tar.gz'), `its name: ${path}`);
    const inside = execFileSync('tar', ['tzf', path], { encoding: 'utf8' });
    check(/^session.json$/m.test(inside) && /^checkpoint-/m.test(inside), `a plain tar: ${inside}`);
    await tab.locator('#picture').focus();
    await tab.keyboard.press('.');
    await until('another state', async () => (await page.hash()) !== hash);
    await page.ask((bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], 'to share.gully.tar.gz'));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, readFileSync(path).toString('base64'));
    await tab.getByRole('button', { name: 'Do not save' }).click();
    await until('the shared state', async () => (await page.hash()) === hash);
    check((await page.status()).name === 'to share', 'it is one of the saved ones');
}

/** Painting and looking around with keys alone. */
async function keyboard(page) {
    const { tab } = page;
    await page.pause();
    await tab.keyboard.press('Home');
    const before = await page.hash();
    const { depth } = await page.status();
    await tab.getByRole('button', { name: 'Raise', exact: true }).focus();
    await tab.keyboard.press('Enter');
    await tab.locator('#picture').focus();
    const ring = () => page.ask(() => window.gully.stage.surface.uniforms.uRing.value.toArray());
    await tab.keyboard.press('ArrowRight');
    const from = await ring();
    await tab.keyboard.down('Enter');
    for (let k = 0; k < 6; k++) await tab.keyboard.press('ArrowUp');
    await tab.keyboard.up('Enter');
    await until('a stroke', async () => (await page.status()).depth === depth + 1 && (await ask(page, ['status'])).stroke === false);
    check((await page.hash()) !== before, 'keys paint');
    const to = await ring();
    check(Math.hypot(to[0] - from[0], to[1] - from[1]) > 10, `the ring goes along: ${from} ${to}`);
    await until('where it is, for those who listen', async () =>
        /m high/.test(await tab.locator('.unseen[role=status]').textContent()),
    );
    await undo(page);
    check((await page.hash()) === before, 'one step to undo');
    await tab.keyboard.press('Escape');
    const camera = () => page.ask(() => {
        const { azimuth, elevation, distance } = window.gully.stage.camera;
        return { azimuth, elevation, distance };
    });
    const start = await camera();
    await tab.keyboard.press('e');
    await tab.keyboard.press('PageUp');
    await tab.keyboard.press('+');
    await until('the camera', async () => {
        const now = await camera();
        return now.azimuth > start.azimuth + 0.05 && now.elevation > start.elevation + 0.05 && now.distance < 0.95 * start.distance;
    });
    await tab.keyboard.press('Home');
}

/** While time passes, nothing is read out that only counts. */
async function calm(page) {
    await page.ask(() => {
        window.said = [];
        const live = '[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off]), output';
        // What goes away (an old note) is not read out.
        const isSaid = (changes) => changes.some(({ type, addedNodes }) => type === 'characterData' || addedNodes.length > 0);
        for (const region of document.querySelectorAll(live))
            new MutationObserver((changes) => isSaid(changes) && window.said.push(`${region.className}: ${region.textContent}`)).observe(region, {
                childList: true,
                characterData: true,
                subtree: true,
            });
    });
    const { step } = await page.status();
    await page.tab.locator('#picture').focus();
    await page.tab.keyboard.press(' ');
    await until('some steps', async () => (await page.status()).step > step + 30);
    await page.pause();
    const said = await page.ask(() => window.said);
    check(said.length === 0, `nothing chatters: ${said.join(' | ')}`);
}

/** One finger orbits, two move and zoom, a pen paints. */
async function touches(page) {
    const { tab } = page;
    await page.pause();
    await tab.keyboard.press('Home');
    const before = await page.hash();
    const { depth } = await page.status();
    await tab.getByRole('button', { name: 'Raise', exact: true }).click();
    const at = await page.place(0.5, 0.55);
    const pointer = (type, kind, id, x, y) =>
        page.ask(
            ([type, kind, id, x, y]) => {
                const canvas = document.querySelector('#picture');
                canvas.setPointerCapture = () => undefined; // made events have no pointer to be captured
                canvas.dispatchEvent(new PointerEvent(type, {
                    pointerType: kind, pointerId: id, clientX: x, clientY: y, button: type === 'pointermove' ? -1 : 0,
                    buttons: type === 'pointerup' ? 0 : 1, pressure: 0.5, bubbles: true, cancelable: true,
                }));
            },
            [type, kind, id, x, y],
        );
    const camera = () => page.ask(() => {
        const { azimuth, distance, target } = window.gully.stage.camera;
        return { azimuth, distance, x: target.x, z: target.z };
    });
    await sleep(400); // a click so soon after the window came to the front is not meant for the land
    const start = await camera();
    await pointer('pointerdown', 'touch', 7, at.x, at.y);
    await pointer('pointermove', 'touch', 7, at.x + 80, at.y);
    await pointer('pointerup', 'touch', 7, at.x + 80, at.y);
    await until('one finger to orbit', async () => Math.abs((await camera()).azimuth - start.azimuth) > 0.1);
    check((await page.hash()) === before, 'a finger does not paint');
    await page.idle();
    const turned = await camera();
    await pointer('pointerdown', 'touch', 7, at.x - 40, at.y);
    await pointer('pointerdown', 'touch', 8, at.x + 40, at.y);
    await pointer('pointermove', 'touch', 7, at.x - 80, at.y + 40);
    await pointer('pointermove', 'touch', 8, at.x + 80, at.y + 40);
    await pointer('pointerup', 'touch', 7, at.x - 80, at.y + 40);
    await pointer('pointerup', 'touch', 8, at.x + 80, at.y + 40);
    await until('two fingers to zoom', async () => (await camera()).distance < 0.8 * turned.distance);
    const moved = await camera();
    check(Math.hypot(moved.x - turned.x, moved.z - turned.z) > 20, 'and to move');
    check(Math.abs(moved.azimuth - turned.azimuth) < 1e-3, 'not to turn');
    await tab.keyboard.press('Home');
    await page.idle();
    const there = await page.place(0.5, 0.55);
    await pointer('pointerdown', 'pen', 9, there.x, there.y);
    await pointer('pointermove', 'pen', 9, there.x + 12, there.y);
    await pointer('pointerup', 'pen', 9, there.x + 12, there.y);
    await until('a pen to paint', async () => (await page.status()).depth === depth + 1 && (await ask(page, ['status'])).stroke === false);
    await undo(page);
    await tab.keyboard.press('Escape');
}

/** A tour; light panels that can be read; documents. */
async function welcomes(page) {
    const { tab } = page;
    await tab.getByRole('button', { name: 'Settings' }).click();
    await tab.getByRole('combobox', { name: 'Panels' }).selectOption('light');
    const fades = () => page.ask(() => document.getAnimations().some((a) => a instanceof CSSTransition && a.playState === 'running'));
    await until('the colours', async () => !(await fades()));
    const contrast = await page.ask(() => {
        const light = (text) => {
            const canvas = new OffscreenCanvas(1, 1).getContext('2d');
            canvas.fillStyle = '#fff';
            canvas.fillRect(0, 0, 1, 1);
            canvas.fillStyle = text;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => (v / 255) ** 2.2);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = (e) => {
            for (; e; e = e.parentElement) {
                const color = getComputedStyle(e).backgroundColor;
                if (/^rgb\(|, 1\)$/.test(color)) return color;
            }
            return '#fff';
        };
        const bad = [];
        for (const e of document.querySelectorAll('.panel *, dialog *')) {
            const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
            if (!own || !e.offsetParent || e.closest(':disabled, [aria-disabled=true], svg')) continue;
            const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4) bad.push(`${e.className || e.tagName} "${e.textContent.slice(0, 20)}" ${ratio.toFixed(1)}`);
        }
        return [...new Set(bad)];
    });
    check(contrast.length === 0, `light panels can be read: ${contrast.slice(0, 12).join(' | ')}`);
    await tab.getByRole('combobox', { name: 'Panels' }).selectOption('dark');
    await tab.getByRole('button', { name: 'Sessions', exact: true }).click();
    await tab.getByRole('dialog').getByText('A session is a scene and a list of records').waitFor();
    await tab.keyboard.press('Escape');
    await tab.getByRole('button', { name: 'Help' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Take the tour' }).click();
    const tour = tab.getByRole('dialog', { name: 'Tour' });
    const frame = tab.locator('.tour-frame');
    const titles = [];
    for (;;) {
        titles.push(await tour.getByRole('heading').textContent());
        const [words, box] = [await tour.boundingBox(), await frame.boundingBox()];
        check(words.x >= 0 && words.y >= 0 && words.x + words.width <= 1280 && words.y + words.height <= 720, `${titles.at(-1)} is on the screen`);
        check(box.width > 20 && box.height > 15, `${titles.at(-1)} has a place`);
        const next = tour.getByRole('button', { name: 'Next' });
        if (!(await next.count())) break;
        await next.click();
    }
    check(titles.length === 9 && new Set(titles).size === 9, `nine stops: ${titles}`);
    const text = await page.ask(() => document.querySelector('.tour p').textContent);
    check(text.length > 40, 'with words');
    await tour.getByRole('button', { name: 'Done' }).click();
    check((await tour.count()) === 0, 'it ends');
}

/** Every form that a layer of a new landscape can have, on the sheet that is open. */
async function layersInGerman(tab) {
    const dialog = tab.getByRole('dialog');
    await dialog.locator('.variant').first().waitFor();
    await dialog.getByRole('button', { name: 'Ebene anfügen' }).click();
    for (const mask of ['file', 'height', 'slope', 'generate'])
        await dialog.getByRole('combobox', { name: 'Wo', exact: true }).selectOption(mask);
    await dialog.locator('[data-mask=range] input').check();
    await dialog.locator('[data-mask=fade]').waitFor();
}

/** In German: every text of the page that people see has a translation. */
async function translates(page) {
    const { tab } = page;
    await tab.getByRole('button', { name: 'Settings' }).click();
    await tab.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await until('German', () => page.ask(() => document.documentElement.lang === 'de').catch(() => false));
    await page.seen();
    await tab.getByRole('button', { name: 'Laufen', exact: true }).waitFor();
    for (const [press, close] of [['n'], ['Control+o'], ['Control+s'], ['Control+e'], ['?']]) {
        await tab.locator('#picture').focus();
        await tab.keyboard.press(press);
        await tab.locator('dialog[open]').waitFor();
        if (press === 'n') await layersInGerman(tab);
        await tab.keyboard.press('Escape');
        await until('no sheet', async () => (await tab.locator('dialog[open]').count()) === 0);
        void close;
    }
    for (const name of ['Einstellungen', 'Bilder und Filme', 'Phasen bearbeiten', 'Was rechnet', 'Landschaften...', 'Vorgaben...']) {
        await tab.getByRole('button', { name }).first().click();
        await tab.locator('dialog[open]').waitFor();
        await tab.keyboard.press('Escape');
        await until('no sheet', async () => (await tab.locator('dialog[open]').count()) === 0);
    }
    for (const tool of ['select', 'stamp', 'source', 'rain', 'raise', 'look']) await tab.locator(`button[data-tool=${tool}]`).click();
    for (const width of [1280, 800]) {
        await tab.setViewportSize({ width, height: 720 });
        const cut = await page.clipped();
        check(cut.length === 0, `nothing is cut off in German at ${width} pixels: ${cut}`);
    }
    await tab.setViewportSize({ width: 1280, height: 720 });
    // What the engine says of its own tables stays as it says it, as do names of devices, sizes and settings.
    const left = await page.ask(async () => {
        const { devices } = await window.gully.do('devices');
        const own = JSON.stringify([window.gully.description(), window.gully.hello(), devices]).toLowerCase();
        const isData = (text) => /^[\d.]+ GB$|^[a-z_.]+ = [-\d.]+$/.test(text) || devices.some(({ name, platform }) => text.includes(name) || text.includes(platform));
        return window.gully
            .untranslated()
            .map((text) => text.trim().replace(/^[^:]{1,20}: /, '').replace(/\.$/, '')) // "Raise: what it does."
            .filter((text) => !isData(text) && !own.includes(JSON.stringify(text).slice(1, -1).toLowerCase()));
    });
    check(left.length === 0, `untranslated: ${JSON.stringify(left)}`);
    await tab.getByRole('button', { name: 'Einstellungen' }).click();
    await tab.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
    await until('English', () => page.ask(() => document.documentElement.lang === 'en').catch(() => false));
    await page.seen();
}

export const artists = {
    'words move coefficients': words,
    'a film turns, another shows time': films,
    'a large picture without sky': photographs,
    'all of it goes out as one zip': zips,
    'painting and looking with keys': keyboard,
    'nothing chatters': calm,
    'fingers and pens': touches,
    'tour, light panels, documents': welcomes,
    'another language': translates,
};

/** These leave other sessions behind. */
export const lastArtists = { 'a session is shared as one file': shares };
