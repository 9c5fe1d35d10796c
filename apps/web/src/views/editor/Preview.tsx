import { useQuery } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import type { Preview, StoredTrigger, TriggerVerdict } from '../../data/api-types.ts';
import { previewQuery } from '../../data/editor-queries.ts';
import { triggersQuery } from '../../data/queries.ts';
import type { Runtime } from '../../data/service.ts';
import { useDraftRuntime } from '../../data/use-runtimes.ts';
import { zonedText } from '../../model/describe.ts';
import { type Draft, hasScheduleOf, listedHosts, toolsOf } from '../../model/draft.ts';
import { inertText } from '../../model/inert-text.ts';
import { hunksOf, lineDiff } from '../../model/line-diff.ts';
import { accessText, isSandboxed, unrestrictedText } from '../../model/runtime-text.ts';
import { fullText, localizeTimes, whenText } from '../../model/times.ts';
import { Diff } from '../../parts/Diff.tsx';
import { Until } from '../../parts/Time.tsx';
import { useTimeText } from '../../parts/use-time-text.ts';
import styles from './editor.module.css';
import { useForm } from './form.ts';

const OFTEN = 48;

function Rail({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className={styles['title']}>{title}</h2>
      {children}
    </section>
  );
}

interface NextFiresProps {
  /** A snapshot of the form, debounced. */
  readonly draft: Draft;
  readonly slug: string;
  readonly stored: StoredTrigger | null;
}

/** The next five fires of the schedule in the form. */
export function NextFires({ draft, slug, stored }: NextFiresProps): JSX.Element | null {
  const armed = useArmedFires(draft, slug, stored);
  const { mayCost } = useDraftRuntime(slug, draft);
  const { when, cron, interval, timezone } = draft;
  const isCron = when === 'cron';
  const isWhole = isCron
    ? /^@|^(\S+\s+){4}\S+$/.test(cron.trim())
    : when === 'interval' && /\d/.test(interval);
  const schedule = isCron ? { cron, ...(timezone !== '' && { timezone }) } : { interval };
  const isAsked = isWhole && armed === null;
  const { data, isError } = useQuery({ ...previewQuery(schedule), enabled: isAsked });
  if (armed !== null) return <Fires {...armed} mayCost={mayCost} />;
  return !isWhole || isError || data === undefined ? null : <Fires {...data} mayCost={mayCost} />;
}

/**
 * The upcoming fires of the armed trigger: they depend on the start of an interval and on a clock that was set
 * back. Null when the form has another schedule, or when the trigger is not armed.
 */
function useArmedFires(draft: Draft, slug: string, stored: StoredTrigger | null) {
  const { data } = useQuery(triggersQuery(slug));
  if (stored === null || !hasScheduleOf(draft, stored.record)) return null;
  const armed = data?.triggers.find(({ name }) => name === stored.record.name);
  if (armed === undefined || armed.schedule === null || armed.upcoming.length === 0) return null;
  return { ...armed.schedule, upcoming: armed.upcoming };
}

interface FiresProps extends Preview {
  readonly mayCost: boolean;
}

function Fires(props: FiresProps): JSX.Element {
  const { upcoming, description, firesPerDay, timezone, mayCost } = props;
  const zone = timezone ?? undefined;
  const words = useTimeText((now) =>
    localizeTimes(zonedText({ description, firesPerDay, timezone }), now),
  );
  return (
    <Rail title={zone === undefined ? 'Next five runs' : `Next five runs, ${zone}`}>
      <ol className={styles['fires']} aria-label="Next five runs">
        {upcoming.map((at) => (
          <li key={at}>
            <Fire at={at} zone={zone} />
          </li>
        ))}
      </ol>
      <p className={styles['hint']}>
        {words}. {oftenText(firesPerDay, mayCost)}
      </p>
    </Rail>
  );
}

interface FireProps {
  /** UTC ISO text. */
  readonly at: string;
  /** The zone of the trigger; undefined for the zone of the viewer. */
  readonly zone: string | undefined;
}

