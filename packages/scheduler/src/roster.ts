import type { Slug, TriggerKey } from '@svc/records';
import { type Entry, isArmed, type Phase } from './entry.ts';

/** Every wanted trigger by its key. Names serve as map keys as they are, so that no entry costs a text of its own. */
export class Roster {
  private readonly projects = new Map<Slug, Map<string, Entry>>();
  private armedCount = 0;

  /** How many entries are armed. */
  get armed(): number {
    return this.armedCount;
  }

  get(key: TriggerKey): Entry | undefined {
    return this.projects.get(key.project)?.get(nameIn(key));
  }

  add(entry: Entry): void {
    const { key } = entry.request;
    const project = this.projects.get(key.project) ?? new Map<string, Entry>();
    this.projects.set(key.project, project.set(nameIn(key), entry));
  }

  remove(entry: Entry): void {
    const { key } = entry.request;
    const project = this.projects.get(key.project);
    if (project?.get(nameIn(key)) === entry) project.delete(nameIn(key));
    if (project?.size === 0) this.projects.delete(key.project);
    this.move(entry, 'gone');
  }

  move(entry: Entry, phase: Phase): void {
    if (isArmed(entry)) this.armedCount -= 1;
    entry.phase = phase;
    if (isArmed(entry)) this.armedCount += 1;
  }

  slugs(): Slug[] {
    return [...this.projects.keys()];
  }

  entriesOf(project: Slug): Iterable<Entry> {
    return this.projects.get(project)?.values() ?? [];
  }

  *entries(): Iterable<Entry> {
    for (const project of this.projects.values()) yield* project.values();
  }
}

// Names hold no `/`, so the two sources cannot meet.
function nameIn(key: TriggerKey): string {
  return key.source === 'trigger' ? key.name : `${key.source}/${key.name}`;
}
