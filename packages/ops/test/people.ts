import { type Result, success } from '@svc/core';
import {
  type CallError,
  type Caller,
  type OperationResults,
  type Operations,
  type RowName,
  USER,
} from '@svc/ops';
import { NEVER } from './calls.ts';

type Answer<N extends RowName> = Promise<Result<OperationResults[N], CallError>>;

/** The operations as people have them, each as a function of its own. */
export function peoplesView({ call }: Operations) {
  const ask = <N extends RowName>(name: N, input: object, caller: Caller = USER): Answer<N> =>
    call(caller, name, input, { signal: NEVER });
  return {
    triggers: {
      list: (project: string) => ask('list_trigger_records', { project }),
      get: (project: string, name: string) => ask('read_trigger', { project, name }),
      async runtime(project: string) {
        const states = await ask('read_trigger_runtime', { project });
        return states.ok ? success(states.value.runtime) : states;
      },
      run: (caller: Caller, project: string, name: string) =>
        ask('run_trigger', { project, name }, caller),
      async upcoming(project: string, hours: number) {
        const planned = await ask('list_upcoming', { project, hours });
        return planned.ok ? success(planned.value.fires) : planned;
      },
      plan: (project: string, hours: number) => ask('list_upcoming', { project, hours }),
      put: (
        caller: Caller,
        project: string,
        name: string,
        record: unknown,
        { ifMatch, ifNoneMatch }: { ifMatch?: string; ifNoneMatch?: string } = {},
      ) =>
        ask(
          'put_trigger',
          {
            project,
            name,
            record,
            ...(ifMatch === undefined ? {} : { if_match: ifMatch }),
            ...(ifNoneMatch === undefined ? {} : { if_none_match: ifNoneMatch }),
          },
          caller,
        ),
      remove: (caller: Caller, project: string, name: string) =>
        ask('remove_trigger', { project, name }, caller),
      validate: (project: string, record: unknown, name?: string) =>
        ask('validate_trigger', { project, record, ...(name === undefined ? {} : { name }) }),
    },
    runs: {
      list: (
        project: string,
        { outcomes, ...query }: { outcomes?: readonly string[]; [field: string]: unknown },
      ) =>
        ask('list_runs', {
          project,
          ...query,
          ...(outcomes === undefined ? {} : { outcome: outcomes }),
        }),
      get: (project: string, id: string) => ask('read_run', { project, run_id: id }),
      cancel: (caller: Caller, project: string, id: string) =>
        ask('cancel_run', { project, run_id: id }, caller),
    },
    chats: {
      list: (
        project: string,
        {
          includeArchived,
          ...query
        }: { includeArchived?: boolean; limit?: number; cursor?: string },
      ) =>
        ask('list_chats', {
          project,
          ...query,
          ...(includeArchived === undefined ? {} : { include_archived: includeArchived }),
        }),
      async get(project: string, session_id: string, query: object) {
        const read = await ask('read_transcript', { project, session_id, ...query });
        if (!read.ok) return read;
        const { messages, next, ...chat } = read.value;
        return success({ chat, messages, next });
      },
      create: (caller: Caller, project: string, chat: object) =>
        ask('create_chat', { project, ...chat }, caller),
      send: (caller: Caller, project: string, session_id: string, prompt: string) =>
        ask('send_message', { project, session_id, prompt }, caller),
      cancel: (caller: Caller, project: string, session_id: string) =>
        ask('cancel_turn', { project, session_id }, caller),
      archive: (caller: Caller, project: string, session_id: string) =>
        ask('archive_chat', { project, session_id }, caller),
      unarchive: (project: string, session_id: string) =>
        ask('unarchive_chat', { project, session_id }),
      fork: (caller: Caller, project: string, session_id: string, fork: object) =>
        ask('fork_chat', { project, session_id, ...fork }, caller),
    },
    usage: (project: string, days?: number) =>
      ask('read_usage', { project, ...(days === undefined ? {} : { days }) }),
    events: (project: string, page: object = {}) => ask('list_events', { project, ...page }),
    status: () => ask('read_status', {}),
    pause: (wish: object = {}, caller: Caller = USER) => ask('pause_all', wish, caller),
    resume: () => ask('resume_all', {}),
    resumeTrigger: (project: string, name: string) => ask('resume_trigger', { project, name }),
    settings: () => ask('read_settings', {}),
    preview: (request: object) => ask('preview_schedule', request),
    projects: {
      async list() {
        const listed = await ask('list_projects', {});
        return listed.ok ? listed.value.projects : [];
      },
      async health(slug: string) {
        const listed = await ask('list_project_records', {});
        return listed.ok ? listed.value.projects.find((one) => one.slug === slug)?.health : null;
      },
      create: (project: object) => ask('create_project', project),
    },
  };
}

/** What `peoplesView` makes. */
export type PeoplesView = ReturnType<typeof peoplesView>;