function Fire({ at, zone }: FireProps): JSX.Element {
  const text = useTimeText((now) => whenText(at, now, zone));
  const here = useTimeText((now) => whenText(at, now));
  return (
    <>
      <time dateTime={at} title={fullText(at)}>
        {text}
      </time>{' '}
      <span className={styles['hint']}>
        {here === text ? null : `${here} your time, `}
        <Until at={at} />
      </span>
    </>
  );
}

function oftenText(firesPerDay: number, mayCost: boolean): string {
  const count = Math.round(firesPerDay);
  if (firesPerDay > OFTEN) {
    const often = `About ${count.toLocaleString('en-GB')} runs a day.`;
    return mayCost ? `${often} Each may incur model costs.` : often;
  }
  if (firesPerDay < 1) {
    const weekly = Math.round(firesPerDay * 7);
    if (weekly < 1) return 'Less than one run a week.';
    return weekly === 1 ? '1 run a week.' : `${weekly} runs a week.`;
  }
  return count === 1 ? '1 run a day.' : `${count} runs a day.`;
}

/** Describes the permissions of the agent. */
export function CapabilityText({ slug }: { readonly slug: string }): JSX.Element {
  const { draft, catalog } = useForm();
  const { chosen } = useDraftRuntime(slug, draft);
  const free = chosen === undefined ? null : unrestrictedText(draft, chosen);
  const tools = toolsOf(draft);
  const hosts = hostsText(draft);
  const dangerous = catalog.tools
    .filter(({ name, dangerous: can }) => can && tools.includes(name))
    .map(({ name }) => shortName(name));
  const isKeeper = draft.who === 'keeper' && draft.when !== 'event';
  if (free !== null) {
    return (
      <Rail title="Access">
        <p className={styles['words']}>{free}</p>
        {hosts === null ? (
          <Confinement who="The agent" runtime={chosen} />
        ) : (
          <p className={styles['words']}>{hosts}</p>
        )}
      </Rail>
    );
  }
  return (
    <Rail title="Access">
      <p className={styles['words']}>{isKeeper ? KEEPER : ownText(draft, tools)}</p>
      {hosts === null ? null : <p className={styles['words']}>{hosts}</p>}
      {dangerous.length === 0 ? null : (
        <p className={styles['warning']}>Can make changes: {dangerous.join(', ')}.</p>
      )}
      {hosts === null && (isKeeper || tools.includes('Bash')) ? (
        <Confinement who="Bash" runtime={chosen} />
      ) : null}
    </Rail>
  );
}

const KEEPER = 'Runs as the keeper, with all keeper tools.';

function Confinement({
  who,
  runtime,
}: {
  readonly who: string;
  readonly runtime: Runtime | undefined;
}): JSX.Element {
  const isConfined = runtime !== undefined && isSandboxed(runtime);
  return <p className={styles[isConfined ? 'words' : 'warning']}>{accessText(who, runtime)}</p>;
}

function shortName(tool: string): string {
  return tool.replace(/^mcp__svc_manage__/, '');
}

function ownText({ when }: Draft, tools: readonly string[]): string {
  if (tools.length > 0) return `Agent with these tools: ${tools.map(shortName).join(', ')}.`;
  return when === 'event' ? 'No tools: the agent can only answer.' : 'Agent without tools.';
}

// The service accepts a list of hosts only where a sandbox enforces it.
function hostsText(draft: Draft): string | null {
  if (draft.hosts === 'project') return null;
  const hosts = listedHosts(draft);
  return hosts.length === 0
    ? 'Cannot connect to any host.'
    : `Can connect only to: ${inertText(hosts.join(', '))}.`;
}

/** The diff that saving makes to project.yaml; renders nothing when the service does not return it. */
export function FileChange({
  edit,
}: {
  readonly edit: TriggerVerdict['edit'];
}): JSX.Element | null {
  if (edit === undefined || edit === null) return null;
  const hunks = hunksOf(lineDiff(edit.before, edit.after), 1);
  return (
    <Rail title="Changes to project.yaml">
      {hunks.length === 0 ? (
        <p className={styles['hint']}>No changes yet.</p>
      ) : (
        <Diff lines={hunks} wraps />
      )}
    </Rail>
  );
}
