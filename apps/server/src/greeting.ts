import { counted } from '@svc/core';
import { type Ops, USER } from '@svc/ops';
import type { AuthSettings } from './auth-settings.ts';
import type { Home } from './home.ts';
import { curlNote, curlOf } from './welcome.ts';

/** What is armed in an instance. */
export interface Armed {
  readonly count: number;
  /** The fire that comes first; null when there is none. */
  readonly next: {
    readonly project: string;
    readonly trigger: string;
    /** UTC ISO text. */
    readonly at: string;
  } | null;
}

/** Looks up what is armed and which of it fires first. */
export async function armedIn({
  operations,
  load,
}: Pick<Ops, 'load' | 'operations'>): Promise<Armed> {
  const { signal } = new AbortController();
  let next: Armed['next'] = null;
  const listed = await operations.call(USER, 'list_projects', {}, { signal });
  for (const { slug: project } of listed.ok ? listed.value.projects : []) {
    const states = await operations.call(USER, 'read_trigger_runtime', { project }, { signal });
    for (const { name: trigger, nextFire: at } of states.ok ? states.value.runtime : []) {
      if (at !== null && (next === null || at < next.at)) next = { project, trigger, at };
    }
  }
  return { count: load().armed, next };
}

/** What somebody reads who has started the service by hand. */
export function greeting(parts: {
  readonly url: string;
  readonly home: Home;
  /** Whether the home, with its sample, was made just now. */
  readonly fresh: boolean;
  readonly armed: Armed;
  readonly auth: AuthSettings;
}): string[] {
  const { url, home, fresh, armed, auth } = parts;
  const start = ['', `svc is running at ${url}. Open it in a browser. Stop it with Ctrl-C.`];
  const look = looks(url, armed, auth);
  if (fresh) {
    return [
      ...start,
      `A new home with the project "hello" was made in ${home.root}.`,
      '',
      'Its trigger "heartbeat" fires every 30 seconds and uses no AI. Look at it:',
      ...look,
      `  cat ${home.projects}/hello/heartbeat.log`,
      '',
      `Edit ${home.projects}/hello/project.yaml and save: the change counts within two seconds.`,
      '',
    ];
  }
  return [...start, `Its home is ${home.root}.`, '', armedText(armed), ...look, ''];
}

function looks(url: string, { next }: Armed, auth: AuthSettings): string[] {
  const ask = [curlOf(auth) ?? '', `${url}/api/projects`].join(' ').trim();
  const note = curlNote(auth);
  const about = note === null ? [] : [`  ${note}`];
  if (next === null) return [...about, `  ${ask}     what is there`];
  const { project } = next;
  return [
    ...about,
    `  ${ask}/${project}/triggers/runtime     when it fires next`,
    `  ${ask}/${project}/runs                 what has fired, and how it ended`,
    `  ${ask}/${project}/chats                the chats; add /<sessionId> for a transcript`,
  ];
}

function armedText({ count, next }: Armed): string {
  if (next === null) return 'No trigger is armed. Look at what there is:';
  const { project, trigger, at } = next;
  const armed = counted(count, 'trigger is', 'triggers are');
  return `${armed} armed. The first to fire is "${trigger}" of the project "${project}", at ${at}. Look at it:`;
}
