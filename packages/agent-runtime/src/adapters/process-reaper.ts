import type { Clock, Logger } from '@svc/core';
import type { ProcessReaper, TurnProcesses } from '../processes.ts';
import { turnMark } from '../turn-mark.ts';
import {
  hasProcessTable,
  isAlive,
  type ProcessEntry,
  readForks,
  readProcessTable,
  youngerThan,
} from './process-table.ts';
import { sleep } from './sleep.ts';

/** Dependencies of a process reaper. */
export interface ProcessReaperDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Options of a process reaper. */
export interface ProcessReaperOptions {
  /** How to find processes. `proc`: in /proc. `none`: not at all. Default: `proc` if /proc is available. */
  readonly table?: 'proc' | 'none';
}

const GRACE_MS = 1000;
const LOOK_AGAIN_MS = 25;
const GIVE_UP_MS = 10_000;

type Wanted = (entry: ProcessEntry) => boolean;

/**
 * Creates a reaper that uses /proc (Linux). On other systems it only signals the given process groups and logs one
 * warning. It never signals its own process or its ancestors.
 */
export function createProcessReaper(
  deps: ProcessReaperDeps,
  options: ProcessReaperOptions = {},
): ProcessReaper {
  const listed = options.table === undefined ? hasProcessTable() : options.table === 'proc';
  let warned = false;
  const end = async (
    wanted: Wanted,
    groups: readonly number[],
    facts: Readonly<Record<string, unknown>>,
  ): Promise<{ ended: number }> => {
    if (listed) return endMatching(deps, wanted, groups, facts);
    if (!warned) deps.logger.warn({}, 'cannot list processes, ending process groups only');
    warned = true;
    return endGroupsOnly(deps, groups);
  };
  return {
    forks: () => (listed ? readForks() : null),
    async endTurns(turnIds, also = {}) {
      if (turnIds.length === 0) return { ended: 0 };
      const wanted = belongingTo(turnIds, also.groups ?? []);
      if (listed && (await isNobodyLeft(deps.clock, wanted, also))) return { ended: 0 };
      return end(wanted, also.groups ?? [], { turnIds });
    },
    async turns() {
      const table = listed ? await readProcessTable(deps.clock) : [];
      return [...new Set(table.flatMap(({ turnId }) => turnId ?? []))];
    },
    endGroup: (leader) => end((entry) => entry.group === leader, [leader], { group: leader }),
  };
}

function belongingTo(turnIds: readonly string[], leaders: readonly number[]): Wanted {
  const ids = new Set(turnIds);
  const groups = new Set(leaders);
  const marks = new Set(turnIds.map(turnMark));
  return ({ group, turnId, mark }) =>
    groups.has(group) || (turnId !== null && ids.has(turnId)) || (mark !== null && marks.has(mark));
}

// Most turns leave no processes behind. Checking only processes younger than the first process of the turn shows that
// cheaply.
async function isNobodyLeft(
  clock: Clock,
  wanted: Wanted,
  { groups: [first] = [], since = null }: TurnProcesses,
): Promise<boolean> {
  if (first === undefined || since === null) return false;
  const isYounger = youngerThan(first, since);
  if (isYounger === null) return false;
  return !(await readProcessTable(clock, isYounger)).some(wanted);
}

async function endMatching(
  deps: ProcessReaperDeps,
  wanted: Wanted,
  groups: readonly number[],
  facts: Readonly<Record<string, unknown>>,
): Promise<{ ended: number }> {
  const { clock, logger } = deps;
  const began = clock.mono();
  // Found processes are remembered, because killing a parent removes the link to its children.
  const known = new Map<string, ProcessEntry>();
  const signalled = new Set<string>();
  for (;;) {
    const { table, found, alive, left } = await look(clock, wanted, known);
    const spent = clock.mono() - began;
    if (left.length === 0 || spent > GIVE_UP_MS) {
      endWholeGroups([...groups, ...groupsIn(known)], table, found);
    }
    if (left.length === 0) return { ended: known.size };
    if (spent > GIVE_UP_MS) {
      logger.warn({ ...facts, pids: left.map(({ pid }) => pid) }, 'failed to end processes');
      return { ended: known.size - left.length };
    }
    const name = spent < GRACE_MS ? 'SIGTERM' : 'SIGKILL';
    for (const entry of alive) signalOnce(entry, name, signalled);
    if (name === 'SIGKILL') endWholeGroups(groupsIn(known), table, found);
    await sleep(clock, LOOK_AGAIN_MS);
  }
}

