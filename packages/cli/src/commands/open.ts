import { spawn } from 'node:child_process';
import type { Command } from '../command.ts';
import { asksForJson, printResult } from '../print-result.ts';
import { requireServer } from '../service.ts';

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens the page of the running server in a browser, and prints its address. */
export const open: Command = {
  name: 'open',
  group: 'Get started',
  summary: 'open the web UI in a browser',
  options: {
    '--print': 'print the address without opening a browser',
  },
  isRemote: true,
  description: 'Open the web UI of the running service in a browser and print its address.',
  json: '{ "url" }; no browser is opened.',
  async run(context) {
    const { url } = (await requireServer(context)).server;
    printResult(context, { url }, [url]);
    if (context.options['print'] === true || asksForJson(context)) return 0;
    if (!(await opened(url))) {
      context.terminal.error('No browser could be started. Open the address yourself.');
    }
    return 0;
  },
};

// The browser is detached, because it outlives this command.
function opened(url: string): Promise<boolean> {
  const [program = 'xdg-open', ...before] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...before, url], { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.once('spawn', () => {
      child.unref();
      // A program that is still running is the browser itself.
      setTimeout(() => resolve(true), 1_000);
    });
  });
}
