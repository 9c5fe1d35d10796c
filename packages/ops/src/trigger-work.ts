import type { Issue, Result } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { EventData } from '@svc/records';
import type { Caller } from './caller.ts';
import type { Answer, OperationError } from './errors.ts';
import type { Plan } from './overviews.ts';
import type { Fired } from './results.ts';
import type {
  AcceptedTrigger,
  FlatList,
  FlatTrigger,
  Preview,
  RuntimeState,
  StoredTrigger,
  TriggerList,
  Verdict,
} from './trigger-results.ts';

/** A condition on what is stored, as HTTP gives it: a list of entity tags, or `*` for "exists". */
export interface EditCondition {
  readonly ifMatch?: string | undefined;
  /** `*`: only if it does not exist yet. */
  readonly ifNoneMatch?: string | undefined;
}

/** Changing triggers; what is acknowledged is in `project.yaml` and armed. */
export interface TriggerEdits {
  /** Create or replace a trigger. If `enabled` is absent, it is false. */
  put(
    caller: Caller,
    project: ProjectSnapshot,
    name: string,
    record: unknown,
    condition?: EditCondition,
  ): Answer<AcceptedTrigger>;
  remove(
    caller: Caller,
    project: ProjectSnapshot,
    name: string,
    condition?: EditCondition,
  ): Answer<{ readonly removed: boolean }>;
  /** Checks a record without storing it; with a name it tells what storing it would change. */
  validate(project: ProjectSnapshot, record: unknown, name?: string): Answer<Verdict>;
}

/** Changing single fields of triggers. */
export interface TriggerPatches {
  /**
   * Changes some fields of a trigger, or makes one, by the arguments of `set_trigger`; `name` and `project` among them
   * are left alone. A scoped agent cannot make one that may do more than itself. The bounds of the clients behind the
   * caller stay with the trigger for as long as nobody else changes it.
   */
  patch(
    caller: Caller,
    project: ProjectSnapshot,
    args: Readonly<Record<string, unknown>> & { readonly name: string },
  ): Answer<{ readonly warnings: readonly Issue[] }>;
}

/** Triggers in one level, as tools show them. */
export interface FlatTriggers {
  list(snapshot: ProjectSnapshot): Promise<FlatList>;
  one(project: string, name: string): Promise<FlatTrigger | null>;
}

/** What a preview is asked about: exactly one of `cron` and `interval`. */
export interface PreviewRequest {
  readonly cron?: string;
  readonly interval?: string;
  /** IANA name, for cron only. Default: the host's zone. */
  readonly timezone?: string;
  /** How many fires to show, 1 to 100. Default: 5. */
  readonly count?: number;
}

/** Working with the triggers of a project. */
export interface TriggerWork extends TriggerEdits, TriggerPatches {
  list(project: ProjectSnapshot): Promise<Omit<TriggerList, 'catalog'>>;
  /** The same in one level, as tools show them. */
  readonly flat: FlatTriggers;
  get(project: ProjectSnapshot, name: string): Answer<StoredTrigger>;
  states(project: ProjectSnapshot): Promise<readonly RuntimeState[]>;
  /**
   * Fires a trigger now, also a disabled one; a scoped agent only one that may do no more than itself.
   *
   * @param event Data that an event trigger is tried with, a JSON object of at most 256 KiB. Default: none.
   */
  run(
    caller: Caller,
    project: ProjectSnapshot,
    name: string,
    event?: EventData['data'],
  ): Answer<Fired>;
  /** Fires of the coming `hours` (1 to 168). */
  upcoming(project: ProjectSnapshot, hours: number): Promise<Plan>;
  /** When a schedule would fire; nothing is stored. */
  preview(request: PreviewRequest): Result<Preview, OperationError>;
}
