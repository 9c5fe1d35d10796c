import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { Slug } from '@svc/records';
import type { ServiceNode } from '@svc/store';
import type { OpsDeps, SharedProcess } from '../deps.ts';
import { holderOf } from './holders.ts';
import { createLosses } from './losses.ts';
import { createTraits } from './node-traits.ts';

/** How often a process gives a sign of life, in milliseconds. */
const BEAT_MS = 4000;
/** A timer that is later than that by so much tells that the process stood still. */
const STOOD_STILL_MS = 3000;
/** So long after its last sign of life a process takes nothing that it runs for its own any more. */
const LEASE_MS = 12_000;
/** So long after it others hold it for dead, and end what it ran. Longer than the lease, by more than a beat takes. */
const DEAD_MS = 20_000;
/** Whoever is missed has gone since then; milliseconds. */
const LOOK_BACK_MS = 3_600_000;

/** The processes that share a database, and which of them looks after which project. */
export interface Members {
  /** Gives the first sign of life, and finds out who else is there. */
  start(): Promise<void>;
  /** Whether there may be more than this process. */
  readonly isShared: boolean;
  /** Whether others looked after projects when this process last asked. */
  readonly hasOthers: boolean;
  /** How many processes looked after projects then, this one among them where it does. */
  readonly size: number;
  /** Whether this process looks after a project; of all that are there one does, as far as they know of each other. */
  has(project: Slug): boolean;
  /** Id of the process that looks after a project, as far as this one knows; null where there is none. */
  holder(project: Slug): string | null;
  /** Why nobody claimed a slot of a project that was due at an instant; null where no server was lost that looked after it. */
  absence(project: Slug, due: number): string | null;
  /** Whether this process does what is to be done once for all of them; one does, as far as they know of each other. */
  leads(): boolean;
  /** Has this process and all others look at once who is there. */
  announce(): Promise<void>;
  /** Calls back when `has` may answer differently. Returns how to stop. */
  subscribe(on: () => void): () => void;
  /** Gives no sign of life any more, and tells the others that this process is gone. Never rejects. */
  leave(): Promise<void>;
}

/** Why nobody may have heard of a process: its database was away, or it stood still itself. */
type CutOff = 'away' | 'stood_still';

/** What is told of the processes. */
export interface MembersListener {
  /** Nobody may have heard of this process for too long: what it runs must end, as others may be about to end it. */
  cutOff(why: CutOff): void;
  /** It is heard of again. */
  back(): void;
  /** This process was held for dead, and never comes back under its name. */
  evicted(): void;
  /** Others are gone: what they ran is to be ended. */
  gone(ids: readonly string[]): void;
}

/** A process that has its database for itself. */
export const ALONE: Members = {
  isShared: false,
  hasOthers: false,
  size: 1,
  async start() {},
  has: () => true,
  holder: () => null,
  absence: () => null,
  leads: () => true,
  async announce() {},
  subscribe: () => () => {},
  async leave() {},
};

const SIGNAL = 'members';
// No project is called so.
const SERVICE = '';

interface Seen {
  readonly heartbeatAt: string;
  /** By the clock that is never set. */
  readonly since: number;
}

type MembersDeps = Pick<OpsDeps, 'clock' | 'logger'> & {
  readonly shared?: Pick<SharedProcess, 'traits'>;
  readonly store: Pick<OpsDeps['store'], 'nodeId' | 'signals'> & {
    readonly nodes: Pick<
      OpsDeps['store']['nodes'],
      'beat' | 'evict' | 'describe' | 'gone' | 'leave' | 'list'
    >;
  };
};

export function createMembers(deps: MembersDeps, listener: MembersListener): Members {
  return new SharedMembers(deps, listener);
}

class SharedMembers implements Members {
  private readonly deps: MembersDeps;
  private readonly listener: MembersListener;
  private readonly losses = createLosses();
  private readonly followers = new Set<() => void>();
  private serving: readonly string[] = [];
  private holders = new Map<Slug, string | null>();
  private timer: TimerHandle | null = null;
  private lease: TimerHandle | null = null;
  private beating: Promise<void> = Promise.resolve();
  private isOpen = true;
  /** The last sign of life, by the clock that is never set. */
  private heardAt = Number.NEGATIVE_INFINITY;
  /** The last sign of life of each other process, and since when it is the last that was seen here. */
  private readonly seen = new Map<string, Seen>();
  private takenAt = Number.NEGATIVE_INFINITY;
  /** How late the last beat was, where that says something. */
  private stoodStillMs = 0;
  private isCutOff = false;
  private isUnheard = false;
  private isDead = false;
  private leaving: Promise<void> | null = null;
  private stopHearing = (): void => {};
  private readonly traits: ReturnType<typeof createTraits>;
  readonly isShared = true;
  hasOthers = false;

