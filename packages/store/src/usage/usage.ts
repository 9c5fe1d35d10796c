import type { Slug, Source } from '@svc/records';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { prepared } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';
import { type BudgetOwner, type CostOwner, costOfStarted } from './budget-cost.ts';
import { type DayUse, readDayUse } from './day-use.ts';

/** Total usage of turns. */
export interface Used {
  /** Turns fired by triggers. */
  readonly runs: number;
  /** Other turns. */
  readonly chatTurns: number;
  /** null if no turn reported any. */
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** Estimated millionths of a US dollar; null if no turn reported any. */
  readonly costMicrousd: number | null;
}

/** Usage of a trigger. */
export interface TriggerUsage {
  readonly today: Used;
  readonly month: Used;
}

/** Usage of turns by days in the time zone of the host; a turn counts on the day on which it ended. */
export interface Usage {
  /** By `source/name`: on a day, and since another one. Triggers without turns since then are omitted. */
  ofTriggers(
    project: Slug,
    days: { readonly today: string; readonly since: string },
  ): Promise<ReadonlyMap<string, TriggerUsage>>;
  /** By day, since a day; days without turns are omitted. */
  byDay(project: Slug, since: string): Promise<ReadonlyMap<string, Used>>;
  /** By `source/name`, and `chat/`, since a day, most runs first. */
  byName(project: Slug, since: string): Promise<readonly (Used & NamedUse)[]>;
  /** Cost of ended turns of a day, and of running turns so far, in millionths of a US dollar. Default: all turns. */
  costOn(day: string, of?: CostOwner): Promise<number>;
  /** Starts and costs of a day, of all projects. */
  dayUse(day: string): Promise<DayUse>;
  /** Total of several projects on one day. */
  on(projects: readonly Slug[], day: string): Promise<Used>;
}

interface NamedUse {
  readonly source: Source | 'chat';
  readonly name: string;
}

export const NOTHING_USED: Used = Object.freeze({
  runs: 0,
  chatTurns: 0,
  tokensIn: null,
  tokensOut: null,
  costMicrousd: null,
});

const SUMS = sql`
  coalesce(sum(runs), 0) as runs, coalesce(sum(chat_turns), 0) as "chatTurns", sum(tokens_in) as "tokensIn",
  sum(tokens_out) as "tokensOut", sum(cost_microusd) as "costMicrousd"`;

export function createUsage(db: Kysely<Tables>): Usage {
  return {
    async ofTriggers(project, { today, since }) {
      const { rows } = await sql<Used & NamedUse & { isToday: number }>`
        select source, name, day = ${today} as "isToday", ${SUMS} from usage_day
        where project = ${project} and day >= ${since} and source <> 'chat'
        group by 1, 2, 3`.execute(db);
      const found = new Map<string, { today: Used; month: Used }>();
      for (const { source, name, isToday, ...used } of rows) {
        const of = `${source}/${name}`;
        const known = found.get(of) ?? { today: NOTHING_USED, month: NOTHING_USED };
        found.set(of, {
          today: isToday ? used : known.today,
          month: usedTogether(known.month, used),
        });
      }
      return found;
    },
    async byDay(project, since) {
      const { rows } = await sql<Used & { day: string }>`
        select day, ${SUMS} from usage_day where project = ${project} and day >= ${since}
        group by day order by day`.execute(db);
      return new Map(rows.map(({ day, ...used }) => [day, used]));
    },
    async byName(project, since) {
      const { rows } = await sql<Used & NamedUse>`
        select source, name, ${SUMS} from usage_day where project = ${project} and day >= ${since}
        group by source, name order by sum(runs) + sum(chat_turns) desc, name`.execute(db);
      return rows;
    },
    async costOn(day, of) {
      if (of !== undefined && 'budget' in of) return costOfBudget(db, day, of.budget);
      const among = of === undefined ? sql`` : sql`and project = ${of.project}`;
      return costOf(db, {
        ended: sql`usage_day where day = ${day} and cost_microusd > 0 ${among}`,
        open: sql`turn where state <> 'ended' ${among}`,
      });
    },
    dayUse: (day) => readDayUse(db, day),
    async on(projects, day) {
      if (projects.length === 0) return NOTHING_USED;
      const { rows } = await sql<Used>`
        select ${SUMS} from usage_day where project in (${sql.join(projects)}) and day = ${day}`.execute(
        db,
      );
      return rows[0] ?? NOTHING_USED;
    },
  };
}

/** Total cost of the rows of two sources. */
async function costOf(
  db: Kysely<Tables>,
  { ended, open }: { readonly ended: RawBuilder<unknown>; readonly open: RawBuilder<unknown> },
): Promise<number> {
  const { rows } = await sql<{ cost: number }>`
    select coalesce((select sum(cost_microusd) from ${ended}), 0)
      + coalesce((select sum(turn.cost_microusd) from ${open}), 0) as cost`.execute(db);
  return Number(rows[0]?.cost ?? 0);
}

async function costOfBudget(db: Kysely<Tables>, day: string, owner: BudgetOwner): Promise<number> {
  const { project, trigger } = owner;
  const own = await costOf(db, {
    ended: sql`usage_day where day = ${day} and project = ${project} and source = 'trigger' and name = ${trigger}`,
    open: sql`turn join run on run.id = turn.run_id
      where turn.state <> 'ended' and run.project = ${project} and run.source = 'trigger' and run.name = ${trigger}`,
  });
  return own + (await costOfStarted(db, day, owner));
}

/** The sum of two usages. */
export function usedTogether(a: Used, b: Used): Used {
  const sum = (x: number | null, y: number | null) => (x === null || y === null ? (x ?? y) : x + y);
  return {
    runs: a.runs + b.runs,
    chatTurns: a.chatTurns + b.chatTurns,
    tokensIn: sum(a.tokensIn, b.tokensIn),
    tokensOut: sum(a.tokensOut, b.tokensOut),
    costMicrousd: sum(a.costMicrousd, b.costMicrousd),
  };
}

/** Whose usage it is; without a trigger, that of chats. */
type User = { readonly project: Slug } & (
  | { readonly source: string; readonly name: string }
  | { readonly source: 'chat'; readonly name: '' }
);

/** Adds usage to a day. */
export async function addUsage(
  tx: Transaction<Tables>,
  { project, source, name }: User,
  day: string,
  used: Used,
): Promise<void> {
  await addToDay(tx, { project, source, name, day, ...used });
}

const addToDay = prepared((db, given: User & Used & { readonly day: string }) => {
  const { project, source, name, day, runs, chatTurns, tokensIn, tokensOut, costMicrousd } = given;
  return sql`
    insert into usage_day(project, day, source, name, runs, chat_turns, tokens_in, tokens_out, cost_microusd)
    values(${project}, ${day}, ${source}, ${name}, ${runs}, ${chatTurns}, ${tokensIn}, ${tokensOut}, ${costMicrousd})
    on conflict(project, day, source, name) do update set
      runs = usage_day.runs + excluded.runs, chat_turns = usage_day.chat_turns + excluded.chat_turns,
      tokens_in = ${added('tokens_in')}, tokens_out = ${added('tokens_out')},
      cost_microusd = ${added('cost_microusd')}`.compile(db);
});

// An unreported value stays unknown.
function added(column: string) {
  const [old, further] = [sql.ref(`usage_day.${column}`), sql.ref(`excluded.${column}`)];
  return sql`case when ${further} is null then ${old} else coalesce(${old}, 0) + ${further} end`;
}
