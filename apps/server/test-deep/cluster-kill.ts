import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '@svc/records';
import { isRunning, until } from '../test/harness.ts';
import {
  does,
  everySecond,
  type Pair,
  type Peer,
  reaches,
  runNow,
  runOf,
  runsOf,
} from './cluster.ts';

/** A turn on one of the servers. */
export async function runningAt(
  { project: made, database }: Pair,
  peer: Peer,
  command: string,
): Promise<{ project: string; id: string }> {
  for (;;) {
    const project = made(peer, { it: does(command) });
    const id = await runNow(peer, project, 'it');
    await reaches(peer, project, id, 'running');
    const [turn] = (await database.query(
      `select owner_node as node from turn where project = '${project}'`,
    )) as { node: string }[];
    if (turn?.node === peer.id) return { project, id };
  }
}

const HELD = { trigger: { type: 'schedule', interval: '1s' }, policy: { overlap: 'queue' } };

interface Left {
  /** The run of a slot. */
  readonly interrupted: Run;
  /** The slot. */
  readonly next: Run;
}

/** What remains of a killed server and of a slot that waited meanwhile, once both are settled. */
export async function killOne(pair: Pair): Promise<Left> {
  const { a, b, projects } = pair;
  const held = await pair.armed(a, { it: does('sleep 28', HELD) });
  const { project, id } = await runningAt(pair, b, 'echo $$ > pid; sleep 60');
  const fires = join(projects, await pair.armed(b, { it: everySecond('echo >> ran') }), 'ran');
  const pidFile = join(projects, project, 'pid');
  await until(async () => existsSync(fires) && existsSync(pidFile));
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const waiting = await until(async () => {
    const runs = await runsOf(a, held);
    // Newer slots are still being claimed, and join the row of slots skipped beside the waiting one.
    return (
      runs.some((run) => run.state === 'running') && runs.findLast((run) => run.state === 'queued')
    );
  });
  await b.server.stop('SIGKILL');
  rmSync(fires);
  await until(async () => !isRunning(pid), 30);
  const interrupted = await reaches(a, project, id, 'ended');
  await until(async () => existsSync(fires), 5);
  const next = await until(async () => {
    const run = await runOf(a, held, waiting.id);
    return run.state !== 'queued' && run;
  }, 20);
  return { interrupted, next };
}
