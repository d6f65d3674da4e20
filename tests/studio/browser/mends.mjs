// SPDX-License-Identifier: MIT
// What made people leave: keys, fields, colours, presets, time. Each a test of page_test.mjs.
import { check, sleep, until } from './studio.mjs';

const ask = (page, keys) => page.ask((words) => window.gully.do(...words), keys);
const rainOf = (page) =>
    page.ask(() => window.gully.description().sections.find((s) => s.name === 'rain').rows[0].value);
const stepOf = async (page) => (await ask(page, ['status'])).step;

async function keys(page) {
    const { tab } = page;
    await page.pause();
    const playing = async () => (await page.status()).playing;
    const field = tab.locator('.row[data-key="rain.rate"] input.number');
    const places = [tab.getByRole('button', { name: 'Undo', exact: true }), tab.getByRole('combobox', { name: 'Speed' }), field,
        tab.locator('.row[data-key="rain.rate"] input[type=range]'), tab.getByRole('button', { name: 'View: Mud' }),
        tab.getByRole('checkbox', { name: 'Tile grid' })];
    for (const place of places) {
        await place.focus();
        await tab.keyboard.press(' ');
        await until(`Space plays, wherever the focus is: ${await place.getAttribute('aria-label')}`, playing);
        await tab.keyboard.press(' ');
        await until('and pauses', async () => !(await playing()));
    }
    check(!(await tab.getByRole('checkbox', { name: 'Tile grid' }).isChecked()), 'Space presses nothing');
    await ask(page, ['set', { key: 'rain.rate', value: 0.0031 }]);
    await until('the value', async () => (await field.inputValue()) === '0.0031');
    await field.focus();
    await tab.keyboard.press('Control+z');
    await until('Ctrl+Z undoes, also in a field', async () => (await rainOf(page)) !== 0.0031);
    await tab.locator('#picture').focus();
    await tab.keyboard.press('Tab');
    check(!(await page.ask(() => document.querySelector('#studio').classList.contains('bare'))), 'Tab hides nothing');
    check(await page.ask(() => document.activeElement.id !== 'picture'), 'Tab moves the focus');
    const promised = await page.ask(() => [...document.querySelectorAll('[title]')].map((e) => e.title).join());
    check(!/Ctrl\+N/.test(promised), 'no key is promised that browsers keep');
}

async function focusOnly(page) {
    const { tab } = page;
    await tab.getByRole('button', { name: 'Raise', exact: true }).click();
    const at = await page.place(0.5, 0.5);
    const before = await page.hash();
    await tab.getByRole('textbox', { name: 'Radius in m' }).focus();
    await tab.mouse.click(at.x, at.y);
    await sleep(300);
    check((await page.hash()) === before, 'a click that only takes the focus does not paint');
    await tab.mouse.click(at.x, at.y);
    await until('the next one does', async () => (await page.hash()) !== before);
    await tab.keyboard.press('Control+z');
    await until('its undo', async () => (await page.hash()) === before);
    await tab.getByRole('textbox', { name: 'Radius in m' }).focus();
    await tab.mouse.move(at.x, at.y);
    await tab.mouse.down();
    for (let k = 1; k < 5; k++) await tab.mouse.move(at.x + 5 * k, at.y);
    await tab.mouse.up();
    await until('a drag paints', async () => (await page.hash()) !== before);
    await sleep(300);
    await tab.keyboard.press('Control+z');
    await until('its undo', async () => (await page.hash()) === before);
    await tab.keyboard.press('Escape');
}

