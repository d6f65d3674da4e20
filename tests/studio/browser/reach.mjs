// SPDX-License-Identifier: MIT
// What a hand can do besides painting, what the picture tells, small windows, several pages. Each a test of page_test.mjs.
import { check, openSheetless, Page, sleep, until } from './studio.mjs';

const ask = (page, keys) => page.ask((words) => window.gully.do(...words), keys);
const status = (page) => ask(page, ['status']);
const sizeOf = (page) => page.ask(() => window.gully.stage.field.size);
const strokeEnds = (page) => until('the end of the stroke', async () => (await status(page)).stroke === false);

async function undoTo(page, depth) {
    await page.tab.locator('#picture').focus();
    while ((await status(page)).depth > depth) {
        const before = (await status(page)).depth;
        await page.tab.keyboard.press('Control+z');
        await until('the undo', async () => (await status(page)).depth < before);
    }
}

/** A brush acts where its limits let it, and as strongly as a pen is pressed. */
async function limits(page) {
    const { tab } = page;
    await page.pause();
    await openSheetless(page);
    await tab.keyboard.press('Home');
    const { depth } = await status(page);
    const before = await page.hash();
    await tab.getByRole('button', { name: 'Raise', exact: true }).click();
    const limits = tab.locator('.tool-settings details.limits');
    await limits.evaluate((e) => (e.open = true));
    const at = await page.place(0.5, 0.55);
    const click = async () => {
        await page.shows(at);
        await tab.mouse.move(at.x, at.y);
        await tab.mouse.down();
        await tab.mouse.up();
        await strokeEnds(page);
    };
    const from = limits.getByRole('textbox', { name: 'Height from in m' });
    const { top } = await page.ask(() => window.gully.stage.bounds);
    await from.fill(String(Math.ceil(top)));
    await tab.keyboard.press('Enter');
    await tab.locator('#picture').focus();
    await click();
    check((await page.hash()) === before, 'nothing there is so high');
    await limits.getByRole('button', { name: 'No limits' }).click();
    await tab.locator('#picture').focus();
    await click();
    await until('a hill without limits', async () => (await page.hash()) !== before);
    await undoTo(page, depth);

    // A pen: half the pressure, half the hill.
    const [width, height] = await sizeOf(page);
    const high = async () => (await ask(page, ['pick', { at: [at.u * width, at.v * height] }])).values.terrain;
    const ground = await high();
    const pen = async (pressure) => {
        await page.shows(at);
        await page.ask(
            ([x, y, pressure]) => {
                const canvas = document.querySelector('#picture');
                canvas.setPointerCapture = () => undefined; // made events have no pointer to be captured
                const send = (type, buttons) =>
                    canvas.dispatchEvent(
                        new PointerEvent(type, { pointerType: 'pen', pointerId: 5, clientX: x, clientY: y, button: 0, buttons, pressure, bubbles: true, cancelable: true }),
                    );
                send('pointerdown', 1);
                send('pointerup', 0);
            },
            [at.x, at.y, pressure],
        );
        await until('a stroke of the pen', async () => (await status(page)).depth === depth + 1);
        await strokeEnds(page);
        const hill = (await high()) - ground;
        await undoTo(page, depth);
        return hill;
    };
    const [strong, weak] = [await pen(1), await pen(0.25)];
    check(weak > 0 && strong > 2.5 * weak, `as it is pressed: ${strong} m, ${weak} m`);
    check((await page.hash()) === before, 'all is as it was');
    await tab.keyboard.press('Escape');
}

