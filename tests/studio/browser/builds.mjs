// What artists work with: comparing, looks, files. Each a test of page_test.mjs.
import { check, sleep, until } from './studio.mjs';

const ask = (page, keys) => page.ask((words) => window.gully.do(...words), keys);

/** Reddest and bluest pixels of the picture. */
const colours = (page) =>
    page.ask(() => {
        const { stage } = window.gully;
        stage.fit(1);
        stage.choose('still', performance.now());
        stage.render(true, 1);
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
    check(gained.blue > 2000 && gained.red < gained.blue / 10, `what came is blue: ${JSON.stringify(gained)}`);
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

export const builds = {
    'the present is compared with what was': compares,
};
