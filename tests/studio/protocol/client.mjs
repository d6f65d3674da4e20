// SPDX-License-Identifier: MIT
// A page without a browser: a WebSocket of few lines, so that it can also behave badly, and what
// docs/protocol.md says on top of it.
import crypto from 'node:crypto';
import net from 'node:net';

export const TILE = 67;
const PLANES = [
    ['height', 2], ['water', 2], ['velocity', 2], ['sediment', 1], ['deposit', 1], ['flow', 1], ['wear', 1],
    ['hardness', 1], ['material', 4],
];

// ---- bytes --------------------------------------------------------------------------------------

export function wsFrame(opcode, payload, {fin = true} = {}) {
    const size = payload.length;
    const head = size < 126 ? Buffer.alloc(2) : size < 65536 ? Buffer.alloc(4) : Buffer.alloc(10);
    head[0] = (fin ? 0x80 : 0) | opcode;
    head[1] = 0x80 | (size < 126 ? size : size < 65536 ? 126 : 127);
    if (head.length === 4) head.writeUInt16BE(size, 2);
    if (head.length === 10) head.writeBigUInt64BE(BigInt(size), 2);
    return Buffer.concat([head, Buffer.alloc(4), payload]); // a mask of zeros
}

// {frame, step, time, bytes, tiles: [{level, x, y, planes: {name: {a, b, samples}}}]}
export function decodeFrame(bytes) {
    if (bytes.readUInt32LE(0) !== 0x31594c47) throw new Error('no frame: wrong magic');
    const frame = {frame: bytes.readUInt32LE(4), step: bytes.readDoubleLE(8), time: bytes.readDoubleLE(16),
        bytes: bytes.length, tiles: []};
    let at = 32;
    for (let t = 0; t < bytes.readUInt32LE(24); t++) {
        const tile = {level: bytes[at], x: bytes.readUInt16LE(at + 4), y: bytes.readUInt16LE(at + 6), planes: {}};
        const bits = bytes.readUInt16LE(at + 2);
        at += 8;
        PLANES.forEach(([name, size], bit) => {
            if (!(bits & 1 << bit)) return;
            const data = bytes.subarray(at + 8, at + 8 + size * TILE * TILE);
            if (data.length !== size * TILE * TILE) throw new Error('a frame that ends too early');
            tile.planes[name] = {a: bytes.readFloatLE(at), b: bytes.readFloatLE(at + 4), data};
            at += 8 + Math.ceil(size * TILE * TILE / 4) * 4;
        });
        frame.tiles.push(tile);
    }
    if (at !== bytes.length) throw new Error(`a frame of ${bytes.length} bytes, of which ${at} mean something`);
    return frame;
}

// Heights of a tile [m], NaN outside.
export function heights({a, b, data}) {
    return Float64Array.from({length: TILE * TILE}, (_, i) => {
        const q = data.readUInt16LE(2 * i);
        return q === 65535 ? NaN : a + b * q;
    });
}

export function waters({a, data}) {
    return Float64Array.from({length: TILE * TILE}, (_, i) => a * (data.readUInt16LE(2 * i) / 65535) ** 2);
}

// ---- the page -----------------------------------------------------------------------------------

export class Page {
    constructor() {
        this.texts = []; // events and answers that nobody has waited for
        this.frames = 0;
        this.frameBytes = 0;
        this.waiters = [];
        this.nextId = 1;
        this.autoAck = true;
        this.tiles = new Map(); // "level/x/y/plane" -> {a, b, data}: what a page would show
        this.closed = new Promise((resolve) => { this.onClosed = resolve; });
    }

    // Resolves when the WebSocket is open; rejects with what was said instead.
    static connect(address, {origin, host, token} = {}) {
        const url = new URL(address);
        const page = new Page();
        page.url = url;
        const key = crypto.randomBytes(16).toString('base64');
        const secret = token ?? url.searchParams.get('token');
        return new Promise((resolve, reject) => {
            const socket = net.connect(Number(url.port), url.hostname);
            page.socket = socket;
            let head = Buffer.alloc(0);
            socket.setNoDelay(true);
            socket.on('error', reject);
            socket.on('connect', () => socket.write(`GET /socket?token=${secret} HTTP/1.1\r\n` +
                `Host: ${host ?? url.host}\r\n${origin === null ? '' : `Origin: ${origin ?? url.origin}\r\n`}` +
                'Upgrade: websocket\r\nConnection: Upgrade\r\n' +
                `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`));
            const onHead = (bytes) => {
                head = Buffer.concat([head, bytes]);
                const end = head.indexOf('\r\n\r\n');
                if (end < 0) return;
                const status = Number(head.toString('latin1', 9, 12));
                socket.off('data', onHead);
                if (status !== 101) {
                    socket.destroy();
                    reject(Object.assign(new Error(`HTTP ${status}`), {status}));
                    return;
                }
                socket.on('data', (more) => page.take(more));
                socket.on('error', () => {});
                socket.on('close', () => page.onClosed(page.closeCode ?? 1006));
                resolve(page);
                if (head.length > end + 4) page.take(head.subarray(end + 4));
            };
            socket.on('data', onHead);
            socket.on('close', () => reject(new Error('closed')));
        });
    }

