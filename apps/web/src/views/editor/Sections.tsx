import { type JSX, useState } from 'react';
import { EVENT_TIMES } from '../../model/describe.ts';
import type { Draft, DraftKey } from '../../model/draft.ts';
import styles from './editor.module.css';
import { Radio, SelectField, TextField } from './Field.tsx';
import { useForm } from './form.ts';
import { HostsField } from './HostsField.tsx';
import { RuntimeFields } from './RuntimeFields.tsx';
import { ScheduleBuilder } from './ScheduleBuilder.tsx';
import { ToolPicker } from './ToolPicker.tsx';

const EVENT_HINTS: Readonly<Record<string, string>> = {
  onArchive:
    'Runs once for each archived chat, and receives its name and id. Chats archived by an agent that an event started do not count.',
  afterTurn:
    'The first trigger with this event in the file is the curator of the project. It runs when the chats have been idle for a while and receives their new messages; its answer updates .svc/OVERVIEW.md and .svc/CHANGELOG.md.',
};

/** When the trigger fires. */
export function ScheduleSection(): JSX.Element {
  const { draft, catalog, change } = useForm();
  const { when } = draft;
  const isSchedule = when === 'cron' || when === 'interval';
  const events = Object.fromEntries(
    catalog.events.map((name) => [name, EVENT_TIMES[name] ?? name]),
  );
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>Schedule</legend>
      <div className={styles['row']}>
        <Radio
          group="type"
          label="Schedule"
          isChosen={isSchedule}
          onChoose={() => change({ when: 'cron', cron: draft.cron || '0 9 * * *' })}
        />
        <Radio
          group="type"
          label="Event"
          isChosen={when === 'event'}
          onChoose={() => change({ when: 'event', on: draft.on || (catalog.events[0] ?? '') })}
        />
        {when === 'webhook' ? (
          <Radio group="type" label="Webhook" isChosen onChoose={() => {}} />
        ) : null}
      </div>
      {isSchedule ? <ScheduleBuilder /> : null}
      {when === 'event' ? (
        <>
          <SelectField field="on" options={events} />
          <p className={styles['hint']}>{EVENT_HINTS[draft.on] ?? ''}</p>
        </>
      ) : null}
      {when === 'webhook' ? (
        <p className={styles['hint']}>This version does not fire webhook triggers.</p>
      ) : null}
    </fieldset>
  );
}

/** The agent, its tools, and the runtime. */
export function AgentSection(): JSX.Element {
  const { draft, change } = useForm();
  const isEvent = draft.when === 'event';
  const isAgent = isEvent || draft.who === 'agent';
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>Agent</legend>
      {isEvent ? null : (
        <div className={styles['row']}>
          <Radio
            group="who"
            label="Keeper"
            isChosen={!isAgent}
            onChoose={() => change({ who: 'keeper' })}
          />
          <Radio
            group="who"
            label="Agent with listed tools"
            isChosen={isAgent}
            onChoose={() => change({ who: 'agent' })}
          />
        </div>
      )}
      {isAgent ? <ToolPicker /> : null}
      <HostsField />
      <RuntimeFields />
    </fieldset>
  );
}

const LIMIT_FIELDS: readonly DraftKey[] = [
  'permissionMode',
  'maxTurns',
  'maxSpawnDepth',
  'timeout',
  'session',
  'catchUp',
  'catchUpWindow',
  'overlap',
  'jitter',
  'firesPerDay',
  'costPerDayUsd',
  'pauseAfterFailures',
];

/** Limits and policy, folded until the user opens them or one of them has an error. */
export function LimitsSection(): JSX.Element {
  const { draft, issuesAt } = useForm();
  const [isWanted, setWanted] = useState(false);
  const isWrong = LIMIT_FIELDS.some((key) => issuesAt(key).length > 0);
  return (
    <details
      className={styles['part']}
      open={isWanted || isWrong}
      onToggle={({ currentTarget }) => setWanted(currentTarget.open)}
    >
      <summary className={styles['summary']}>Limits and policy</summary>
      <div className={styles['parts']}>
        <SelectField
          field="session"
          options={{ new: 'Start a new chat for each run', resume: 'Continue the same chat' }}
        />
        <SelectField
          field="permissionMode"
          options={{
            '': 'Service default',
            plan: 'plan (read-only)',
            default: 'default',
            acceptEdits: 'acceptEdits',
            bypassPermissions: 'bypassPermissions',
          }}
        />
        <div className={styles['row']}>
          <TextField field="maxTurns" />
          <TextField field="maxSpawnDepth" placeholder="Project default" />
          <TextField field="timeout" placeholder="Service default" />
        </div>
        <div className={styles['row']}>
          <SelectField field="overlap" options={overlapWords(draft)} />
          <TextField field="firesPerDay" placeholder="No limit" />
          <TextField field="costPerDayUsd" placeholder="No limit" />
        </div>
        <div className={styles['row']}>
          <TextField field="pauseAfterFailures" placeholder="Never" />
        </div>
        {draft.when === 'event' ? null : (
          <div className={styles['row']}>
            <SelectField
              field="catchUp"
              options={{ latest: 'Run the latest missed slot', none: 'Do not catch up' }}
            />
            <TextField field="catchUpWindow" placeholder="Service default" />
            <TextField field="jitter" placeholder="None, or for example 5m" />
          </div>
        )}
      </div>
    </details>
  );
}

const SKIPPED = 'Skip the new run';
const WAITING = 'Queue runs in order';
const BESIDE = { allow: 'Run in parallel' };

// A stored value stays visible even when it equals the default.
function overlapWords({ when, session, overlap }: Draft): Readonly<Record<string, string>> {
  const isEvent = when === 'event';
  return {
    '': isEvent ? WAITING : SKIPPED,
    ...(isEvent || overlap === 'skip' ? { skip: SKIPPED } : {}),
    ...(isEvent && overlap !== 'queue' ? {} : { queue: isEvent ? WAITING : 'Queue one run' }),
    ...(session === 'resume' ? {} : BESIDE),
  };
}
