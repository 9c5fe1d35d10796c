import { failure, success } from '@svc/core';
import { triggerArguments } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { TriggerEdits } from '../trigger-edits.ts';
import type { TriggerPatches } from '../trigger-patches.ts';
import type { TriggerOperations } from '../triggers.ts';
import type { Fence } from './agent-fence.ts';
import { defineOperation, type OperationDefinition, READING, STARTING } from './operation.ts';
import { waitForRun } from './run-waiting.ts';
import { objectOf, project, RESULT } from './shared-schemas.ts';
import { flatTriggerSchema, legacyViewSchema } from './trigger-view.schema.ts';
import type { FlatTriggers } from './trigger-view.ts';

/** What the operations on triggers work with. */
export interface TriggerToolParts {
  readonly deps: OpsDeps;
  readonly triggers: TriggerOperations & TriggerEdits & TriggerPatches;
  readonly views: FlatTriggers;
  readonly fence: Fence;
}

/** The operations on triggers. */
export function triggerTools(parts: TriggerToolParts): OperationDefinition[] {
  return [listTriggers(parts), setTrigger(parts), removeTrigger(parts), runTrigger(parts)];
}

const name = (description: string) =>
  ({ type: 'string', minLength: 1, maxLength: 128, description }) as const;

function listTriggers({ views }: TriggerToolParts): OperationDefinition {
  return defineOperation(
    {
      name: 'list_triggers',
      title: 'List triggers',
      description:
        'Lists the triggers of a project, of every type: when each fires, what it runs, whether it is enabled and armed, when it fires next, how its last run ended, and what its agent may do (`capability`). Entries of project.yaml that are not valid, and so never fire, are under `invalid` with the reasons; timers of the older `schedules` map are under `legacySchedules`. Changes nothing.',
      policy: { effect: 'reads', target: 'project' },
      ...READING,
      input: { type: 'object', additionalProperties: false, properties: { project } },
      output: objectOf(
        {
          project: RESULT.text,
          count: RESULT.integer,
          triggers: { type: 'array', items: flatTriggerSchema },
          invalid: {
            type: 'array',
            items: objectOf({ name: RESULT.text, issues: RESULT.issues }),
          },
          legacySchedules: { type: 'array', items: legacyViewSchema },
        },
        ['legacySchedules'],
      ),
    },
    async ({ target }) => success(await views.list(target)),
  );
}

function setTrigger({ triggers, views, fence }: TriggerToolParts): OperationDefinition {
  return defineOperation(
    {
      name: 'set_trigger',
      title: 'Create or change a trigger',
      description: `Creates a trigger, or changes the one of that name: only the arguments that are given change, the others stay; an empty text clears an optional field. It is written into the project's project.yaml and armed or disarmed at once.

A trigger starts a real agent turn each time it fires. When: \`type: schedule\` with exactly one of \`cron\` and \`interval\`, or \`type: event\` with \`event\`. What: exactly one of \`prompt\` and \`prompt_file\`. Giving one of such a pair clears the other.

A new trigger is disabled unless \`enabled\` is true: set that once you are sure. On a schedule an empty \`tools\` list means the project's keeper with all of its tools; a list means an agent with exactly these. Nothing is fired by this call; use run_trigger to try it. Returns the trigger as it is now, with its next fire.`,
      policy: { effect: 'mutates', target: 'project' },
      clearsWithEmpty: true,
      destructive: true,
      idempotent: true,
      openWorld: true,
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: SET_PROPERTIES,
      },
      output: objectOf(
        {
          set: RESULT.boolean,
          project: RESULT.text,
          trigger: flatTriggerSchema,
          warnings: RESULT.issues,
        },
        ['warnings'],
      ),
    },
    async ({ caller, target }, args) => {
      const check = fence.checkOf(caller, target, args);
      const patched = await triggers.patch(caller, target.slug, args, check);
      if (!patched.ok) return patched;
      const trigger = await views.one(target.slug, args.name);
      if (trigger === null) return failure(GONE);
      const { warnings } = patched.value;
      const told = warnings.length === 0 ? {} : { warnings };
      return success({ set: true, project: target.slug, trigger, ...told });
    },
  );
}

const GONE = {
  code: 'conflict',
  message: 'The trigger was set, but somebody else has changed it since: list the triggers.',
} as const;

const SET_PROPERTIES = {
  name: name('Key of the trigger in its project, for example nightly-report.'),
  ...triggerArguments,
  project,
} as const;

function removeTrigger({ triggers }: TriggerToolParts): OperationDefinition {
  return defineOperation(
    {
      name: 'remove_trigger',
      title: 'Delete a trigger',
      description:
        'Deletes a trigger from the project.yaml and disarms it. A turn that is running goes on; chats and past runs stay. There is no way back but to set it anew. `removed: false` means that there was none of that name.',
      policy: { effect: 'mutates', target: 'project' },
      destructive: true,
      idempotent: true,
      openWorld: false,
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: { name: name('Name of the trigger, as list_triggers returns it.'), project },
      },
      output: objectOf({ removed: RESULT.boolean, project: RESULT.text, name: RESULT.text }),
    },
    async ({ caller, target }, { name: key }) => {
      const removed = await triggers.remove(caller, target.slug, key);
      if (!removed.ok) return removed;
      return success({ removed: removed.value.removed, project: target.slug, name: key });
    },
  );
}

const LONGEST_WAIT_SECONDS = 600;

function runTrigger({ deps, triggers, fence }: TriggerToolParts): OperationDefinition {
  return defineOperation(
    {
      name: 'run_trigger',
      title: 'Fire a trigger now',
      description:
        'Fires a trigger immediately, by the same path as its schedule or event, whether or not it is enabled: a real agent turn starts. Its schedule is not moved. Returns `sessionId` and `runId` as soon as the chat exists; with `wait_seconds` it waits for the end that long and then also returns `outcome` (succeeded, failed, timed_out, denied, no_model and others). Without an `outcome` the run goes on: follow it with read_chat or list_triggers.',
      policy: { effect: 'starts_turn', target: 'project' },
      ...STARTING,
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: name('Name of the trigger, as list_triggers returns it.'),
          project,
          wait_seconds: {
            type: 'integer',
            minimum: 0,
            maximum: LONGEST_WAIT_SECONDS,
            description: 'How long to wait for the end of the run. Default: 0.',
          },
        },
      },
      output: objectOf(
        {
          ran: RESULT.boolean,
          project: RESULT.text,
          name: RESULT.text,
          sessionId: RESULT.text,
          runId: RESULT.text,
          outcome: RESULT.text,
        },
        ['outcome'],
      ),
    },
    async ({ caller, target, signal }, { name: key, wait_seconds: wait = 0 }) => {
      const refused = fence.refusalOf(caller, target, key);
      if (refused !== null) return failure(refused);
      const fired = await triggers.run(caller, target.slug, key);
      if (!fired.ok) return fired;
      const { sessionId, runId } = fired.value;
      const outcome = await waitForRun(deps, { project: target.slug, runId }, wait * 1000, signal);
      const told = outcome === null ? {} : { outcome };
      return success({ ran: true, project: target.slug, name: key, sessionId, runId, ...told });
    },
  );
}
