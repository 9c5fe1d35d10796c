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

/** An HTTP condition on the stored trigger: a list of entity tags, or `*` for "exists". */
export interface EditCondition {
  readonly ifMatch?: string | undefined;
  /** `*`: only if it does not exist. */
  readonly ifNoneMatch?: string | undefined;
}

/** Changes triggers. An acknowledged change is in `project.yaml` and armed. */
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
  /** Validates a record without storing it; with a name, returns what storing it would change. */
  validate(project: ProjectSnapshot, record: unknown, name?: string): Answer<Verdict>;
}

/** Changes single fields of triggers. */
export interface TriggerPatches {
  /**
   * Changes some fields of a trigger, or creates one, from the arguments of `set_trigger`; `name` and `project` among
   * them are ignored. A scoped agent cannot create a trigger with more rights than its own. The bounds of the clients
   * behind the caller stay with the trigger until another caller changes it.
   */
  patch(
    caller: Caller,
    project: ProjectSnapshot,
    args: Readonly<Record<string, unknown>> & { readonly name: string },
  ): Answer<{ readonly warnings: readonly Issue[] }>;
}

/** Triggers in flat form, for tools. */
export interface FlatTriggers {
  list(snapshot: ProjectSnapshot): Promise<FlatList>;
  one(project: string, name: string): Promise<FlatTrigger | null>;
}

/** A preview request: exactly one of `cron` and `interval`. */
export interface PreviewRequest {
  readonly cron?: string;
  readonly interval?: string;
  /** IANA name, for cron only. Default: the zone of the host. */
  readonly timezone?: string;
  /** Number of fires, 1 to 100. Default: 5. */
  readonly count?: number;
}

/** Operations on the triggers of a project. */
export interface TriggerWork extends TriggerEdits, TriggerPatches {
  list(project: ProjectSnapshot): Promise<Omit<TriggerList, 'catalog'>>;
  /** The same in flat form, for tools. */
  readonly flat: FlatTriggers;
  get(project: ProjectSnapshot, name: string): Answer<StoredTrigger>;
  states(project: ProjectSnapshot): Promise<readonly RuntimeState[]>;
  /**
   * Fires a trigger now, even if it is disabled; a scoped agent only if the trigger has no more rights than it.
   *
   * @param event data for a test of an event trigger, a JSON object of at most 256 KiB. Default: none
   */
  run(
    caller: Caller,
    project: ProjectSnapshot,
    name: string,
    event?: EventData['data'],
  ): Answer<Fired>;
  /** Fires of the coming `hours` (1 to 168). */
  upcoming(project: ProjectSnapshot, hours: number): Promise<Plan>;
  /** A preview of a schedule; nothing is stored. */
  preview(request: PreviewRequest): Result<Preview, OperationError>;
}