async function fields(page) {
    const { tab } = page;
    const row = tab.locator('.row[data-key="rain.rate"]');
    const field = row.locator('input.number');
    await ask(page, ['set', { key: 'rain.rate', value: 0.0012 }]);
    await until('the value', async () => (await field.inputValue()) === '0.0012');
    await field.fill('banana');
    await tab.keyboard.press('Enter');
    check((await field.inputValue()) === '0.0012', 'a refused value goes back to the one in force');
    check((await row.getByRole('alert').textContent()).includes('banana'), 'the reason stands at the field');
    // What only the engine can refuse: a time step that is unstable.
    const dt = tab.locator('.row[data-key="dt"]');
    const old = await dt.locator('input.number').inputValue();
    await dt.locator('xpath=ancestor::details').evaluate((e) => (e.open = true));
    await dt.locator('input.number').fill('99');
    await tab.keyboard.press('Enter');
    await until('the reason', async () => /unstable/.test((await dt.getByRole('alert').textContent()) ?? ''));
    check((await dt.locator('input.number').inputValue()) === old, 'and the value in force is back');
    const span = async () => {
        const before = await rainOf(page);
        await row.getByRole('slider').evaluate((e) => { e.value = '1000'; e.dispatchEvent(new Event('input')); });
        await until('the slider to arrive', async () => (await rainOf(page)) !== before);
        return rainOf(page);
    };
    const end = await span();
    await ask(page, ['set', { key: 'rain.rate', value: 0.7 }]);
    await until('a large value', async () => (await field.inputValue()) === '0.7');
    check((await span()) === end, 'the range of a slider does not follow the value');
    await ask(page, ['set', { key: 'rain.rate', value: 0.01234567 }]);
    await until('many digits', async () => (await field.inputValue()) === '0.01234567');
    for (const width of [1280, 900, 700]) {
        await tab.setViewportSize({ width, height: 720 });
        await sleep(150);
        const cut = await page.clipped();
        check(cut.length === 0, `nothing is cut off at ${width} pixels: ${cut}`);
    }
    await tab.setViewportSize({ width: 1280, height: 720 });
    const ledger = await tab.locator('.legend').textContent();
    check(!/\d [kMG] m/.test(ledger), `numbers are readable: ${ledger}`);
    while ((await page.status()).undo === 'rain.rate') {
        const { depth } = await page.status();
        await tab.keyboard.press('Control+z');
        await until('undo', async () => (await page.status()).depth < depth);
    }
}

async function look(page) {
    const { tab } = page;
    const camera = () => page.ask(() => {
        const { azimuth, elevation, distance } = window.gully.stage.camera;
        return [azimuth, elevation, distance].map((x) => x.toFixed(4)).join();
    });
    const at = await page.place(0.5, 0.5);
    await tab.mouse.move(at.x, at.y);
    await tab.mouse.wheel(0, -300);
    await sleep(800);
    const before = await camera();
    await page.ask(() => window.gully.stage.setTall(2));
    await sleep(500);
    check((await camera()) === before, 'relief keeps the camera');
    const corners = () => page.ask(() => {
        const { stage } = window.gully;
        const [w, h] = stage.field.size;
        const [foot, top] = stage.camera.ground.span();
        const Vector = stage.camera.target.constructor;
        return [0, 1, 2, 3, 4, 5, 6, 7].map((c) => {
            const at = new Vector(c & 1 ? w : 0, c & 4 ? top : foot, c & 2 ? h : 0).project(stage.camera.camera);
            return Math.max(Math.abs(at.x), Math.abs(at.y));
        });
    });
    await tab.keyboard.press('Home');
    await sleep(300);
    const seen = await corners();
    check(Math.max(...seen) <= 1, `Home shows all of the block: ${seen.map((x) => x.toFixed(2))}`);
    await page.ask(() => window.gully.stage.setTall(1));
    await tab.keyboard.press('Home');
    await page.idle();
}

async function colours(page) {
    const scale = () => page.ask(() => JSON.stringify(window.gully.stage.scale));
    const before = await scale();
    const { depth } = await page.status();
    await ask(page, ['stroke', { brush: 'raise', radius: 900, strength: 700, points: [[2500, 2500]] }]);
    await ask(page, ['end']);
    await sleep(1500);
    check((await scale()) === before, 'colours do not change under the hand');
    await page.tab.keyboard.press('Control+z');
    await until('undo', async () => (await page.status()).depth === depth);
    check((await scale()) === before, 'undo brings them back');
}

async function presets(page) {
    const { depth } = await page.status();
    await page.tab.getByRole('button', { name: 'Presets...' }).click();
    await until('pictures of all presets', () =>
        page.ask(() => {
            const images = [...document.querySelectorAll('.card.preset img')];
            return images.length === 7 && images.every((e) => e.complete && e.naturalWidth > 100);
        }),
    );
    await page.tab.getByRole('dialog').getByRole('button', { name: 'Flash floods' }).click();
    await until('the sheet to close', async () => (await page.tab.getByRole('dialog').count()) === 0);
    await until('the preset', async () => (await page.status()).undo === 'Flash floods');
    check((await page.status()).depth === depth + 1, 'a preset is one step to undo');
    const note = await page.tab.locator('.note').last().textContent();
    check(/all phases/.test(note) && /Dry/.test(note), `it says what it does to the phases: ${note}`);
    await page.tab.locator('#picture').focus();
    await page.tab.keyboard.press('Control+z');
    await until('its undo', async () => (await page.status()).depth === depth);
}

