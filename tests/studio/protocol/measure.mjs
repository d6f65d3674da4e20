// SPDX-License-Identifier: MIT
// node measure.mjs GULLY SOURCE [SIDE] [STEPS]: how fast a simulation runs while a page watches, compared with
// `gully run`, and how long it takes from a stroke of the brush to the frame that shows it. Not a test: it prints.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {sleep} from './client.mjs';
import {Server, gully, writeScene} from './server.mjs';

const [side, steps] = [Number(process.argv[4] ?? 1024), Number(process.argv[5] ?? 300)];
const planes = (process.env.PLANES ?? 'height,water,velocity,sediment').split(',');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gully-measure-'));
const scene = writeScene(path.join(folder, 'scene.json'), {width: side, height: side, steps});
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

// Steps a second, and seconds of processors that a step takes: where others share the machine, these say more.
function runAlone() {
    const out = path.join(folder, 'run');
    const work = (count) => {
        const command = `TIMEFORMAT="%U %S"; time "${gully}" run "${scene}" -o "${out}" --quiet --steps ${count}`;
        const [user, system] = spawnSync('bash', ['-c', command]).stderr.toString().trim().split(' ').map(Number);
        return user + system;
    };
    const start = work(1), all = work(steps);
    return {rate: steps / JSON.parse(fs.readFileSync(path.join(out, 'report.json'))).wall_time, work: (all - start) / (steps - 1)};
}

// Seconds of processors that a process has used.
function workOf(pid) {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
}

// What a page wants that sees all of it, the middle in full: at most so many tiles of a level.
function tiles(most) {
    const list = [];
    for (let level = 0; ; level++) {
        const count = Math.max(1, Math.ceil((side - 1) / (64 * 2 ** level)));
        const from = Math.max(0, Math.floor((count - most) / 2)), to = Math.min(count, from + most);
        for (let y = from; y < to; y++) for (let x = from; x < to; x++) list.push([level, x, y]);
        if (count === 1) return list;
        if (count <= most) return list;
    }
}

// Steps a second until a page has seen the last step, or without a page.
async function runWatched(watch) {
    const server = await Server.start(folder, [scene]);
    const page = await server.page();
    page.raw = true;
    let step = 0;
    const take = page.message.bind(page);
    page.message = (opcode, bytes) => {
        if (opcode === 2) step = bytes.readDoubleLE(8);
        take(opcode, bytes);
    };
    if (watch) await page.do({do: 'want', tiles: tiles(16), planes});
    await sleep(1);
    const [frames, bytes, begin, used, own] = [page.frames, page.frameBytes, Date.now(), workOf(server.process.pid), workOf('self')];
    await page.do({do: 'play', on: true});
    while (step < steps) {
        await sleep(0.02);
        if (!watch) step = page.texts.filter((item) => item.event === 'status').at(-1)?.step ?? 0;
    }
    const seconds = (Date.now() - begin) / 1000;
    const result = {rate: step / seconds, work: (workOf(server.process.pid) - used) / step, page: (workOf('self') - own) / step, fps: (page.frames - frames) / seconds, megabytes: (page.frameBytes - bytes) / seconds / 1e6};
    await server.stop('SIGKILL');
    return result;
}

async function latencies(count) {
    const server = await Server.start(folder, [scene]);
    const page = await server.page();
    await page.do({do: 'want', tiles: tiles(16), planes});
    await page.do({do: 'play', on: true});
    await sleep(2);
    const times = [], answers = [];
    page.raw = true;
    for (let i = 0; i < count; i++) {
        const at = 10 * side * (0.3 + 0.4 * ((i * 7) % 10) / 10);
        const begin = performance.now();
        await page.do({do: 'stroke', brush: 'raise', radius: 200, strength: 5, points: [[at, at], [at + 100, at]]});
        answers.push(performance.now() - begin);
        const frames = page.frames; // the next one shows it
        while (page.frames === frames) await sleep(0.001);
        times.push(performance.now() - begin);
        page.send({do: 'end'});
        await sleep(0.15);
    }
    await server.stop('SIGKILL');
    return {median: median(times), worst: Math.max(...times), answer: median(answers)};
}

const rounds = Number(process.env.ROUNDS ?? 3);
const alone = [], unseen = [], watched = [];
for (let i = 0; i < rounds; i++) {
    const run = runAlone(), quiet = await runWatched(false), seen = await runWatched(true);
    alone.push(run.rate);
    unseen.push(quiet.rate);
    watched.push(seen.rate);
    console.log(`work of a step [ms]: gully run ${(1e3 * run.work).toFixed(2)}, studio without frames ${(1e3 * quiet.work).toFixed(2)}, with a page ` +
        `${(1e3 * seen.work).toFixed(2)} (${(100 * run.work / seen.work).toFixed(0)} %), the page itself ${(1e3 * seen.page).toFixed(2)}`);
    console.log(`gully run ${alone.at(-1).toFixed(1)}, studio without frames ${unseen.at(-1).toFixed(1)}, with a page ` +
        `${seen.rate.toFixed(1)} steps/s (${(100 * seen.rate / alone.at(-1)).toFixed(0)} %), ${seen.fps.toFixed(1)} frames/s, ${seen.megabytes.toFixed(0)} MB/s`);
}
console.log(`median: ${(100 * median(watched) / median(alone)).toFixed(0)} % of gully run; without frames ${(100 * median(unseen) / median(alone)).toFixed(0)} %`);
const latency = await latencies(30);
console.log(`stroke to frame: median ${latency.median.toFixed(0)} ms, worst ${latency.worst.toFixed(0)} ms; to answer ${latency.answer.toFixed(0)} ms`);
fs.rmSync(folder, {recursive: true});
process.exit(0);
