// @ts-check
// Loaded before svc with --require: records created, renamed and synced files, one per line, in the file named by RECORD_SYNCS.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { appendFileSync, renameSync } = fs;
const { mkdir, open } = fs.promises;
/** @param {string[]} words */
const note = (...words) =>
  appendFileSync(String(process.env['RECORD_SYNCS']), `${words.join(' ')}\n`);

fs.promises.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  const sync = handle.sync.bind(handle);
  handle.sync = async () => {
    await sync();
    note('sync', String(path));
  };
  return handle;
};
fs.promises.mkdir = /** @type {typeof mkdir} */ (
  async (/** @type {string} */ path, /** @type {never} */ options) => {
    const made = await mkdir(path, options);
    note('make', String(path));
    return made;
  }
);
fs.renameSync = (from, to) => {
  renameSync(from, to);
  note('rename', String(from), String(to));
};
syncBuiltinESMExports();
