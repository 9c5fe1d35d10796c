import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { getSystemErrorMap } from 'node:util';
import { createCli } from '@svc/cli';
import { COMMANDS } from './commands.ts';
import { createProcessTimeZone } from './process-time-zone.ts';
import { takeManagerSettings } from './service-manager.ts';
import { createShutdownSignals } from './shutdown-signals.ts';
import { asErrors, isJournal, isSameFile } from './systemd-journal.ts';

const manifest = JSON.parse(
  await readFile(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const processZone = createProcessTimeZone(process.env);

// At exit, Node waits for file and name lookups in its thread pool, which may hang forever.
const isBlocked = (): boolean => process.getActiveResourcesInfo().some((name) => /Req/.test(name));
const exit = (code: number): never => {
  if (code !== 0 && stoppedBy !== null && isBlocked()) {
    process.removeAllListeners(stoppedBy);
    process.kill(process.pid, stoppedBy);
  }
  process.exit(lost !== undefined && code === 0 ? 1 : code);
};
let stoppedBy: NodeJS.Signals | null = null;
const signals = createShutdownSignals({
  mono: () => performance.now(),
  giveUp: () => exit(1),
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    stoppedBy = signal;
    signals.onSignal();
  });
}

// If the process had a terminal, SIGHUP can mean that the terminal was closed, which is a request to stop. The signal may
// arrive before the configuration can be reloaded. Other commands than `serve` keep the default action: they end.
let hungUp = false;
let reload: (() => void) | null = null;
let reloadAsked = false;
const hadTerminal = isatty(0);
const isServe = process.argv.includes('serve');
if (isServe) {
  process.on('SIGHUP', () => {
    if (hadTerminal && !isatty(0)) {
      hungUp = true;
      signals.onHangUp();
    } else if (reload === null) reloadAsked = true;
    else reload();
  });
}
// Output fails without a reader, which must not crash the process; a command that follows something ends then. Other
// failures, such as a full disk, fail the command.
const outputFaults: NodeJS.ErrnoException[] = [];
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') outputFaults.push(error);
  else if (!isServe) signals.onHangUp();
});
process.stderr.on('error', () => {});

const onReload = (callback: () => void): void => {
  reload = callback;
  if (reloadAsked) callback();
};

// Node exits with 0 when nothing is pending. All commands end with `exit`, so a command that gets here never completed.
process.once('beforeExit', () => {
  process.stderr.write('svc: the command stopped before it was done. Please report this.\n');
  process.exitCode = 1;
});

const manager = takeManagerSettings(process.env, process.pid);
const { JOURNAL_STREAM: journal } = process.env;
const errorsToJournal = isJournal(journal, 2);

const facts = {
  ...{ env: process.env, onReload, processZone, manager },
  repository: fileURLToPath(new URL('../../..', import.meta.url)),
};
const cli = createCli({
  commands: COMMANDS,
  contextOf: async (line) => (await import('./context.ts')).contextOf(facts, line),
  version: manifest.version,
  ...signals.requests,
  terminal: {
    isTerminal: process.stdout.isTTY === true,
    columns: process.stdout.isTTY === true ? process.stdout.columns : null,
    // An empty NO_COLOR counts as unset (no-color.org).
    hasColors:
      process.stdout.isTTY === true &&
      (process.env['NO_COLOR'] ?? '') === '' &&
      process.env['TERM'] !== 'dumb',
    isJournal: isJournal(journal, 1),
    isMixed: isSameFile(1, 2),
    out: (line) => void process.stdout.write(`${line}\n`),
    colored: (line) => void process.stdout.write(`${line}\n`),
    error: (line) => void process.stderr.write(`${errorsToJournal ? asErrors(line) : line}\n`),
  },
});
const code = await cli.run(process.argv.slice(2));
// Resolves when a pipe has accepted all output, which would otherwise be lost. After a stop request, a pipe without a reader
// is given up.
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });
const MAX_FLUSH_MS = 2_000;
const isLate = signals.requests.stopRequested.then(() => setTimeout(MAX_FLUSH_MS));
if (!hungUp) {
  await Promise.race([Promise.all([flushed(process.stdout), flushed(process.stderr)]), isLate]);
}
// A log that cannot be written does not fail the service.
const [lost] = isServe ? [] : outputFaults;
if (lost !== undefined) {
  const why = getSystemErrorMap().get(lost.errno ?? 0)?.[1] ?? lost.message;
  process.stderr.write(`svc: The output could not be written: ${why}.\n`);
}
for (let tries = 0; stoppedBy !== null && isBlocked() && tries < 20; tries += 1)
  await setTimeout(50);
// Node aborts if it exits after its terminal was closed; like other programs, end by the signal.
if (hungUp) {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
exit(lost !== undefined && code === 0 ? 1 : code);