async function time(page) {
    const { tab } = page;
    await page.pause();
    const from = await stepOf(page);
    await tab.getByRole('textbox', { name: 'Steps to run' }).fill('12');
    await tab.getByRole('button', { name: 'Run', exact: true }).click();
    await until('12 steps', async () => (await stepOf(page)) === from + 12);
    const here = await page.hash();
    await tab.getByRole('slider', { name: 'Past' }).fill(String(from + 5));
    await until('the past', async () => (await stepOf(page)) === from + 5);
    check((await page.hash()) !== here, 'the past is another land');
    await until('a label', async () => (await tab.locator('.scrub-label').textContent()).includes(String(from + 5)));
    await tab.getByRole('slider', { name: 'Past' }).fill(String(from + 12));
    await until('the present', async () => (await stepOf(page)) === from + 12);
    check((await page.hash()) === here, 'and forward again, to the bit');
    await tab.getByRole('button', { name: 'Back to the start' }).click();
    await until('the start', async () => (await stepOf(page)) === 0);
    await tab.locator('#picture').focus();
    await tab.keyboard.press('Control+z');
    await until('undo of that', async () => (await stepOf(page)) === from + 12);
    check((await page.hash()) === here, 'undo comes back');

    await tab.getByRole('button', { name: 'Edit the phases' }).click();
    const dialog = tab.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Steps of phase 1' }).fill('6');
    await dialog.getByRole('textbox', { name: 'Steps of phase 2' }).fill('-3');
    await dialog.getByRole('button', { name: 'Use them' }).click();
    await until('what is wrong', async () => /steps/.test(await dialog.getByRole('alert').textContent()));
    await dialog.getByRole('textbox', { name: 'Steps of phase 2' }).fill('4');
    await dialog.getByRole('button', { name: 'Add a phase' }).click();
    await dialog.getByRole('textbox', { name: 'Name of phase 3' }).fill('storm');
    await dialog.getByRole('textbox', { name: 'Steps of phase 3' }).fill('3');
    await dialog.getByRole('textbox', { name: 'What holds in it, of phase 3' }).fill('rain.rate = 0.004');
    await dialog.getByRole('button', { name: 'Earlier' }).nth(2).click();
    await dialog.getByRole('button', { name: 'Use them' }).click();
    await until('the program', () =>
        page.ask(() => window.gully.description().phases.map((p) => [p.name, p.steps]).join() === 'wet,6,storm,3,dry,4'),
    );
    await tab.getByRole('button', { name: 'Go to phase wet' }).click();
    await tab.locator('#picture').focus();
    await tab.keyboard.press(' ');
    await until('the end', async () => (await page.status()).ended);
    check(!(await page.status()).playing && (await tab.locator('.end').textContent()).includes('The end'), 'the end is an end');
    while ((await page.status()).depth > 0 && (await page.ask(() => window.gully.description().phases.length)) === 3) {
        const { depth } = await page.status();
        await tab.keyboard.press('Control+z');
        await until('undo', async () => (await page.status()).depth < depth);
        await sleep(300);
    }
}

async function landscapes(page) {
    const { tab } = page;
    const { depth } = await page.status();
    await tab.getByRole('button', { name: 'Landscapes...' }).click();
    const cards = tab.getByRole('dialog').locator('.card.landscape');
    await until('their pictures', () =>
        page.ask(() => {
            const images = [...document.querySelectorAll('.card.landscape img')];
            return images.length === 6 && images.every((e) => e.complete && e.naturalWidth > 100);
        }),
    );
    check((await cards.first().textContent()).includes('steps of'), 'a card says what it does');
    const canyon = tab.getByRole('group', { name: 'Canyon' });
    await canyon.getByRole('button', { name: 'Use its rules here' }).click();
    await until('its rules', async () => (await page.status()).undo === 'canyon');
    check((await page.status()).depth === depth + 1, 'one step');
    await tab.locator('#picture').focus();
    await tab.keyboard.press('Control+z');
    await until('its undo', async () => (await page.status()).depth === depth);
}

export const mends = {
    'keys do not depend on the focus': keys,
    'a click that only gives focus does not paint': focusOnly,
    'fields keep what is in force and say why': fields,
    'relief keeps the camera, Home shows the block': look,
    'colours stay under the hand': colours,
    'a preset is one step': presets,
    'landscapes are cards, and one step': landscapes,
    'time: runs, the past, the start, phases, the end': time,
};
