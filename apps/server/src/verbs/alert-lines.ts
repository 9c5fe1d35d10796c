import { shownOrigin } from '@svc/core';
import { durationText, type NotifySettings } from '@svc/settings';
import { problemOf, shownTarget } from '../alerting.ts';
import type { Keys } from '../keys.ts';

const NO_SINKS =
  'Alerts: no alert is sent when a trigger fails or svc stops. Set notify in svc.config.yaml.';
const NO_HEARTBEAT =
  'No alert is sent when svc itself stops. Set notify.heartbeat to the URL of a monitor such as Healthchecks.';

/** The configured sinks and their problems, one line each for people. */
export function alertLines(
  { sinks, heartbeat }: NotifySettings,
  keys: Pick<Keys, 'of'>,
): readonly string[] {
  const all = Object.entries(sinks);
  if (all.length === 0 && heartbeat === null) return [NO_SINKS];
  const lines = all.map(([id, own]) => {
    const problem = problemOf(own, keys);
    const what = `${own.on.join(', ')} to ${shownTarget(own)}`;
    return `  ${id.padEnd(10)} ${problem ?? `${what}; test it with svc alerts test ${id}`}`;
  });
  if (heartbeat === null) return ['Alerts:', ...lines, NO_HEARTBEAT];
  const every =
    heartbeat.everyMs === 0 ? '' : `, at most once every ${durationText(heartbeat.everyMs)}`;
  const beat = `after a success${every}, at ${shownOrigin(heartbeat.url)}`;
  return ['Alerts:', ...lines, `  ${'heartbeat'.padEnd(10)} ${beat}`];
}
