import { FAILURE_OUTCOMES, type Slug } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** Triggers of a project that need attention, each as `source/name`. */
export interface TriggerSigns {
  /** Triggers whose last ended turn failed. */
  readonly failed: ReadonlySet<string>;
  /** Triggers that recently missed a slot. */
  readonly missed: ReadonlySet<string>;
  readonly running: ReadonlySet<string>;
}

interface Row {
  readonly sign: keyof TriggerSigns;
  readonly project: Slug;
  readonly source: string;
  readonly name: string;
}

/** Reads several projects in one query; `missedSince` is UTC ISO text. */
export async function readSigns(
  db: Kysely<Tables>,
  projects: readonly Slug[],
  missedSince: string,
): Promise<ReadonlyMap<Slug, TriggerSigns>> {
  const signs = new Map(projects.map((project) => [project, noSigns()]));
  if (projects.length === 0) return signs;
  const among = sql.join(projects);
  // Missed and skipped slots do not hide the outcome of the last turn. Grouping in index order makes SQLite use that
  // index instead of the one on all runs of a project.
  const { rows } = await sql<Row>`
    select 'failed' as sign, known.project, known.source, known.name
    from trigger_state as known
    where known.project in (${among}) and known.last_run_id is not null
      and (select outcome from run
        where run.project = known.project and run.source = known.source and run.name = known.name
          and run.outcome <> 'missed' and run.outcome not like 'skipped%'
        order by run.id desc limit 1) in (${sql.join(FAILURE_OUTCOMES)})
    union all
    select 'missed', project, source, name from run
    where outcome = 'missed' and scheduled_until >= ${missedSince} and project in (${among})
    group by project, source, name
    union all
    select 'running', project, source, name from run
    where state <> 'ended' and state = 'running' and project in (${among})
    group by project, source, name`.execute(db);
  for (const { sign, project, source, name } of rows) {
    signs.get(project)?.[sign].add(`${source}/${name}`);
  }
  return signs;
}

function noSigns(): { readonly [S in keyof TriggerSigns]: Set<string> } {
  return { failed: new Set(), missed: new Set(), running: new Set() };
}
