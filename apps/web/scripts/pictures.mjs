// @ts-check
// Takes pictures of the built page on a service whose triggers really run.
//   node scripts/pictures.mjs                    renews the pictures of the READMEs in pictures/
//   node scripts/pictures.mjs FOLDER [PATTERN]   every view (or those whose name matches), in all widths and themes
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const [folder, pattern] = process.argv.slice(2);
const { module } = await runnerImport(here('test-deep/gallery/pictures.ts'), { configFile: false });
if (folder === undefined) await module.takeShownPictures(here('pictures'));
else await module.takeAllPictures(resolve(folder), pattern);