  constructor(deps: MembersDeps, listener: MembersListener) {
    this.deps = deps;
    this.listener = listener;
    this.traits = createTraits(deps);
  }

  get size(): number {
    return this.serving.length;
  }

  async start(): Promise<void> {
    this.stopHearing = this.deps.store.signals.subscribe((heard) => {
      if (heard === 'missed' || heard['kind'] === SIGNAL) this.lookSoon();
    });
    await this.live();
    this.again();
  }

  leads(): boolean {
    return this.has(SERVICE);
  }

  async announce(): Promise<void> {
    await this.live();
    this.deps.store.signals.send({ kind: SIGNAL });
  }

  has(project: Slug): boolean {
    return !this.isDead && this.holder(project) === this.deps.store.nodeId;
  }

  holder(project: Slug): string | null {
    const known = this.holders.get(project);
    const holder = known === undefined ? holderOf(project, this.serving) : known;
    if (known === undefined) this.holders.set(project, holder);
    return holder;
  }

  absence(project: Slug, due: number): string | null {
    return this.losses.reasonFor(project, due);
  }

  subscribe(on: () => void): () => void {
    this.followers.add(on);
    return () => void this.followers.delete(on);
  }

  leave(): Promise<void> {
    this.leaving ??= this.leaveOnce();
    return this.leaving;
  }

  private async leaveOnce(): Promise<void> {
    const { clock, logger, store } = this.deps;
    this.isOpen = false;
    this.stopHearing();
    if (this.timer !== null) clock.clearTimeout(this.timer);
    if (this.lease !== null) clock.clearTimeout(this.lease);
    await this.beating;
    try {
      await store.nodes.leave(clock.now());
      store.signals.send({ kind: SIGNAL });
    } catch (error) {
      logger[failureLevel(error, 'warn')](
        { error: messageOf(error) },
        'cannot notify other servers of shutdown',
      );
    }
  }

  private lookSoon(): void {
    if (!this.isOpen) return;
    // Not after the one before, which may never end.
    const look = this.live().catch((error: unknown) => {
      // Told once, and again after one that could.
      if (!this.isUnheard) {
        this.deps.logger[failureLevel(error, 'warn')](
          { error: messageOf(error) },
          'cannot send heartbeat',
        );
      }
      this.isUnheard = true;
    });
    this.beating = Promise.all([this.beating, look]).then(() => {});
  }

  private again(): void {
    if (!this.isOpen) return;
    const { clock } = this.deps;
    const due = clock.mono() + BEAT_MS;
    this.timer = clock.setTimeout(() => {
      this.noteStill(clock.mono() - due);
      // It may never come back: the lease ends all the same.
      this.again();
      this.checkLease();
      this.lookSoon();
    }, BEAT_MS);
  }

  private noteStill(ms: number): void {
    this.stoodStillMs = ms < STOOD_STILL_MS ? 0 : ms;
    if (this.stoodStillMs === 0) return;
    const seconds = Math.round(ms / 100) / 10;
    this.deps.logger.warn({ seconds }, 'server was suspended');
  }

  private checkLease(): void {
    const { clock } = this.deps;
    const left = LEASE_MS - (clock.mono() - this.heardAt);
    if (this.isCutOff || !this.isOpen || left >= BEAT_MS) return;
    if (left > 0) {
      // Before the next beat.
      this.lease = clock.setTimeout(() => this.checkLease(), left);
      return;
    }
    this.isCutOff = true;
    this.listener.cutOff(this.stoodStillMs > 0 ? 'stood_still' : 'away');
  }

