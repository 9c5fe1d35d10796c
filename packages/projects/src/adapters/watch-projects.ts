import type { FSWatcher } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, createTimeSlice, type Logger, messageOf, type TimerHandle } from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';
import { createMisnamedReport } from '../misnamed-folders.ts';
import { PROJECT_FILE } from '../paths.ts';
import { markOf } from './file-mark.ts';
import { createFolderWatches, type FolderWatches, type WatchFolder } from './folder-watches.ts';
import { createPolling, MOST_AT_ONCE, type Polling } from './polling.ts';
import { identityOf, type RootWatch, watchRoot } from './root-watcher.ts';

/** The watched projects. */
export interface ProjectWatch {
  /** What keeps projects from being watched; null while all are watched. */
  readonly limited: LimitedWatch | null;
  close(): Promise<void>;
}

/** The consequences of a system limit on watching. */
export interface LimitedWatch {
  /** One sentence: which limit was reached and how to raise it. */
  readonly reason: string;
  /** How many projects are polled instead of watched. */
  readonly projects: number;
  /** After how many seconds an edit of a polled project is found. */
  readonly seconds: number;
}

/** Options of watching. */
export interface WatchOptions {
  /** How a folder is watched. Default: `watch` of `node:fs`. */
  readonly watchFolder?: WatchFolder | undefined;
  /** Default: false. */
  readonly isSwept?: boolean | undefined;
}

interface WatchedFolder {
  /** Null if the folder is polled. */
  readonly watcher: FSWatcher | null;
  /** Distinguishes the folder from a later one of the same name. */
  readonly identity: string;
}

interface WatcherDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

// Notifications are read until none are pending, so a faster writer would block this thread.
const FLOOD = 2000;
const FLOOD_MS = 250;
const REST_MS = 500;

/**
 * Watches the projects folder and calls back with each project whose file or folder may have changed. Every
 * notification is passed on, so that the last one of a burst always arrives. A folder with more than 2,000 in 250
 * ms is paused for half a second and then reported. All projects are reported when the projects folder exists again
 * or was replaced. Folders that cannot be watched because of a system limit are polled, 500 per second, until there
 * is room. With `isSwept` all folders are always polled: other machines write to them, and a file system only
 * reports changes of its own machine.
 */
export async function watchProjects(
  root: string,
  deps: WatcherDeps,
  changed: (slug: Slug) => void,
  options: WatchOptions = {},
): Promise<ProjectWatch> {
  const watcher = new ProjectWatcher(root, deps, changed, options);
  await watcher.start();
  return watcher;
}

class ProjectWatcher implements ProjectWatch {
  private readonly root: string;
  private readonly isSwept: boolean;
  private readonly deps: WatcherDeps;
  private readonly changed: (slug: Slug) => void;
  private readonly folders = new Map<Slug, WatchedFolder>();
  /** Marks of the files of polled projects. */
  private readonly marks = new Map<Slug, string>();
  private readonly resting = new Set<TimerHandle>();
  private readonly watching: FolderWatches;
  private readonly polling: Polling<Slug>;
  private readonly top: RootWatch;
  private readonly misnamed: ReturnType<typeof createMisnamedReport>;
  private closed = false;

  constructor(
    root: string,
    deps: WatcherDeps,
    changed: (slug: Slug) => void,
    { watchFolder, isSwept = false }: WatchOptions,
  ) {
    this.root = root;
    this.isSwept = isSwept;
    this.deps = deps;
    this.changed = changed;
    this.misnamed = createMisnamedReport(root, deps.logger);
    this.polling = createPolling(deps.clock, (slug) => this.poll(slug));
    this.watching = createFolderWatches(deps, () => this.tryAgain(), watchFolder);
    this.top = watchRoot(
      root,
      { ...deps, watching: this.watching, isSwept },
      {
        changed: (name) => {
          if (name === null) this.lookAtAll((slug) => this.report(slug)).catch(this.failed);
          else if (isSlug(name)) this.report(name);
          else this.misnamed.added(name);
        },
        replaced: () =>
          this.lookAtAll((slug) => {
            this.look(slug);
            changed(slug);
          }),
        // Known projects are reported by the watch of their folder, or by polling.
        unwatched: () =>
          this.lookAtAll((slug) => {
            if (!this.folders.has(slug)) this.report(slug);
          }),
      },
    );
  }

