/** A project's folder name; matches `SLUG_PATTERN`. */
export type Slug = string;
/** Id of a run: a lower-case UUID. */
export type RunId = string;
/** Id of a turn: a lower-case UUID. */
export type TurnId = string;
/** Id of a chat: a lower-case UUID. */
export type SessionId = string;

/** What a project slug looks like. */
export const SLUG_PATTERN = '^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$';

/** Which map of `project.yaml` an entry stands in: `triggers` or the legacy `schedules`. */
export type Source = 'trigger' | 'schedule';

/** What names one trigger or legacy schedule in the whole instance. */
export interface TriggerKey {
  readonly project: Slug;
  readonly source: Source;
  readonly name: string;
}

/**
 * One text for a `TriggerKey`, usable as a map key. Unambiguous, because neither slugs nor trigger names hold a `/`.
 */
export type TriggerId = string;

/** The text form `project/source/name` of a key. */
export function triggerId(key: TriggerKey): TriggerId {
  return `${key.project}/${key.source}/${key.name}`;
}

/** The key that an id is the text of. */
export function triggerKeyOf(id: TriggerId): TriggerKey {
  const [project = '', source = '', name = ''] = id.split('/');
  return { project, source: source as Source, name };
}

/** The label of the agent that a trigger or legacy schedule fires: `trigger-<slug>-<name>`. */
export function agentNameOf(project: Slug, name: string): string {
  return `trigger-${project}-${name}`;
}
