// @ts-check
// Takes the pictures of the page: node scripts/pictures.mjs [FOLDER [PATTERN]] writes every view in every look into FOLDER.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const [folder = '/tmp/svc-pictures', only] = process.argv.slice(2);
const entry = fileURLToPath(new URL('../test-deep/gallery/pictures.ts', import.meta.url));
const { module } = await runnerImport(entry, { configFile: false, logLevel: 'warn' });
await module.takePictures(resolve(folder), only);
