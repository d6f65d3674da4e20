// SPDX-License-Identifier: MIT
// node gltf_check.cjs VALIDATOR FILE...: checks files with Khronos' validator. Errors and warnings fail.
const fs = require('fs');
const [validatorFolder, ...files] = process.argv.slice(2);
const validator = require(validatorFolder);

async function check(file) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 20 });
    const issues = report.issues.messages.filter((m) => m.severity <= 1);
    for (const issue of issues) console.error(`${file}: ${issue.code} ${issue.pointer}: ${issue.message}`);
    const info = report.info;
    console.log(`${file} vertices ${info.totalVertexCount} triangles ${info.totalTriangleCount}` +
        ` textures ${info.hasTextures}`);
    return issues.length === 0;
}

Promise.all(files.map(check)).then((good) => process.exit(good.every(Boolean) ? 0 : 1));
