import { spawn } from 'node:child_process';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { requireServer } from './service-access.ts';

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens the page of the running server in a browser, and prints its address. */
export async function openVerb(context: VerbContext): Promise<ExitCode> {
  if (context.arguments.length > 0) throw new UsageError('open takes options only.');
  const { terminal, options } = context;
  const { url } = await requireServer(context);
  terminal.text(options['json'] === true ? JSON.stringify({ url }, null, 2) : url);
  if (options['print'] === true || options['json'] === true) return 0;
  if (!(await opened(url))) {
    terminal.error('No browser could be started. Open the address yourself.');
  }
  return 0;
}

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
