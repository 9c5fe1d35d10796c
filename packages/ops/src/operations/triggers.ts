import { failure, success } from '@svc/core';
import { triggerArguments } from '@svc/trigger-schema';
import { defineOperation, type OperationRow, READING, STARTING } from './operation.ts';
import { objectOf, project, RESULT } from './shared-schemas.ts';
import { CONDITIONS, conditionOf, known, name } from './trigger-arguments.ts';
import { flatTriggerSchema, legacyViewSchema } from './trigger-view.schema.ts';

const SET_PROPERTIES = {
  name: name('Key of the trigger in its project, for example nightly-report.'),
  ...triggerArguments,
  project,
} as const;

export const listTriggers: OperationRow<'list_triggers'> = defineOperation({
  name: 'list_triggers',
  summary: 'List the triggers of a project.',
  policy: { effect: 'reads', target: 'project', gate: 'hooks', runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: { project } },
  output: null,
  tool: {
    title: 'List triggers',
    description:
      'List all triggers of a project: schedule or event, prompt, enabled and armed state, next fire, last outcome, and capabilities of the agent (`capability`). Invalid entries of project.yaml, which never fire, are in `invalid` with reasons. Entries of the legacy `schedules` map are in `legacySchedules`. Read-only.',
    ...READING,
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
  run: async ({ nouns, target }) => success(await nouns.triggers.flat.list(target)),
});

export const setTrigger: OperationRow<'set_trigger'> = defineOperation({
  name: 'set_trigger',
  summary: 'Create or change a trigger.',
  policy: { effect: 'mutates', target: 'project', gate: 'hooks', runsCode: true },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: SET_PROPERTIES,
  },
  output: null,
  tool: {
    title: 'Create or change a trigger',
    description: `Create a trigger, or update the trigger with this name. Omitted arguments are not changed; an empty string clears an optional field. Writes the project's project.yaml and arms or disarms the trigger at once.

A trigger starts a real agent turn each time it fires. When: \`type: schedule\` with exactly one of \`cron\` and \`interval\`, or \`type: event\` with \`event\`. What: exactly one of \`prompt\` and \`prompt_file\`. Giving one of such a pair clears the other.

A new trigger is disabled unless \`enabled\` is true: set that once you are sure. On a schedule an empty \`tools\` list means the project's keeper with all of its tools; a list means an agent with exactly these. Nothing is fired by this call; use run_trigger to try it. Returns the trigger as it is now, with its next fire.`,
    clearsWithEmpty: true,
    destructive: true,
    idempotent: true,
    openWorld: true,
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
  async run({ nouns, caller, target }, args) {
    const patched = await nouns.triggers.patch(caller, target, args);
    if (!patched.ok) return patched;
    const trigger = await nouns.triggers.flat.one(target.slug, args.name);
    if (trigger === null) return failure(GONE);
    const { warnings } = patched.value;
    const told = warnings.length === 0 ? {} : { warnings };
    return success({ set: true, project: target.slug, trigger, ...told });
  },
});

const GONE = {
  code: 'conflict',
  message: 'The trigger was set, but has been changed again since. List the triggers.',
} as const;

export const removeTrigger: OperationRow<'remove_trigger'> = defineOperation({
  name: 'remove_trigger',
  summary: 'Delete and disarm a trigger.',
  policy: { effect: 'mutates', target: 'project', gate: 'hooks', runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: { name: known, project, ...CONDITIONS },
  },
  output: null,
  tool: {
    title: 'Delete a trigger',
    without: Object.keys(CONDITIONS),
    description:
      'Delete a trigger from project.yaml and disarm it. A running turn continues; chats and past runs are kept. To undo, create the trigger again. `removed: false` means that no trigger had this name.',
    destructive: true,
    idempotent: true,
    openWorld: false,
    output: objectOf({ removed: RESULT.boolean, project: RESULT.text, name: RESULT.text }),
  },
  async run({ nouns, caller, target }, { name: key, ...conditions }) {
    const removed = await nouns.triggers.remove(caller, target, key, conditionOf(conditions));
    if (!removed.ok) return removed;
    return success({ removed: removed.value.removed, project: target.slug, name: key });
  },
});

const intOrNull = { type: ['integer', 'null'] };

const LONGEST_WAIT_SECONDS = 600;

export const runTrigger: OperationRow<'run_trigger'> = defineOperation({
  name: 'run_trigger',
  summary: 'Fire a trigger now, even if it is disabled.',
  policy: { effect: 'starts_turn', target: 'project', gate: 'hooks', runsCode: true },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: known,
      project,
      wait_seconds: {
        type: 'integer',
        minimum: 0,
        maximum: LONGEST_WAIT_SECONDS,
        description: 'How long to wait for the end of the run. Default: 0.',
      },
      event: {
        type: 'object',
        description:
          'Event data to test an event trigger with: at most 256 KiB and 32 levels of JSON. Default: none.',
      },
    },
  },
  output: null,
  tool: {
    title: 'Fire a trigger now',
    without: ['event'],
    description:
      'Fire a trigger immediately, even if disabled, through the same path as its schedule or event. This starts a real agent turn; the schedule does not change. Refused to agents while all triggers are paused; `notice` is set if the trigger itself is paused. Returns `sessionId` and `runId` once the chat exists. With `wait_seconds`, waits up to that long and also returns `outcome` (succeeded, failed, timed_out, denied, no_model and others), `reason` (one sentence if it did not succeed, else null), `tokensIn`, `tokensOut` and `cost` in US dollars (an estimate); null means unknown. Without `outcome` the run is still in progress: follow it with read_chat or list_triggers.',
    ...STARTING,
    output: objectOf(
      {
        ran: RESULT.boolean,
        project: RESULT.text,
        name: RESULT.text,
        sessionId: RESULT.text,
        runId: RESULT.text,
        notice: RESULT.text,
        outcome: RESULT.text,
        reason: { type: ['string', 'null'] },
        tokensIn: intOrNull,
        tokensOut: intOrNull,
        cost: { type: ['number', 'null'] },
      },
      ['notice', 'outcome', 'reason', 'tokensIn', 'tokensOut', 'cost'],
    ),
  },
  async run({ nouns, caller, target, signal }, { name: key, wait_seconds: wait = 0, event }) {
    const fired = await nouns.triggers.run(caller, target, key, event);
    if (!fired.ok) return fired;
    const { sessionId, runId } = fired.value;
    const pause = await nouns.pausing.reasonOf({
      project: target.slug,
      source: 'trigger',
      name: key,
    });
    const notice = pause === null ? {} : { notice: `${pause} This run starts anyway.` };
    const outcome = await nouns.runs.outcome(target.slug, runId, wait * 1000, signal);
    const run = outcome === null ? null : await nouns.runs.get(target.slug, runId);
    const {
      reason = null,
      tokensIn = null,
      tokensOut = null,
      cost = null,
    } = run?.ok ? run.value : {};
    const told = outcome === null ? {} : { outcome, reason, tokensIn, tokensOut, cost };
    const ran = { ran: true, project: target.slug, name: key, sessionId, runId } as const;
    return success({ ...ran, ...notice, ...told });
  },
});
