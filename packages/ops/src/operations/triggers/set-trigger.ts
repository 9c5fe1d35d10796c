import { failure, success } from '@svc/core';
import { triggerArguments } from '@svc/trigger-schema';
import { exactly, flag, text, toolIssues } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { project } from '../shared-schemas.ts';
import { patchFields } from './patch-fields.ts';
import { flatTriggerSchema, name } from './shared.ts';

const SET_PROPERTIES = {
  name: name('Key of the trigger in its project, for example nightly-report.'),
  ...triggerArguments,
  project,
} as const;

const GONE = {
  code: 'conflict',
  message: 'The trigger was set, but has been changed again since. List the triggers.',
} as const;

export const setTrigger = defineOperation({
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
  http: null,
  tool: {
    title: 'Create or change a trigger',
    description: `Create a trigger, or update the trigger with this name. Omitted arguments are not changed; an empty string clears an optional field. Writes the project's project.yaml and arms or disarms the trigger at once.

A trigger starts a real agent turn each time it fires. When: \`type: schedule\` with exactly one of \`cron\` and \`interval\`, or \`type: event\` with \`event\`. What: exactly one of \`prompt\` and \`prompt_file\`. Giving one of such a pair clears the other.

A new trigger is disabled unless \`enabled\` is true: set that once you are sure. On a schedule an empty \`tools\` list means the project's keeper with all of its tools; a list means an agent with exactly these. Nothing is fired by this call; use run_trigger to try it. Returns the trigger as it is now, with its next run.`,
    clearsWithEmpty: true,
    destructive: true,
    idempotent: true,
    openWorld: true,
    output: exactly(
      {
        set: flag,
        project: text,
        trigger: flatTriggerSchema,
      },
      {
        warnings: toolIssues,
      },
    ),
  },
  async run({ services, caller, target }, args) {
    const patched = await patchFields(services, caller, target, args);
    if (!patched.ok) return patched;
    const trigger = await services.flat.one(target.slug, args.name);
    if (trigger === null) return failure(GONE);
    const { warnings } = patched.value;
    const warned = warnings.length === 0 ? {} : { warnings };
    return success({ set: true, project: target.slug, trigger, ...warned });
  },
});
