import { isoTime, success } from '@svc/core';
import {
  armingAt,
  createFormatter,
  DECISIONS,
  definitionAt,
  gridOf,
  periodOf,
  slotBefore,
  type WhyAnswer,
  type WhyRecords,
  whyAt,
} from '@svc/history';
import type { ProjectSnapshot } from '@svc/projects';
import { changeSchema, type TriggerKey, triggerId } from '@svc/records';
import type { FromSchema } from '@svc/schema';
import { exactly, listOf, text, textOrNull, time, timeOrNull } from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';
import type { StandingsIn } from '../../queries/standings.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { NAMED, recordedKey } from './shared.ts';

const whySchema = {
  $id: 'Why',
  description: 'The decision about a time, who made it, and the records it is based on.',
  ...exactly({
    at: time,
    source: { enum: ['trigger', 'schedule'] },
    trigger: text,
    decision: { enum: DECISIONS },
    by: { ...text, description: 'service, file, or who made the change or requested the run.' },
    sentences: { ...listOf(text), description: 'Times are in the time zone of the trigger.' },
    slot: { ...timeOrNull, description: 'The slot in question; null if there was none.' },
    before: { ...timeOrNull, description: 'Without a slot: the previous slot.' },
    after: { ...timeOrNull, description: 'Without a slot: the next slot.' },
    runId: { ...textOrNull, description: 'The run on record; null if there is none.' },
    changes: listOf(changeSchema),
  }),
} as const;

export const whyTrigger = defineOperation({
  name: 'why_trigger',
  summary: 'Explain why a trigger did or did not fire at a given time, from the records.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name'],
    properties: {
      ...NAMED,
      at: {
        type: 'string',
        format: 'date-time',
        description:
          'A time without seconds matches any slot in that minute. Default: the latest slot.',
      },
    },
  },
  output: whySchema,
  http: {
    method: 'get',
    path: '/projects/:slug/triggers/:name/why',
    tag: 'runs',
    status: 200,
    query: { at: 'at', source: 'source' },
    example: {
      query: { at: sample.SLOT },
      response: {
        at: '2026-03-01T02:00:00.000Z',
        source: 'trigger',
        trigger: 'nightly',
        decision: 'off',
        by: 'client:ci',
        sentences: [
          'No slot: the trigger was disabled from Saturday 18:02 (disabled by client:ci) to 09:10.',
        ],
        slot: null,
        before: null,
        after: null,
        runId: null,
        changes: [sample.disabledChange],
      },
    },
  },
  tool: null,
  async run({ services, target }, { name, source, at: asked }) {
    const { deps, armedIn, standingsIn } = services;
    const found = await recordedKey(deps, target, name, source);
    if (!found.ok) return found;
    const key = found.value;
    const at = asked === undefined ? await latestSlot(deps, key) : Date.parse(asked);
    const runs = await deps.store.runs.around(key, periodOf(at));
    const spans = await deps.store.spans.around(at);
    const records = { ...(await recordsOf(deps, key)), runs, spans };
    const decided = whyAt(records, at);
    const present = asked === undefined ? presentSentences(records, at, decided) : [];
    const isToCome = asked === undefined || at >= records.now;
    const stopped = isToCome ? await stopSentences(standingsIn, target, { key, at, decided }) : [];
    const answer = { ...decided, sentences: [...present, ...decided.sentences, ...stopped] };
    const armed = await armedIn([target]);
    const silentUntil = isToCome ? (armed.state(key)?.clock?.silentUntil ?? null) : null;
    if (silentUntil === null || at >= silentUntil) return success(shown(key, at, answer));
    const sentences = [...answer.sentences, silentSentence(records, at, silentUntil)];
    return success(shown(key, at, { ...answer, sentences }));
  },
});

async function recordsOf({ store, clock }: OpsDeps, key: TriggerKey) {
  const pruned = await store.retention.pruned(key.project, key.name);
  return {
    changes: await store.changes.of(key),
    keptFrom: await store.changes.keptFrom(key),
    prunedUntil: pruned === null ? null : Date.parse(pruned.until),
    now: clock.now(),
  };
}

async function latestSlot(deps: OpsDeps, key: TriggerKey): Promise<number> {
  const known = { ...(await recordsOf(deps, key)), runs: [], spans: [] };
  const { now } = known;
  const standing = definitionAt(known, now)?.standing ?? null;
  const armed = armingAt(known, now);
  const grid = standing === null ? null : gridOf(standing, armed);
  const slot = grid === null ? null : slotBefore(grid, now + 1);
  // A slot from before the trigger was known or armed has no decision.
  const isOwn = slot !== null && armed !== null && Date.parse(armed.at) < slot;
  if (isOwn && definitionAt(known, slot) !== null) return slot;
  const [run] = await deps.store.runs.around(key, { from: 0, until: now });
  return run?.scheduledUntil == null ? now : Date.parse(run.scheduledUntil);
}

interface Decided {
  readonly key: TriggerKey;
  readonly at: number;
  readonly decided: ReturnType<typeof whyAt>;
}

type Explanation = FromSchema<typeof whySchema>;

// The pause and the daily limit that stop its next slots, as in every list.
async function stopSentences(
  standingsIn: StandingsIn,
  place: ProjectSnapshot,
  { key, at, decided: { decision } }: Decided,
): Promise<readonly string[]> {
  if (decision !== 'no_slot' && decision !== 'due') return [];
  const { triggers = [] } = (await standingsIn([place])).get(place.slug) ?? {};
  const standing = triggers.find(({ definition }) => triggerId(definition.key) === triggerId(key));
  if (standing === undefined) return [];
  const { pause, limit } = standing;
  // The answer for a due slot already includes the pause.
  return [
    ...(pause === null || decision === 'due' ? [] : [pause.reason]),
    ...(limit === null || at >= limit.until ? [] : [limit.message]),
  ];
}

// Without an instant, the answer starts with why no further slots will run.
function presentSentences(records: WhyRecords, at: number, decided: WhyAnswer): readonly string[] {
  const { now } = records;
  const definition = definitionAt(records, now);
  const mayFire = definition === null || definition.standing?.enabled === true;
  if (at >= now || mayFire) return [];
  const present = whyAt({ ...records, runs: [] }, now);
  // The last slot may have the same answer, based on the same change.
  const isSame = present.decision === decided.decision && present.changes[0] === decided.changes[0];
  return isSame ? [] : present.sentences;
}

function silentSentence(records: WhyRecords, at: number, until: number): string {
  const zone = definitionAt(records, records.now)?.standing?.timezone ?? null;
  const next = createFormatter(zone, at, records.now).moment(until);
  return `It does not fire until ${next}: its slots before that already ran while the clock was ahead.`;
}

function shown(key: TriggerKey, at: number, answer: ReturnType<typeof whyAt>): Explanation {
  const { slot, before, after, ...rest } = answer;
  const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
  const times = { slot: time(slot), before: time(before), after: time(after) };
  return { at: isoTime(at), source: key.source, trigger: key.name, ...rest, ...times };
}
