import { bodyOf } from '@svc/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api } from '../../data/api.ts';
import type { AlertSink, Alerts as AlertsShape } from '../../data/service.ts';
import { rulesText, waitingText } from '../../model/alert-text.ts';
import { inertText } from '../../model/inert-text.ts';
import { Badge } from '../../parts/Badge.tsx';
import controls from '../../parts/controls.module.css';
import { useReadOnly } from '../../parts/read-only.ts';
import { Ago } from '../../parts/Time.tsx';
import styles from './SettingsView.module.css';

/** The alert sinks and rules, their state, and a test button. */
export function Alerts({ alerts }: { readonly alerts: AlertsShape }): JSX.Element {
  const { sinks, heartbeat } = alerts;
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts">Alerts</h2>
      {sinks.length === 0 ? (
        <p>
          No alert is sent when a trigger fails. Add a sink to <code>notify</code> in
          svc.config.yaml.
        </p>
      ) : null}
      <ul className={styles['list']}>
        {sinks.map((sink) => (
          <li key={sink.id} className={styles['entry']}>
            <span className={styles['name']}>
              {sink.id} <span className={styles['quiet']}>{inertText(sink.to)}</span>
            </span>
            <Sink sink={sink} />
          </li>
        ))}
        {heartbeat === null ? null : (
          <li className={styles['entry']}>
            <span className={styles['name']}>
              heartbeat <span className={styles['quiet']}>{inertText(heartbeat.to)}</span>
            </span>
            <div>
              <Standing problem={null} lastTry={heartbeat.lastTry} />
              <ul className={styles['held']}>
                <li>
                  Pinged after each successful run
                  {heartbeat.every === '0s' ? '' : `, at most every ${heartbeat.every}`}.
                </li>
              </ul>
            </div>
          </li>
        )}
      </ul>
      {sinks.length > 0 && heartbeat === null ? (
        <p>
          No alert is sent when the service itself stops. Set <code>notify.heartbeat</code> to ping
          an uptime monitor.
        </p>
      ) : null}
    </section>
  );
}

function Sink({ sink }: { readonly sink: AlertSink }): JSX.Element {
  const { id, problem, lastTry, waiting, givenUp } = sink;
  const queries = useQueryClient();
  const readOnly = useReadOnly();
  const trial = useMutation({
    mutationFn: async () => bodyOf(await api.POST('/api/alerts/test', { body: { sink: id } })),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <div>
      <Standing problem={problem} lastTry={lastTry} />
      <ul className={styles['held']}>
        <li>{rulesText(sink)}</li>
        {waiting === 0 ? null : <li>{waitingText(waiting)}</li>}
        {givenUp === 0 ? null : (
          <li className={styles['broken']}>Undelivered alerts of the last 30 days: {givenUp}.</li>
        )}
      </ul>
      <button
        type="button"
        className={`${controls['button']} ${styles['trial']}`}
        disabled={trial.isPending || readOnly !== undefined}
        title={readOnly}
        onClick={() => trial.mutate()}
        aria-label={`Send a test alert: ${id}`}
      >
        Send a test alert
      </button>
      {trial.error === null ? null : <p role="alert">{inertText(trial.error.message)}</p>}
    </div>
  );
}

type StandingProps = Pick<AlertSink, 'problem' | 'lastTry'>;

function Standing({ problem, lastTry }: StandingProps): JSX.Element {
  if (problem !== null) {
    return (
      <p role="status" className={styles['standing']}>
        <Badge word="Not usable" tone="warn" /> {inertText(problem)}
      </p>
    );
  }
  if (lastTry === null) return <Badge word="Not tried yet" tone="idle" />;
  return (
    <p role="status" className={styles['standing']}>
      <Badge word={lastTry.ok ? 'Working' : 'Failing'} tone={lastTry.ok ? 'ok' : 'bad'} />{' '}
      {lastTry.error === null ? null : inertText(lastTry.error)} Last attempt{' '}
      <Ago at={lastTry.at} />.
    </p>
  );
}
