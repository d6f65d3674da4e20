// SPDX-License-Identifier: MIT
// node three_read.mjs THREE WIDTH HEIGHT CELL HEIGHTS FILE...: what three.js reads of our files, against HEIGHTS, 32-bit floats
// row by row. Prints for each file how many numbers it has and how far the worst of them is off [m].
import fs from 'fs';
import path from 'path';
import { pathToFileURL } from 'url';

const [three, widthText, heightText, cellText, heightsFile, ...files] = process.argv.slice(2);
const width = Number(widthText), height = Number(heightText), cell = Number(cellText);
const load = (name) => import(pathToFileURL(path.join(three, name)).href);
globalThis.self ??= globalThis; // loaders expect a browser
globalThis.ProgressEvent ??= class extends Event {};

const bytesOf = (file) => {
  const bytes = fs.readFileSync(file);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
};
const heights = new Float32Array(bytesOf(heightsFile));

/** The geometries of a mesh, with whether their y is up. */
async function geometriesOf(file) {
  const loaders = { glb: 'GLTF', gltf: 'GLTF', obj: 'OBJ', ply: 'PLY', stl: 'STL' };
  const format = file.split('.').pop();
  const name = `${loaders[format]}Loader`;
  const loader = new (await load(`examples/jsm/loaders/${name}.js`))[name]();
  if (loaders[format] === 'PLY' || loaders[format] === 'STL') return [[loader.parse(bytesOf(file))], false];
  let scene;
  if (format === 'obj') scene = loader.parse(fs.readFileSync(file, 'utf8'));
  else scene = (await loader.parseAsync(bytesOf(file), '')).scene;
  const geometries = [];
  scene.updateMatrixWorld(true);
  scene.traverse((node) => node.isMesh && geometries.push(node.geometry.clone().applyMatrix4(node.matrixWorld)));
  return [geometries, true];
}

/** How far a vertex is off the height of its cell. */
function offOf(position, i, yUp) {
  const x = position.getX(i), up = yUp ? position.getY(i) : position.getZ(i);
  const south = yUp ? position.getZ(i) : -position.getY(i);
  const column = x / cell + (width - 1) / 2, row = south / cell + (height - 1) / 2;
  const c = Math.round(column), r = Math.round(row);
  if (c < 0 || r < 0 || c >= width || r >= height) return Infinity;
  return Math.max(Math.abs(column - c) * cell, Math.abs(row - r) * cell, Math.abs(up - heights[r * width + c]));
}

async function checkMesh(file) {
  const [geometries, yUp] = await geometriesOf(file);
  let count = 0, off = 0;
  for (const geometry of geometries) {
    const position = geometry.attributes.position;
    count += position.count;
    for (let i = 0; i < position.count; i++) off = Math.max(off, offOf(position, i, yUp));
  }
  return [count, off];
}

/** An EXR; three.js has its first row at the bottom. */
async function checkExr(file) {
  const { FloatType } = await load('build/three.module.js');
  const { EXRLoader } = await load('examples/jsm/loaders/EXRLoader.js');
  const picture = new EXRLoader().setDataType(FloatType).parse(bytesOf(file));
  if (picture.width !== width || picture.height !== height) return [0, Infinity];
  const channels = picture.data.length / (width * height);
  let off = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const read = picture.data[((height - 1 - y) * width + x) * channels];
      off = Math.max(off, Math.abs(read - heights[y * width + x]));
    }
  return [width * height, off];
}

for (const file of files) {
  const [count, off] = await (file.endsWith('.exr') ? checkExr(file) : checkMesh(file));
  console.log(`${file} has ${count} numbers, off by ${off < 1e-3 ? 'nothing' : off}`);
}
