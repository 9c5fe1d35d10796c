import type { Schemas } from '@svc/client';
import { counted, listed } from '@svc/core';
import { type Command, REPORTS_WITHIN_MS } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { answerOf, requireServer } from '../service.ts';
import { CommandError, UsageError } from '../terminal.ts';
import { wholeNumber } from '../whole-number.ts';

const POLL_MS = 500;
const MAX_LINES = 1_000;
const LEVELS: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

/** Prints the newest log lines of the running server. */
export const logs: Command = {
  name: 'logs',
  group: 'Inspect',
  summary: 'show the log of the running service',
  stopsWithinMs: REPORTS_WITHIN_MS,
  overview: '[--follow]',
  options: {
    '-f, --follow': 'continue with new lines until Ctrl-C, even across restarts of the service',
    '--lines N': 'number of lines to start with, 1 to 1000 (default 100)',
    '--level L': 'only lines of this level or above: debug, info, warn, error',
  },
  values: { level: Object.keys(LEVELS) },
  isRemote: true,
  description: `
Show the newest log lines of the running service, which keeps the last 500 to 1,000. Older lines are in its standard output.
Lines are formatted on a terminal, and JSON otherwise.`,
  json: 'each line as logged, even on a terminal.',
  async run(context) {
    const { options, terminal } = context;
    const least = leastOf(options['level']);
    const lines = wholeNumber(options, 'lines', { most: MAX_LINES, absent: 100 });
    const pretty = await prettyFor(context);
    const { api } = await requireServer(context);
    const print = (page: Schemas['LogPage']): void => {
      if (page.dropped > 0)
        terminal.error(`Skipped ${counted(page.dropped, 'line')} that arrived too fast.`);
      for (const line of page.lines) {
        if (Number(line['level']) < least) continue;
        const text = JSON.stringify(line);
        if (pretty === null) terminal.out(text);
        else terminal.colored(pretty(text));
      }
    };
    const read = (query: { limit: number; after?: number }) =>
      answerOf(api.GET('/api/logs', { params: { query } }), 'lines', 'last');
    const first = await read({ limit: lines });
    print(first);
    if (options['follow'] !== true) return 0;
    let isStopped = false;
    const stopped = context.stopRequested.then(() => {
      isStopped = true;
    });
    // Line numbers start again with each start of a server, and one address may lead to several servers.
    const lasts = new Map([[first.node, first.last]]);
    let { node } = first;
    while (!isStopped) {
      await Promise.race([new Promise((resolve) => setTimeout(resolve, POLL_MS)), stopped]);
      const asked = read({ after: lasts.get(node) ?? 0, limit: MAX_LINES });
      const page = await asked.catch((error: unknown) => {
        // Retry while the server restarts.
        if (error instanceof CommandError) throw error;
        return null;
      });
      if (page === null) continue;
      if (page.node !== node) {
        ({ node } = page);
        continue;
      }
      print(page);
      lasts.set(node, page.last);
    }
    return 0;
  },
};

// Imported dynamically, because JSON output does not need it.
async function prettyFor({ options, terminal }: CommandContext) {
  if (options['json'] === true || !terminal.isTerminal) return null;
  const { createPrettyLines } = await import('../pretty-lines.ts');
  return createPrettyLines();
}

function leastOf(level: string | boolean | undefined): number {
  if (level === undefined) return 0;
  const least = Object.hasOwn(LEVELS, String(level)) ? LEVELS[String(level)] : undefined;
  if (least !== undefined) return least;
  throw new UsageError(`--level must be ${listed(Object.keys(LEVELS), 'or')}, not ${level}.`);
}