  async start(): Promise<void> {
    await this.lookAtAll((slug) => void this.look(slug));
  }

  get limited(): LimitedWatch | null {
    const { limit } = this.watching;
    if (limit === null) return null;
    const { size } = this.polling;
    return {
      reason: limit.sentence,
      projects: size,
      seconds: Math.max(1, Math.ceil(size / MOST_AT_ONCE)),
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    this.top.close();
    this.watching.close();
    this.polling.close();
    for (const timer of this.resting) this.deps.clock.clearTimeout(timer);
    for (const slug of [...this.folders.keys()]) this.drop(slug);
  }

  private readonly failed = (error: unknown): void => {
    this.deps.logger.error({ error: messageOf(error) }, 'project folder not watched');
  };

  private drop(slug: Slug): void {
    this.folders.get(slug)?.watcher?.close();
    this.folders.delete(slug);
    this.polling.delete(slug);
    this.marks.delete(slug);
  }

  /** Whether the folder was replaced or removed since. */
  private look(slug: Slug): boolean {
    const identity = identityOf(join(this.root, slug));
    if (this.closed || identity === (this.folders.get(slug)?.identity ?? null)) return false;
    this.drop(slug);
    if (identity !== null) this.take(slug, identity);
    return true;
  }

  private take(slug: Slug, identity: string): void {
    const isFlood = createFloodGauge(this.deps.clock);
    const watcher = this.watching.open(join(this.root, slug), (file) => {
      if (isFlood()) this.rest(slug);
      else if (file === null || file === PROJECT_FILE) this.changed(slug);
    });
    this.folders.set(slug, { watcher, identity });
    if (watcher !== null && !this.isSwept) return;
    this.marks.set(slug, this.markOf(slug));
    this.polling.add(slug);
  }

  // The file may have been written before its folder was watched, so a new folder counts as a change.
  private report(slug: Slug): void {
    if (this.look(slug)) this.changed(slug);
  }

  private rest(slug: Slug): void {
    this.drop(slug);
    const timer = this.deps.clock.setTimeout(() => {
      this.resting.delete(timer);
      this.report(slug);
    }, REST_MS);
    this.resting.add(timer);
  }

  private async lookAtAll(look: (slug: Slug) => void): Promise<void> {
    const timeSlice = createTimeSlice(this.deps.clock);
    const names = await readdir(this.root);
    for (const name of names) this.misnamed.existing(name);
    for (const slug of new Set([...names.filter(isSlug), ...this.folders.keys()])) {
      if (this.closed) return;
      look(slug);
      await timeSlice.yieldToEventLoop();
    }
  }

  private poll(slug: Slug): void {
    const before = this.marks.get(slug);
    const isOther = this.look(slug);
    const mark = this.markOf(slug);
    if (this.polling.has(slug)) this.marks.set(slug, mark);
    if (isOther || mark !== before) this.changed(slug);
  }

  private markOf(slug: Slug): string {
    return markOf(join(this.root, slug), PROJECT_FILE)?.text ?? '';
  }

  private tryAgain(): boolean {
    const isTopWatched = this.top.tryAgain();
    for (const [slug, { watcher, identity }] of [...this.folders]) {
      if (watcher !== null) continue;
      this.drop(slug);
      this.take(slug, identity);
      if (this.polling.has(slug)) return false;
      // It may have been edited after the last check.
      this.changed(slug);
    }
    return isTopWatched;
  }
}

// Returns, at each notification, whether there are too many.
function createFloodGauge(clock: Clock): () => boolean {
  let since = clock.mono();
  let count = 0;
  return () => {
    const now = clock.mono();
    if (now - since > FLOOD_MS) {
      since = now;
      count = 0;
    }
    count += 1;
    return count > FLOOD;
  };
}
