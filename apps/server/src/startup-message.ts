import { counted } from '@svc/core';
import { type Ops, USER } from '@svc/ops';
import type { AuthSettings } from '@svc/settings';
import type { Home } from './home.ts';
import { curlNote, curlOf } from './welcome.ts';

/** What is armed in an instance. */
export interface ArmedTriggers {
  readonly count: number;
  /** The next run; null if there is none. */
  readonly next: {
    readonly project: string;
    readonly trigger: string;
    /** UTC ISO text. */
    readonly at: string;
  } | null;
}

/** Determines what is armed, and its next run. */
export async function armedTriggersIn({
  operations,
  load,
}: Pick<Ops, 'load' | 'operations'>): Promise<ArmedTriggers> {
  const { signal } = new AbortController();
  let next: ArmedTriggers['next'] = null;
  const listed = await operations.call(USER, 'list_projects', {}, { signal });
  for (const { slug: project } of listed.ok ? listed.value.projects : []) {
    const states = await operations.call(USER, 'read_trigger_runtime', { project }, { signal });
    for (const { name: trigger, nextFire: at } of states.ok ? states.value.runtime : []) {
      if (at !== null && (next === null || at < next.at)) next = { project, trigger, at };
    }
  }
  return { count: load().armed, next };
}

/** The message after a start in a terminal: address, home, armed triggers and next steps. */
export function startupMessage(parts: {
  readonly url: string;
  readonly home: Home;
  /** Whether the home with its sample was just created. */
  readonly isNewHome: boolean;
  readonly armed: ArmedTriggers;
  readonly auth: AuthSettings;
}): string[] {
  const { url, home, isNewHome, armed, auth } = parts;
  const start = ['', `svc is running at ${url}. Open it in a browser. Stop it with Ctrl-C.`];
  const nextSteps = nextStepLines(url, armed, auth);
  if (isNewHome) {
    return [
      ...start,
      `Created the home ${home.root} with the project "hello".`,
      '',
      'Its trigger "heartbeat" fires every 30 seconds without AI. To watch it:',
      ...nextSteps,
      `  cat ${home.projects}/hello/heartbeat.log`,
      '',
      `Edit ${home.projects}/hello/project.yaml: changes take effect within two seconds.`,
      '',
    ];
  }
  return [...start, `Home: ${home.root}`, '', armedText(armed), ...nextSteps, ''];
}

function nextStepLines(url: string, { next }: ArmedTriggers, auth: AuthSettings): string[] {
  const ask = [curlOf(auth) ?? '', `${url}/api/projects`].join(' ').trim();
  const note = curlNote(auth);
  const about = note === null ? [] : [`  ${note}`];
  if (next === null) return [...about, `  ${ask}     projects`];
  const { project } = next;
  return [
    ...about,
    `  ${ask}/${project}/triggers/runtime     next runs`,
    `  ${ask}/${project}/runs                 runs and their outcomes`,
    `  ${ask}/${project}/chats                chats; add /<sessionId> for a transcript`,
  ];
}

function armedText({ count, next }: ArmedTriggers): string {
  if (next === null) return 'No trigger is armed. To list projects:';
  const { project, trigger, at } = next;
  const armed = counted(count, 'trigger is', 'triggers are');
  return `${armed} armed. Next: "${trigger}" of project "${project}" at ${at}. To watch it:`;
}
