import type { TriggerKey } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';
import {
  type CostingTurn,
  type CostOwner,
  countOn,
  keyOf,
  ownersOf,
  readCosting,
} from './budget-cost.ts';
import { FIRES } from './daily-fires.ts';

/** Starts and costs of a day, read once for queries about many triggers. */
export interface DayUse {
  /** As `Usage.costOn`. */
  costOf(of?: CostOwner): number;
  /** Number of starts of a trigger. */
  firesOf(key: TriggerKey): number;
  /** Number of starts of all triggers. */
  readonly fires: number;
}

interface Named {
  readonly project: string;
  readonly source: string;
  readonly name: string;
}

const ofTrigger = ({ project, source, name }: Named): string => `${project}/${source}/${name}`;

export async function readDayUse(db: Kysely<Tables>, day: string): Promise<DayUse> {
  const { rows: ended } = await sql<Named & { cost: number }>`
    select project, source, name, sum(cost_microusd) as cost from usage_day
    where day = ${day} and cost_microusd > 0 group by project, source, name`.execute(db);
  const { rows: counts } = await sql<{ key: string; value: string }>`
    select key, value from instance where key = ${FIRES} or key like 'cost of %'`.execute(db);
  const { rows: fired } = await sql<Named & { fires: number }>`
    select project, source, name, fires_today as fires from trigger_state
    where day = ${day} and fires_today > 0`.execute(db);
  const cost = sums();
  const add = ({ project, source, name }: Pick<CostingTurn, keyof Named>, value: number): void => {
    cost.add('', value);
    cost.add(`${project}/`, value);
    if (source !== null && name !== null) cost.add(ofTrigger({ project, source, name }), value);
  };
  for (const row of ended) add(row, Number(row.cost));
  for (const turn of await readCosting(db)) {
    add(turn, Number(turn.cost));
    for (const owner of ownersOf(turn)) cost.add(keyOf(owner), Number(turn.cost));
  }
  for (const { key, value } of counts) cost.add(key, countOn(day, value));
  const fires = new Map(fired.map((row) => [ofTrigger(row), Number(row.fires)]));
  return {
    costOf(of) {
      if (of === undefined) return cost.of('');
      if ('project' in of) return cost.of(`${of.project}/`);
      const { project, trigger: name } = of.budget;
      return cost.of(ofTrigger({ project, source: 'trigger', name })) + cost.of(keyOf(of.budget));
    },
    firesOf: (key) => fires.get(ofTrigger(key)) ?? 0,
    fires: cost.of(FIRES),
  };
}

function sums() {
  const known = new Map<string, number>();
  const of = (key: string): number => known.get(key) ?? 0;
  return { of, add: (key: string, value: number) => void known.set(key, of(key) + value) };
}
