import type { TriggerKey } from '@svc/records';

/** The columns that identify a trigger. */
export function columnsOf(key: TriggerKey): { project: string; source: string; name: string } {
  return { project: key.project, source: key.source, name: key.name };
}

interface Filterable<Q> {
  where(column: 'project' | 'source' | 'name', operator: '=', value: string): Q;
}

/** Restricts a query to one trigger. */
export function ofKey<Q extends Filterable<Q>>(query: Q, key: TriggerKey): Q {
  return query
    .where('project', '=', key.project)
    .where('source', '=', key.source)
    .where('name', '=', key.name);
}