/** A turned rectangle, a lasso, the net that shows what a stamp would make of the ground. */
async function pieces(page) {
    const { tab } = page;
    await page.pause();
    await openSheetless(page);
    await tab.keyboard.press('Home');
    const { depth } = await status(page);
    const select = tab.getByRole('button', { name: 'Select', exact: true });
    const [a, b, c] = [await page.place(0.4, 0.5), await page.place(0.6, 0.5), await page.place(0.5, 0.65)];
    const drag = async (...places) => {
        await tab.mouse.move(places[0].x, places[0].y);
        await tab.mouse.down();
        for (const { x, y } of places.slice(1)) await tab.mouse.move(x, y, { steps: 4 });
        await tab.mouse.up();
    };
    const copied = async () => {
        page.talk.length = 0;
        await tab.keyboard.press('Control+c');
        const sent = await until('the copy', async () => page.talk.find((text) => text.startsWith('> ') && text.includes('"copy"')));
        await until('the stamp tool', async () => (await tab.locator('button[data-tool=stamp]').getAttribute('aria-pressed')) === 'true');
        return sent;
    };
    await select.click();
    await tab.locator('[data-shape=turned]').click();
    await tab.locator('#picture').focus();
    await drag(a, c);
    const turned = await page.ask(() => {
        const at = window.gully.stage.painter.outline.line.geometry.getAttribute('position');
        return [at.getX(24) - at.getX(0), at.getZ(24) - at.getZ(0)];
    });
    check(turned.every((side) => Math.abs(side) > 1), `its sides are turned as one looks: ${turned}`);
    check((await copied()).includes('"points"'), 'the copy has its outline');
    await select.click();
    await tab.locator('[data-shape=lasso]').click();
    await tab.locator('#picture').focus();
    await drag(a, b, c, a);
    await until('what is selected', async () => /\d+ x \d+ cells/.test(await tab.locator('.tool-settings').textContent()));
    check((await copied()).includes('"points"'), 'the copy has what the hand went around');

    // The net: where there is no land there is none of it either.
    const net = () =>
        page.ask(() => {
            const { lines } = window.gully.stage.painter.ghost;
            const [index, places] = [lines.geometry.getIndex(), lines.geometry.getAttribute('position')];
            let lowest = Infinity;
            for (let k = 0; k < (index?.count ?? 0); k++) lowest = Math.min(lowest, places.getY(index.getX(k)));
            return { shown: lines.visible, count: index?.count ?? 0, lowest };
        });
    const middle = await page.place(0.5, 0.45);
    await tab.mouse.move(middle.x, middle.y);
    await tab.mouse.move(middle.x + 1, middle.y);
    await until('the net', async () => (await net()).shown);
    const whole = await net();
    const edge = await page.place(0.97, 0.5);
    await tab.mouse.move(edge.x, edge.y);
    await until('a net with a part beside the land', async () => (await net()).count < whole.count);
    const { bottom, top } = await page.ask(() => window.gully.stage.bounds);
    check((await net()).lowest > bottom - (top - bottom), `nothing of it hangs down: ${JSON.stringify(await net())}`);
    const before = await page.hash();
    await tab.mouse.click(middle.x, middle.y);
    await until('the paste', async () => (await page.hash()) !== before);
    await until('its entry', async () => (await status(page)).depth === depth + 1);
    await undoTo(page, depth);
    await tab.keyboard.press('Escape');
}

/** The ruler says how far it is, and does not draw on and on. */
async function measures(page) {
    const { tab } = page;
    await page.pause();
    await openSheetless(page);
    await tab.keyboard.press('Home');
    await tab.getByRole('button', { name: 'Ruler', exact: true }).click();
    const [a, b] = [await page.place(0.35, 0.5), await page.place(0.6, 0.55)];
    await tab.mouse.move(a.x, a.y);
    await tab.mouse.down();
    await tab.mouse.move(b.x, b.y, { steps: 3 });
    await tab.mouse.up();
    const fact = (name) =>
        page.ask((name) => [...document.querySelectorAll('.tool-settings dt')].find((e) => e.textContent === name)?.nextSibling.textContent, name);
    await until('its facts', async () => /\d/.test((await fact('Length')) ?? ''));
    const [width, height] = await sizeOf(page);
    const length = Math.hypot((b.u - a.u) * width, (b.v - a.v) * height);
    check(Math.abs(parseFloat(await fact('Length')) - length) < 0.05 * length, `${await fact('Length')}, not ${length} m`);
    check(parseFloat(await fact('Along the ground')) >= parseFloat(await fact('Length')), 'up and down is further');
    const drawn = await page.ask(() => {
        const sheet = document.querySelector('.profile');
        return sheet.getContext('2d').getImageData(0, 0, sheet.width, sheet.height).data.some((v, k) => k % 4 === 3 && v > 0);
    });
    check(drawn, 'a profile');
    await tab.mouse.move(a.x, a.y - 200);
    await page.ask(() => {
        window.rested = false;
        void window.gully.idle().then(() => (window.rested = true));
    });
    await until('it to come to rest', () => page.ask(() => window.rested)); // it drew on and on
    await tab.keyboard.press('Escape');
}