interface Seen {
  readonly table: readonly ProcessEntry[];
  readonly found: readonly ProcessEntry[];
  readonly alive: readonly ProcessEntry[];
  /** Processes that are not known to have exited. */
  readonly left: readonly ProcessEntry[];
}

async function look(clock: Clock, wanted: Wanted, known: Map<string, ProcessEntry>): Promise<Seen> {
  const table = await readProcessTable(clock);
  const found = victimsOf(table, wanted, known);
  // A process that repeatedly forks and exits may be missed by one scan, so the next scan decides.
  const isNew = found.some((entry) => !known.has(keyOf(entry)));
  for (const entry of found) known.set(keyOf(entry), entry);
  const alive = [...known.values()].filter(isAlive);
  return { table, found, alive, left: isNew ? found : alive };
}

function groupsIn(known: ReadonlyMap<string, ProcessEntry>): readonly number[] {
  return [...known.values()].map(({ group }) => group);
}

// The kernel signals a group atomically, so that no member can leave a child behind. Groups with foreign members are
// not signalled.
function endWholeGroups(
  groups: readonly number[],
  table: readonly ProcessEntry[],
  found: readonly ProcessEntry[],
): void {
  const victims = new Set(found.map(({ pid }) => pid));
  const shared = new Set(table.filter(({ pid }) => !victims.has(pid)).map(({ group }) => group));
  for (const group of new Set(groups)) {
    if (group > 1 && !shared.has(group)) send(-group, 'SIGKILL');
  }
}

function keyOf(entry: ProcessEntry): string {
  return `${entry.pid}:${entry.start}`;
}

function victimsOf(
  table: readonly ProcessEntry[],
  wanted: Wanted,
  known: ReadonlyMap<string, ProcessEntry>,
): readonly ProcessEntry[] {
  const spared = ownLine(table);
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  const victims = new Map<number, ProcessEntry>();
  const todo = table.filter((entry) => wanted(entry) || known.has(keyOf(entry)));
  for (let entry = todo.pop(); entry !== undefined; entry = todo.pop()) {
    if (spared.has(entry.pid) || victims.has(entry.pid)) continue;
    victims.set(entry.pid, entry);
    todo.push(...(children.get(entry.pid) ?? []));
  }
  return [...victims.values()];
}

// This process and its ancestors, whose end would end this process too.
function ownLine(table: readonly ProcessEntry[]): ReadonlySet<number> {
  const parents = new Map(table.map((entry) => [entry.pid, entry.parent]));
  const line = new Set<number>();
  for (
    let pid: number | undefined = process.pid;
    pid !== undefined && pid > 0 && !line.has(pid);
    pid = parents.get(pid)
  ) {
    line.add(pid);
  }
  return line;
}

function signalOnce(
  entry: ProcessEntry,
  name: 'SIGTERM' | 'SIGKILL',
  signalled: Set<string>,
): void {
  const key = `${name} ${keyOf(entry)}`;
  // The pid may already belong to another process.
  if (signalled.has(key) || !isAlive(entry)) return;
  signalled.add(key);
  send(entry.pid, name);
  // A stopped process handles a signal only after it is continued.
  if (name === 'SIGTERM') send(entry.pid, 'SIGCONT');
}

async function endGroupsOnly(
  { clock }: ProcessReaperDeps,
  groups: readonly number[],
): Promise<{ ended: number }> {
  const there = groups.filter((group) => send(-group, 'SIGTERM'));
  const until = clock.mono() + GRACE_MS;
  let left = there;
  while (left.length > 0 && clock.mono() < until) {
    await sleep(clock, LOOK_AGAIN_MS);
    left = left.filter((group) => send(-group, 0));
  }
  for (const group of left) send(-group, 'SIGKILL');
  return { ended: there.length };
}

// Whether any process was signalled.
function send(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
