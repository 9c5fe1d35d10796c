// @ts-check
// Runs commands of the built program for tests, all in this process, so that each does not load the program again.
//   node test/command-host.mjs SOCKET
// Each connection takes one request, { args, env }, and returns { code, out, error }.
import { createServer } from 'node:net';
import { createCli } from '@svc/cli';
import { COMMANDS } from '../dist/commands.js';
import { contextOf } from '../dist/context.js';
import { createProcessTimeZone } from '../dist/process-time-zone.js';

const [socket] = process.argv.slice(2);
const processZone = createProcessTimeZone(process.env);
const never = new Promise(() => {});

/** @param {{ args: string[], env: Record<string, string> }} request */
async function run({ args, env }) {
  let out = '';
  let error = '';
  const say = (/** @type {string} */ line) => {
    out += `${line}\n`;
  };
  const facts = {
    ...{ env: { ...process.env, ...env }, onReload: () => {}, processZone, manager: null },
    repository: new URL('../../..', import.meta.url).pathname,
  };
  const cli = createCli({
    commands: COMMANDS,
    contextOf: (line) => contextOf(facts, line),
    version: '0.1.0',
    ...{ stopRequested: never, stopAtOnce: never },
    terminal: {
      ...{ isTerminal: false, columns: null, hasColors: false, out: say, colored: say },
      error: (line) => {
        error += `${line}\n`;
      },
    },
  });
  return { code: await cli.run(args), out, error };
}

createServer({ allowHalfOpen: true }, (peer) => {
  let text = '';
  peer.on('error', () => {});
  peer.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  peer.on('end', async () => {
    const failed = (/** @type {unknown} */ cause) => ({
      code: null,
      out: '',
      error: String(cause),
    });
    peer.end(JSON.stringify(await run(JSON.parse(text)).catch(failed)));
  });
}).listen(socket);

// It ends with the process that started it.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit();
}, 500);
