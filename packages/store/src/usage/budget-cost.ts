import { localDay } from '@svc/core';
import type { Budget, Slug, TurnId } from '@svc/records';
import { type Kysely, sql, type Transaction } from 'kysely';
import { prepared } from '../database/prepared.ts';
import { capabilityOf } from '../database/records.ts';
import type { Tables } from '../database/schema.ts';

/** The trigger that has a daily budget. */
export type BudgetOwner = Pick<Budget, 'project' | 'trigger'>;

/** Whose turns: those of a project, or those of a trigger including turns that they started. */
export type CostOwner = { readonly project: Slug } | { readonly budget: BudgetOwner };

/** The key for the cost of turns other than its own runs. */
export const keyOf = ({ project, trigger }: BudgetOwner): string => `cost of ${project}/${trigger}`;

// The value consists of the day (ten characters), a space, and millionths of a US dollar.
const addCost = prepared(
  (db, given: { readonly key: string; readonly day: string; readonly cost: number }) =>
    db
      .insertInto('instance')
      .values({ key: given.key, value: sql<string>`${given.day} || ' ' || ${asText(given.cost)}` })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          value: sql<string>`${given.day} || ' ' || cast(${asCount(given.cost)} + (case when substr(instance.value, 1, 10) = ${given.day} then cast(substr(instance.value, 12) as bigint) else 0 end) as text)`,
        }),
      )
      .compile(),
);

const asCount = (value: unknown) => sql`cast(${value} as bigint)`;
const asText = (value: unknown) => sql`cast(${asCount(value)} as text)`;

interface Ended {
  readonly capability: string | null;
  readonly project: string;
  readonly source: string | null;
  readonly name: string | null;
}

const readEnded = prepared((db, given: { readonly id: TurnId }) =>
  sql<Ended>`
    select content.body as capability, turn.project, run.source, run.name
    from turn join content on content.id = turn.capability left join run on run.id = turn.run_id
    where turn.id = ${given.id} and content.body like '%"budget":%'`.compile(db),
);

/** Adds the cost of an ended turn to its budgets, except that of its own trigger, which usage already counts. */
export async function countBudgets(
  tx: Transaction<Tables>,
  id: TurnId,
  cost: number | null,
  at: number,
): Promise<void> {
  if (cost === null || cost <= 0) return;
  for (const turn of await readEnded(tx, { id })) {
    for (const owner of ownersOf(turn)) {
      await addCost(tx, { key: keyOf(owner), day: localDay(at), cost });
    }
  }
}

/** Cost on a day of the turns that a trigger started besides its own runs: ended ones, and running ones so far. */
export async function costOfStarted(
  db: Kysely<Tables>,
  day: string,
  owner: BudgetOwner,
): Promise<number> {
  const { rows: kept } = await sql<{ value: string }>`
    select value from instance where key = ${keyOf(owner)}`.execute(db);
  const ended = countOn(day, kept[0]?.value ?? '');
  const running = (await readCosting(db)).filter((turn) =>
    ownersOf(turn).some((one) => keyOf(one) === keyOf(owner)),
  );
  return running.reduce((sum, { cost }) => sum + Number(cost), ended);
}

/** The count of a stored value for a day; 0 if it is of another day. */
export function countOn(day: string, value: string): number {
  return value.startsWith(day) ? Number(value.slice(day.length)) : 0;
}

/** A running turn with a cost, its trigger and its budgets. */
export interface CostingTurn extends Ended {
  readonly cost: number;
}

export async function readCosting(db: Kysely<Tables>): Promise<readonly CostingTurn[]> {
  const { rows } = await sql<CostingTurn>`
    select case when content.body like '%"budget":%' then content.body end as capability,
      turn.project, run.source, run.name, turn.cost_microusd as cost
    from turn join content on content.id = turn.capability left join run on run.id = turn.run_id
    where turn.state <> 'ended' and turn.cost_microusd > 0`.execute(db);
  return rows;
}

// Each budget once, in the order in which all transactions lock them.
export function ownersOf({ capability, project, source, name }: Ended): BudgetOwner[] {
  const { bounds = [] } = capability === null ? {} : capabilityOf(capability);
  const owners = new Map(
    bounds.flatMap(({ budget }) => (budget === undefined ? [] : [[keyOf(budget), budget]])),
  );
  if (source === 'trigger' && name !== null) owners.delete(keyOf({ project, trigger: name }));
  return [...owners].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, owner]) => owner);
}
