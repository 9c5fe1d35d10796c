import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { Slug } from '@svc/records';
import type { ServiceNode } from '@svc/store';
import type { EngineDeps, SharedProcess } from '../deps.ts';
import { holderOf } from './holders.ts';
import { createLosses } from './losses.ts';
import { createTraits } from './node-traits.ts';

/** Heartbeat interval, in milliseconds. */
const BEAT_MS = 4000;
/** A timer that is this much late means that the process was suspended. */
const STOOD_STILL_MS = 3000;
/** This long after its last heartbeat, a server no longer treats its running turns as its own. */
const LEASE_MS = 12_000;
/**
 * This long after its last heartbeat, others evict a server and end its turns. Longer than the lease by more than a
 * heartbeat takes.
 */
const DEAD_MS = 20_000;
/** A missing server stopped within this time; milliseconds. */
const LOOK_BACK_MS = 3_600_000;

/** The servers that share a database, and which of them owns which project. */
export interface Members {
  /** Sends the first heartbeat, and finds the other servers. */
  start(): Promise<void>;
  /** Whether there may be other servers. */
  readonly isShared: boolean;
  /** Whether other servers owned projects at the last check. */
  readonly hasOthers: boolean;
  /** Number of servers that owned projects at that time, including this one if it does. */
  readonly size: number;
  /** Whether this server owns a project. Exactly one server does, as far as they know of each other. */
  has(project: Slug): boolean;
  /** Id of the server that owns a project, as far as this one knows; null if there is none. */
  holder(project: Slug): string | null;
  /** Why no server claimed a slot of a project at its scheduled time; null unless its owner was lost. */
  absence(project: Slug, due: number): string | null;
  /**
   * Whether this server does the work that is done once for all servers. Exactly one server does, as far as they know
   * of each other.
   */
  leads(): boolean;
  /** Makes all servers, including this one, check at once which servers are live. */
  announce(): Promise<void>;
  /** Calls back when the result of `has` may have changed. Returns how to stop. */
  subscribe(on: () => void): () => void;
  /** Stops heartbeats, and tells the other servers that this one has gone. Never rejects. */
  leave(): Promise<void>;
}

/** Why the heartbeats of this server may be missing: the database was unavailable, or the process was suspended. */
type CutOff = 'away' | 'stood_still';

/** Receives changes of the membership. */
export interface MembersListener {
  /** The heartbeats of this server may have been missing for too long: its turns must end, because others may end them. */
  cutOff(why: CutOff): void;
  /** Heartbeats succeed again. */
  back(): void;
  /** This server was evicted, and never returns under its id. */
  evicted(): void;
  /** Other servers have gone: their turns must be ended. */
  gone(ids: readonly string[]): void;
}

/** The membership of a server with an embedded database. */
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
// Not a valid project name.
const SERVICE = '';

interface Seen {
  readonly heartbeatAt: string;
  /** In monotonic time. */
  readonly since: number;
}

type MembersDeps = Pick<EngineDeps, 'clock' | 'logger'> & {
  readonly shared?: Pick<SharedProcess, 'traits'>;
  readonly store: Pick<EngineDeps['store'], 'nodeId' | 'signals'> & {
    readonly nodes: Pick<
      EngineDeps['store']['nodes'],
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
  /** Time of the last heartbeat, monotonic. */
  private heardAt = Number.NEGATIVE_INFINITY;
  /** The last heartbeat of each other server, and since when it is the last one seen here. */
  private readonly seen = new Map<string, Seen>();
  private takenAt = Number.NEGATIVE_INFINITY;
  /** How late the last heartbeat was, if that indicates a suspension. */
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
    // It does not wait for the previous check, which may never end.
    const look = this.live().catch((error: unknown) => {
      // Logged once, and again after a success.
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
      // The heartbeat may never return; the lease ends nevertheless.
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
      // Before the next heartbeat.
      this.lease = clock.setTimeout(() => this.checkLease(), left);
      return;
    }
    this.isCutOff = true;
    this.listener.cutOff(this.stoodStillMs > 0 ? 'stood_still' : 'away');
  }

  private async live(): Promise<void> {
    const { clock, store } = this.deps;
    // The time of the request counts, because the response may take long.
    const requestedAt = clock.mono();
    if (!(await store.nodes.beat(clock.now()))) {
      await this.die();
      return;
    }
    // A server that was disconnected itself cannot judge the heartbeats of others.
    if (requestedAt - this.heardAt > 2 * BEAT_MS) this.seen.clear();
    this.heardAt = Math.max(this.heardAt, requestedAt);
    if (this.isCutOff) {
      this.isCutOff = false;
      this.listener.back();
    }
    this.isUnheard = false;
    await this.traits.publish();
    const nodes = await store.nodes.list();
    const silent = this.silentAmong(nodes, { requestedAt, answeredAt: clock.mono() });
    const there =
      silent.length > 0 && (await this.evict(silent)) ? await store.nodes.list() : nodes;
    await this.noteLost(there);
    this.take(there, requestedAt);
  }

  // Before their projects are armed elsewhere.
  private async noteLost(there: readonly ServiceNode[]): Promise<void> {
    const left = this.serving.filter((id) => there.every((node) => node.id !== id));
    if (left.length === 0) return;
    const gone = await this.deps.store.nodes.gone(this.deps.clock.now() - LOOK_BACK_MS);
    this.losses.note(
      gone.filter(({ id, isLost }) => isLost && left.includes(id)),
      this.serving,
    );
  }

  // Uses only the clock of this process, because the clocks of two machines may differ by any amount.
  private silentAmong(
    nodes: readonly ServiceNode[],
    { requestedAt, answeredAt }: { readonly requestedAt: number; readonly answeredAt: number },
  ): ServiceNode[] {
    return nodes.filter(({ id, heartbeatAt }) => {
      if (id === this.deps.store.nodeId) return false;
      const seen = this.seen.get(id);
      if (seen?.heartbeatAt === heartbeatAt) return requestedAt - seen.since >= DEAD_MS;
      // The heartbeat was written after the request and before the response.
      this.seen.set(id, { heartbeatAt, since: answeredAt });
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

  // Counts only known projects; in a cluster every project is.
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
    this.notify();
  }

  private take(nodes: readonly ServiceNode[], requestedAt: number): void {
    // A late response.
    if (requestedAt < this.takenAt) return;
    this.takenAt = requestedAt;
    this.traits.compare(nodes);
    const serving = nodes.filter(({ isServing }) => isServing).map(({ id }) => id);
    // A server without heartbeats is live until it is evicted.
    const now = this.deps.clock.now();
    this.hasOthers = nodes.some(
      ({ id, isServing, heartbeatAt }) =>
        isServing && id !== this.deps.store.nodeId && now - Date.parse(heartbeatAt) < DEAD_MS,
    );
    if (serving.join() === this.serving.join()) return;
    this.serving = serving;
    this.holders = new Map();
    this.notify();
  }

  private notify(): void {
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
