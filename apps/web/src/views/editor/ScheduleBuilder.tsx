import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { statusQuery } from '../../data/service.ts';
import {
  type CronPlan,
  cronOf,
  type Interval,
  intervalOf,
  planOf,
  type ScheduleKind,
  withKind,
} from '../../model/cron-plan.ts';
import styles from './editor.module.css';
import { Field, Radio, TextField } from './Field.tsx';
import { useForm } from './form.ts';

const RHYTHMS = { hour: 'Hourly', day: 'Daily', week: 'Weekly', month: 'Monthly' } as const;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 0];
const UNITS = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days', w: 'weeks' } as const;
const ZONES = Intl.supportedValuesOf('timeZone');

/** Edits the schedule by choices or as a cron expression; both stay in sync. */
export function ScheduleBuilder(): JSX.Element {
  const { draft, change } = useForm();
  const plan = draft.when === 'cron' ? planOf(draft.cron) : null;
  const isCustom = draft.when === 'cron' && plan === null;
  const choose = (rhythm: ScheduleKind): void =>
    change({ when: 'cron', cron: cronOf(withKind(plan ?? planOf(draft.cron), rhythm)) });
  const fixed = (): void =>
    change({ when: 'interval', interval: draft.interval === '' ? '30m' : draft.interval });
  return (
    <>
      <div className={styles['row']} role="radiogroup" aria-label="Schedule kind">
        <Radio
          group="rhythm"
          label="Interval"
          isChosen={draft.when === 'interval'}
          onChoose={fixed}
        />
        {(Object.keys(RHYTHMS) as ScheduleKind[]).map((rhythm) => (
          <Radio
            key={rhythm}
            group="rhythm"
            label={RHYTHMS[rhythm]}
            isChosen={plan?.rhythm === rhythm}
            onChoose={() => choose(rhythm)}
          />
        ))}
        {isCustom ? <Radio group="rhythm" label="Cron" isChosen onChoose={() => {}} /> : null}
      </div>
      {draft.when === 'interval' ? <IntervalField /> : null}
      {plan === null ? null : <PlanFields plan={plan} />}
      {draft.when === 'cron' ? <CronFields /> : null}
    </>
  );
}

function CronFields(): JSX.Element {
  const { data } = useQuery(statusQuery);
  const zone = data?.timezone?.name;
  return (
    <>
      <TextField field="cron" isMono hint="Minute, hour, day, month, weekday." />
      <TextField
        field="timezone"
        list="zones"
        placeholder={zone === undefined ? 'Service time zone' : `Service time zone (${zone})`}
      />
      <datalist id="zones">
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

function IntervalField(): JSX.Element {
  const { draft, change } = useForm();
  const parts = intervalOf(draft.interval);
  if (parts === null) return <TextField field="interval" hint="For example 30m, 1h or 2d." />;
  const set = (part: Partial<Interval>): void => {
    const { count, unit } = { ...parts, ...part };
    change({ interval: `${count}${unit}` });
  };
  return (
    <div className={styles['row']}>
      <Field field="interval" label="Every">
        {(tied) => (
          <input
            {...tied}
            className={styles['input']}
            inputMode="numeric"
            value={parts.count}
            onChange={({ target }) => set({ count: target.value.replace(/\D/g, '') })}
          />
        )}
      </Field>
      <label className={styles['field']}>
        Unit
        <select
          className={styles['input']}
          value={parts.unit}
          onChange={({ target }) => set({ unit: target.value as Interval['unit'] })}
        >
          {Object.entries(UNITS).map(([unit, name]) => (
            <option key={unit} value={unit}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function PlanFields({ plan }: { readonly plan: CronPlan }): JSX.Element {
  const { change } = useForm();
  const set = (next: CronPlan): void => change({ cron: cronOf(next) });
  return (
    <div className={styles['row']}>
      {plan.rhythm === 'week' ? <Days plan={plan} onPlan={set} /> : null}
      {plan.rhythm === 'month' ? (
        <WholeNumber
          label="On day"
          value={plan.day}
          range={[1, 31]}
          onValue={(day) => set({ ...plan, day })}
        />
      ) : null}
      {plan.rhythm === 'hour' ? (
        <WholeNumber
          label="At minute"
          value={plan.minute}
          range={[0, 59]}
          onValue={(minute) => set({ ...plan, minute })}
        />
      ) : (
        <Time plan={plan} onPlan={set} />
      )}
    </div>
  );
}

type TimedPlan = Exclude<CronPlan, { rhythm: 'hour' }>;

function Time({
  plan,
  onPlan,
}: {
  readonly plan: TimedPlan;
  readonly onPlan: (plan: CronPlan) => void;
}): JSX.Element {
  const two = (value: number): string => String(value).padStart(2, '0');
  return (
    <label className={styles['field']}>
      At
      <input
        type="time"
        className={styles['input']}
        value={`${two(plan.hour)}:${two(plan.minute)}`}
        onChange={({ target }) => {
          const [hour, minute] = target.value.split(':').map(Number);
          if (hour !== undefined && minute !== undefined) onPlan({ ...plan, hour, minute });
        }}
      />
    </label>
  );
}

interface WholeNumberProps {
  readonly label: string;
  readonly value: number;
  readonly range: readonly [least: number, most: number];
  readonly onValue: (value: number) => void;
}

function WholeNumber({ label, value, range, onValue }: WholeNumberProps): JSX.Element {
  const [least, most] = range;
  return (
    <label className={styles['field']}>
      {label}
      <select
        className={styles['input']}
        value={value}
        onChange={({ target }) => onValue(Number(target.value))}
      >
        {Array.from({ length: most - least + 1 }, (_, at) => (
          <option key={at} value={least + at}>
            {least + at}
          </option>
        ))}
      </select>
    </label>
  );
}

type WeekPlan = Extract<CronPlan, { rhythm: 'week' }>;

function Days({
  plan,
  onPlan,
}: {
  readonly plan: WeekPlan;
  readonly onPlan: (plan: CronPlan) => void;
}): JSX.Element {
  const toggle = (day: number): void => {
    const others = plan.days.filter((each) => each !== day);
    const days = others.length === plan.days.length ? [...others, day].sort() : others;
    // A weekly schedule without a day would never fire.
    if (days.length > 0) onPlan({ ...plan, days });
  };
  return (
    <fieldset className={styles['group']}>
      <legend>On</legend>
      <div className={styles['tools']}>
        {MONDAY_FIRST.map((day) => (
          <label key={day} className={styles['choice']}>
            <input type="checkbox" checked={plan.days.includes(day)} onChange={() => toggle(day)} />
            {DAYS[day]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
