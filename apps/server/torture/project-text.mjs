// @ts-check
import { stringify } from 'yaml';

/** A trigger as in a file and in a PUT. @param {import('./plan.mjs').Wanted} wanted @param {string} log */
export function recordOf(wanted, log) {
  const { when, overlap, catchUp, window, jitter, session, enabled } = wanted;
  const times =
    'interval' in when
      ? { interval: when.interval }
      : { cron: when.cron, timezone: when.zone ?? 'UTC' };
  return {
    trigger: { type: 'schedule', ...times },
    run: { prompt: promptOf(wanted, log), tools: ['Bash'], session },
    policy: {
      overlap,
      catchUp,
      ...(window === null ? {} : { catchUpWindow: window }),
      ...(jitter === null ? {} : { jitter }),
    },
    enabled,
  };
}

/** A text that identifies a version of a trigger in the file. @param {import('./plan.mjs').Wanted} wanted */
export function markOf({ name, version }) {
  return `${name} v${version} `;
}

/** @param {readonly import('./plan.mjs').Wanted[]} all @param {string} log */
export function projectText(all, log) {
  return stringify({
    triggers: Object.fromEntries(all.map((one) => [one.name, recordOf(one, log)])),
  });
}

// One write of a line that is far shorter than PIPE_BUF, to an append-only file.
/** @param {import('./plan.mjs').Wanted} wanted @param {string} log */
function promptOf(wanted, log) {
  const line = (/** @type {string} */ kind) =>
    `printf '%s\\n' "${kind} $SVC_RUN_ID $SVC_TURN_ID ${markOf(wanted)}\${EPOCHREALTIME:-$(date +%s.%N)} $$" >> '${log}'`;
  const work = wanted.workMs === 0 ? [] : [`sleep ${wanted.workMs / 1000}`];
  const rest = wanted.fails ? ['exit 3'] : [line('end')];
  return ['Go.', '', '```bash', line('begin'), ...work, ...rest, '```', ''].join('\n');
}
