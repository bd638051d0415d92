// Manifests (JSON on stdin: a list) against what Kubernetes publishes of its API, as two packages carry it:
// kubernetes-models for types and required fields, kubernetes-types, through the TypeScript compiler, for fields
// that do not exist. NODE_PATH names their folder. Prints each mistake and exits with 1 when there is any.
const fs = require("fs");
const os = require("os");
const path = require("path");
const { execFileSync } = require("child_process");

const KINDS = {
    Job: { models: "kubernetes-models/batch/v1", types: "kubernetes-types/batch/v1" },
    PersistentVolumeClaim: { models: "kubernetes-models/v1", types: "kubernetes-types/core/v1" },
};

function mistakesOfValues(manifest) {
    const Model = require(KINDS[manifest.kind].models)[manifest.kind];
    try {
        new Model(manifest).validate();
        return [];
    } catch (wrong) {
        return [wrong.message];
    }
}

function mistakesOfFields(manifests) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "published-schema-"));
    try {
        fs.symlinkSync(process.env.NODE_PATH, path.join(folder, "node_modules"));
        const source = manifests.map(
            (manifest, i) =>
                `import { ${manifest.kind} as Kind${i} } from "${KINDS[manifest.kind].types}";\n` +
                `export const manifest${i}: Kind${i} = ${JSON.stringify(manifest, null, 1)};\n`
        );
        fs.writeFileSync(path.join(folder, "manifests.ts"), source.join(""));
        const compiler = require.resolve("typescript/package.json").replace("package.json", "bin/tsc");
        const options = ["--noEmit", "--strict", "--skipLibCheck", "--moduleResolution", "bundler",
            "--module", "esnext", "manifests.ts"];
        execFileSync(process.execPath, [compiler, ...options], { cwd: folder });
        return [];
    } catch (wrong) {
        return [String(wrong.stdout || wrong.message)];
    } finally {
        fs.rmSync(folder, { recursive: true });
    }
}

const manifests = JSON.parse(fs.readFileSync(0, "utf8"));
const mistakes = [...manifests.flatMap(mistakesOfValues), ...mistakesOfFields(manifests)];
mistakes.forEach((mistake) => console.log(mistake));
process.exit(mistakes.length > 0 ? 1 : 0);
