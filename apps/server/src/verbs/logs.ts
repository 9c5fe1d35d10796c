import { counted, oneOf } from '@svc/core';
import type { OperationResults } from '@svc/ops';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { answerOf, requireServer } from './service-access.ts';
import { wholeNumber } from './whole-number.ts';

const POLL_MS = 500;
const MAX_LINES = 1_000;
const LEVELS: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

type Page = OperationResults['read_logs'];

/** Prints the newest log lines of the running server; `--follow` continues with new ones. */
export async function logsVerb(context: VerbContext): Promise<ExitCode> {
  if (context.arguments.length > 0) throw new UsageError('logs takes options only.');
  const { options, terminal } = context;
  const least = leastOf(options['level']);
  const lines = wholeNumber(options, 'lines', { most: MAX_LINES, absent: 100 });
  const pretty = await prettyFor(context);
  const { call } = await requireServer(context);
  const print = (page: Page): void => {
    if (page.dropped > 0)
      terminal.error(`Skipped ${counted(page.dropped, 'line')} that arrived too fast.`);
    for (const line of page.lines) {
      if (Number(line['level']) < least) continue;
      const text = JSON.stringify(line);
      if (pretty === null) terminal.out(text);
      else terminal.colored(pretty(text));
    }
  };
  const read = async (query: string) => (await answerOf(call, 'GET', `/api/logs?${query}`)) as Page;
  const first = await read(`limit=${lines}`);
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
    const page = await read(`after=${lasts.get(node) ?? 0}&limit=${MAX_LINES}`).catch(
      (error: unknown) => {
        // Retry while the server restarts.
        if (error instanceof CommandError) throw error;
        return null;
      },
    );
    if (page === null) continue;
    if (page.node !== node) {
      ({ node } = page);
      continue;
    }
    print(page);
    lasts.set(node, page.last);
  }
  return 0;
}

// Imported dynamically, because JSON output does not need it.
async function prettyFor({ options, terminal }: VerbContext) {
  if (options['json'] === true || !terminal.isTerminal) return null;
  const { createPrettyLines } = await import('../pretty-lines.ts');
  return createPrettyLines();
}

function leastOf(level: string | boolean | undefined): number {
  if (level === undefined) return 0;
  const least = Object.hasOwn(LEVELS, String(level)) ? LEVELS[String(level)] : undefined;
  if (least !== undefined) return least;
  throw new UsageError(`--level must be ${oneOf(Object.keys(LEVELS))}, not ${level}.`);
}
