import { failure, isoTime, success } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import { type Source, type TriggerKey, triggerId } from '@svc/records';
import { validateTriggerName } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { Answer } from '../errors.ts';
import type { Why } from '../results.ts';
import type { WhyWork } from '../work.ts';
import { noTrigger } from './no-trigger.ts';
import type { NounParts } from './parts.ts';
import type { StandingsIn } from './standings.ts';
import type { WhyAnswer } from './why/answer.ts';
import { armingAt, inForceAt, type WhyRecords } from './why/records.ts';
import { gridOf, slotBefore } from './why/slots.ts';
import { stretchOf, whyAt } from './why/why.ts';
import { tellingIn } from './why/words.ts';

interface Decided {
  readonly key: TriggerKey;
  readonly at: number;
  readonly decided: ReturnType<typeof whyAt>;
}

/** Explains decisions about instants, and lists changes of triggers. */
export function createWhyWork({
  deps: { store, clock },
  armedIn,
  standingsIn,
}: Pick<NounParts, 'deps' | 'armedIn' | 'standingsIn'>): WhyWork {
  const recordsOf = async (key: TriggerKey) => {
    const pruned = await store.retention.pruned(key.project, key.name);
    return {
      changes: await store.changes.of(key),
      keptFrom: await store.changes.keptFrom(key),
      prunedUntil: pruned === null ? null : Date.parse(pruned.until),
      now: clock.now(),
    };
  };
  const newestSlot = async (key: TriggerKey): Promise<number> => {
    const known = { ...(await recordsOf(key)), runs: [], spans: [] };
    const { now } = known;
    const standing = inForceAt(known, now)?.standing ?? null;
    const armed = armingAt(known, now);
    const grid = standing === null ? null : gridOf(standing, armed);
    const slot = grid === null ? null : slotBefore(grid, now + 1);
    // A slot from before the trigger was known or armed has no decision.
    const isOwn = slot !== null && armed !== null && Date.parse(armed.at) < slot;
    if (isOwn && inForceAt(known, slot) !== null) return slot;
    const [run] = await store.runs.around(key, { from: 0, until: now });
    return run?.scheduledUntil == null ? now : Date.parse(run.scheduledUntil);
  };
  const find = async (
    place: ProjectSnapshot,
    name: string,
    source: Source | undefined,
  ): Answer<TriggerKey> => {
    const sources: readonly Source[] = source === undefined ? ['trigger', 'schedule'] : [source];
    const valid = validateTriggerName(name).ok;
    for (const each of valid ? sources : []) {
      const key = { project: place.slug, source: each, name };
      const isDeclared = (each === 'trigger' ? place.file?.triggers : place.file?.schedules)?.has(
        name,
      );
      if (isDeclared === true || (await isRecorded(store, key, clock.now()))) return success(key);
    }
    return failure(noTrigger(place, { name, source: source ?? 'trigger' }));
  };
  return {
    async why(place, name, { source, at: asked }) {
      const found = await find(place, name, source);
      if (!found.ok) return found;
      const key = found.value;
      const at = asked ?? (await newestSlot(key));
      const runs = await store.runs.around(key, stretchOf(at));
      const spans = await store.spans.around(at);
      const records = { ...(await recordsOf(key)), runs, spans };
      const decided = whyAt(records, at);
      const present = asked === undefined ? presentSentences(records, at, decided) : [];
      const isToCome = asked === undefined || at >= records.now;
      const stopped = isToCome ? await stopSentences(standingsIn, place, { key, at, decided }) : [];
      const answer = { ...decided, sentences: [...present, ...decided.sentences, ...stopped] };
      const armed = await armedIn([place]);
      const silentUntil = isToCome ? (armed.state(key)?.clock?.silentUntil ?? null) : null;
      if (silentUntil === null || at >= silentUntil) return success(shown(key, at, answer));
      const sentences = [...answer.sentences, silentSentence(records, at, silentUntil)];
      return success(shown(key, at, { ...answer, sentences }));
    },
    async changes(place, name, { source, limit = 50, cursor }) {
      const found = await find(place, name, source);
      if (!found.ok) return found;
      return success(await store.changes.page(found.value, { limit, cursor }));
    },
  };
}

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
  const inForce = inForceAt(records, now);
  const mayFire = inForce === null || inForce.standing?.enabled === true;
  if (at >= now || mayFire) return [];
  const present = whyAt({ ...records, runs: [] }, now);
  // The last slot may have the same answer, based on the same change.
  const isSame = present.decision === decided.decision && present.changes[0] === decided.changes[0];
  return isSame ? [] : present.sentences;
}

function silentSentence(records: WhyRecords, at: number, until: number): string {
  const zone = inForceAt(records, records.now)?.standing?.timezone ?? null;
  const goesOn = tellingIn(zone, at, records.now).moment(until);
  return `It does not fire until ${goesOn}: its slots before that already ran while the clock was ahead.`;
}

async function isRecorded(store: OpsDeps['store'], key: TriggerKey, now: number): Promise<boolean> {
  const changes = await store.changes.of(key);
  if (changes.some(({ trigger }) => trigger !== null)) return true;
  return (await store.runs.around(key, { from: 0, until: now })).length > 0;
}

function shown(key: TriggerKey, at: number, answer: ReturnType<typeof whyAt>): Why {
  const { slot, before, after, ...rest } = answer;
  const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
  const times = { slot: time(slot), before: time(before), after: time(after) };
  return { at: isoTime(at), source: key.source, trigger: key.name, ...rest, ...times };
}