/** What the picture tells about itself: north, colours; and its trees, haze and details near the eye. */
async function tells(page) {
    const { tab } = page;
    await page.pause();
    await openSheetless(page);
    await tab.keyboard.press('Home');
    const turn = () => tab.locator('.needle').evaluate((e) => e.style.rotate);
    const before = await turn();
    await tab.keyboard.press('e');
    await until('the needle to turn', async () => (await turn()) !== before);
    await tab.getByRole('button', { name: 'Turn north up' }).click();
    await until('north up', async () => Math.abs(Math.sin(parseFloat(await turn()))) < 0.02);
    for (const [view, text] of [['Slope', '25°'], ['Flow', 'river'], ['Wear', 'taken'], ['Hard', 'soft'], ['Mud', 'left behind']]) {
        await tab.getByRole('button', { name: `View: ${view}` }).click();
        await until(`a legend of ${view}`, async () => (await tab.locator('.view-legend').textContent()).includes(text));
    }
    await tab.getByRole('button', { name: 'View: Land' }).click();
    await until('no legend', () => tab.locator('.view-legend').isHidden());
    await tab.keyboard.press('Home');

    // Mean colour of the picture's middle, and how much its pixels differ from their neighbours.
    const seen = (rich = true) =>
        page.ask((rich) => {
            const { stage } = window.gully;
            stage.painter.fit(1);
            stage.choose('still', performance.now());
            stage.painter.render(rich, 1);
            const gl = stage.renderer.getContext();
            const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
            const [width, height] = [Math.floor(w / 3), Math.floor(h / 4)];
            const bytes = new Uint8Array(4 * width * height);
            gl.readPixels(w / 3, 0.3 * h, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
            const mean = [0, 0, 0];
            let rough = 0;
            for (let k = 0; k < bytes.length - 4; k += 4) {
                for (let c = 0; c < 3; c++) mean[c] += (4 * bytes[k + c]) / bytes.length;
                rough += (4 * Math.abs(bytes[k + 1] - bytes[k + 5])) / bytes.length;
            }
            return { mean, rough };
        }, rich);
    const look = (change) =>
        page.ask((change) => {
            const { stage } = window.gully;
            stage.setLook({ ...stage.look, ...change }, stage.palette);
        }, change);
    const { bottom, top } = await page.ask(() => window.gully.stage.bounds);
    const green = ({ mean: [r, g, b] }) => g - 0.5 * (r + b);
    const own = await page.ask(() => ({ ...window.gully.stage.look }));
    await look({ treeLine: bottom });
    const bare = await seen();
    await look({ treeLine: top });
    const grown = await seen();
    check(green(grown) > green(bare) + 4, `trees up to the top are greener: ${green(bare)}, ${green(grown)}`);
    await look({ treeLine: own.treeLine, haze: 0 });
    const clear = await seen();
    await look({ haze: 5 });
    const hazy = await seen();
    check(hazy.mean[2] - hazy.mean[0] > clear.mean[2] - clear.mean[0] + 3, `haze is bluer: ${clear.mean} -> ${hazy.mean}`);
    await look(own);
    await page.ask(() => {
        const { stage } = window.gully;
        const [x, y] = stage.field.size.map((side) => 0.5 * side);
        stage.camera.target.set(x, stage.field.surface(x, y) * stage.tall, y);
        Object.assign(stage.camera, { elevation: 0.9, distance: 0.02 * x });
        stage.camera.keep();
        stage.camera.update(0);
    });
    await page.idle();
    const [plain, rich] = [await seen(false), await seen()];
    check(rich.rough > 1.3 * plain.rough, `details near the eye: ${plain.rough} -> ${rich.rough}`);
    await tab.keyboard.press('Home');
}

/** A window as small as a phone: the picture has all of it, panels come when they are asked for. */
async function phone(page) {
    const { tab } = page;
    await openSheetless(page);
    await tab.setViewportSize({ width: 390, height: 844 });
    const wide = () => page.ask(() => document.querySelector('#picture').clientWidth);
    await until('the whole width', async () => (await wide()) === 390);
    const [tools, values] = [tab.locator('.panel.left'), tab.locator('.panel.right')];
    check(!(await tools.isVisible()) && !(await values.isVisible()), 'no panel over it');
    await tab.getByRole('button', { name: 'Tools', exact: true }).click();
    check(await tools.isVisible(), 'tools when they are asked for');
    await tab.getByRole('button', { name: 'Parameters', exact: true }).click();
    check((await values.isVisible()) && !(await tools.isVisible()), 'one panel at a time');
    const cut = await page.clipped();
    check(cut.length === 0, `nothing is cut off: ${cut}`);
    await tab.locator('#picture').click({ position: { x: 12, y: 300 } });
    check(!(await values.isVisible()), 'the picture again');
    for (const key of ['n', 'Control+e', '?']) {
        await tab.locator('#picture').focus();
        await tab.keyboard.press(key);
        const sheet = tab.locator('dialog[open]');
        await sheet.waitFor();
        const over = await sheet.evaluate((e) => {
            const box = e.getBoundingClientRect();
            return box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || e.querySelector('.sheet-body').scrollWidth > e.clientWidth + 1;
        });
        check(!over, `the sheet of ${key} fits`);
        await openSheetless(page);
    }
    await tab.setViewportSize({ width: 1280, height: 720 });
    await until('panels', () => tools.isVisible());
}

/** Two pages show the same colours; long work says how far it is and can be given up; nobody looks, nothing steps. */
async function pages(page, browser, address) {
    const { tab } = page;
    await page.pause();
    await openSheetless(page);
    const other = await Page.open(browser, address);
    try {
        const scale = (of) => of.ask(() => JSON.stringify(window.gully.stage.scale));
        await ask(page, ['stroke', { brush: 'raise', radius: 600, strength: 500, points: [[2500, 2500]] }]);
        await ask(page, ['end']);
        await until('two pages to agree', async () => (await scale(other)) === (await scale(page)));
        const { depth } = await status(page);
        await undoTo(other, depth - 1);
        await until('the undo, here too', async () => (await page.status()).depth === depth - 1);
        check((await scale(other)) === (await scale(page)), 'and still agree');
        check(other.troubles.length === 0, `no error there: ${other.troubles}`);
    } finally {
        await other.close();
    }

    // A journey that takes some time.
    const { step } = await status(page);
    const hash = await page.hash();
    const far = 160;
    await ask(page, ['step', { steps: far }]);
    await until('many steps', async () => (await status(page)).step === step + far, 300_000);
    const last = await page.hash();
    await page.ask(() => {
        window.said = [];
        const busy = document.querySelector('.busy');
        new MutationObserver(() => window.said.push(busy.hidden ? '' : busy.textContent)).observe(busy, { attributes: true, childList: true, characterData: true, subtree: true });
    });
    const { moments } = await status(page);
    const target = [...moments].reverse().find((at) => at < step + far) ?? 0;
    const goal = Math.max(target - 1, step + 1); // all of the way from the moment before
    const going = page.ask((goal) => window.gully.do('seek', { step: goal }).then(() => 'there', (error) => error.message), goal);
    await until('how far it is', () => page.ask(() => window.said.some((text) => /\d+ %/.test(text) && /Cancel/.test(text))));
    await tab.locator('.busy').getByRole('button', { name: 'Cancel' }).click({ timeout: 3000 }).catch(() => undefined);
    const answer = await going;
    check((await page.hash()) === last || answer === 'there', `given up, all is as it was: ${answer}`);
    await ask(page, ['seek', { step }]);
    check((await page.hash()) === hash, 'back where it began');

    // The page is hidden.
    const hide = (state) =>
        page.ask((state) => {
            Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }, state);
    await ask(page, ['play', { on: true }]);
    await hide('hidden');
    await until('the pause', async () => {
        const { step } = await status(page);
        await sleep(1000);
        return (await status(page)).step === step;
    });
    await hide('visible');
    const stood = (await status(page)).step;
    await until('time to go on', async () => (await status(page)).step > stood);
    await page.pause();
}

export const reach = {
    'a brush has limits, a pen is pressed': limits,
    'turned pieces, lassos, and a net before the stamp': pieces,
    'the ruler measures and rests': measures,
    'north, legends, trees, haze and details': tells,
    'a small window': phone,
};
export { pages };
