import { type JSX, useState } from 'react';
import { EVENT_TIMES } from '../../model/describe.ts';
import type { Draft, DraftKey } from '../../model/draft.ts';
import styles from './editor.module.css';
import { Radio, SelectField, TextField } from './Field.tsx';
import { useForm } from './form.ts';
import { RuntimeFields } from './RuntimeFields.tsx';
import { ScheduleBuilder } from './ScheduleBuilder.tsx';
import { ToolPicker } from './ToolPicker.tsx';

const EVENT_HINTS: Readonly<Record<string, string>> = {
  onArchive:
    'It runs once for each chat, and is told which; an archive by an agent that an event has started does not count.',
  afterTurn:
    'It is the curator: it waits for a pause, is told what was said, and its answer changes .svc/OVERVIEW.md and .svc/CHANGELOG.md. Of several such triggers only the first in the file runs.',
};

/** When the trigger fires. */
export function WhenPart(): JSX.Element {
  const { draft, catalog, change } = useForm();
  const { when } = draft;
  const isSchedule = when === 'cron' || when === 'interval';
  const events = Object.fromEntries(
    catalog.events.map((name) => [name, EVENT_TIMES[name] ?? name]),
  );
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>When</legend>
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
        <p className={styles['hint']}>This version does not fire triggers by their address.</p>
      ) : null}
    </fieldset>
  );
}

/** Who does it, with which tools, and on which runtime. */
export function WhoPart(): JSX.Element {
  const { draft, change } = useForm();
  const isEvent = draft.when === 'event';
  const isAgent = isEvent || draft.who === 'agent';
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>Who</legend>
      {isEvent ? null : (
        <div className={styles['row']}>
          <Radio
            group="who"
            label="The keeper"
            isChosen={!isAgent}
            onChoose={() => change({ who: 'keeper' })}
          />
          <Radio
            group="who"
            label="Own agent"
            isChosen={isAgent}
            onChoose={() => change({ who: 'agent' })}
          />
        </div>
      )}
      {isAgent ? <ToolPicker /> : null}
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

/** Limits and policy, folded until somebody wants them or something is wrong with them. */
export function LimitsPart(): JSX.Element {
  const { draft, issuesAt } = useForm();
  const [isWanted, setWanted] = useState(false);
  const isWrong = LIMIT_FIELDS.some((key) => issuesAt(key).length > 0);
  return (
    <details
      className={styles['part']}
      open={isWanted || isWrong}
      onToggle={({ currentTarget }) => setWanted(currentTarget.open)}
    >
      <summary className={styles['summary']}>Limits, policy</summary>
      <div className={styles['parts']}>
        <SelectField
          field="session"
          options={{ new: 'A fresh one for each fire', resume: 'One that goes on and remembers' }}
        />
        <SelectField
          field="permissionMode"
          options={{
            '': 'That of the service',
            plan: 'plan: only reads',
            default: 'default',
            acceptEdits: 'acceptEdits',
            bypassPermissions: 'bypassPermissions',
          }}
        />
        <div className={styles['row']}>
          <TextField field="maxTurns" />
          <TextField field="maxSpawnDepth" placeholder="That of the project" />
          <TextField field="timeout" placeholder="That of the service" />
        </div>
        <div className={styles['row']}>
          <SelectField field="overlap" options={overlapWords(draft)} />
          <TextField field="firesPerDay" placeholder="As many as there are" />
          <TextField field="costPerDayUsd" placeholder="No limit of its own" />
        </div>
        <div className={styles['row']}>
          <TextField field="pauseAfterFailures" placeholder="Never" />
        </div>
        {draft.when === 'event' ? null : (
          <div className={styles['row']}>
            <SelectField
              field="catchUp"
              options={{ latest: 'Make up for the newest', none: 'Leave them' }}
            />
            <TextField field="catchUpWindow" placeholder="That of the service" />
            <TextField field="jitter" placeholder="Not at all, or such as 5m" />
          </div>
        )}
      </div>
    </details>
  );
}

const SKIPPED = 'The fire is skipped';
const WAITING = 'Fires wait in order';
const BESIDE = { allow: 'The fire starts beside it' };

// What is written, though it comes to the same as nothing, stays to be seen.
function overlapWords({ when, session, overlap }: Draft): Readonly<Record<string, string>> {
  const isEvent = when === 'event';
  return {
    '': isEvent ? WAITING : SKIPPED,
    ...(isEvent || overlap === 'skip' ? { skip: SKIPPED } : {}),
    ...(isEvent && overlap !== 'queue' ? {} : { queue: isEvent ? WAITING : 'One fire waits' }),
    ...(session === 'resume' ? {} : BESIDE),
  };
}