    take(bytes) {
        this.parts = this.parts ?? [];
        this.parts.push(bytes);
        this.held = (this.held ?? 0) + bytes.length;
        while (this.held >= (this.needed ?? 2)) {
            const all = this.parts.length === 1 ? this.parts[0] : Buffer.concat(this.parts);
            this.parts = [all];
            const small = all[1] & 127;
            const head = small < 126 ? 2 : small === 126 ? 4 : 10;
            if (all.length < head) { this.needed = head; return; }
            const size = small < 126 ? small : small === 126 ? all.readUInt16BE(2) : Number(all.readBigUInt64BE(2));
            if (all.length < head + size) { this.needed = head + size; return; }
            this.needed = 2;
            this.parts = all.length > head + size ? [all.subarray(head + size)] : [];
            this.held = all.length - head - size;
            this.message(all[0] & 15, all.subarray(head, head + size));
            if (this.parts.length === 0) return;
        }
    }

    message(opcode, bytes) {
        if (opcode === 9) this.socket.write(wsFrame(10, bytes));
        if (opcode === 8) {
            this.closeCode = bytes.length >= 2 ? bytes.readUInt16BE(0) : 1005;
            this.socket.end();
        }
        if (opcode === 1) this.offer(JSON.parse(bytes.toString('utf8')));
        if (opcode === 2) {
            this.frames++;
            this.frameBytes += bytes.length;
            const number = bytes.readUInt32LE(4);
            if (this.autoAck) this.send({do: 'ack', frame: number});
            if (this.raw) return;
            const frame = decodeFrame(bytes);
            for (const tile of frame.tiles)
                for (const [name, plane] of Object.entries(tile.planes))
                    this.tiles.set(`${tile.level}/${tile.x}/${tile.y}/${name}`, plane);
            this.offer({event: 'frame', ...frame});
        }
    }

    offer(item) {
        const index = this.waiters.findIndex((waiter) => waiter.test(item));
        if (index < 0) {
            this.texts.push(item);
            if (this.texts.length > 2000) this.texts.shift();
        } else {
            this.waiters.splice(index, 1)[0].resolve(item);
        }
    }

    // The next item, from now on or already there, that the test accepts.
    wait(test, what, seconds = 60) {
        const index = this.texts.findIndex(test);
        if (index >= 0) return Promise.resolve(this.texts.splice(index, 1)[0]);
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`no ${what} in ${seconds} s`)), 1000 * seconds);
            this.waiters.push({test, resolve: (item) => { clearTimeout(timer); resolve(item); }});
        });
    }

    event(name, seconds) { return this.wait((item) => item.event === name, name, seconds); }

    // Forgets what has come.
    drain(name) { this.texts = this.texts.filter((item) => item.event !== name); }

    // The next one that comes from now on.
    fresh(name, seconds) {
        this.drain(name);
        return this.event(name, seconds);
    }

    send(object) { this.socket.write(wsFrame(1, Buffer.from(JSON.stringify(object)))); }

    // Sends a command and gives its answer; an error is an answer too.
    ask(command, seconds) {
        const id = this.nextId++;
        this.send({id, ...command});
        return this.wait((item) => item.id === id, `answer to ${command.do}`, seconds);
    }

    async do(command, seconds) {
        const answer = await this.ask(command, seconds);
        if (answer.error) throw new Error(`${command.do}: ${answer.error}`);
        return answer;
    }

    // The code with which it was closed.
    ended(seconds = 30) { return Promise.race([this.closed, sleep(seconds).then(() => 'still open')]); }

    close() { this.socket.end(wsFrame(8, Buffer.from([3, 232]))); return this.closed; }
}

// ---- the server ---------------------------------------------------------------------------------

export const sleep = (seconds) => new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });

// A request by hand: lines of the head and a body; gives {status, head, body}.
export function request(address, line, headers = {}, body = null) {
    const url = new URL(address);
    return new Promise((resolve, reject) => {
        const socket = net.connect(Number(url.port), url.hostname);
        const all = {Host: url.host, Connection: 'close', ...(body ? {'Content-Length': body.length} : {}), ...headers};
        const parts = [];
        socket.on('error', reject);
        socket.on('data', (bytes) => parts.push(bytes));
        socket.on('close', () => {
            const answer = Buffer.concat(parts);
            const end = answer.indexOf('\r\n\r\n');
            resolve({status: Number(answer.toString('latin1', 9, 12)), head: answer.toString('latin1', 0, Math.max(end, 0)),
                body: answer.subarray(end + 4)});
        });
        const lines = Object.entries(all).filter(([, value]) => value !== null).map(([key, value]) => `${key}: ${value}\r\n`);
        socket.write(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`);
        if (body) socket.write(body);
    });
}