  private async live(): Promise<void> {
    const { clock, store } = this.deps;
    // As of when it was asked: the answer may take its time.
    const asked = clock.mono();
    if (!(await store.nodes.beat(clock.now()))) {
      await this.die();
      return;
    }
    // Whoever was cut off itself cannot tell who was not.
    if (asked - this.heardAt > 2 * BEAT_MS) this.seen.clear();
    this.heardAt = Math.max(this.heardAt, asked);
    if (this.isCutOff) {
      this.isCutOff = false;
      this.listener.back();
    }
    this.isUnheard = false;
    await this.traits.tell();
    const nodes = await store.nodes.list();
    const silent = this.silentAmong(nodes, { asked, answered: clock.mono() });
    const there =
      silent.length > 0 && (await this.evict(silent)) ? await store.nodes.list() : nodes;
    await this.noteLost(there);
    this.take(there, asked);
  }

  // Before what they looked after is armed elsewhere.
  private async noteLost(there: readonly ServiceNode[]): Promise<void> {
    const left = this.serving.filter((id) => there.every((node) => node.id !== id));
    if (left.length === 0) return;
    const gone = await this.deps.store.nodes.gone(this.deps.clock.now() - LOOK_BACK_MS);
    this.losses.note(
      gone.filter(({ id, isLost }) => isLost && left.includes(id)),
      this.serving,
    );
  }

  // By the clock of this process alone: those of two machines may be any time apart.
  private silentAmong(
    nodes: readonly ServiceNode[],
    { asked, answered }: { readonly asked: number; readonly answered: number },
  ): ServiceNode[] {
    return nodes.filter(({ id, heartbeatAt }) => {
      if (id === this.deps.store.nodeId) return false;
      const seen = this.seen.get(id);
      if (seen?.heartbeatAt === heartbeatAt) return asked - seen.since >= DEAD_MS;
      // Given before the answer came, and at some time after the question.
      this.seen.set(id, { heartbeatAt, since: answered });
      return false;
    });
  }

  private async evict(silent: readonly ServiceNode[]): Promise<boolean> {
    const { clock, store, logger } = this.deps;
    const lost = silent.map((node) => ({ ...node, projects: this.countOf(node.id) }));
    const { ids } = await store.nodes.evict(lost, clock.now());
    for (const { id } of silent) this.seen.delete(id);
    if (ids.length === 0) return false;
    const servers = lost.filter(({ id }) => ids.includes(id)).map(lostText);
    logger.warn({ servers }, 'servers lost, taking over their projects');
    this.listener.gone(ids);
    store.signals.send({ kind: SIGNAL });
    return true;
  }

  // As far as it was asked for; each project is, where projects are shared out.
  private countOf(id: string): number {
    let count = 0;
    for (const [project, holder] of this.holders) {
      if (holder === id && project !== SERVICE) count += 1;
    }
    return count;
  }

  private async die(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    const { clock } = this.deps;
    if (this.timer !== null) clock.clearTimeout(this.timer);
    if (this.lease !== null) clock.clearTimeout(this.lease);
    this.isDead = true;
    const reason =
      this.stoodStillMs > 0
        ? 'It was suspended for too long, and other servers took over its projects.'
        : 'It sent no heartbeat for too long, and other servers took over its projects.';
    this.deps.logger.error({ reason }, 'evicted by other servers, shutting down');
    this.listener.evicted();
    this.tell();
  }

  private take(nodes: readonly ServiceNode[], asked: number): void {
    // An answer that came late.
    if (asked < this.takenAt) return;
    this.takenAt = asked;
    this.traits.compare(nodes);
    const serving = nodes.filter(({ isServing }) => isServing).map(({ id }) => id);
    // One that gives no sign of life any more is there only until it is held for dead.
    const now = this.deps.clock.now();
    this.hasOthers = nodes.some(
      ({ id, isServing, heartbeatAt }) =>
        isServing && id !== this.deps.store.nodeId && now - Date.parse(heartbeatAt) < DEAD_MS,
    );
    if (serving.join() === this.serving.join()) return;
    this.serving = serving;
    this.holders = new Map();
    this.tell();
  }

  private tell(): void {
    for (const follower of this.followers) follower();
  }
}

function lostText({
  host,
  id,
  heartbeatAt,
  projects,
}: ServiceNode & { readonly projects: number }): string {
  return `${host ?? 'a server'} (${id}): last heartbeat ${heartbeatAt}, projects: ${projects}`;
}
